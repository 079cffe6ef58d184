/**
 * Reader of response bodies that joins chunks: those available at the same time are passed to the wasm together, and
 * each result is delivered in its own task.
 *
 * Models answer in chunks of a few hundred bytes, and a fast network delivers thousands of them at once. Passing each
 * one separately would cost a call into the wasm; passing all in one task would block the page.
 */

import { nextTask } from "../base/next-task.js";

/** The longest result, in bytes: read in a few milliseconds. */
const LONGEST = 65536;
/** The most chunks of a result, which ends a stream of empty chunks. */
const MOST = 1024;
/** The longest time in milliseconds that a chunk is held back, and only while more are available. */
const PATIENCE = 4;
const NONE = new Uint8Array();

/** The result of `read` of a stream's reader. The stream of an app's `fetch` may return anything. */
interface Read {
  done?: boolean;
  value?: unknown;
}

interface Source {
  read(): Promise<Read>;
  cancel?(): Promise<unknown>;
  releaseLock?(): void;
}

/** Replaces the reader of a stream. */
export class CoalescingReader {
  readonly #source: Source;
  readonly #buffer = new Uint8Array(LONGEST);
  #length = 0;
  #chunks = 0;
  /** The part of the last chunk that does not fit. */
  #rest: Uint8Array = NONE;
  /** The end, or the error, that follows the chunks. */
  #last: (() => Read) | undefined;
  #isRequested = false;
  /** True while `read` waits: chunks are requested one after another. */
  #isReading = false;
  #arrived = () => {};
  readonly #gate: (() => Promise<void> | undefined) | undefined;

  /** Before each read it awaits `gate`, so that a slow consumer slows the producer down. */
  constructor(stream: { getReader(): Source }, gate?: () => Promise<void> | undefined) {
    this.#source = stream.getReader();
    this.#gate = gate;
  }

  /** Reads like a stream's reader. An error is thrown after the chunks that preceded it. */
  async read(): Promise<Read> {
    await this.#gate?.();
    const since = performance.now();
    if (this.#rest.length) {
      const rest = this.#rest;
      this.#rest = NONE;
      this.#chunks = 1;
      this.#append(rest);
    }
    this.#isReading = true;
    this.#request();
    if (!this.#chunks && !this.#last) await new Promise<void>((arrived) => (this.#arrived = arrived));
    if (this.#chunks) {
      let [seen, empty] = [this.#chunks, 0];
      do {
        await nextTask();
        // The producer may need a task for each chunk, and may be scheduled after this one.
        empty = this.#chunks > seen ? 0 : empty + 1;
        seen = this.#chunks;
      } while (empty < 2 && !this.#isFull && performance.now() - since < PATIENCE);
    }
    this.#isReading = false;
    if (!this.#chunks) return this.#last!();
    const value = this.#buffer.slice(0, this.#length);
    this.#length = this.#chunks = 0;
    return { done: false, value };
  }

  /** Cancels and releases the stream. Its producer may ignore the abort signal. */
  cancel(): void {
    try {
      this.#source.cancel?.()?.catch(() => {});
      this.#source.releaseLock?.();
    } catch {
      // The app's stream may throw anywhere.
    }
  }

  #request(): void {
    if (this.#isRequested || this.#last || this.#isFull) return;
    this.#isRequested = true;
    try {
      Promise.resolve(this.#source.read()).then(this.#received, this.#failed);
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  get #isFull(): boolean {
    return this.#length === LONGEST || this.#chunks === MOST;
  }

  readonly #received = (read: Read): void => {
    try {
      const { done, value } = read;
      const chunk = typeof value === "string" ? new TextEncoder().encode(value) : value;
      if (!done && isBytes(chunk)) {
        this.#chunks++;
        this.#append(chunk);
      } else {
        // The wasm reports a chunk that is not bytes.
        this.#last = () => ({ done: !!done, value });
      }
    } catch (thrown) {
      return this.#failed(thrown);
    }
    this.#next();
  };

  readonly #failed = (thrown: unknown): void => {
    this.#last = () => {
      throw thrown;
    };
    this.#next();
  };

  #next(): void {
    this.#isRequested = false;
    this.#arrived();
    if (this.#isReading) this.#request();
  }

  /** Copies the chunk, because its owner may reuse the memory. */
  #append(chunk: Uint8Array): void {
    const room = LONGEST - this.#length;
    if (chunk.length > room) {
      this.#rest = chunk.subarray(room);
      chunk = chunk.subarray(0, room);
    }
    this.#buffer.set(chunk, this.#length);
    this.#length += chunk.length;
  }
}

/** Returns whether a value is an array of bytes, of any realm. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Partial<Uint8Array>).BYTES_PER_ELEMENT === 1;
}
