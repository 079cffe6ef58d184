/** The storage of a room in IndexedDB: the updates of its document, merged from time to time. */

import { applyUpdate, mergeUpdates, type Doc } from "yjs";
import { over, result } from "../base/idb-request.js";

/** The reason why a room is not kept in the browser: there is no storage, or no space in it. */
export type RoomProblem = "off" | "full";

const TABLE = "updates";
/** The number of stored updates above which they are merged. */
const MOST_UPDATES = 200;

export class RoomStore {
  #database: IDBDatabase | undefined;
  #count = 0;
  #last: Promise<void> = Promise.resolve();
  readonly #stored = (update: Uint8Array, origin: unknown) => {
    // Another window of this browser has stored what came from it.
    if (origin !== this && origin !== this.windows) this.#add(update);
  };

  constructor(
    private name: string,
    private document: Doc,
    /** The origin of the changes that other windows of this browser have made. */
    private windows: unknown,
    private onProblem: (problem: RoomProblem) => void,
  ) {}

  /** Reads what is stored, and stores what changes from now on. */
  async open(): Promise<void> {
    try {
      const request = indexedDB.open(this.name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { autoIncrement: true });
      const database = await result(request);
      database.onversionchange = () => database.close();
      this.#database = database;
      // Before the next wait, so that nothing is missed.
      this.document.on("update", this.#stored);
      const updates = await this.#merged();
      for (const update of updates) applyUpdate(this.document, update, this);
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Resolves when everything is stored, and releases the database. */
  async close(): Promise<void> {
    this.document.off("update", this.#stored);
    await this.#last;
    this.#database?.close();
    this.#database = undefined;
  }

  #add(update: Uint8Array): void {
    const database = this.#database;
    if (!database) return;
    this.#last = (async () => {
      try {
        const transaction = database.transaction(TABLE, "readwrite");
        transaction.objectStore(TABLE).add(update);
        // A page that is left does not read the result after which it would be committed.
        transaction.commit();
        await over(transaction);
        if (++this.#count > MOST_UPDATES) await this.#merged();
      } catch (error) {
        this.#tell(error);
      }
    })();
  }

  /** Returns the stored updates. Many become one: in one transaction, in which no other window adds any. */
  async #merged(): Promise<Uint8Array[]> {
    const transaction = this.#database!.transaction(TABLE, "readwrite");
    const table = transaction.objectStore(TABLE);
    const stored: unknown[] = await result(table.getAll());
    const updates = stored.filter((update): update is Uint8Array => update instanceof Uint8Array);
    this.#count = updates.length;
    if (updates.length > MOST_UPDATES) {
      const whole = mergeUpdates(updates);
      table.clear();
      table.add(whole);
      this.#count = 1;
    }
    await over(transaction);
    return updates;
  }

  #tell(error: unknown): void {
    const name = error instanceof Error || error instanceof DOMException ? error.name : "";
    this.onProblem(name === "QuotaExceededError" ? "full" : "off");
  }
}
