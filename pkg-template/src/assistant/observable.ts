/** A state that is replaced as a whole, and its listeners. */

export class Observable<State extends object> {
  #state: State;
  #next: State | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  /** The state that listeners know. */
  get snapshot(): State {
    return this.#state;
  }

  /** The state with the changes of this task. */
  get current(): State {
    return this.#next ?? this.#state;
  }

  /** Changes the state. The listeners are told once for all changes of a task. */
  set(change: Partial<State>): void {
    const isScheduled = this.#next !== undefined;
    this.#next = { ...this.current, ...change };
    if (isScheduled) return;
    queueMicrotask(() => {
      this.#state = this.#next!;
      this.#next = undefined;
      tell(this.#listeners, (listener) => listener());
    });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  clear(): void {
    this.#listeners.clear();
  }
}

/** Calls listeners. What one throws is reported, and the others are called all the same. */
export function tell<Listener>(listeners: Iterable<Listener>, call: (listener: Listener) => void): void {
  for (const listener of [...listeners]) {
    try {
      call(listener);
    } catch (error) {
      reportError(error);
    }
  }
}
