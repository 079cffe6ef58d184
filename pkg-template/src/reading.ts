/**
 * How the bodies of answers are read: what is there at the same time goes to the wasm as one piece, and each piece in a
 * task of its own.
 *
 * Models answer in chunks of a few hundred bytes, and a network that is fast brings thousands of them at once. One by
 * one, each would cost a way into the wasm and back; all in a row, the page would stand still until the last of them.
 */

/** The longest piece, in bytes: what is read in a few milliseconds. */
const LONGEST = 65536;
/** The most chunks of a piece: a stream of empty ones must not be read for ever. */
const MOST = 1024;
/** How long what has come may be held back for what follows, in milliseconds, and that only while more comes at once. */
const PATIENCE = 4;
const NONE = new Uint8Array();

/** What `read` of a stream's reader gives. What an app's `fetch` gives may be anything. */
interface Read {
  done?: boolean;
  value?: unknown;
}

interface Source {
  read(): Promise<Read>;
  cancel?(): Promise<unknown>;
  releaseLock?(): void;
}

/** Stands in for the reader of a stream. */
export class Reading {
  readonly #source: Source;
  readonly #piece = new Uint8Array(LONGEST);
  #length = 0;
  #chunks = 0;
  /** What of the last chunk does not fit in. */
  #rest: Uint8Array = NONE;
  /** What comes after that: the end, or what is wrong. */
  #last: (() => Read) | undefined;
  #isAsked = false;
  /** Somebody waits for a piece: one chunk after the other is asked for. */
  #isWanted = false;
  #arrived = () => {};

  constructor(stream: { getReader(): Source }) {
    this.#source = stream.getReader();
  }

  /** As a reader's. What goes wrong is said after all that came before it. */
  async read(): Promise<Read> {
    const since = performance.now();
    if (this.#rest.length) {
      const rest = this.#rest;
      this.#rest = NONE;
      this.#chunks = 1;
      this.#keep(rest);
    }
    this.#isWanted = true;
    this.#ask();
    if (!this.#chunks && !this.#last) await new Promise<void>((arrived) => (this.#arrived = arrived));
    if (this.#chunks) {
      let [seen, empty] = [this.#chunks, 0];
      do {
        await nextTask();
        // What makes the chunks may need a task for each, and may be asked for the next one after us.
        empty = this.#chunks > seen ? 0 : empty + 1;
        seen = this.#chunks;
      } while (empty < 2 && !this.#isFull && performance.now() - since < PATIENCE);
    }
    this.#isWanted = false;
    if (!this.#chunks) return this.#last!();
    const value = this.#piece.slice(0, this.#length);
    this.#length = this.#chunks = 0;
    return { done: false, value };
  }

  /** Nobody reads on. Who made the stream may not heed a signal: it is told here, and has the stream back. */
  cancel(): void {
    try {
      this.#source.cancel?.()?.catch(() => {});
      this.#source.releaseLock?.();
    } catch {
      // What an app gives may throw anywhere.
    }
  }

  #ask(): void {
    if (this.#isAsked || this.#last || this.#isFull) return;
    this.#isAsked = true;
    try {
      Promise.resolve(this.#source.read()).then(this.#came, this.#broke);
    } catch (thrown) {
      this.#broke(thrown);
    }
  }

  get #isFull(): boolean {
    return this.#length === LONGEST || this.#chunks === MOST;
  }

  readonly #came = (read: Read): void => {
    try {
      const { done, value } = read;
      const chunk = typeof value === "string" ? new TextEncoder().encode(value) : value;
      if (!done && isBytes(chunk)) {
        this.#chunks++;
        this.#keep(chunk);
      } else {
        // What is no bytes is for the wasm to complain of.
        this.#last = () => ({ done: !!done, value });
      }
    } catch (thrown) {
      return this.#broke(thrown);
    }
    this.#next();
  };

  readonly #broke = (thrown: unknown): void => {
    this.#last = () => {
      throw thrown;
    };
    this.#next();
  };

  #next(): void {
    this.#isAsked = false;
    this.#arrived();
    if (this.#isWanted) this.#ask();
  }

  /** Copies: who gave the chunk may use its memory again. */
  #keep(chunk: Uint8Array): void {
    const room = LONGEST - this.#length;
    if (chunk.length > room) {
      this.#rest = chunk.subarray(room);
      chunk = chunk.subarray(0, room);
    }
    this.#piece.set(chunk, this.#length);
    this.#length += chunk.length;
  }
}

/** Whether a value is an array of bytes, of this realm or of another one. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Partial<Uint8Array>).BYTES_PER_ELEMENT === 1;
}

const waiting: (() => void)[] = [];
let door: MessagePort | undefined;

/** Resolves in a task of its own. Not by a timer: those of a hidden tab wait for a second. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => void };
    if (setImmediate) return setImmediate(resolve);
    door ??= openDoor();
    waiting.push(resolve);
    door.postMessage(null);
  });
}

function openDoor(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => waiting.shift()?.();
  // Node's would keep a program from ending.
  (port1 as { unref?: () => void }).unref?.();
  return port2;
}
