/** The assistant's column: the element of copydesk/ui with what belongs to this page. */
import type { Editor } from "@tiptap/core";
import { CopydeskError } from "copydesk";
import type { SavedDocuments } from "copydesk/autosave";
import {
  createAssistant,
  isEstimated,
  modelNameOf,
  watchOf,
  type Assistant,
  type Run,
  type StoredConversation,
} from "copydesk/assistant";
import type { CopydeskEvents } from "copydesk/ui";
import { suggestions, type CopydeskAssistant } from "copydesk/ui/assistant";
import { wordsFor } from "copydesk/ui/words";
import { html, nothing } from "lit";
import { drawIn, type Template } from "../draw";
import { editModeOf } from "../editor";
import type { Engine } from "../engine";
import { reasonOf } from "../lazy";
import { inAllLocales, locale, localize, messages, type Messages } from "../locale";
import { recordsRuns, setRecordsRuns, type Session } from "../session";
import { saveItem } from "../storage";
import { moreMenu, type MenuItem } from "./menu";
import { replayFile, resultLine, saveRecording, showDocument, type Replay } from "./recordings";

/** The storage of conversations, and a document that a recording replaces. */
export interface KeptConversations extends Pick<
  SavedDocuments,
  "conversationStorage" | "changed" | "flush" | "keepDocument"
> {
  document?: { conversation: string | null } | undefined;
}

export interface ChatOptions {
  openSettings: () => void;
  /** Shows the user's own document in place of a file. */
  closeFile: () => Promise<void>;
}

/** The languages of the recorded runs. */
const RECORDED: readonly string[] = ["en", "zh-CN"];
/** Milliseconds without a change of the document until the suggestions of the demo model are drawn. */
const DELAY = 200;
const MOST_SUGGESTIONS = 5;

/** Sentences of the demo model about what only another model can do. */
const NEEDS_MODEL = Object.values(inAllLocales((m) => [m.demo.needsModel, m.demo.differs])).flat();

export class Chat {
  readonly assistant: Assistant;
  private element: CopydeskAssistant;
  private draw: () => void;
  private isOpen = false;
  /** The prompts below an empty conversation. */
  private suggested: readonly string[] | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the last search for suggestions of the demo model. */
  private search = 0;
  /** The entries of the menu. */
  private items: readonly MenuItem[] = [
    {
      icon: "save",
      name: (m) => m.saveRecording,
      run: () => saveRecording(this.assistant.agent.recording),
      when: recordsRuns,
    },
    { icon: "open", name: (m) => m.openRecording, file: (file) => void this.open(file) },
    {
      icon: "tool",
      name: (m) => (recordsRuns() ? m.stopRecording : m.startRecording),
      hint: (m) => m.recordingHint,
      run: () => void this.toggleRecording(),
    },
  ];
  /** The note below the conversation. */
  private note: Template | null = null;

  constructor(
    private aside: HTMLElement,
    private editor: Editor,
    private session: Session,
    private engine: Engine,
    private saved: KeptConversations,
    private options: ChatOptions,
  ) {
    this.assistant = createAssistant({
      editor,
      agent: () => session.agentOptions(),
      storage: saved.conversationStorage,
      conversation: saved.document?.conversation ?? null,
      mode: editModeOf(),
      load: () => engine.load(),
      costs: () => (session.demo ? "none" : isEstimated(session.settings) ? "estimated" : "exact"),
      serverTool: (name) => session.additions.serverTool(name),
      setup: () => session.additions.setup,
      // The page asks for consent in a notice of its own.
      shows: (event) => event.type !== "notice" || event.code !== "rules_not_accepted",
    });
    session.attach(this.assistant);
    this.draw = drawIn(aside, (m) => this.template(m));
    this.element = aside.querySelector("copydesk-assistant")!;
    localize(() => this.drawWelcome());
    engine.follow(() => engine.state === "ready" && void this.assistant.load());
    watchOf(editor).follow(({ structure }) => structure && this.drawWelcome());
    // The runs of the demo model fit whole texts.
    editor.on("update", () => session.demo && this.drawWelcome());
    this.followState();
    // On a small screen the suggestions are visible for an empty document.
    this.openSheet(editor.isEmpty);
  }

  get working(): boolean {
    return this.assistant.state.isWorking;
  }

  focus(): void {
    this.element.focus();
  }

  stop(): void {
    this.assistant.stop();
  }

  /** Stops the current run and waits for its end. */
  settle(): Promise<void> {
    return this.assistant.settle();
  }

  /** Returns the current conversation, as it is saved. */
  stored(): StoredConversation {
    return this.assistant.stored();
  }

  settingsChanged(anotherModel: boolean): void {
    this.draw();
    this.drawWelcome();
    if (!anotherModel) return;
    const name = this.session.demo ? messages().demoName : modelNameOf(this.session.settings);
    void this.clear().then(() => this.element.announce(messages().newConversationWith(name)));
  }

