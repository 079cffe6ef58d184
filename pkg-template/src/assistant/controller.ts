/** The assistant without a view: conversations, runs and decisions as observable state, and commands that change it. */

import type { Editor } from "@tiptap/core";
import { Agent, CopydeskError, init } from "copydesk";
import type { AgentEvent, AgentSettings, Message, RunResult } from "copydesk";
import type { AskState } from "../actions/ask.js";
import { actionWords } from "../actions/words.js";
import { localeOf } from "../base/locale.js";
import type { AgentHooks } from "../agent/options.js";
import { hunksOf } from "../review/commands.js";
import { activityOf } from "./activity.js";
import type { AssistantAgentOptions } from "./agent-options.js";
import type { Attachment, AttachmentReader, AttachmentSource, AttachmentTarget } from "./attachment.js";
import { undoTurns } from "./changes.js";
import { addEvent, ConversationRecord, hasCall } from "./conversation-record.js";
import { Decisions } from "./decisions.js";
import { followEditor } from "./editor-events.js";
import { EditMarks } from "./edit-marks.js";
import { asksBeforeEdits, firstMode, needsApproval, type EditMode } from "./edit-mode.js";
import { MessageAttachments } from "./message-attachments.js";
import { Observable, tell } from "./observable.js";
import { RunList } from "./run-list.js";
import { textOf, type RunRecorder, type ToolCallState } from "./run.js";
import { Saving } from "./saving.js";
import { AgentSession, type OutgoingMessage } from "./session.js";
import type { AssistantOptions, AssistantState } from "./state.js";
import { memoryStorage } from "./storage.js";
import type { StoredConversation } from "./stored.js";
import { serverToolOf, type ServerTool } from "./tool-names.js";

