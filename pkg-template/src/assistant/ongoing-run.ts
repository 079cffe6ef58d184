/** The run under way: its events, its end, and the messages that wait for it. */

import { CopydeskError, type AgentEvent, type RunResult } from "copydesk";
import { activityOf } from "./activity.js";
import { addEvent } from "./conversation-record.js";
import type { EditMarks } from "./edit-marks.js";
import type { MessageAttachments } from "./message-attachments.js";
import type { RunList } from "./run-list.js";
import { textOf, type RunRecorder } from "./run.js";
import type { AgentSession, OutgoingMessage } from "./session.js";
import type { AssistantOptions, AssistantState } from "./state.js";

export interface OngoingRunHost extends Pick<AssistantOptions, "shows"> {
  readonly runs: RunList;
  readonly session: AgentSession;
  readonly marks: EditMarks;
  readonly attachments: MessageAttachments;
  readonly isDisposed: boolean;
  /** The state with the changes of this task. */
  readonly state: AssistantState;
  set(change: Partial<AssistantState>): void;
  /** Saves the conversation soon. */
  changed(): void;
  /** Puts the runs into the state. */
  draw(): void;
  /** Tells listeners of an event. */
  tell(event: AgentEvent): void;
}

export class OngoingRun {
  #current: RunRecorder | null = null;
  #ended: Promise<void> = Promise.resolve();
  /** Notices that came while no run was under way: the next one shows them. */
  #untold: AgentEvent[] = [];
  /** The messages of the queue. */
  #queued: readonly OutgoingMessage[] = [];

  constructor(private host: OngoingRunHost) {}

  get isUnderWay(): boolean {
    return this.#current !== null;
  }

  /** Resolves at the end of the run. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Sends a message; while a run is under way, it is queued. */
  send(message: OutgoingMessage): void {
    if (this.host.state.isWorking) return this.#setQueue([...this.#queued, message]);
    this.#track(this.#add(message), this.host.session.prompt(message));
  }

  /** Removes a queued message. */
  unqueue(index: number): void {
    this.#setQueue(this.#queued.filter((_, at) => at !== index));
  }

  /** Shows a run that was started in the document. */
  follow(text: string, result: Promise<RunResult>): void {
    this.#track(this.#add({ text, attachments: [] }), this.host.session.follow(result));
  }

  /** Continues a run that has failed, or sends its message again if there is nothing to continue. */
  tryAgain(last: RunRecorder): void {
    const { session } = this.host;
    last.resume();
    this.host.draw();
    const { prompt: text, attachments } = last.run;
    const result = session.continue().catch((error: unknown) => {
      if (error instanceof CopydeskError && error.code === "nothing_to_continue")
        return session.prompt({ text, attachments });
      throw error;
    });
    this.#track(last, result);
  }

  /** Takes an event of the agent. */
  take(event: AgentEvent): void {
    const { shows, runs, tell } = this.host;
    if (shows?.(event) === false) return tell(event);
    if (event.type === "message" && event.message.role === "user") this.#sent(textOf(event.message));
    if (event.type === "notice" && !this.#current) this.#untold.push(event);
    if (event.type === "compaction") for (const run of runs.record.runs) delete run.start;
    this.#note(event);
    if (this.#current) this.#handle(this.#current, event);
    if (this.#current && event.type === "agent_start")
      for (const notice of this.#untold.splice(0)) {
        this.#note(notice);
        this.#handle(this.#current, notice);
      }
    tell(event);
  }

  #handle(recorder: RunRecorder, event: AgentEvent): void {
    const { marks } = this.host;
    recorder.handle(event);
    if (event.type === "tool_args") marks.showPreview(event.toolId);
    if (event.type === "doc_update" && marks.add(event)) recorder.updateCall(event.toolId, { hasRange: true });
    const activity = activityOf(event);
    if (activity !== undefined) this.host.set({ activity });
    this.host.draw();
  }

  #note(event: AgentEvent): void {
    const { record } = this.host.runs;
    const run = record.runs.at(-1);
    if (!run || !this.#current) return;
    addEvent(run, event);
    record.changed = Date.now();
    // Parts of a text are saved with the event after them.
    if (event.type !== "content" && event.type !== "thinking") this.host.changed();
  }

  #add({ text, attachments }: OutgoingMessage): RunRecorder {
    const { runs, session } = this.host;
    const stored = runs.record.begin(text, session.messages.length, attachments);
    const recorder = runs.add(stored, false);
    // It may wait for the wasm longer than the page is open.
    this.host.changed();
    this.host.draw();
    return recorder;
  }

  #setQueue(queued: readonly OutgoingMessage[]): void {
    this.#queued = queued;
    this.host.set({ queue: queued.map(({ text }) => text) });
    this.host.session.queue(queued);
  }

  /** Removes a message from the queue that was sent, and notes what was attached to it. */
  #sent(text: string): void {
    const at = this.#queued.findIndex((one) => one.text === text);
    if (at < 0) return;
    const run = this.host.runs.record.runs.at(-1);
    const { attachments } = this.#queued[at]!;
    // The event of this message is added later.
    if (run && attachments.length) (run.attachedLater ??= {})[run.events.filter(isMessage).length] = attachments;
    this.#queued = this.#queued.filter((_, index) => index !== at);
    this.host.set({ queue: this.#queued.map((one) => one.text) });
  }

  /** Follows a run; the result is null if it was stopped before it began. */
  #track(recorder: RunRecorder, result: Promise<RunResult | null>): void {
    this.#current = recorder;
    this.host.set({ isWorking: true });
    const ended = result.then(
      (result) => {
        if (!recorder.run.isRunning) return;
        if (result?.status === "error") recorder.fail(result.error?.message ?? "", result.error?.code ?? "internal");
        else if (this.host.isDisposed) this.#showEnd(recorder, { type: "aborted", seq: 0 });
        else if (!result) this.#end(recorder, { type: "aborted", seq: 0 });
      },
      (error: unknown) => {
        if (!recorder.run.isRunning) return;
        const { message = String(error), code = "internal" } = error as { message?: string; code?: string };
        const event = { type: "error", error: message, code, details: {}, seq: 0 } as const;
        if (code !== "wasm_load") return this.#end(recorder, event);
        // The run has not begun: it can continue in the next page, as a request that waits when this one is closed.
        this.#showEnd(recorder, event);
      },
    );
    this.#ended = ended.finally(() => this.#release());
  }

  #end(recorder: RunRecorder, event: AgentEvent): void {
    this.#note(event);
    this.#showEnd(recorder, event);
  }

  /** Shows an end that is not stored: the run can be continued. */
  #showEnd(recorder: RunRecorder, event: AgentEvent): void {
    this.#handle(recorder, event);
    this.host.tell(event);
  }

  /** Ends the run. What was queued and not sent is the user's again. */
  #release(): void {
    const { session, attachments } = this.host;
    this.#current = null;
    const { queue, unsent } = this.host.state;
    if (queue.length) session.queue([]);
    attachments.giveBack(this.#queued.flatMap((message) => message.attachments));
    this.#queued = [];
    this.host.set({
      isWorking: false,
      activity: null,
      queue: [],
      unsent: [unsent, ...queue].filter(Boolean).join("\n"),
    });
    this.host.draw();
  }
}

function isMessage({ type }: AgentEvent): boolean {
  return type === "message";
}
