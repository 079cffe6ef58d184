/** The lease of a run: while it lasts, no other instance of the route continues the run. */

import type { RunLog, RunOwner, RunStatus } from "./run-log.js";

/** The log of one run, and the instance that owns the run. */
export interface OwnLog {
  readonly log: RunLog;
  readonly id: string;
  readonly owner: RunOwner;
}

export interface LeaseEvents {
  /** Another instance may own the run. */
  readonly lost: () => void;
  /** A client has asked for the end of the run. */
  readonly stopped: () => void;
  /** The log has failed. */
  readonly failed: (reason: unknown) => void;
}

/** Renewals in the time of a lease. */
const RENEWALS = 3;

/** Repeats a task, not while it is under way. Timers of leases keep no process of Node.js alive. */
export function interval(task: () => Promise<unknown>, ms: number): ReturnType<typeof setInterval> {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void task().finally(() => (isBusy = false));
  }, ms);
  return unreferenced(timer);
}

/** Lets a process of Node.js end before a timer does. */
export function unreferenced<T>(timer: T): T {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

export class Lease {
  readonly #own: OwnLog;
  readonly #on: LeaseEvents;
  readonly #timer: ReturnType<typeof setInterval>;
  #end: ReturnType<typeof setTimeout>;
  /** By the clock of this instance, from before the request: shorter than by that of the log. */
  #until: number;
  #isOver = false;
  #isAttended = false;
  /** The renewals under way. */
  #renewals: Promise<unknown> = Promise.resolve();

  constructor(own: OwnLog, on: LeaseEvents) {
    this.#own = own;
    this.#on = on;
    this.#until = performance.now() + own.owner.lease;
    this.#timer = interval(() => this.renew(), own.owner.lease / RENEWALS);
    this.#end = this.#endIn(own.owner.lease);
  }

  /** True while a client reads the events at another instance. */
  get isAttended(): boolean {
    return this.#isAttended && performance.now() < this.#until;
  }

  /** Asks the log. Returns whether the run is this instance's. */
  async renew(): Promise<boolean> {
    const { log, id, owner } = this.#own;
    const renewal = this.learn(() => log.renew(id, owner));
    this.#renewals = Promise.allSettled([this.#renewals, renewal]);
    return renewal;
  }

  /** Makes a request to the log by which the lease is renewed as well. Rejects for none. */
  async learn(ask: () => Promise<RunStatus>): Promise<boolean> {
    if (this.#isOver) return false;
    const asked = performance.now();
    let status: RunStatus;
    try {
      status = await ask();
    } catch (reason) {
      this.#on.failed(reason);
      return !this.#isOver;
    }
    if (this.#isOver) return false;
    if (!status.isOwner) {
      this.#lose();
      return false;
    }
    this.#until = asked + this.#own.owner.lease;
    clearTimeout(this.#end);
    this.#end = this.#endIn(this.#until - performance.now());
    this.#isAttended = status.isAttended;
    if (status.isStopped) this.#on.stopped();
    return true;
  }

  /** Returns whether the lease lasts long enough for a call to start. */
  async isHeld(): Promise<boolean> {
    if (this.#isOver) return false;
    return performance.now() < this.#until - this.#own.owner.lease / RENEWALS || this.renew();
  }

  /** Ends the lease, so that another instance can continue the run at once. */
  async release(): Promise<void> {
    if (this.#isOver) return;
    this.end();
    // One that arrives later would undo it.
    await this.#renewals;
    const { log, id, owner } = this.#own;
    await log.renew(id, { ...owner, lease: 0 }).catch(this.#on.failed);
  }

  end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    clearTimeout(this.#end);
  }

  /** A log that does not answer lets the lease end too. */
  #endIn(ms: number): ReturnType<typeof setTimeout> {
    return unreferenced(setTimeout(() => this.#lose(), ms));
  }

  #lose(): void {
    this.end();
    this.#on.lost();
  }
}
