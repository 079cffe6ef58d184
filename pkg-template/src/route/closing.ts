/** The end of an instance of a route. */

/** Unlike an `AbortSignal`, it has no limit of listeners: each client of another instance's run is one. */
export class Closing {
  #hasBegun = false;
  readonly #listeners = new Set<() => void>();

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Calls a function when the instance closes, or at once if it does. Returns the function that ends this. */
  add(listener: () => void): () => void {
    if (this.#hasBegun) listener();
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  begin(): void {
    this.#hasBegun = true;
    for (const listener of [...this.#listeners]) listener();
  }
}
