/** The assistant without a view: conversations, runs and decisions as observable state, and commands that change it. */

import type { Editor } from "@tiptap/core";
import { loadRest } from "copydesk";
import type { Agent, AgentEvent, AgentSettings, Message, RunResult } from "copydesk";
import { localeOf } from "../base/locale.js";
import type { AgentHooks } from "../agent/options.js";
import { hunksOf } from "../review/hunks.js";
import { AgentSetup } from "./agent-setup.js";
import type { Attachment, AttachmentReader, AttachmentSource, AttachmentTarget } from "./attachment.js";
import { undoTurns, withdraw } from "./changes.js";
import { Conversations } from "./conversations.js";
import { Decisions } from "./decisions.js";
import { followEditor } from "./editor-events.js";
import { EditMarks } from "./edit-marks.js";
import { firstMode, type EditMode } from "./edit-mode.js";
import { MessageAttachments } from "./message-attachments.js";
import { Observable, tell } from "./observable.js";
import { OngoingRun } from "./ongoing-run.js";
import { RunList } from "./run-list.js";
import type { ToolCallState } from "./run.js";
import { Saving } from "./saving.js";
import { AgentSession } from "./session.js";
import type { AssistantOptions, AssistantState } from "./state.js";
import { memoryStorage } from "./storage.js";
import type { StoredConversation } from "./stored.js";
import type { ServerTool } from "./tool-names.js";

/** Creates the assistant of an editor. */
export function createAssistant(options: AssistantOptions): Assistant {
  return new Assistant(options);
}

export class Assistant {
  readonly editor: Editor;
  readonly #observable: Observable<AssistantState>;
  readonly #eventListeners = new Set<(event: AgentEvent) => void>();
  readonly #session: AgentSession;
  readonly #decisions: Decisions;
  readonly #marks: EditMarks;
  readonly #saving: Saving;
  readonly #runs: RunList;
  readonly #setup: AgentSetup;
  readonly #ongoing: OngoingRun;
  readonly #conversations: Conversations;
  readonly #attachments = new MessageAttachments(() => this.#attachmentHost());
  readonly #release: () => void;
  #isDisposed = false;
  /** Resolves when the stored conversations are read. */
  readonly restored: Promise<void>;

