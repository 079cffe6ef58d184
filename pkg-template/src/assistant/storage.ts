/** Places where conversations are kept. */

import { over, result } from "../base/idb-request.js";
import { copyOf } from "./conversation-record.js";
import { newId } from "./ids.js";
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
  /** Returns the same storage for one assistant: it replaces and removes only what that one has loaded or saved. Each assistant
   * calls it once, if it is there. */
  forAssistant?(): AssistantStorage;
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

/**
 * Keeps conversations in the IndexedDB database `name` of the browser. If two tabs, or two assistants, continue the same
 * conversation, both are kept: when they are loaded again, they are two conversations.
 */
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
  const read = () =>
    attempt(async () => {
      const table = (await open()).transaction(TABLE).objectStore(TABLE);
      const [keys, records] = await Promise.all([result(table.getAllKeys()), result(table.getAll())]);
      return keys.map((key, index) => ({
        key,
        ...(records[index] as { format?: unknown; value?: StoredConversation }),
      }));
    });
  return view(read, write);
}

/**
 * Returns a storage that replaces only what it has read or written itself. Each version of a conversation has a key of its own:
 * a save removes the one that it knows, and adds its own. What another page has saved meanwhile has another key, and stays.
 */
function view(
  read: () => Promise<{ key: IDBValidKey; format?: unknown; value?: StoredConversation }[]>,
  write: (change: (table: IDBObjectStore) => void) => Promise<void>,
): AssistantStorage {
  /** The keys of the versions that are known, by the ids of the conversations. */
  const known = new Map<string, IDBValidKey>();
  return {
    async load() {
      const records = await read();
      const readable = records
        .filter(({ format, value }) => format === FORMAT && value)
        .sort((a, b) => b.value!.changed - a.value!.changed);
      const ids = new Set<string>();
      const found = readable.map(({ key, value }) => {
        // An older version that another page has continued is a conversation of its own.
        const id = ids.has(value!.id) ? String(key) : value!.id;
        ids.add(id);
        known.set(id, key);
        return { ...value!, id };
      });
      return [...found, ...Array<null>(records.length - found.length).fill(null)];
    },
    async save(value) {
      const [before, key] = [known.get(value.id), `${value.id}/${newId()}`];
      await write((table) => {
        if (before !== undefined) table.delete(before);
        table.put({ format: FORMAT, value }, key);
      });
      known.set(value.id, key);
    },
    async remove(id) {
      const key = known.get(id);
      if (key !== undefined) await write((table) => table.delete(key));
      known.delete(id);
    },
    forAssistant: () => view(read, write),
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
