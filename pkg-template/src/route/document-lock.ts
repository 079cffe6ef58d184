/** The lock of a document that instances of a route share, so that runs on it follow one another. */

import { interval } from "./lease.js";
import type { RunLog, RunOwner } from "./run-log.js";

/** Renewals in the time of a lease. */
const RENEWALS = 3;

export class DocumentLock {
  readonly #log: RunLog;
  readonly #documentId: string;
  readonly #owner: RunOwner;
  readonly #failed: (reason: unknown) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The last renewal. */
  #renewal: Promise<unknown> = Promise.resolve();

  constructor(log: RunLog, documentId: string, owner: RunOwner, failed: (reason: unknown) => void) {
    this.#log = log;
    this.#documentId = documentId;
    this.#owner = owner;
    this.#failed = failed;
  }

  /** Returns whether the document is this run's from now on. A log that fails keeps nobody from it. */
  async take(): Promise<boolean> {
    if (this.#timer !== undefined) return true;
    const isTaken = await this.#lock(this.#owner);
    if (isTaken) this.#timer = interval(() => (this.#renewal = this.#lock(this.#owner)), this.#owner.lease / RENEWALS);
    return isTaken;
  }

  async free(): Promise<void> {
    clearInterval(this.#timer);
    // One that arrives later would undo it.
    await this.#renewal;
    await this.#lock({ ...this.#owner, lease: 0 });
  }

  async #lock(owner: RunOwner): Promise<boolean> {
    try {
      return await this.#log.lock(this.#documentId, owner);
    } catch (reason) {
      this.#failed(reason);
      return true;
    }
  }
}
