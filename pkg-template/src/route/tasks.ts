/** Tasks that are under way. */

export class Tasks {
  readonly #all = new Set<Promise<unknown>>();

  /** Adds a task, and returns it. */
  add<T>(task: Promise<T>): Promise<T> {
    const done = task
      .catch(() => {})
      .finally(() => {
        this.#all.delete(done);
      });
    this.#all.add(done);
    return task;
  }

  /** Resolves when no task is under way. */
  async settled(): Promise<void> {
    while (this.#all.size > 0) await Promise.all(this.#all);
  }
}
