/** A log of runs, from which a disconnected client continues, and a run whose process has ended. */

import { check } from "../base/error.js";
import type { Message, NodeJSON } from "../types/index.js";

/** The point from which a run can continue. */
export interface RunState {
  readonly messages: Message[];
  readonly document: NodeJSON;
}

/** A run in the log, without the events. */
export interface LoggedRun {
  /** The request, as `claim` has stored it. */
  readonly request: string;
  /** The last state; none before the first. */
  readonly state: RunState | undefined;
  /** The number of the last event; -1 for none. */
  readonly lastSeq: number;
  /** True if the last event is logged. */
  readonly isOver: boolean;
  /** The milliseconds that the lease of its owner still lasts: 0 if it has ended. */
  readonly leaseLeft: number;
}

/** The state of a run that its owner is told. */
export interface RunStatus {
  /** False if another instance owns the run by now: this one must leave it. */
  readonly isOwner: boolean;
  /** True if a client has asked for the end of the run. */
  readonly isStopped: boolean;
  /** True while a client reads the events at another instance. */
  readonly isAttended: boolean;
}

/** An event as it is sent. */
export interface LoggedEvent {
  readonly seq: number;
  readonly text: string;
}

/** An instance of the route that owns a run, or wants to, for some milliseconds from now on. */
export interface RunOwner {
  readonly owner: string;
  readonly lease: number;
}

/**
 * Storage of runs, which instances of a route share. Each method is atomic. A run has one owner at a time: only the owner
 * appends, and its lease ends unless it is renewed, by the clock of the storage. The log receives no keys of models. The id of
 * a run is made of `runId` and of a hash of the run's token: up to 165 letters, digits, - and _.
 */
export interface RunLog {
  /**
   * Adds a run that is not there, and makes an instance its owner, unless it is over or another one's lease lasts. Returns
   * the run as it was before, if it was there. `request` is a text of any length, without keys of models.
   */
  claim: (
    id: string,
    owner: RunOwner,
    request: string,
  ) => Promise<{ readonly isOwner: boolean; readonly run: LoggedRun | undefined }>;
  /**
   * Resolves when events, and the state after them, are stored, and the lease is renewed. Stores nothing and returns
   * `isOwner: false` for an instance that is not the owner, or if `after` is not the number of the last event.
   */
  append: (
    id: string,
    owner: RunOwner,
    after: number,
    added: {
      readonly events: readonly LoggedEvent[];
      readonly state: RunState | undefined;
      readonly isOver: boolean;
    },
  ) => Promise<RunStatus>;
  /** Renews the lease of the owner. A lease of 0 ms ends it. */
  renew: (id: string, owner: RunOwner) => Promise<RunStatus>;
  /** Marks a run as read by a client of another instance, for some milliseconds. */
  attend: (id: string, ms: number) => Promise<void>;
  /** Asks the owner to stop a run. Returns false if there is none that is under way. */
  stop: (id: string) => Promise<boolean>;
  find: (id: string) => Promise<LoggedRun | undefined>;
  /** Returns the events after one, in order. */
  eventsAfter: (id: string, seq: number) => Promise<LoggedEvent[]>;
  /** Resolves when there may be events after one, or after some milliseconds. Without it the log is asked twice a second. */
  changed?: (id: string, seq: number, ms: number) => Promise<void>;
  /**
   * Locks a name for an owner, or renews its lock: that of a document, or of a request for approval that was answered.
   * Returns false while another one has it. A lease of 0 ms unlocks it.
   */
  lock: (name: string, owner: RunOwner) => Promise<boolean>;
  /** Stores the id of the last run of a conversation, which is there. Ids of conversations are like those of runs. */
  setLatest: (thread: string, id: string) => Promise<void>;
  /** Returns the id of the last run of a conversation, unless it was removed. */
  latest: (thread: string) => Promise<string | undefined>;
}

/** Creates a log in memory. It removes the oldest runs, first those that are over, as soon as it exceeds a limit. */
export function memoryLog(maxRuns = 1000, maxBytes = 64 * 1024 * 1024): RunLog {
  const log = new MemoryLog(maxRuns, maxBytes);
  return {
    claim: async (...given) => log.claim(...given),
    append: async (...given) => log.append(...given),
    renew: async (...given) => log.renew(...given),
    attend: async (...given) => log.attend(...given),
    stop: async (id) => log.stop(id),
    find: async (id) => log.find(id),
    eventsAfter: async (id, seq) => log.eventsAfter(id, seq),
    changed: async (...given) => log.changed(...given),
    lock: async (...given) => log.lock(...given),
    setLatest: async (...given) => log.setLatest(...given),
    latest: async (thread) => log.latest(thread),
  };
}

interface Lease {
  owner: string;
  until: number;
}

interface StoredRun {
  readonly request: string;
  /** As JSON: of the size that is counted. */
  state: string;
  readonly events: LoggedEvent[];
  isOver: boolean;
  bytes: number;
  lease: Lease;
  isStopped: boolean;
  attendedUntil: number;
}

/** The bytes of an event and of a run besides their texts, about. */
const OVERHEAD = 100;
const sizeOf = (text: string) => 2 * text.length;

function leaseOf({ owner, lease }: RunOwner): Lease {
  return { owner, until: performance.now() + lease };
}

function isFree(lease: Lease, { owner }: RunOwner): boolean {
  return lease.owner === owner || lease.until <= performance.now();
}

