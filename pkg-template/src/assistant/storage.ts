/** Places where conversations are kept. */

import { over, result } from "../base/idb-request.js";
import { copyOf } from "./conversation-record.js";
import type { StoredConversation } from "./stored.js";

/**
 * A place for conversations. Its methods may fail with a `StorageError`; any other failure counts as `off`. What could
 * not be saved is saved with the next change.
 */
export interface AssistantStorage {
  /**
   * Returns the conversations; null for one that this version cannot read. It is not changed, and the assistant reports
   * it.
   */
  load(): Promise<readonly (StoredConversation | null)[]>;
  /** Adds a conversation, or replaces the one with its id. */
  save(conversation: StoredConversation): Promise<void>;
  remove(id: string): Promise<void>;
}

/**
 * The reason why conversations are not kept: there is no storage, or no room in it, or a newer version has written it;
 * or why some are not shown: this version cannot read them.
 */
export type StorageProblem = "off" | "full" | "newer" | "unreadable";

export class StorageError extends Error {
  constructor(readonly problem: StorageProblem) {
    super(problem);
  }
}

/** Returns the problem of a failed call of a storage. */
export function problemOf(error: unknown): StorageProblem {
  return error instanceof StorageError ? error.problem : "off";
}

/** Keeps conversations as long as the page is open. */
export function memoryStorage(conversations: readonly StoredConversation[] = []): AssistantStorage {
  const all = new Map(conversations.map((one) => [one.id, one]));
  return {
    load: async () => [...all.values()],
    save: async (conversation) =>
      void all.set(conversation.id, { ...conversation, runs: conversation.runs.map(copyOf) }),
    remove: async (id) => void all.delete(id),
  };
}

/** The format of records. One with another format is left as it is. */
const FORMAT = 1;
const TABLE = "conversations";

/** Keeps conversations in the IndexedDB database `name` of the browser. */
export function indexedDBStorage(name = "copydesk-assistant"): AssistantStorage {
  let opening: Promise<IDBDatabase> | undefined;
  const open = () => {
    opening ??= openDatabase(name, () => (opening = undefined)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const write = (change: (table: IDBObjectStore) => void) =>
    attempt(async () => {
      const transaction = (await open()).transaction(TABLE, "readwrite");
      change(transaction.objectStore(TABLE));
      // A page that is left does not read the result after which it would be committed.
      transaction.commit();
      await over(transaction);
    });
  return {
    load: () =>
      attempt(async () => {
        const table = (await open()).transaction(TABLE).objectStore(TABLE);
        const records: { format?: unknown; value?: StoredConversation }[] = await result(table.getAll());
        return records.map(({ format, value }) => (format === FORMAT && value) || null);
      }),
    save: (value) => write((table) => table.put({ format: FORMAT, value }, value.id)),
    remove: (id) => write((table) => table.delete(id)),
  };
}

function openDatabase(name: string, onClose: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
  return result(request).then((database) => {
    database.onversionchange = () => (database.close(), onClose());
    database.onclose = onClose;
    return database;
  });
}

async function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const kind = error instanceof Error || error instanceof DOMException ? error.name : "";
    throw new StorageError(kind === "QuotaExceededError" ? "full" : kind === "VersionError" ? "newer" : "off");
  }
}
