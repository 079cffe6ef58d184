/** The output of a run: its log, if it has one, and the stream of the client that is there. */

import { EventStream } from "./event-stream.js";
import type { LoggedEvent, RunLog, RunState } from "./run-log.js";

/** The log of one run. */
export interface OwnLog {
  readonly log: RunLog;
  readonly id: string;
}

export interface OutputEvents {
  /** The client has gone before the end, and no other one has come. */
  readonly gone: () => void;
  /** The log has failed. The run and its stream go on without it. */
  readonly failed: (reason: unknown) => void;
}

/** The number of events that wait for the log before `ready` holds the writer back. */
const MOST_WAITING = 500;

/** Events are logged before they are sent, so that a client has none that the log does not have. */
export class RunOutput {
  #stream: EventStream | undefined;
  readonly #own: OwnLog | undefined;
  readonly #keepAlive: number;
  readonly #on: OutputEvents;
  #waiting: LoggedEvent[] = [];
  #state: RunState | undefined;
  #isOver = false;
  /** Writes to the log, one after another. */
  #writing: Promise<void> = Promise.resolve();
  #isScheduled = false;

  constructor(keepAlive: number, own: OwnLog | undefined, on: OutputEvents) {
    this.#keepAlive = keepAlive;
    this.#own = own;
    this.#on = on;
  }

  get hasLog(): boolean {
    return this.#own !== undefined;
  }

  /**
   * Returns the stream for a client, which takes the place of an earlier one. It begins after an event of the log; without
   * `after`, it is that of a new run.
   */
  attach(after?: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const own = this.#own;
    const stream: EventStream = new EventStream({
      keepAlive: this.#keepAlive,
      onCancel: () => {
        if (this.#stream === stream || this.#stream === undefined) this.#on.gone();
      },
    });
    const before = this.#stream;
    this.#stream = undefined;
    before?.close();
    if (!own) this.#stream = stream;
    else
      this.#writing = this.#writing.then(async () => {
        const logged = after === undefined ? [] : await own.log.eventsAfter(own.id, after).catch(this.#failed);
        // A stream with a gap would look like a whole one.
        if (!logged) return stream.close();
        stream.write(logged.map(({ text }) => text).join(""));
        if (this.#isOver && !this.#waiting.length) stream.close();
        else this.#stream = stream;
      });
    return stream.body;
  }

  /** Writes an event. `state` is the point from which the run can go on after it. */
  write(event: LoggedEvent, state?: RunState): void {
    if (!this.#own) return this.#stream?.write(event.text);
    this.#waiting.push(event);
    this.#state = state ?? this.#state;
    this.#schedule();
  }

  /** Returns a promise to wait for before the next events, or nothing. */
  ready(): Promise<void> | undefined {
    return this.#waiting.length > MOST_WAITING ? this.#writing : this.#stream?.ready();
  }

  /** Writes the last event and closes the stream. */
  async end(event: LoggedEvent): Promise<void> {
    this.#isOver = true;
    this.write(event);
    if (this.#own) await this.#writing;
    this.#stream?.close();
  }

  /** Closes the stream of a run that has not begun. */
  discard(): void {
    this.#stream?.close();
  }

  readonly #failed = (reason: unknown): undefined => {
    this.#on.failed(reason);
  };

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#writing = this.#writing.then(async () => {
      this.#isScheduled = false;
      const [events, state] = [this.#waiting, this.#state];
      this.#waiting = [];
      this.#state = undefined;
      const { log, id } = this.#own!;
      await log.append(id, events, state, this.#isOver).catch(this.#failed);
      this.#stream?.write(events.map(({ text }) => text).join(""));
    });
  }
}