class MemoryLog {
  /** In the order of their beginnings. */
  readonly #runs = new Map<string, StoredRun>();
  readonly #locks = new Map<string, Lease>();
  /** The last run of each conversation. */
  readonly #latest = new Map<string, string>();
  /** Those who wait for events of a run. */
  readonly #changes = new Map<string, Set<() => void>>();
  readonly #maxRuns: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxRuns: number, maxBytes: number) {
    check(maxRuns > 0, "maxRuns", maxRuns, "a number of runs, at least 1");
    check(maxBytes > 0, "maxBytes", maxBytes, "a number of bytes, at least 1");
    this.#maxRuns = maxRuns;
    this.#maxBytes = maxBytes;
  }

  claim(id: string, owner: RunOwner, request: string): Awaited<ReturnType<RunLog["claim"]>> {
    const run = this.find(id);
    const stored = this.#runs.get(id);
    if (!stored) {
      const lease = leaseOf(owner);
      const run = { request, state: "", events: [], isOver: false, bytes: 0, lease, isStopped: false };
      const added: StoredRun = { ...run, attendedUntil: 0 };
      this.#runs.set(id, added);
      this.#grow(added, OVERHEAD + sizeOf(id) + sizeOf(request));
      return { isOwner: true, run: undefined };
    }
    if (stored.isOver || !isFree(stored.lease, owner)) return { isOwner: false, run };
    stored.lease = leaseOf(owner);
    return { isOwner: true, run };
  }

  append(
    id: string,
    owner: RunOwner,
    after: number,
    { events, state, isOver }: Parameters<RunLog["append"]>[3],
  ): RunStatus {
    const run = this.#runs.get(id);
    const status = this.renew(id, owner);
    // A run that was removed continues without its log.
    if (!run || !status.isOwner) return status;
    if ((run.events.at(-1)?.seq ?? -1) !== after) return { ...status, isOwner: false };
    run.events.push(...events);
    run.isOver ||= isOver;
    let more = events.reduce((sum, { text }) => sum + OVERHEAD + sizeOf(text), 0);
    if (state) {
      const stored = JSON.stringify(state);
      more += sizeOf(stored) - sizeOf(run.state);
      run.state = stored;
    }
    this.#grow(run, more);
    this.#wake(id);
    return status;
  }

  #wake(id: string): void {
    this.#changes.get(id)?.forEach((resolve) => resolve());
  }

  renew(id: string, owner: RunOwner): RunStatus {
    const run = this.#runs.get(id);
    if (!run) return { isOwner: true, isStopped: false, isAttended: false };
    const { isStopped, attendedUntil } = run;
    const isOwner = run.lease.owner === owner.owner;
    if (isOwner) run.lease = leaseOf(owner);
    // A client that reads the run elsewhere can continue it.
    if (isOwner && owner.lease <= 0) this.#wake(id);
    return { isOwner, isStopped, isAttended: attendedUntil > performance.now() };
  }

  attend(id: string, ms: number): void {
    const run = this.#runs.get(id);
    if (run) run.attendedUntil = performance.now() + ms;
  }

  stop(id: string): boolean {
    const run = this.#runs.get(id);
    if (!run || run.isOver) return false;
    run.isStopped = true;
    return true;
  }

  changed(id: string, seq: number, ms: number): Promise<void> {
    const run = this.#runs.get(id);
    if (!run || run.isOver || (run.events.at(-1)?.seq ?? -1) > seq) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#changes.get(id) ?? new Set();
      this.#changes.set(id, waiting);
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0) this.#changes.delete(id);
        resolve();
      };
      const timer = setTimeout(done, ms);
      waiting.add(done);
    });
  }

  lock(name: string, owner: RunOwner): boolean {
    const lease = this.#locks.get(name);
    if (lease && !isFree(lease, owner)) return false;
    if (!lease) for (const [other, { until }] of this.#locks) if (until <= performance.now()) this.#locks.delete(other);
    if (owner.lease > 0) this.#locks.set(name, leaseOf(owner));
    else this.#locks.delete(name);
    return true;
  }

  setLatest(thread: string, id: string): void {
    if (this.#runs.has(id)) this.#latest.set(thread, id);
  }

  latest(thread: string): string | undefined {
    return this.#latest.get(thread);
  }

  find(id: string): LoggedRun | undefined {
    const run = this.#runs.get(id);
    if (!run) return undefined;
    const { request, state, events, isOver, lease } = run;
    const stored = state ? (JSON.parse(state) as RunState) : undefined;
    const leaseLeft = Math.max(0, lease.until - performance.now());
    return { request, state: stored, lastSeq: events.at(-1)?.seq ?? -1, isOver, leaseLeft };
  }

  eventsAfter(id: string, seq: number): LoggedEvent[] {
    return this.#runs.get(id)?.events.filter((event) => event.seq > seq) ?? [];
  }

  #grow(run: StoredRun, bytes: number): void {
    run.bytes += bytes;
    this.#bytes += bytes;
    while (this.#runs.size > this.#maxRuns || this.#bytes > this.#maxBytes) {
      const ids = [...this.#runs.keys()];
      this.#remove(ids.find((id) => this.#runs.get(id)?.isOver) ?? ids[0]!);
    }
  }

  #remove(id: string): void {
    this.#bytes -= this.#runs.get(id)?.bytes ?? 0;
    this.#runs.delete(id);
    for (const [thread, latest] of this.#latest) if (latest === id) this.#latest.delete(thread);
  }
}
