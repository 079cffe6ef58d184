/** The output of a run: its log, if it has one, and the streams of the clients that are there. */

import { textOf, type ClientWriter, type Entry, type RunEvent } from "./client-writer.js";
import { EventStream, LOG_FAILED } from "./event-stream.js";
import { Lease, unreferenced, type OwnLog } from "./lease.js";
import type { RunState } from "./run-log.js";

export interface OutputEvents {
  /** The last client has gone before the end. */
  readonly gone: () => void;
  /** The log has failed. The run and its stream continue as long as its lease. */
  readonly failed: (reason: unknown) => void;
  /** Events could not be written for a client. Its stream is closed, the run continues. */
  readonly unwritten: (reason: unknown) => void;
  /** Another instance may continue the run. */
  readonly lost: () => void;
  /** A client has asked another instance for the end of the run. */
  readonly stopped: () => void;
}

/** The number of events that wait for the log before `ready` holds the writer back. */
const MOST_WAITING = 500;

/** The time in milliseconds between two tries to log the end of a run, unless the lease is short. */
const LONGEST_WAIT = 500;

/** The number of bytes that may wait for one of several clients. Its stream is closed then: the log has the rest. */
const MOST_BEHIND = 4_194_304;

/** Events are logged before they are sent, so that a client has none that the log does not have. */
export class RunOutput {
  readonly #clients = new Set<Client>();
  readonly #own: OwnLog | undefined;
  readonly #keepAlive: number;
  readonly #on: OutputEvents;
  #waiting: Entry[] = [];
  #state: RunState | undefined;
  #isOver = false;
  #isLost = false;
  #isLeaving = false;
  /** True if the log has failed, and taken nothing since. */
  #hasFailed = false;
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
   * Returns the stream for the client of a request. It begins after an event of the log, unless the run is new. The
   * request is kept, because the signal of a collected one never aborts.
   */
  attach(request: Request, writer: ClientWriter, isNew: boolean): ReadableStream<Uint8Array<ArrayBuffer>> {
    const own = this.#own;
    if (own) this.#lease ??= new Lease(own, { ...this.#on, failed: this.#failed, lost: () => this.#lose() });
    const gone = () => this.#left(client);
    const stream: EventStream = new EventStream({ keepAlive: this.#keepAlive, onCancel: gone });
    const client: Client = { stream, writer, request, gone, isReady: !own };
    this.#clients.add(client);
    if (request.signal.aborted) gone();
    else request.signal.addEventListener("abort", gone, { once: true });
    if (own) this.#writing = this.#writing.then(() => this.#begin(client, own, isNew));
    return stream.body;
  }

  /** True if a client is there. */
  get hasClient(): boolean {
    return this.#clients.size > 0;
  }

  /** Sends a client what the log has, before it receives what comes. */
  async #begin(client: Client, { log, id }: OwnLog, isNew: boolean): Promise<void> {
    const { after } = client.writer;
    const logged = isNew ? [] : await log.eventsAfter(id, after).catch(this.#failed);
    // A stream with a gap would look like a whole one.
    if (!logged) {
      client.stream.write(LOG_FAILED);
      return this.#left(client);
    }
    const last = logged.at(-1)?.seq ?? after;
    client.isReady = true;
    this.#tell(client, [...logged, ...this.#unlogged.filter(({ seq }) => seq > last)]);
    if (this.#isLost || (this.#isOver && !this.#waiting.length)) this.#close(client);
  }

  /** A client has gone. A run without a log stops then, and tells the end if it can. */
  #left(client: Client): void {
    if (!this.#clients.has(client)) return;
    if (this.#own) this.#close(client);
    if ((!this.#own || !this.hasClient) && !this.#isOver) this.#on.gone();
  }

  #close(client: Client): void {
    this.#clients.delete(client);
    client.request.signal.removeEventListener("abort", client.gone);
    client.stream.close();
  }

  #closeAll(): void {
    for (const client of [...this.#clients]) this.#close(client);
  }

  /** Writes an event. `state` is the point from which the run can continue after it. */
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
    return this.#waiting.length > MOST_WAITING ? this.#writing : this.#clientReady();
  }

  /** The fastest client counts: a connection that is broken, which nobody has noticed yet, takes nothing any more. */
  #clientReady(): Promise<void> | undefined {
    const waits: Promise<void>[] = [];
    for (const { stream } of this.#clients) {
      const wait = stream.ready();
      if (!wait) return undefined;
      waits.push(wait);
    }
    return waits.length > 0 ? Promise.race(waits) : undefined;
  }

  /** Writes the last event and closes the streams. */
  async end(event: RunEvent): Promise<void> {
    this.#isOver = true;
    try {
      this.write(event);
      if (this.#own) await this.#writing;
      this.#closeAll();
      await this.#logRest();
    } finally {
      this.#closeAll();
      this.#lease?.end();
    }
  }

  /** Logs what the log has not taken, as long as the run is this instance's: else another one would continue it. */
  async #logRest(): Promise<void> {
    const between = Math.min(LONGEST_WAIT, (this.#own?.owner.lease ?? 0) / 10);
    while (this.#unlogged.length > 0 && !this.#isLost) {
      await new Promise((resolve) => unreferenced(setTimeout(resolve, between)));
      this.#schedule();
      await this.#writing;
    }
  }

  /** Leaves the run to another instance, with the events up to now. The clients find it there. */
  async release(): Promise<void> {
    this.#isLeaving = true;
    await this.#writing;
    if (this.#isLost || this.#isOver) return;
    this.#isLost = true;
    this.#waiting = [];
    this.#on.lost();
    // Before the clients learn of it.
    await this.#lease?.release();
    this.#closeAll();
  }

  /** Closes the streams without an end: the clients find the run at its new owner. */
  #lose(): void {
    this.#isLost = true;
    this.#waiting = [];
    // Else another instance has the run.
    if (this.#hasFailed) for (const { stream } of this.#clients) stream.write(LOG_FAILED);
    this.#closeAll();
    this.#on.lost();
  }

  #send(entries: readonly Entry[]): void {
    for (const client of [...this.#clients]) if (client.isReady) this.#tell(client, entries);
  }

  /**
   * Sends events to a client. If they cannot be written for it, it is removed: the log has them, and the run continues.
   */
  #tell(client: Client, entries: readonly Entry[]): void {
    try {
      client.stream.write(client.writer.write(entries));
    } catch (thrown) {
      this.#on.unwritten(thrown);
      client.isReady = false;
      client.stream.close();
      this.#left(client);
    }
    if (this.#clients.size > 1 && client.stream.waiting > MOST_BEHIND) this.#left(client);
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
    if (isTaken) this.#hasFailed = false;
    if (isTaken) this.#logged = all.at(-1)?.seq ?? this.#logged;
    else this.#state ??= state;
  }

  readonly #failed = (reason: unknown): undefined => {
    this.#hasFailed = true;
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
  readonly request: Request;
  readonly gone: () => void;
  /** True if it has what the log has. */
  isReady: boolean;
}
