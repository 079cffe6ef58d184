/** A stream of server-sent events with back-pressure. */

/** The number of bytes that wait for the reader before `ready` holds the writer back. */
const HIGH_WATER_MARK = 65_536;
const encoder = new TextEncoder();

/** A comment that says why a stream ends before its run. */
export const LOG_FAILED = ": log_failed\n\n";

export interface EventStreamOptions {
  /** The time between two comments, in milliseconds. */
  readonly keepAlive: number;
  /** Called once if the reader disconnects before `close`. */
  readonly onCancel: () => void;
}

/**
 * Joins what is written in one task into one chunk: a model's answer arrives in bursts of hundreds of events, and a
 * chunk for each would cost more than the events.
 */
export class EventStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #pending = "";
  #isScheduled = false;
  #isOpen = true;
  #waiting: { promise: Promise<void>; resolve: () => void } | undefined;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #onCancel: () => void;

  constructor({ keepAlive, onCancel }: EventStreamOptions) {
    this.#onCancel = onCancel;
    this.body = new ReadableStream(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#release(),
        cancel: () => this.cancel(),
      },
      { highWaterMark: HIGH_WATER_MARK, size: (chunk) => chunk.length },
    );
    this.#timer = setInterval(() => {
      // A slow reader has enough to read. A blank line would be the end of an event without data.
      if (!this.#isFull) this.write(": keep-alive\n");
    }, keepAlive);
  }

  /** The number of bytes that wait for the reader. */
  get waiting(): number {
    return HIGH_WATER_MARK - (this.#controller.desiredSize ?? HIGH_WATER_MARK);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Writes events; nothing after the end. */
  write(text: string): void {
    if (!this.#isOpen) return;
    this.#pending += text;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#flush());
  }

  /** Returns a promise that resolves when the reader has taken enough, or nothing if the writer need not wait. */
  ready(): Promise<void> | undefined {
    if (!this.#isFull) return undefined;
    if (!this.#waiting) {
      let resolve = () => {};
      const promise = new Promise<void>((done) => (resolve = done));
      this.#waiting = { promise, resolve };
    }
    return this.#waiting.promise;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#flush();
    this.#end();
    this.#controller.close();
  }

  /** Ends the stream without its reader: what is written is dropped. */
  cancel(): void {
    if (!this.#isOpen) return;
    this.#end();
    this.#onCancel();
  }

  get #isFull(): boolean {
    return this.#isOpen && (this.#controller.desiredSize ?? 0) <= 0;
  }

  #flush(): void {
    this.#isScheduled = false;
    const text = this.#pending;
    this.#pending = "";
    if (text && this.#isOpen) this.#controller.enqueue(encoder.encode(text));
  }

  #end(): void {
    this.#isOpen = false;
    this.#pending = "";
    clearInterval(this.#timer);
    this.#release();
  }

  #release(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
