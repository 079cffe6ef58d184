/** The desk: who answers, the conversation with its timeline, the progress line and the composer. */
import type { Editor } from "@tiptap/core";
import { CopydeskError, type RunResult } from "copydesk";
import { hunksOf } from "copydesk/tiptap";
import { h, set } from "../dom";
import { icon } from "../icons";
import { clearPlaces, editAt } from "../places";
import type { Session } from "../session";
import { nameOf } from "../settings/store";
import { editModeOf } from "../editor";
import { inWords, words } from "../words";
import { Composer } from "./composer";
import { moreMenu } from "./menu";
import { modeSwitch } from "./mode-switch";
import { Queue } from "./queue";
import { play, saveRecording } from "./recordings";
import { RunView } from "./run-view";
import { callOfHunk } from "./review";
import { suggestions } from "./suggestions";

export interface DeskHooks {
  openSettings: () => void;
}

export class Desk {
  private log = h("div", { class: "log", role: "log", "aria-live": "off", tabindex: "0" });
  private start = h("div", { class: "start" });
  private notices = h("div", { class: "desk-notices" });
  private doing = h("span", { class: "doing-words" });
  private progress = h("div", { class: "progress", "data-idle": true }, h("div", { class: "progress-line" }), this.doing);
  private live = h("div", { class: "sr", "aria-live": "polite", role: "status" });
  private handle = h("button", { type: "button", class: "sheet-handle", "aria-expanded": "false", "aria-controls": "conversation" });
  private fresh = h("button", { type: "button", class: "tool" }, icon("fresh"));
  private composer: Composer;
  private queue: Queue;
  private runs: RunView[] = [];
  private current: RunView | null = null;
  private idle: Promise<void> = Promise.resolve();
  private now: (() => string) | null = null;
  private lastPrompt = "";

