/** The chat panel: the model's name, the conversation, the progress line and the composer. */
import type { Editor } from "@tiptap/core";
import { CopydeskError, type AgentEvent, type RunResult } from "copydesk";
import { hunksRevision } from "copydesk/tiptap";
import { h, set } from "../dom";
import { watchOf } from "../document-watch";
import { icon } from "../icons";
import { clearEditRanges } from "../edit-ranges";
import type { Engine } from "../engine";
import { recordsRuns, setRecordsRuns, type Session } from "../session";
import { nameOf } from "../settings/store";
import { reasonOf } from "../lazy";
import { localize, messages, type Messages } from "../locale";
import { titlesOf } from "../sections";
import { Composer } from "./composer";
import { moreMenu } from "./menu";
import { modeSelect } from "./mode-select";
import { ConversationList } from "./conversation-list";
import { Queue } from "./queue";
import { followPointer } from "./pointed-row";
import { promptsOf, replayFile, resultLine, saveRecording, showDocument, type Replay } from "./recordings";
import { RunView } from "./run-view";
import { Decisions } from "./decisions";
import { Welcome } from "./welcome";
import { keepHighlight } from "./review";
import { ConversationRecord, addEvent, hasCall, serverToolOf } from "../store/conversation";
import type { StoredConversation, StoredRun } from "../store/database";
import type { SavedState } from "../saved-state";

export interface ChatOptions {
  /** The element in the aside that has everything of the chat. */
  parts: HTMLElement;
  openSettings: () => void;
  /** Shows the user's own document in place of a file. */
  closeFile: () => Promise<void>;
}

export class Chat {
  private log = h("div", { class: "log", role: "log", "aria-live": "off", tabindex: "0" });
  private welcome: Welcome;
  private notices = h("div", { class: "chat-notices" });
  private progressText = h("span", { class: "progress-text" });
  private progress = h(
    "div",
    { class: "progress", "data-idle": true },
    h("div", { class: "progress-line" }),
    this.progressText,
  );
  private liveRegion = h("div", { class: "visually-hidden", "aria-live": "polite", role: "status" });
  private handle = h("button", {
    type: "button",
    class: "sheet-handle",
    "aria-expanded": "false",
    "aria-controls": "conversation",
  });
  private newConversation = h("button", { type: "button", class: "tool" }, icon("plus"));
  private composer: Composer;
  private queue: Queue;
  private decisions: Decisions;
  private runs: RunView[] = [];
  private current: RunView | null = null;
  private idle: Promise<void> = Promise.resolve();
  private activity: (() => string) | null = null;
  private lastPrompt = "";
  private conversation = new ConversationRecord();
  private list: ConversationList;
  /** Notices that came while no run was under way: the next one shows them. */
  private untold: AgentEvent[] = [];
  /** Saved events are shown, which are not news. */
  private showsPast = false;

