/** Runs on the same document, one at a time. */

/** A document of the server, or the id of one of the client's. */
export type DocumentKey = object | string;

export class DocumentQueue {
  /** The last run of each document; it resolves when the run has ended. */
  readonly #last = new Map<DocumentKey, Promise<void>>();

  isBusy(key: DocumentKey): boolean {
    return this.#last.has(key);
  }

  /** Waits for the earlier runs of the document. Returns the function that ends this one. */
  async enter(key: DocumentKey): Promise<() => void> {
    const before = this.#last.get(key);
    let leave = () => {};
    const over = new Promise<void>((resolve) => (leave = resolve));
    this.#last.set(key, over);
    await before;
    return () => {
      if (this.#last.get(key) === over) this.#last.delete(key);
      leave();
    };
  }
}