  constructor(private options: AssistantOptions) {
    const { editor, models = [] } = options;
    this.editor = editor;
    const { setup, costs } = options;
    const agent = () => this.agent;
    const findServerTool = (name: string) => this.#setup.serverTool(name);
    this.#runs = new RunList({
      editor,
      findServerTool,
      ...(setup && { setup }),
      ...(costs && { costs }),
      get agent() {
        return agent();
      },
    });
    this.#observable = new Observable<AssistantState>({
      engine: "loading",
      isWorking: false,
      activity: null,
      conversation: this.#runs.record.header,
      conversations: [],
      runs: [],
      queue: [],
      attachments: [],
      unsent: "",
      mode: options.mode ?? firstMode(editor, options.agent),
      models,
      model: models[0]?.id ?? null,
      pointed: null,
      storageProblem: null,
    });
    this.#session = new AgentSession({
      create: () => this.#setup.create(),
      load: (message) => Promise.all([this.load(), message?.attachments.length && this.#attachments.load()]),
      isLoaded: (message) =>
        this.state.engine === "ready" && (!message?.attachments.length || this.#attachments.isLoaded),
      messagesOf: (message) => this.#attachments.messagesOf(message),
      onEvent: (event) => this.#ongoing.take(event),
      onIdle: () => {},
    });
    this.#decisions = new Decisions(editor, () => this.#conversations.showDecisions());
    this.#marks = new EditMarks(editor, (toolId) => this.state.pointed !== toolId && this.#set({ pointed: toolId }));
    this.#saving = new Saving(options.storage ?? memoryStorage(), {
      current: () => this.stored(),
      onProblem: (storageProblem) => this.#set({ storageProblem }),
      onList: () => this.#set({ conversations: this.#saving.headers }),
    });
    const state = () => this.state;
    const session = this.#session;
    this.#setup = new AgentSetup(options, {
      get state() {
        return state();
      },
      get isOutdated() {
        return session.isOutdated;
      },
    });
    const shared = {
      runs: this.#runs,
      session,
      set: (change: Partial<AssistantState>) => this.#set(change),
      draw: () => this.#draw(),
    };
    const isDisposed = () => this.#isDisposed;
    this.#conversations = new Conversations({
      ...shared,
      decisions: this.#decisions,
      saving: this.#saving,
      get isDisposed() {
        return isDisposed();
      },
      updatePending: () => this.#updatePending(),
      settle: () => this.settle(),
      clear: () => this.#marks.clear(),
    });
    this.#ongoing = new OngoingRun({
      ...shared,
      marks: this.#marks,
      attachments: this.#attachments,
      get state() {
        return state();
      },
      get isDisposed() {
        return isDisposed();
      },
      shows: (event) => options.shows?.(event) !== false,
      changed: () => this.changed(),
      tell: (event) => this.#tell(event),
    });
    this.#release = this.#followEditor();
    if (options.mode) this.#setup.applyMode(options.mode);
    this.restored = this.#conversations.restore(options.conversation);
    void this.load().catch(() => {});
  }

  /** The state, for `useSyncExternalStore` and the like. */
  readonly getSnapshot = (): AssistantState => this.#observable.snapshot;

  /** Calls `listener` after changes of the state, once for all changes of a task. Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => this.#observable.subscribe(listener);

  /** Calls `listener` with each event of the agent, after the state has changed. */
  onEvent(listener: (event: AgentEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => void this.#eventListeners.delete(listener);
  }

  /** The state with the changes of this task. */
  get state(): AssistantState {
    return this.#observable.current;
  }

  /** The agent, which is created if there is none. Fails with `not_loaded` before the wasm is loaded. */
  get agent(): Agent {
    return this.#session.agent;
  }

  /** The conversation as the model knows it. */
  get messages(): Message[] {
    return this.#session.messages;
  }

  /** Loads the wasm, and creates the agent. A later call tries again after a failure. */
  async load(): Promise<void> {
    if (this.state.engine === "ready") return;
    this.#set({ engine: "loading" });
    try {
      await (this.options.load ?? (() => loadRest()))();
    } catch (error) {
      this.#set({ engine: "failed" });
      throw error;
    }
    if (this.#isDisposed) return;
    this.#set({ engine: "ready" });
  }

  /** Creates the agent, so that the first request does not wait for it. */
  async prepare(): Promise<void> {
    await Promise.all([this.load(), this.restored]);
    // Creating an agent takes longer than a frame.
    await new Promise((resolve) => setTimeout(resolve));
    if (!this.#isDisposed && !this.editor.isDestroyed) void this.agent;
  }

  /** Sends a message with what is attached; while the assistant works, it is queued. What is not read yet, or could not
   * be read, is not sent. */
  send(text: string): void {
    if (!text.trim() || this.#isDisposed) return;
    this.#ongoing.send({ text, attachments: this.#attachments.take() });
  }

  /** Attaches files, or parts of the document or the workspace, to the next message. Resolves when they are read; the state
   * says of each whether that has failed. */
  attach(...sources: AttachmentSource[]): Promise<void> {
    return this.#attachments.attach(sources);
  }

  /** Removes an attachment of the next message. */
  detach(id: string): void {
    this.#attachments.detach(id);
  }

  /** Returns the targets that can be attached at the moment: the selection, the sections, the files of the workspace. */
  attachable(): Promise<AttachmentTarget[]> {
    return this.#attachments.targets();
  }

  /** The readers of files. */
  get readers(): readonly AttachmentReader[] {
    return this.options.readers ?? [];
  }

  /** Removes a queued message. */
  unqueue(index: number): void {
    this.#ongoing.unqueue(index);
  }

  /** Returns the messages that were not sent, once. */
  takeUnsent(): string {
    const { unsent } = this.state;
    if (unsent) this.#set({ unsent: "" });
    return unsent;
  }

  /** Shows a run that was started in the document, by `askAgent`. */
  follow(text: string, result: Promise<RunResult>): void {
    this.#ongoing.follow(text, result);
  }

  /** Stops the run under way. What it has done stays. */
  stop(): void {
    this.#session.stop();
  }

  /** Stops the run under way, and resolves at its end. */
  async settle(): Promise<void> {
    this.stop();
    await this.#ongoing.ended;
  }

  /** Continues after a failure, or sends the message again if there is nothing to continue. */
  tryAgain(): void {
    const { last } = this.#runs;
    if (!this.state.isWorking && last?.run.canTryAgain) this.#ongoing.tryAgain(last);
  }

  /** Sends another text in place of an earlier message, with what was attached to that: it and everything after it leave the
   * conversation. Changes that they proposed and that are pending are rejected, which the editor's undo takes back; edits in the
   * document stay. Returns false if that is not possible. */
  editMessage(runId: string, text: string): boolean {
    const { record, recorders } = this.#runs;
    const at = recorders.findIndex(({ id }) => id === runId);
    const start = record.runs[at]?.start;
    if (this.state.isWorking || !text.trim() || start === undefined) return false;
    const { attachments } = recorders[at]!.run;
    const removed = this.#runs.removeFrom(at);
    withdraw(this.editor, removed);
    this.#decisions.forget(record.id, removed);
    this.#session.begin(this.messages.slice(0, start));
    this.#ongoing.send({ text, attachments });
    return true;
  }

  approve(toolId: string, approved: boolean): void {
    if (this.call(toolId)?.state === "approval") this.agent.approve(toolId, approved);
  }

  /** Accepts or rejects the pending changes of a call. Conflicts cannot be accepted together: they stay. */
  decide(toolId: string, accept: boolean): void {
    const { acceptAll, rejectAll } = this.editor.commands;
    if (accept) acceptAll({ toolId });
    else rejectAll({ toolId });
  }

  /** Makes the decided changes of a call pending again, as soon as the wasm is loaded. Resolves with false if that is not
   * possible: the wasm cannot be loaded, the text was changed since, or the decision is of an earlier page and other changes
   * are pending. */
  async takeBack(toolId: string): Promise<boolean> {
    const { id } = this.#runs.record;
    if (this.state.engine !== "ready") await this.load().catch(() => {});
    if (this.state.engine !== "ready" || this.#isDisposed || this.#runs.record.id !== id) return false;
    const result = this.#decisions.takeBack(id, toolId);
    this.#runs.updateCall(toolId, { isFinal: result === "changed" });
    this.#conversations.showDecisions();
    return result === "pending";
  }

  /** Undoes the edits of a run, unless the editor is read-only. Text that was changed later stays, and is named in the state
   * of the run. */
  undoRun(runId: string): void {
    if (!this.editor.isEditable) return;
    const recorder = this.#runs.recorders.find(({ id }) => id === runId);
    if (recorder?.run.undo?.is !== "offered") return;
    const left = undoTurns(this.editor, recorder.turnIds);
    // It does not matter what was accepted.
    this.#decisions.forget(this.#runs.record.id, new Set(recorder.calls().map(({ toolId }) => toolId)));
    recorder.set({ undo: left === null ? { is: "nothing" } : { is: "done", left } });
    this.#conversations.showDecisions();
  }

  /** Scrolls the document to the edit of a call. */
  show(toolId: string): void {
    this.#marks.show(toolId);
  }

  /** Highlights the edit of a call in the document, or no longer. */
  point(toolId: string, on: boolean): void {
    this.#marks.point(toolId, on);
  }

  /** Returns a call of the conversation, with the changes of this task. */
  call(toolId: string): ToolCallState | undefined {
    return this.#runs.call(toolId);
  }

  /** Sets the edit mode. */
  setMode(mode: EditMode): void {
    this.#setup.applyMode(mode);
    this.#set({ mode });
    this.#session.current?.configure({ needsApproval: this.#setup.needsApproval() });
  }

  /** Chooses a model, which answers from the next request on. */
  setModel(id: string): void {
    const model = this.state.models.find((one) => one.id === id);
    if (!model) return;
    this.#set({ model: id });
    this.#session.current?.configure({ llmConfig: model.llmConfig });
  }

  /** Changes settings of the agent, from the next request on. They hold for later conversations as well. */
  configure(settings: Partial<AgentSettings & AgentHooks>): void {
    this.#setup.configure(settings, this.#session.current);
  }

  /** Creates the agent again, with the options that there are now: after a run that is under way. */
  renew(): void {
    this.#session.renew();
  }

  /** Begins a conversation. The one that was shown stays in the list, and the document stays as it is. */
  newConversation(): Promise<void> {
    return this.#conversations.begin();
  }

  /** Shows a stored conversation. */
  openConversation(id: string): Promise<void> {
    return this.#conversations.open(id);
  }

  deleteConversation(id: string): Promise<void> {
    return this.#conversations.remove(id);
  }

  /** Begins a conversation with runs that are over, such as those of a recording. */
  showRuns(runs: readonly { prompt: string; events: readonly AgentEvent[] }[]): Promise<void> {
    return this.#conversations.showRuns(runs);
  }

  /** Returns the conversation that is shown, as it is stored. */
  stored(): StoredConversation {
    return this.#conversations.stored();
  }

  /** Saves the conversation soon. */
  changed(): void {
    this.#conversations.changed();
  }

  /** Saves what is not saved yet. */
  flush(): Promise<void> {
    return this.#saving.flush();
  }

  /** Stops, saves, and releases everything. The editor stays as it is. A run that this stops can be continued when its
   * conversation is opened again. Listeners are told the end of the run, and nothing after it. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.stop();
    this.#saving.dispose();
    this.#release();
    this.#decisions.dispose();
    this.#marks.dispose();
    this.#session.dispose();
    // Views of a destroyed editor are told even if no run was under way.
    this.#set({});
    void this.#ongoing.ended.then(() => {
      this.#observable.clear();
      this.#eventListeners.clear();
    });
  }

  #attachmentHost() {
    const options = () => this.#setup.options;
    return {
      editor: this.editor,
      get workspace() {
        return options().workspace;
      },
      readers: this.readers,
      get locale() {
        return localeOf(options().locale);
      },
      load: () => this.load(),
      current: () => this.state.attachments,
      set: (attachments: readonly Attachment[]) => this.#set({ attachments }),
    };
  }

  #followEditor(): () => void {
    let followed: unknown;
    return followEditor(this.editor, {
      onPending: () => this.#updatePending(),
      onDecision: ({ accepted, hunks }) => {
        this.#decisions.add(hunks, accepted, (toolId) => this.#conversations.withCall(toolId));
        this.#conversations.showDecisions();
      },
      onAsk: ({ request }, result) => {
        if (result === followed || this.state.isWorking) return;
        followed = result;
        this.follow(request, result);
      },
      onDestroy: () => this.dispose(),
    });
  }

  #tell(event: AgentEvent): void {
    // What a listener throws must not end the run.
    tell(this.#eventListeners, (listener) => listener(event));
  }

  /** Returns the tool of a server that the model calls by a name; null for other tools. */
  serverTool(name: string): ServerTool | null {
    return this.#runs.serverTool(name);
  }

  /** Updates the pending changes of each call. */
  #updatePending(): void {
    this.#runs.showPending(hunksOf(this.editor));
    this.#draw();
  }

  /** Puts the runs into the state. */
  #draw(): void {
    const { runs: before } = this.state;
    const runs = this.#runs.shown(before, this.#ongoing.isUnderWay);
    if (runs !== before) this.#set({ runs });
  }

  #set(change: Partial<AssistantState>): void {
    this.#observable.set(change);
  }
}