/** The longest excerpt of a selection in a message. */
const LONGEST_EXCERPT = 120;

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
  #current: RunRecorder | null = null;
  #idle: Promise<void> = Promise.resolve();
  /** Notices that came while no run was under way: the next one shows them. */
  #untold: AgentEvent[] = [];
  #settings: Partial<AgentSettings & AgentHooks> = {};
  /** The messages of the queue. */
  #queued: readonly OutgoingMessage[] = [];
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
    const findServerTool = (name: string) => this.#findServerTool(name);
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
      create: () => this.#createAgent(),
      load: (message) => Promise.all([this.load(), message?.attachments.length && this.#attachments.load()]),
      isLoaded: (message) =>
        this.state.engine === "ready" && (!message?.attachments.length || this.#attachments.isLoaded),
      messagesOf: (message) => this.#attachments.messagesOf(message),
      onEvent: (event) => this.#take(event),
      onIdle: () => {},
    });
    this.#decisions = new Decisions(editor, () => this.#showDecisions());
    this.#marks = new EditMarks(editor, (toolId) => this.state.pointed !== toolId && this.#set({ pointed: toolId }));
    this.#saving = new Saving(options.storage ?? memoryStorage(), {
      current: () => this.stored(),
      onProblem: (storageProblem) => this.#set({ storageProblem }),
      onList: () => this.#set({ conversations: this.#saving.headers }),
    });
    this.#release = this.#followEditor();
    if (options.mode) this.#applyMode(options.mode);
    this.restored = this.#restore(options.conversation);
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
      await (this.options.load ?? (() => init()))();
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
    this.#send({ text, attachments: this.#attachments.take() });
  }

  #send(message: OutgoingMessage): void {
    if (this.state.isWorking) return this.#setQueue([...this.#queued, message]);
    this.#track(this.#addRun(message), this.#session.prompt(message));
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
    this.#setQueue(this.#queued.filter((_, at) => at !== index));
  }

  /** Returns the messages that were not sent, once. */
  takeUnsent(): string {
    const { unsent } = this.state;
    if (unsent) this.#set({ unsent: "" });
    return unsent;
  }

  /** Shows a run that was started in the document, by `askAgent`. */
  follow(text: string, result: Promise<RunResult>): void {
    this.#track(this.#addRun({ text, attachments: [] }), this.#session.follow(result));
  }

  /** Stops the run under way. What it has done stays. */
  stop(): void {
    this.#session.stop();
  }

  /** Stops the run under way, and resolves at its end. */
  async settle(): Promise<void> {
    this.stop();
    await this.#idle;
  }

  /** Goes on after a failure, or sends the message again if there is nothing to continue. */
  tryAgain(): void {
    const { last } = this.#runs;
    if (this.state.isWorking || !last?.run.canTryAgain) return;
    last.resume();
    this.#draw();
    const { prompt: text, attachments } = last.run;
    const result = this.#session.continue().catch((error: unknown) => {
      if (error instanceof CopydeskError && error.code === "nothing_to_continue")
        return this.#session.prompt({ text, attachments });
      throw error;
    });
    this.#track(last, result);
  }

  /** Sends another text in place of an earlier message, with what was attached to that: it and everything after it leave the
   * conversation. Edits that were made then stay in the document. Returns false if that is not possible. */
  editMessage(runId: string, text: string): boolean {
    const { record, recorders } = this.#runs;
    const at = recorders.findIndex(({ id }) => id === runId);
    const start = record.runs[at]?.start;
    if (this.state.isWorking || !text.trim() || start === undefined) return false;
    const { attachments } = recorders[at]!.run;
    this.#decisions.forget(record.id, this.#runs.removeFrom(at));
    this.#session.begin(this.messages.slice(0, start));
    this.#send({ text, attachments });
    return true;
  }

  approve(toolId: string, approved: boolean): void {
    if (this.call(toolId)?.state === "approval") this.agent.approve(toolId, approved);
  }

  /** Accepts or rejects the pending changes of a call. */
  decide(toolId: string, accept: boolean): void {
    if (accept) this.editor.commands.acceptAll({ toolId });
    else this.editor.commands.rejectAll({ toolId });
  }

  /** Makes the decided changes of a call pending again. Returns false if their text was changed since. */
  takeBack(toolId: string): boolean {
    const isDone = this.#decisions.takeBack(this.#runs.record.id, toolId);
    this.#runs.updateCall(toolId, { isFinal: !isDone });
    this.#draw();
    return isDone;
  }

  /** Undoes the edits of a run. Text that was changed later stays, and is named in the state of the run. */
  undoRun(runId: string): void {
    const recorder = this.#runs.recorders.find(({ id }) => id === runId);
    if (recorder?.run.undo?.is !== "offered") return;
    const left = undoTurns(this.editor, recorder.turnIds);
    // It does not matter what was accepted.
    this.#decisions.forget(this.#runs.record.id, new Set(recorder.calls().map(({ toolId }) => toolId)));
    recorder.set({ undo: left === null ? { is: "nothing" } : { is: "done", left } });
    this.#showDecisions();
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
    this.#applyMode(mode);
    this.#set({ mode });
    this.#session.current?.configure({ needsApproval: this.#needsApproval(this.#agentOptions()) });
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
    const given = "needsApproval" in settings ? { ...settings } : settings;
    this.#settings = { ...this.#settings, ...given };
    const { current } = this.#session;
    if (!current) return;
    const change = "needsApproval" in given ? { needsApproval: this.#needsApproval(this.#agentOptions()) } : {};
    current.configure({ ...given, ...change });
  }

  /** Creates the agent again, with the options that there are now: after a run that is under way. */
  renew(): void {
    this.#session.renew();
  }

  /** Begins a conversation. The one that was shown stays in the list, and the document stays as it is. */
  async newConversation(): Promise<void> {
    await this.#leave();
    this.#session.begin();
    this.#replace(new ConversationRecord());
    this.changed();
  }

  /** Shows a stored conversation. */
  async openConversation(id: string): Promise<void> {
    if (id === this.#runs.record.id) return;
    await this.#leave();
    const stored = this.#saving.find(id);
    if (!stored) return;
    this.#show(stored);
    this.changed();
  }

  async deleteConversation(id: string): Promise<void> {
    if (id === this.#runs.record.id) await this.newConversation();
    await this.#saving.remove(id);
  }

  /** Begins a conversation with runs that are over, such as those of a recording. */
  async showRuns(runs: readonly { prompt: string; events: readonly AgentEvent[] }[]): Promise<void> {
    await this.newConversation();
    for (const { prompt, events } of runs) {
      const stored = this.#runs.record.begin(prompt);
      for (const event of events) addEvent(stored, event);
      stored.ended = true;
      this.#runs.addPast(stored);
    }
    this.changed();
    this.#draw();
  }

  /** Returns the conversation that is shown, as it is stored. */
  stored(): StoredConversation {
    return this.#runs.record.stored(this.messages, this.#decisions.stored(this.#runs.record.id));
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
    void this.#idle.then(() => {
      this.#observable.clear();
      this.#eventListeners.clear();
    });
  }

  #agentOptions(): AssistantAgentOptions {
    const { agent } = this.options;
    return { ...(typeof agent === "function" ? agent() : agent), ...this.#settings };
  }

  #attachmentHost() {
    const options = () => this.#agentOptions();
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

  #createAgent(): Agent {
    const given = this.#agentOptions();
    const model = this.state.models.find(({ id }) => id === this.state.model);
    return new Agent({
      toolArgs: "partial",
      ...given,
      ...(model ? { llmConfig: model.llmConfig } : {}),
      needsApproval: this.#needsApproval(given),
      document: this.editor,
    });
  }

  #needsApproval(given: AssistantAgentOptions): string[] {
    return needsApproval(given, {
      mode: this.state.mode,
      hasFiles: given.workspace !== undefined && !this.#session.isOutdated,
      asksAtFirst: asksBeforeEdits(this.options.agent),
    });
  }

  #applyMode(mode: EditMode): void {
    this.editor.commands.setReviewMode(mode === "review" ? "review" : "auto");
  }

  #followEditor(): () => void {
    let followed: unknown;
    return followEditor(this.editor, {
      onPending: () => this.#updatePending(),
      onDecision: ({ accepted, hunks }) => {
        this.#decisions.add(hunks, accepted, (toolId) => this.#conversationOf(toolId));
        this.#showDecisions();
      },
      onAsk: ({ label, range }, result) => {
        if (result === followed || this.state.isWorking) return;
        followed = result;
        this.follow(this.#aboutSelection(label, range), result);
      },
      onDestroy: () => this.dispose(),
    });
  }

  /** Returns the message of a request about a selection. */
  #aboutSelection(label: string, range: AskState["range"]): string {
    const text = range ? this.editor.state.doc.textBetween(range.from, range.to, " ").trim() : "";
    if (!text) return label;
    const excerpt = text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT - 1)}…` : text;
    return actionWords(this.#agentOptions().locale).about(label, excerpt);
  }

  #take(event: AgentEvent): void {
    if (this.options.shows?.(event) === false) return this.#tell(event);
    if (event.type === "message" && event.message.role === "user") this.#sent(textOf(event.message));
    if (event.type === "notice" && !this.#current) this.#untold.push(event);
    if (event.type === "compaction") for (const run of this.#runs.record.runs) delete run.start;
    this.#note(event);
    if (this.#current) this.#handle(this.#current, event);
    if (this.#current && event.type === "agent_start")
      for (const notice of this.#untold.splice(0)) {
        this.#note(notice);
        this.#handle(this.#current, notice);
      }
    this.#tell(event);
  }

  #tell(event: AgentEvent): void {
    // What a listener throws must not end the run.
    tell(this.#eventListeners, (listener) => listener(event));
  }

  #handle(recorder: RunRecorder, event: AgentEvent): void {
    recorder.handle(event);
    if (event.type === "tool_args") this.#marks.showPreview(event.toolId);
    if (event.type === "doc_update" && this.#marks.add(event)) recorder.updateCall(event.toolId, { hasRange: true });
    const activity = activityOf(event);
    if (activity !== undefined) this.#set({ activity });
    this.#draw();
  }

  #note(event: AgentEvent): void {
    const run = this.#runs.record.runs.at(-1);
    if (!run || !this.#current) return;
    addEvent(run, event);
    this.#runs.record.changed = Date.now();
    // Parts of a text are saved with the event after them.
    if (event.type !== "content" && event.type !== "thinking") this.changed();
  }

  /** Saves the conversation soon. */
  changed(): void {
    if (this.#runs.record.runs.length) this.#saving.changed();
    this.#set({ conversation: this.#runs.record.header });
  }

  #addRun({ text, attachments }: OutgoingMessage): RunRecorder {
    const start = this.messages.length;
    const stored = this.#runs.record.begin(text, start, attachments);
    const recorder = this.#runs.add(stored, false);
    // It may wait for the wasm longer than the page is open.
    this.changed();
    this.#draw();
    return recorder;
  }

  /** Returns the tool of a server that the model calls by a name; null for other tools. */
  serverTool(name: string): ServerTool | null {
    return this.#runs.serverTool(name);
  }

  #findServerTool(name: string): ServerTool | null {
    if (this.options.serverTool) return this.options.serverTool(name);
    const { plugins = [] } = this.#agentOptions();
    return serverToolOf(
      name,
      plugins.flatMap((plugin) => ("servers" in plugin ? (plugin.servers as never[]) : [])),
    );
  }

  #setQueue(queued: readonly OutgoingMessage[]): void {
    this.#queued = queued;
    this.#set({ queue: queued.map(({ text }) => text) });
    this.#session.queue(queued);
  }

  /** Removes a message from the queue that was sent, and notes what was attached to it. */
  #sent(text: string): void {
    const at = this.#queued.findIndex((one) => one.text === text);
    if (at < 0) return;
    const run = this.#runs.record.runs.at(-1);
    const { attachments } = this.#queued[at]!;
    // The event of this message is added later.
    if (run && attachments.length) (run.attachedLater ??= {})[run.events.filter(isMessage).length] = attachments;
    this.#queued = this.#queued.filter((_, index) => index !== at);
    this.#set({ queue: this.#queued.map((one) => one.text) });
  }

  /** Follows a run; the result is null if it was stopped before it began. */
  #track(recorder: RunRecorder, result: Promise<RunResult | null>): void {
    this.#current = recorder;
    this.#set({ isWorking: true });
    const ended = result.then(
      (result) => {
        if (!recorder.run.isRunning) return;
        if (result?.status === "error") recorder.fail(result.error?.message ?? "", result.error?.code ?? "internal");
        else if (this.#isDisposed) this.#showEvent(recorder, { type: "aborted", seq: 0 });
        else if (!result) this.#end(recorder, { type: "aborted", seq: 0 });
      },
      (error: unknown) => {
        if (!recorder.run.isRunning) return;
        const { message = String(error), code = "internal" } = error as { message?: string; code?: string };
        const event = { type: "error", error: message, code, details: {}, seq: 0 } as const;
        if (code !== "wasm_load") return this.#end(recorder, event);
        // The run has not begun: it can go on in the next page, as a request that waits when this one is closed.
        this.#showEvent(recorder, event);
      },
    );
    this.#idle = ended.finally(() => {
      this.#current = null;
      const { queue, unsent } = this.state;
      // The run ended before these messages were sent: the user has them again, and the agent no longer.
      if (queue.length) this.#session.queue([]);
      this.#attachments.giveBack(this.#queued.flatMap((message) => message.attachments));
      this.#queued = [];
      this.#set({
        isWorking: false,
        activity: null,
        queue: [],
        unsent: [unsent, ...queue].filter(Boolean).join("\n"),
      });
      this.#draw();
    });
  }

  #end(recorder: RunRecorder, event: AgentEvent): void {
    this.#note(event);
    this.#showEvent(recorder, event);
  }

  /** Shows an end that is not stored: the run can be continued. */
  #showEvent(recorder: RunRecorder, event: AgentEvent): void {
    this.#handle(recorder, event);
    this.#tell(event);
  }

  async #restore(wanted: string | null | undefined): Promise<void> {
    await this.#saving.load();
    const id = wanted === undefined ? this.#saving.headers[0]?.id : wanted;
    const stored = id ? this.#saving.find(id) : undefined;
    // The user may have begun another one meanwhile.
    if (stored && !this.#isDisposed && !this.#runs.record.runs.length) this.#show(stored);
  }

  /** Shows a stored conversation, which the model continues. A run that had not ended can be continued. */
  #show(stored: StoredConversation): void {
    try {
      this.#session.begin(stored.messages);
      this.#replace(new ConversationRecord(stored));
    } catch (error) {
      // Another version has stored it, or a program that is none of this package.
      console.warn(error);
      this.#saving.leaveOut(stored.id);
      this.#session.begin([]);
      this.#replace(new ConversationRecord());
      return;
    }
    const last = stored.runs.at(-1);
    if (last && !last.ended) this.#runs.last?.interrupt();
    else this.#runs.last?.offerAgain();
    this.#decisions.restore(stored.id, stored.decisions ?? []);
    this.#showDecisions(false);
    this.#updatePending();
  }

  /** Shows a conversation in place of another. */
  #replace(record: ConversationRecord): void {
    this.#runs.reset(record);
    this.#marks.clear();
    this.#set({ conversation: record.header });
    this.#draw();
  }

  async #leave(): Promise<void> {
    await this.settle();
    await this.flush();
  }

  /** Returns the conversation with a call: the one that is shown, or a stored one. */
  #conversationOf(toolId: string): string | undefined {
    if (this.call(toolId)) return this.#runs.record.id;
    const stored = this.#saving.all.find((other) => other.id !== this.#runs.record.id && hasCall(other, toolId));
    if (stored) this.#decisions.restore(stored.id, stored.decisions ?? []);
    return stored?.id;
  }

  /** Shows the decisions that hold, and saves them. */
  #showDecisions(saves = true): void {
    this.#runs.showDecisions(this.#decisions.standing(this.#runs.record.id));
    this.#draw();
    if (!saves) return;
    for (const id of this.#decisions.conversations)
      if (id !== this.#runs.record.id) this.#saving.setDecisions(id, this.#decisions.stored(id));
    this.changed();
  }

  /** Updates the pending changes of each call. */
  #updatePending(): void {
    this.#runs.showPending(hunksOf(this.editor));
    this.#draw();
  }

  /** Puts the runs into the state. */
  #draw(): void {
    const { runs: before } = this.state;
    const runs = this.#runs.shown(before, this.#current !== null);
    if (runs !== before) this.#set({ runs });
  }

  #set(change: Partial<AssistantState>): void {
    this.#observable.set(change);
  }
}

function isMessage({ type }: AgentEvent): boolean {
  return type === "message";
}