  constructor(
    private aside: HTMLElement,
    private editor: Editor,
    private session: Session,
    private engine: Engine,
    private saved: SavedState,
    private options: ChatOptions,
  ) {
    this.decisions = new Decisions(editor, () => this.showDecisions());
    const mode = modeSelect(editor, () => {
      session.modeChanged();
      this.drawWelcome();
    });
    this.composer = new Composer({ send: (text) => this.send(text), stop: () => this.stop(), footer: mode });
    this.welcome = new Welcome(editor, session, (text) => this.send(text));
    this.queue = new Queue((texts) => session.queue(texts));
    this.list = new ConversationList({
      all: () => saved.conversations,
      current: () => this.stored(),
      open: (id) => void this.openConversation(id),
      remove: (id) => void this.removeConversation(id),
    });
    const title = h("h2", { class: "chat-title" });
    const more = moreMenu([
      ...(recordsRuns()
        ? [
            {
              icon: "save" as const,
              name: (m: Messages) => m.saveRecording,
              run: () => saveRecording(session.recording),
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
    this.log.id = "conversation";
    options.parts.append(
      this.handle,
      h("div", { class: "chat-head" }, title, this.list.element, this.newConversation, more),
      this.notices,
      h("div", { class: "log-frame" }, this.log),
      h("div", { class: "chat-foot" }, this.progress, this.queue.element, this.composer.element),
      this.liveRegion,
    );
    this.log.append(this.welcome.element);
    localize((m) => {
      title.textContent = m.assistant;
      set(aside, { "aria-label": m.assistant });
      set(this.log, { "aria-label": m.conversation });
      set(this.newConversation, { "aria-label": m.newConversation, title: m.newConversation });
      this.drawHandle();
      this.drawNotices();
      this.drawWelcome();
      this.drawProgress();
    });
    this.handle.addEventListener("click", () => this.openSheet(!aside.classList.contains("open")));
    this.newConversation.addEventListener("click", () => void this.clear());
    addEventListener("online", () => this.drawNotices());
    addEventListener("offline", () => this.drawNotices());
    watchOf(editor).follow(({ structure }) => structure && this.drawWelcome());
    let counted = hunksRevision(editor);
    editor.on("transaction", () => {
      keepHighlight(editor);
      if (counted === hunksRevision(editor)) return;
      counted = hunksRevision(editor);
      for (const run of this.runs) run.updatePending();
    });
    editor.on("reviewDecision", ({ accepted, hunks }) => {
      this.decisions.add(hunks, accepted, (toolId) => this.conversationOf(toolId));
      this.showDecisions();
    });
    session.subscribe((event) => {
      if (event.type === "message" && event.message.role === "user") this.queue.remove(String(event.message.content));
      if (event.type === "notice" && !this.current) this.untold.push(event);
      this.record(event);
      this.current?.handle(event);
      if (this.current && event.type === "agent_start")
        for (const notice of this.untold.splice(0)) this.tell(this.current, notice);
    });
    engine.follow(() => this.drawProgress());
    followPointer(editor, this.log);
    const last = saved.conversations.find(({ id }) => id === saved.document?.conversation);
    if (last) this.show(last);
    // On a small screen the suggestions are visible for an empty document.
    this.openSheet(editor.isEmpty);
  }

  get working(): boolean {
    return this.current !== null;
  }

  focus(): void {
    this.composer.field.focus();
  }

  stop(): void {
    this.session.stop();
  }

  /** Sends a message; while the assistant works, it is queued. */
  send(text: string): void {
    if (this.working) {
      this.queue.add(text);
      this.liveRegion.textContent = `${messages().queued}: ${text}`;
      return;
    }
    this.lastPrompt = text;
    this.openSheet(true);
    this.track(this.addRun(text), this.session.prompt(text));
  }

  /** Shows a run that was started in the document. */
  follow(text: string, result: Promise<RunResult>): void {
    this.lastPrompt = "";
    this.track(this.addRun(text), this.session.follow(result));
  }

  /** Returns the current conversation, as it is saved. */
  stored(): StoredConversation {
    return this.conversation.stored(this.session.messages, this.decisions.stored(this.conversation.id));
  }

  /** Returns the conversation with a call: the one that is shown, or a saved one. */
  private conversationOf(toolId: string): string | undefined {
    if (this.runs.some(({ rows }) => rows.has(toolId))) return this.conversation.id;
    const saved = this.saved.conversations.find((other) => other.id !== this.conversation.id && hasCall(other, toolId));
    if (saved) this.decisions.restore(saved.id, saved.decisions ?? []);
    return saved?.id;
  }

  /** Shows the decisions that hold, and saves those of other conversations in these. */
  private showDecisions(): void {
    const standing = this.decisions.standing(this.conversation.id);
    for (const run of this.runs) run.showDecisions(standing);
    for (const id of this.decisions.conversations)
      if (id !== this.conversation.id) this.saved.setDecisions(id, this.decisions.stored(id));
    this.saved.changed();
  }

  private tell(run: RunView, event: AgentEvent): void {
    run.handle(event);
    this.record(event);
  }

  private record(event: AgentEvent): void {
    const run = this.conversation.runs.at(-1);
    if (!run || !this.current) return;
    addEvent(run, event);
    this.conversation.changed = Date.now();
    // Parts of a text are saved with the event after them.
    if (event.type !== "content" && event.type !== "thinking") this.saved.changed();
  }

  /** Shows a saved conversation, which the model continues. A run that had not ended can be continued. */
  private show(saved: StoredConversation): void {
    this.session.begin(saved.messages);
    this.empty(new ConversationRecord(saved));
    this.showsPast = true;
    for (const run of saved.runs) this.showPast(run);
    const last = saved.runs.at(-1);
    if (last && !last.ended) this.runs.at(-1)?.interrupt();
    else this.runs.at(-1)?.offerAgain();
    this.decisions.restore(saved.id, saved.decisions ?? []);
    for (const run of this.runs) run.showDecisions(this.decisions.standing(saved.id));
    this.showsPast = false;
    this.lastPrompt = last?.prompt ?? "";
    this.composer.setHasConversation(saved.runs.length > 0);
    for (const run of this.runs) run.updatePending();
    this.log.scrollTop = this.log.scrollHeight;
  }

  private showPast(stored: StoredRun): void {
    const run = this.addView(stored, true);
    for (const event of stored.events) {
      if (event.type === "agent_start" && run.ended) run.resume(true);
      run.handle(event);
    }
  }

  private async openConversation(id: string): Promise<void> {
    await this.leave();
    const saved = this.saved.conversations.find((conversation) => conversation.id === id);
    if (!saved) return;
    this.show(saved);
    this.liveRegion.textContent = `${messages().conversation}: ${saved.title}`;
    this.saved.changed();
    this.focus();
  }

  private async removeConversation(id: string): Promise<void> {
    if (id === this.conversation.id) await this.clear();
    await this.saved.deleteConversation(id);
    this.list.draw();
  }

  /** Removes what is shown; `record` is the conversation from now on. */
  private empty(record: ConversationRecord): void {
    this.conversation = record;
    this.runs = [];
    clearEditRanges(this.editor);
    this.log.replaceChildren(this.welcome.element);
    this.composer.setHasConversation(false);
    this.drawNotices();
    this.drawWelcome();
    this.list.draw();
  }

  private addRun(text: string): RunView {
    const run = this.conversation.begin(text);
    // It may wait for the wasm longer than the page is open.
    this.saved.changed();
    this.list.draw();
    return this.addView(run, false);
  }

  private addView(stored: StoredRun, past: boolean): RunView {
    const run: RunView = new RunView(stored.prompt, this.editor, {
      past,
      titles: (toolId) => ((stored.titles ??= {})[toolId] ??= titlesOf(this.editor)),
      takeFocus: () => this.log.focus({ preventScroll: true }),
      serverTool: (name) => serverToolOf(stored, name, this.session.additions),
      setup: () => (this.showsPast ? stored.setup : (stored.setup ??= this.session.additions.setup)),
      usage: (turnIds) => (this.session.demo || this.showsPast ? null : this.session.usage(turnIds)),
      onProgress: (activity) => {
        if (this.showsPast) return;
        this.activity = activity;
        this.drawProgress();
      },
      announce: (text) => {
        if (!this.showsPast) this.liveRegion.textContent = text;
      },
      onContent: () => this.scrollToEnd(),
      openSettings: this.options.openSettings,
      approve: (toolId, approved) => this.session.approve(toolId, approved),
      takeBack: (toolId) => this.decisions.takeBack(this.conversation.id, toolId),
      tryAgain: () => this.tryAgain(run),
      onUndone: (toolIds) => {
        this.decisions.forget(this.conversation.id, toolIds);
        this.showDecisions();
      },
    });
    this.runs.push(run);
    this.welcome.element.remove();
    this.log.append(run.element);
    this.newConversation.hidden = false;
    this.log.scrollTop = this.log.scrollHeight;
    return run;
  }

  /** Continues after a failure, or sends the prompt again where there is nothing to continue. */
  private tryAgain(run: RunView): void {
    if (this.working) return;
    run.resume();
    const result = this.session.continue().catch((error: unknown) => {
      if (error instanceof CopydeskError && error.code === "nothing_to_continue" && this.lastPrompt)
        return this.session.prompt(this.lastPrompt);
      throw error;
    });
    this.track(run, result);
  }

  /** Follows a run; the result is null if it was stopped before it began. */
  private track(run: RunView, result: Promise<RunResult | null>): void {
    this.current = run;
    this.composer.setWorking(true);
    const ended = result.then(
      (result) => {
        if (run.ended) return;
        if (!result) this.tell(run, { type: "aborted", seq: 0 });
        else if (result.status === "error") run.fail(result.error?.message ?? "", result.error?.code ?? "internal");
      },
      (error: unknown) => {
        const { message: reason = String(error), code = "internal" } = error as { message?: string; code?: string };
        const message = code === "wasm_load" ? messages().engineFailed : reason;
        if (!run.ended) this.tell(run, { type: "error", error: message, code, details: {}, seq: 0 });
      },
    );
    this.idle = ended.finally(() => {
      this.current = null;
      this.activity = null;
      this.drawProgress();
      this.composer.setWorking(false);
      // The run ended before these messages were sent.
      const unsent = this.queue.clear();
      if (unsent.length) this.composer.restore(unsent.join("\n"));
    });
  }

  /** Starts a new conversation; the document stays unchanged, and the old conversation stays in the list. */
  async clear(announcement?: string): Promise<void> {
    await this.leave();
    this.session.begin();
    this.empty(new ConversationRecord());
    this.saved.changed();
    if (announcement) this.liveRegion.textContent = announcement;
    this.focus();
  }

  /** Replays a recording: shows its conversation here and the resulting document in the editor. */
  async open(file: File): Promise<void> {
    let replayed: Replay;
    try {
      await this.engine.load();
      replayed = await replayFile(file);
    } catch (error) {
      const code = error instanceof CopydeskError ? error.code : "internal";
      const failure = h("div", { class: "failure", "data-code": code }, h("p", {}, reasonOf(error)(messages())));
      this.log.append(failure);
      this.openSheet(true);
      failure.scrollIntoView();
      this.liveRegion.textContent = failure.textContent;
      return;
    }
    await this.clear();
    await this.options.closeFile();
    this.saved.keepDocument(this.editor, this.conversation.id);
    showDocument(this.editor, replayed.played);
    this.openSheet(true);
    this.showsPast = true;
    for (const { prompt, events } of promptsOf(replayed)) {
      const run = this.conversation.begin(prompt);
      for (const event of events) addEvent(run, event);
      run.ended = true;
      this.showPast(run);
    }
    this.showsPast = false;
    const note = resultLine(replayed.played);
    this.log.append(note);
    this.list.draw();
    this.composer.setHasConversation(true);
    this.saved.changed();
    this.liveRegion.textContent = note.textContent;
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Turns recordings on or off. The page is loaded again, with the build of copydesk that is needed. */
  private async toggleRecording(): Promise<void> {
    await this.settle();
    await this.saved.flush();
    setRecordsRuns(!recordsRuns());
    location.reload();
  }

  /** Ends and saves the conversation that is shown. */
  private async leave(): Promise<void> {
    await this.settle();
    await this.saved.flush();
  }

  /** Stops the current run and waits for its end. */
  async settle(): Promise<void> {
    this.stop();
    await this.idle;
  }

  settingsChanged(anotherModel: boolean): void {
    this.drawNotices();
    if (anotherModel)
      void this.clear(
        messages().newConversationWith(this.session.demo ? messages().demoName : nameOf(this.session.settings)),
      );
  }

  private openSheet(open: boolean): void {
    this.aside.classList.toggle("open", open);
    this.aside.closest(".app")?.classList.toggle("sheet-open", open);
    this.drawHandle();
    if (open && this.runs.length) this.log.scrollTop = this.log.scrollHeight;
  }

  private drawHandle(): void {
    const open = this.aside.classList.contains("open");
    set(this.handle, {
      "aria-expanded": String(open),
      "aria-label": open ? messages().closeConversation : messages().openConversation,
    });
  }

  private drawNotices(): void {
    const m = messages();
    const lines: HTMLElement[] = [];
    if (this.session.demo) {
      const [before, link, after] = m.demoNotice;
      const settings = h("button", { type: "button", class: "inline-link" }, link);
      settings.addEventListener("click", this.options.openSettings);
      lines.push(h("p", { class: "demo-notice" }, before, settings, after));
    } else lines.push(h("p", { class: "model-name" }, nameOf(this.session.settings)));
    if (!navigator.onLine) lines.push(h("p", { class: "offline-notice" }, m.offlineNotice));
    this.notices.replaceChildren(...lines);
    this.newConversation.hidden = this.runs.length === 0;
  }

  /** Shows what fits the document and the files, while there is no conversation. */
  drawWelcome(): void {
    if (!this.runs.length) this.welcome.draw();
  }

  private drawProgress(): void {
    const text = this.activity?.() ?? (this.engine.state === "loading" ? messages().loading : "");
    set(this.progress, { "data-idle": !text });
    this.progressText.textContent = text && `${text}…`;
  }

  /** Keeps the newest content in view, unless the user has scrolled back. */
  private scrollToEnd(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    if (scrollHeight - scrollTop - clientHeight < 160) this.log.scrollTop = scrollHeight;
  }
}