  constructor(
    private aside: HTMLElement,
    private editor: Editor,
    private session: Session,
    private hooks: DeskHooks,
  ) {
    const modes = modeSwitch(editor, () => {
      session.modeChanged();
      this.drawStart();
    });
    this.composer = new Composer({ send: (text) => this.send(text), stop: () => this.stop(), beside: modes });
    this.queue = new Queue((texts) => session.queue(texts));
    const title = h("h2", { class: "desk-title" });
    const more = moreMenu([
      { icon: "save", name: (w) => w.saveRecording, hint: (w) => w.recordingHint, run: () => saveRecording(session.recording) },
      { icon: "open", name: (w) => w.openRecording, file: (file) => void this.open(file) },
    ]);
    this.log.id = "conversation";
    aside.append(
      this.handle,
      h("div", { class: "desk-head" }, title, this.notices, this.fresh, more),
      h("div", { class: "log-frame" }, this.log),
      h("div", { class: "desk-foot" }, this.progress, this.queue.element, this.composer.element),
      this.live,
    );
    this.log.append(this.start);
    inWords((w) => {
      title.textContent = w.desk;
      set(aside, { "aria-label": w.desk });
      set(this.log, { "aria-label": w.conversation });
      set(this.fresh, { "aria-label": w.newConversation, title: w.newConversation });
      this.drawHandle();
      this.drawNotices();
      this.drawStart();
      this.drawProgress();
    });
    this.handle.addEventListener("click", () => this.openSheet(!aside.classList.contains("open")));
    this.fresh.addEventListener("click", () => void this.clear());
    addEventListener("online", () => this.drawNotices());
    addEventListener("offline", () => this.drawNotices());
    editor.on("update", () => this.drawStart());
    let counted: unknown;
    editor.on("transaction", () => {
      if (counted === hunksOf(editor)) return;
      counted = hunksOf(editor);
      for (const run of this.runs) run.countWaiting();
    });
    session.subscribe((event) => {
      if (event.type === "message" && event.message.role === "user") this.queue.heard(String(event.message.content));
      this.current?.handle(event);
    });
    this.lightRows();
    // On a small screen an empty page begins with the suggestions in view.
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

  /** Asks the desk; while it works, what is said is queued. */
  send(text: string): void {
    if (this.working) {
      this.queue.add(text);
      this.live.textContent = `${words().queued}: ${text}`;
      return;
    }
    this.lastPrompt = text;
    const run = new RunView(text, this.editor, {
      spent: (turnIds) => (this.session.demo ? null : this.session.spent(turnIds)),
      progress: (now) => {
        this.now = now;
        this.drawProgress();
      },
      announce: (said) => (this.live.textContent = said),
      grew: () => this.follow(),
      openSettings: this.hooks.openSettings,
      approve: (toolId, approved) => this.session.approve(toolId, approved),
      tryAgain: () => this.tryAgain(run),
    });
    this.runs.push(run);
    this.start.remove();
    this.log.append(run.element);
    this.fresh.hidden = false;
    this.log.scrollTop = this.log.scrollHeight;
    this.openSheet(true);
    this.accompany(run, this.session.prompt(text));
  }

  /** After a failure: goes on where it stopped, or asks anew where nothing is there to go on with. */
  private tryAgain(run: RunView): void {
    if (this.working) return;
    run.goesOn();
    const again = this.session.again().catch((error: unknown) => {
      if (error instanceof CopydeskError && error.code === "nothing_to_continue") return this.session.prompt(this.lastPrompt);
      throw error;
    });
    this.accompany(run, again);
  }

  private accompany(run: RunView, result: Promise<RunResult>): void {
    this.current = run;
    this.composer.setWorking(true);
    const ended = result.then(
      (result) => {
        if (!run.ended && result.status === "error") run.fail(result.error?.message ?? "", result.error?.code ?? "internal");
      },
      (error: unknown) => {
        const { message, code } = error as { message?: string; code?: string };
        if (!run.ended) run.fail(message ?? String(error), code ?? "internal");
      },
    );
    this.idle = ended.finally(() => {
      this.current = null;
      this.now = null;
      this.drawProgress();
      this.composer.setWorking(false);
      // The run was over before the desk could hear it.
      const unheard = this.queue.take();
      if (unheard.length) this.composer.giveBack(unheard.join("\n"));
    });
  }

  /** Forgets the conversation; the page stays as it is. */
  async clear(line?: string): Promise<void> {
    await this.settle();
    this.session.reset();
    this.runs = [];
    clearPlaces(this.editor);
    this.log.replaceChildren(this.start);
    this.composer.setBegun(false);
    this.drawStart();
    if (line) this.live.textContent = line;
    this.focus();
  }

  /** Shows what is in the file of a recording: the conversation here, and what became of the page in the page. */
  async open(file: File): Promise<void> {
    await this.clear();
    this.start.remove();
    this.fresh.hidden = false;
    this.openSheet(true);
    const note = await play(file, this.editor, (prompt) => {
      const nothing = () => {};
      const run = new RunView(prompt, this.editor, {
        spent: () => null, approve: nothing, progress: nothing, announce: nothing, grew: nothing, openSettings: nothing, tryAgain: nothing, replayed: true,
      });
      this.runs.push(run);
      this.log.append(run.element);
      return run;
    });
    this.log.append(note);
    this.composer.setBegun(true);
    this.live.textContent = note.textContent;
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Stops what runs and waits for its end. */
  async settle(): Promise<void> {
    this.stop();
    await this.idle;
  }

  settingsChanged(another: boolean): void {
    this.drawNotices();
    if (another) void this.clear(words().startedNew(this.session.demo ? words().demoName : nameOf(this.session.settings)));
  }

  private openSheet(open: boolean): void {
    this.aside.classList.toggle("open", open);
    this.drawHandle();
    if (open) this.log.scrollTop = this.log.scrollHeight;
  }

  private drawHandle(): void {
    const open = this.aside.classList.contains("open");
    set(this.handle, { "aria-expanded": String(open), "aria-label": open ? words().closeDesk : words().openDesk });
  }

  private drawNotices(): void {
    const w = words();
    const lines: HTMLElement[] = [];
    if (this.session.demo) {
      const [before, link, after] = w.demoLine;
      const settings = h("button", { type: "button", class: "inline-link" }, link);
      settings.addEventListener("click", this.hooks.openSettings);
      lines.push(h("p", { class: "demo-line" }, before, settings, after));
    } else lines.push(h("p", { class: "model-line" }, nameOf(this.session.settings)));
    if (!navigator.onLine) lines.push(h("p", { class: "offline-line" }, w.offlineLine));
    this.notices.replaceChildren(...lines);
    this.fresh.hidden = this.runs.length === 0;
  }

  private drawStart(): void {
    if (this.runs.length) return;
    const w = words();
    const offered = suggestions(this.editor, w).map((text) => {
      const button = h("button", { type: "button", class: "suggestion" }, text);
      button.addEventListener("click", () => this.send(text));
      return h("li", {}, button);
    });
    this.start.replaceChildren(h("h3", {}, w.emptyTitle), h("p", {}, w.emptyText[editModeOf()]), h("ul", { class: "suggestions" }, ...offered));
  }

  private drawProgress(): void {
    set(this.progress, { "data-idle": this.now === null });
    this.doing.textContent = this.now ? `${this.now()}…` : "";
  }

  /** Keeps the newest line in view, unless the reader has scrolled back. */
  private follow(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    if (scrollHeight - scrollTop - clientHeight < 160) this.log.scrollTop = scrollHeight;
  }

  /** The way back: a pointer over an edited place of the page lights its line in the timeline. */
  private lightRows(): void {
    const page = this.editor.view.dom;
    let lit: Element | null = null;
    const put = (row: Element | null) => {
      if (row === lit) return;
      lit?.classList.remove("from-page");
      row?.classList.add("from-page");
      lit = row;
    };
    page.addEventListener("pointermove", (event) => {
      const at = this.runs.length ? this.editor.view.posAtCoords({ left: event.clientX, top: event.clientY }) : null;
      const id = at ? editAt(this.editor, at.inside >= 0 ? at.inside : at.pos) : null;
      const call = callOfHunk(this.editor, event.target);
      const selector = call ? `[data-call="${CSS.escape(call)}"]` : id ? `[data-place="${CSS.escape(id)}"]` : null;
      put(selector ? this.log.querySelector(selector) : null);
    });
    page.addEventListener("pointerleave", () => put(null));
  }
}
