/** Messages of the worker, in their order and without long tasks. */

import { nextTask } from "../base/next-task.js";
import { nextFrame } from "./next-frame.js";
import type { Item } from "./messages.js";

/** The longest that messages are processed in one task, in milliseconds. */
const LONGEST_MS = 8;

type Batch = { type: "events"; items: Item[] };

/** Processes messages in their order, for a few milliseconds per task. The items of a batch are processed one by one. */
export class Inbox<M extends Batch | { type: string }> {
  readonly #process: (message: M) => void;
  readonly #take: (item: Item) => void;
  readonly #shown: () => void;
  #waiting: M[] = [];
  /** The number of items of the first message that were processed. */
  #taken = 0;
  #isWorking = false;
  #hasEnded = false;
  #last: (() => void) | undefined;

  /** `take` is called with each item of a batch, `process` with each message, after its items; `shown` a frame after a
   * batch, when the next one may be sent. */
  constructor(process: (message: M) => void, take: (item: Item) => void, shown: () => void) {
    this.#process = process;
    this.#take = take;
    this.#shown = shown;
  }

  add(message: M): void {
    this.#waiting.push(message);
    void this.#work();
  }

  /** Calls `last` when everything that has arrived was processed. */
  afterAll(last: () => void): void {
    this.#last ??= last;
    void this.#work();
  }

  /** Drops what was not processed. */
  end(): void {
    this.#hasEnded = true;
    this.#waiting = [];
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      while (this.#waiting.length) {
        if (this.#workUntil(performance.now() + LONGEST_MS)) break;
        await nextTask();
      }
    } finally {
      this.#isWorking = false;
    }
    const last = this.#last;
    this.#last = undefined;
    last?.();
  }

  /** Returns whether everything was processed in time. */
  #workUntil(deadline: number): boolean {
    for (let message = this.#waiting[0]; message; message = this.#waiting[0]) {
      if (message.type === "events") {
        const { items } = message as Batch;
        while (this.#taken < items.length) {
          this.#take(items[this.#taken++] as Item);
          if (performance.now() > deadline && !this.#hasEnded) return false;
          if (this.#hasEnded) return true;
        }
        this.#taken = 0;
        nextFrame(this.#shown);
      }
      this.#waiting.shift();
      this.#process(message);
      if (performance.now() > deadline) return this.#waiting.length === 0;
    }
    return true;
  }
}
