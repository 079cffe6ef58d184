/** Limits what runs at the same time. */

/** A number of slots; who finds none free waits in order. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Runs `task` in a slot. Rejects with the reason of `signal` if that aborts before a slot is free. */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.take(signal);
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }

  private take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      this.waiting.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}

/** Resolves or rejects like `promise`, but rejects at once when `signal` aborts. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