  /** Shows prompts that fit the document and the files, while there is no conversation. */
  drawWelcome(): void {
    const { editor, session } = this;
    if (this.assistant.state.runs.length) return;
    const own = (files: number | null) => suggestions(editor, wordsFor(locale()), files);
    if (!session.demo) this.suggest(own(session.fileCount));
    // The first look does not wait for the demo model, which has runs of its own in these languages.
    else if (editor.isEmpty && !session.fileCount && RECORDED.includes(locale())) this.suggest(own(null));
    else if (!this.suggested) this.suggest([]);
    if (!session.demo) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.drawRuns(), DELAY);
  }

  /** Shows the prompts that have a recorded run. */
  private async drawRuns(): Promise<void> {
    const search = ++this.search;
    const texts = await this.session.demoSuggestions().catch((error: unknown) => {
      // Without the network there are no suggestions.
      console.warn(error);
      return [];
    });
    if (search !== this.search || !this.session.demo) return;
    this.suggest(texts.slice(0, MOST_SUGGESTIONS));
  }

  private suggest(texts: readonly string[]): void {
    // Another list, even of the same texts, draws the conversation again.
    if (this.suggested?.join("\n") === texts.join("\n")) return;
    this.suggested = texts;
    this.draw();
  }

  /** Saves with the document what changes in the conversation. */
  private followState(): void {
    const { assistant, saved } = this;
    let { runs, conversation } = assistant.getSnapshot();
    assistant.subscribe(() => {
      const now = assistant.getSnapshot();
      if (now.runs.length > runs.length && now.isWorking) this.openSheet(true);
      if (!now.runs.length && runs.length) this.drawWelcome();
      if (now.runs !== runs || now.conversation !== conversation) saved.changed();
      ({ runs, conversation } = now);
    });
  }

  private template(m: Messages) {
    return html`<button
        type="button"
        class="sheet-handle"
        aria-controls="conversation"
        aria-expanded=${this.isOpen}
        aria-label=${this.isOpen ? m.closeConversation : m.openConversation}
        @click=${() => this.openSheet(!this.isOpen)}
      ></button>
      <copydesk-assistant
        id="conversation"
        .hasSettings=${true}
        .runFooter=${this.runFooter}
        .assistant=${this.assistant}
        .suggestions=${this.suggested}
        @open-settings=${this.options.openSettings}
        @message=${() => this.openSheet(true)}
        @conversation-change=${() => this.setNote(null)}
        @mode-change=${(event: CopydeskEvents["mode-change"]) => saveItem("mode", event.detail.mode)}
      >
        ${moreMenu(this.items, { slot: "head" })}<span slot="load-failure"></span
        >${this.notice(m)}${this.note?.(m) ?? nothing}
      </copydesk-assistant>`;
  }

  private runFooter = (run: Run): unknown => {
    const last = run.items.findLast((item) => item.type === "text")?.text ?? "";
    if (run.items.at(-1)?.type !== "end" || !NEEDS_MODEL.some((sentence) => last.includes(sentence))) return null;
    return html`<div class="needs-model">
      <button type="button" class="button small" @click=${this.options.openSettings}>${messages().openSettings}</button>
    </div>`;
  };

  /** Starts a new conversation; the document stays unchanged, and the old conversation stays in the list. */
  private async clear(): Promise<void> {
    await this.assistant.newConversation();
    this.setNote(null);
    this.focus();
  }

  /** Replays a recording: shows its conversation here and the resulting document in the editor. */
  private async open(file: File): Promise<void> {
    let replayed: Replay;
    try {
      await this.engine.load();
      replayed = await replayFile(file);
    } catch (error) {
      const code = error instanceof CopydeskError ? error.code : "internal";
      const reason = reasonOf(error);
      return this.setNote((m) => html`<div class="failure" slot="end" data-code=${code}><p>${reason(m)}</p></div>`);
    }
    await this.assistant.newConversation();
    await this.options.closeFile();
    this.saved.keepDocument();
    showDocument(this.editor, replayed.played);
    await this.assistant.showRuns(replayed.runs);
    this.setNote(resultLine(replayed.played));
    this.focus();
  }

  /** Shows a note below the conversation, and says its text. */
  private setNote(note: Template | null): void {
    this.note = note;
    this.draw();
    if (!note) return;
    this.openSheet(true);
    const shown = this.element.querySelector("[slot=end]");
    shown?.scrollIntoView();
    this.element.announce(shown?.textContent?.trim() ?? "");
  }

  /** Turns recordings on or off. The page is loaded again, with the build of copydesk that is needed. */
  private async toggleRecording(): Promise<void> {
    await this.settle();
    await this.assistant.flush();
    await this.saved.flush();
    setRecordsRuns(!recordsRuns());
    location.reload();
  }

  private openSheet(open: boolean): void {
    this.isOpen = open;
    this.aside.classList.toggle("open", open);
    this.aside.closest(".app")?.classList.toggle("sheet-open", open);
    this.draw();
  }

  private notice(m: Messages) {
    const { session, options } = this;
    if (!session.demo) return html`<p class="model-name" slot="notices">${modelNameOf(session.settings)}</p>`;
    const [before, name, after] = m.demoNotice;
    const link = html`<button type="button" class="inline-link" @click=${options.openSettings}>${name}</button>`;
    return html`<p class="demo-notice" slot="notices">${before}${link}${after}</p>`;
  }
}
