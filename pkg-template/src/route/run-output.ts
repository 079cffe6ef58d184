/** The output of a run: its log, if it has one, and the stream of the client that is there. */

import { textOf, type ClientWriter, type Entry, type RunEvent } from "./client-writer.js";
import { EventStream } from "./event-stream.js";
import { Lease, unreferenced, type OwnLog } from "./lease.js";
import type { RunState } from "./run-log.js";

export interface OutputEvents {
  /** The client has gone before the end, and no other one has come. */
  readonly gone: () => void;
  /** The log has failed. The run and its stream go on as long as its lease. */
  readonly failed: (reason: unknown) => void;
  /** Events could not be written for a client. Its stream is closed, the run goes on. */
  readonly unwritten: (reason: unknown) => void;
  /** Another instance may go on with the run. */
  readonly lost: () => void;
  /** A client has asked another instance for the end of the run. */
  readonly stopped: () => void;
}

/** The number of events that wait for the log before `ready` holds the writer back. */
const MOST_WAITING = 500;

/** The time in milliseconds between two tries to log the end of a run, unless the lease is short. */
const LONGEST_WAIT = 500;

/** Events are logged before they are sent, so that a client has none that the log does not have. */
export class RunOutput {
  #client: Client | undefined;
  readonly #own: OwnLog | undefined;
  readonly #keepAlive: number;
  readonly #on: OutputEvents;
  #waiting: Entry[] = [];
  #state: RunState | undefined;
  #isOver = false;
  #isLost = false;
  #isLeaving = false;
  /** Writes to the log, one after another. */
  #writing: Promise<void> = Promise.resolve();
  #isScheduled = false;
  /** The number of the last event in the log, and the events that it has not taken. */
  #logged: number;
  #unlogged: Entry[] = [];
  /** Renewed from the first client on: a run that cannot begin keeps none. */
  #lease: Lease | undefined;

  /** `logged` is the number of the last event in the log. */
  constructor(keepAlive: number, own: OwnLog | undefined, logged: number, on: OutputEvents) {
    this.#keepAlive = keepAlive;
    this.#own = own;
    this.#logged = logged;
    this.#on = on;
  }

  get hasLog(): boolean {
    return this.#own !== undefined;
  }

  /** Returns whether a client reads the events at another instance. */
  async isAttended(): Promise<boolean> {
    await this.#lease?.renew();
    return this.#lease?.isAttended ?? false;
  }

  /**
   * Resolves when all events are in the log, which may have failed before. Returns whether the run is still this
   * instance's.
   */
  async isOwned(): Promise<boolean> {
    if (!this.#lease) return true;
    do await this.#writing;
    while (this.#waiting.length > 0);
    await this.#logRest();
    return !this.#isLeaving && this.#lease.isHeld();
  }

  /**
   * Returns the stream for a client, which takes the place of an earlier one. It begins after an event of the log,
   * unless the run is new.
   */
  attach(writer: ClientWriter, isNew: boolean): ReadableStream<Uint8Array<ArrayBuffer>> {
    const own = this.#own;
    if (own) this.#lease ??= new Lease(own, { ...this.#on, lost: () => this.#lose() });
    const stream: EventStream = new EventStream({
      keepAlive: this.#keepAlive,
      onCancel: () => {
        if (this.#client === client || this.#client === undefined) this.#on.gone();
      },
    });
    const client: Client = { stream, writer };
    const before = this.#client;
    this.#client = undefined;
    before?.stream.close();
    if (!own) this.#client = client;
    else
      this.#writing = this.#writing.then(async () => {
        const logged = isNew ? [] : await own.log.eventsAfter(own.id, writer.after).catch(this.#failed);
        // A stream with a gap would look like a whole one.
        if (!logged) return stream.close();
        const last = logged.at(-1)?.seq ?? writer.after;
        const all = [...logged, ...this.#unlogged.filter(({ seq }) => seq > last)];
        this.#client = client;
        this.#send(all);
        if (this.#isOver && !this.#waiting.length) stream.close();
      });
    return stream.body;
  }

  /** Writes an event. `state` is the point from which the run can go on after it. */
  write(event: RunEvent, state?: RunState): void {
    const { seq } = event;
    if (!this.#own) return this.#send([{ seq, text: "", event }]);
    if (this.#isLost) return;
    this.#waiting.push({ seq, text: textOf(event), event });
    this.#state = state ?? this.#state;
    this.#schedule();
  }

  /** Returns a promise to wait for before the next events, or nothing. */
  ready(): Promise<void> | undefined {
    return this.#waiting.length > MOST_WAITING ? this.#writing : this.#client?.stream.ready();
  }

  /** Writes the last event and closes the stream. */
  async end(event: RunEvent): Promise<void> {
    this.#isOver = true;
    try {
      this.write(event);
      if (this.#own) await this.#writing;
      this.#client?.stream.close();
      await this.#logRest();
    } finally {
      this.#client?.stream.close();
      this.#lease?.end();
    }
  }

  /** Logs what the log has not taken, as long as the run is this instance's: else another one would go on with it. */
  async #logRest(): Promise<void> {
    const between = Math.min(LONGEST_WAIT, (this.#own?.owner.lease ?? 0) / 10);
    while (this.#unlogged.length > 0 && !this.#isLost) {
      await new Promise((resolve) => unreferenced(setTimeout(resolve, between)));
      this.#schedule();
      await this.#writing;
    }
  }

  /** Leaves the run to another instance, with the events up to now. The client finds it there. */
  async release(): Promise<void> {
    this.#isLeaving = true;
    await this.#writing;
    if (this.#isLost || this.#isOver) return;
    this.#isLost = true;
    this.#waiting = [];
    this.#on.lost();
    // Before the client learns of it.
    await this.#lease?.release();
    this.#client?.stream.close();
  }

  /** Closes the stream without an end: the client finds the run at its new owner. */
  #lose(): void {
    this.#isLost = true;
    this.#waiting = [];
    this.#client?.stream.close();
    this.#on.lost();
  }

  /** Sends events. A client for which they cannot be written is gone: the log has them, and the run goes on. */
  #send(entries: readonly Entry[]): void {
    const client = this.#client;
    try {
      client?.stream.write(client.writer.write(entries));
    } catch (thrown) {
      this.#client = undefined;
      client?.stream.close();
      this.#on.unwritten(thrown);
      if (!this.#isOver) this.#on.gone();
    }
  }

  /** Appends events to the log, after those that it has not taken before. */
  async #log(events: readonly Entry[], state: RunState | undefined): Promise<void> {
    const { log, id, owner } = this.#own!;
    let all = [...this.#unlogged, ...events];
    let isTaken = false;
    await this.#lease!.learn(async () => {
      if (this.#unlogged.length > 0) {
        // A log that failed may have taken them: its answer was lost.
        this.#logged = (await log.find(id))?.lastSeq ?? this.#logged;
        all = all.filter(({ seq }) => seq > this.#logged);
      }
      const status = await log.append(id, owner, this.#logged, {
        events: all.map(({ seq, text }) => ({ seq, text })),
        state,
        isOver: this.#isOver,
      });
      isTaken = status.isOwner;
      return status;
    });
    this.#unlogged = isTaken ? [] : all;
    if (isTaken) this.#logged = all.at(-1)?.seq ?? this.#logged;
    else this.#state ??= state;
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
      await this.#log(events, state);
      if (!this.#isLost) this.#send(events);
    });
  }
}

interface Client {
  readonly stream: EventStream;
  readonly writer: ClientWriter;
}
