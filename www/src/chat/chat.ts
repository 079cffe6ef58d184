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
import { suggestions, type CopydeskAssistant } from "copydesk/ui/assistant";
import { wordsFor } from "copydesk/ui/words";
import { h, set } from "../dom";
import { editModeOf } from "../editor";
import type { Engine } from "../engine";
import { reasonOf } from "../lazy";
import { inAllLocales, locale, localize, messages, type Messages } from "../locale";
import { recordsRuns, setRecordsRuns, type Session } from "../session";
import { saveItem } from "../storage";
import { moreMenu } from "./menu";
import { replayFile, resultLine, saveRecording, showDocument, type Replay } from "./recordings";

/** Where conversations are kept, and a document that a recording replaces. */
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

/** Milliseconds without a change of the document until the suggestions of the demo model are drawn. */
const DELAY = 200;
const MOST_SUGGESTIONS = 5;

/** Sentences of the demo model about what only another model can do. */
const NEEDS_MODEL = Object.values(inAllLocales((m) => [m.demo.needsModel, m.demo.differs])).flat();

export class Chat {
  readonly assistant: Assistant;
  private element: CopydeskAssistant = document.createElement("copydesk-assistant");
  private handle = h("button", {
    type: "button",
    class: "sheet-handle",
    "aria-expanded": "false",
    "aria-controls": "conversation",
  });
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the last search for suggestions of the demo model. */
  private search = 0;
  /** What is shown below the conversation. */
  private note: HTMLElement | null = null;

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
    const { element } = this;
    element.id = "conversation";
    element.hasSettings = true;
    element.runFooter = (run) => this.runFooter(run);
    element.assistant = this.assistant;
    element.append(this.menu(), h("span", { slot: "load-failure" }));
    aside.append(this.handle, element);
    element.addEventListener("open-settings", () => options.openSettings());
    element.addEventListener("message", () => this.openSheet(true));
    element.addEventListener("conversation-change", () => this.setNote(null));
    element.addEventListener("mode-change", (event) => {
      saveItem("mode", event.detail.mode);
    });
    this.handle.addEventListener("click", () => this.openSheet(!aside.classList.contains("open")));
    localize((m) => {
      set(aside, { "aria-label": m.assistant });
      this.drawHandle();
      this.drawNotices(m);
      this.drawWelcome();
    });
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
    this.drawNotices(messages());
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
    if (!session.demo) this.element.suggestions = own(session.fileCount);
    // The first look does not wait for the demo model.
    else if (editor.isEmpty && !session.fileCount) this.element.suggestions = own(null);
    else this.element.suggestions ??= [];
    if (!session.demo) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.drawRuns(), DELAY);
  }

  /** Shows the prompts that have a recorded run. */
  private async drawRuns(): Promise<void> {
    const search = ++this.search;
    const texts = await this.session.demoSuggestions().catch((error: unknown) => {
      // Without the network there are none.
      console.warn(error);
      return [];
    });
    if (search !== this.search || !this.session.demo) return;
    const suggested = texts.slice(0, MOST_SUGGESTIONS);
    // Another list, even of the same texts, draws the conversation again.
    if (this.element.suggestions?.join("\n") !== suggested.join("\n")) this.element.suggestions = suggested;
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

  private runFooter(run: Run): HTMLElement | null {
    const last = run.items.findLast((item) => item.type === "text")?.text ?? "";
    if (run.items.at(-1)?.type !== "end" || !NEEDS_MODEL.some((sentence) => last.includes(sentence))) return null;
    const button = h("button", { type: "button", class: "button small" }, messages().openSettings);
    button.addEventListener("click", () => this.options.openSettings());
    return h("div", { class: "needs-model" }, button);
  }

  private menu(): HTMLElement {
    const menu = moreMenu([
      ...(recordsRuns()
        ? [
            {
              icon: "save" as const,
              name: (m: Messages) => m.saveRecording,
              run: () => saveRecording(this.assistant.agent.recording),
            },
          ]
        : []),
      { icon: "open", name: (m) => m.openRecording, file: (file) => void this.open(file) },
      {
        icon: "tool",
        name: (m) => (recordsRuns() ? m.stopRecording : m.startRecording),
        hint: (m) => m.recordingHint,
        run: () => void this.toggleRecording(),
      },
    ]);
    menu.slot = "head";
    return menu;
  }

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
      this.setNote(h("div", { class: "failure", "data-code": code }, h("p", {}, reasonOf(error)(messages()))));
      return;
    }
    await this.assistant.newConversation();
    await this.options.closeFile();
    this.saved.keepDocument();
    showDocument(this.editor, replayed.played);
    await this.assistant.showRuns(replayed.runs);
    this.setNote(resultLine(replayed.played));
    this.focus();
  }

  /** Shows an element below the conversation, and says its text. */
  private setNote(note: HTMLElement | null): void {
    this.note?.remove();
    this.note = note;
    if (!note) return;
    note.slot = "end";
    this.element.append(note);
    this.openSheet(true);
    note.scrollIntoView();
    this.element.announce(note.textContent ?? "");
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
    this.aside.classList.toggle("open", open);
    this.aside.closest(".app")?.classList.toggle("sheet-open", open);
    this.drawHandle();
  }

  private drawHandle(): void {
    const open = this.aside.classList.contains("open");
    set(this.handle, {
      "aria-expanded": String(open),
      "aria-label": open ? messages().closeConversation : messages().openConversation,
    });
  }

  private drawNotices(m: Messages): void {
    this.element.querySelector("[slot=notices]")?.remove();
    const line = h("p", { class: this.session.demo ? "demo-notice" : "model-name", slot: "notices" });
    if (this.session.demo) {
      const [before, link, after] = m.demoNotice;
      const settings = h("button", { type: "button", class: "inline-link" }, link);
      settings.addEventListener("click", this.options.openSettings);
      line.append(before, settings, after);
    } else line.append(modelNameOf(this.session.settings));
    this.element.append(line);
  }
}
