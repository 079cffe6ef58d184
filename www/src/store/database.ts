/** The page's data in IndexedDB: the document with its pending changes, and the conversations. */
import type { Hunk, NodeJSON } from "copydesk";
import type { StoredConversation } from "copydesk/assistant";
import { openDB, type DBSchema, type IDBPDatabase } from "idb";

/** The format of records. A record with another one is left as it is. */
const FORMAT = 1;
const NAME = "copydesk";
const VERSION = 1;
const DOCUMENT = "document";

/** The file that a document was opened from. */
export interface StoredFile {
  /** The id of its folder; absent for a file in the browser's storage. */
  folder?: string;
  path: string;
  /** The version of the file, and its text, that the document goes on from. */
  version: string;
  source: string;
}

/** Identifies a file among those of all folders. No path has a colon. */
export function keyOfFile({ folder, path }: Pick<StoredFile, "folder" | "path">): string {
  return folder === undefined ? path : `${folder}:${path}`;
}

/** The document as the editor holds it, and the changes that wait for the user. */
export interface StoredDocument {
  /** Absent for the user's own document. */
  file?: StoredFile;
  json: NodeJSON;
  hunks: Hunk[];
  /** The document that the changes belong to, if it was edited since and they could not follow: the wasm was not
   * loaded. */
  hunksOf?: NodeJSON;
  /** The conversation that was shown. */
  conversation: string | null;
  /** The user's own document, while that of a recording or of an opened file is shown. */
  previous?: Omit<StoredDocument, "previous">;
  /** The name of the file that was opened in its place. */
  opened?: string;
}

interface Record<T> {
  format: number;
  value: T;
}

interface Tables extends DBSchema {
  documents: { key: string; value: Record<StoredDocument> };
  conversations: { key: string; value: Record<StoredConversation> };
}

/**
 * The reason why something is not kept: storage is disabled (`off`), full, has data of a newer page (`newer`), was
 * taken over by a newer page (`replaced`), or holds a record that cannot be read (`unreadable`).
 */
export type StorageProblem = "off" | "full" | "newer" | "replaced" | "unreadable";

export class StorageError extends Error {
  constructor(readonly problem: StorageProblem) {
    super(problem);
  }
}

function problemOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const name = error instanceof Error ? error.name : "";
  if (name === "QuotaExceededError") return new StorageError("full");
  return new StorageError(name === "VersionError" ? "newer" : "off");
}

/** The reason why a database cannot be used any more. */
interface Lost {
  problem?: StorageProblem;
}

async function attempt<T>(run: () => Promise<T>, lost: Lost = {}): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw lost.problem ? new StorageError(lost.problem) : problemOf(error);
  }
}

export class Database {
  private constructor(
    private db: IDBPDatabase<Tables>,
    private lost: Lost,
  ) {}

  /**
   * Opens the database. `onProblem` is called when it cannot be used any more.
   *
   * Fails with `StorageError`.
   */
  static open(onProblem: (problem: StorageProblem) => void): Promise<Database> {
    const lost: Lost = {};
    const lose = (problem: StorageProblem) => {
      lost.problem = problem;
      onProblem(problem);
    };
    return attempt(async () => {
      const db = await openDB<Tables>(NAME, VERSION, {
        upgrade(fresh) {
          fresh.createObjectStore("documents");
          fresh.createObjectStore("conversations");
        },
        blocking(_current, _wanted, event) {
          // A newer page wants to change the tables.
          (event.target as IDBDatabase).close();
          lose("replaced");
        },
        terminated: () => lose("off"),
      });
      return new Database(db, lost);
    });
  }

  private attempt<T>(run: () => Promise<T>): Promise<T> {
    return attempt(run, this.lost);
  }

  /**
   * Returns the document of a file by its key, or the user's own, or undefined if none was saved. Fails with
   * `StorageError`.
   */
  document(file?: string): Promise<StoredDocument | undefined> {
    return this.attempt(async () => valueOf(await this.db.get("documents", keyOf(file))));
  }

  /** Deletes the document of a file; the file stays. */
  deleteDocument(file: string): Promise<void> {
    return this.attempt(() => this.db.delete("documents", keyOf(file)));
  }

  /** Returns the readable conversations, the newest first. Fails with `StorageError`. */
  conversations(): Promise<StoredConversation[]> {
    return this.attempt(async () => {
      const records = await this.db.getAll("conversations");
      const readable = records.filter((record) => record.format === FORMAT).map(({ value }) => value);
      return readable.sort((a, b) => b.changed - a.changed);
    });
  }

  /** Saves the document, and the conversations that have changed with it, or nothing. Fails with `StorageError`. */
  save(document: StoredDocument, conversations: readonly StoredConversation[]): Promise<void> {
    return this.attempt(async () => {
      const change = this.db.transaction(["documents", "conversations"], "readwrite");
      const writes: Promise<unknown>[] = [
        change
          .objectStore("documents")
          .put({ format: FORMAT, value: document }, keyOf(document.file && keyOfFile(document.file))),
      ];
      for (const conversation of conversations)
        writes.push(change.objectStore("conversations").put({ format: FORMAT, value: conversation }, conversation.id));
      // Without it, the transaction is committed after its last result was read, which a page that is left never reads.
      change.commit();
      await Promise.all([...writes, change.done]);
    });
  }

  deleteConversation(id: string): Promise<void> {
    return this.attempt(() => this.db.delete("conversations", id));
  }

  /** Returns the matches of a pattern in everything that is kept, unreadable records included. */
  matches(pattern: RegExp): Promise<Set<string>> {
    return attempt(async () => {
      const found = new Set<string>();
      for (const table of ["documents", "conversations"] as const) {
        for (const record of await this.db.getAll(table))
          for (const match of JSON.stringify(record).match(pattern) ?? []) found.add(match);
      }
      return found;
    });
  }

  /** Moves the saved document to another key, where it stays, so that another one can be saved. Returns its text. */
  setDocumentAside(): Promise<string> {
    return this.attempt(async () => {
      const change = this.db.transaction("documents", "readwrite");
      const record = await change.store.get(DOCUMENT);
      if (record) await change.store.put(record, `unreadable ${new Date().toISOString()}`);
      await change.store.delete(DOCUMENT);
      await change.done;
      return JSON.stringify(record?.value ?? record ?? null, null, 1);
    });
  }
}

/** Returns the key of the document of a file, or of the user's own. */
function keyOf(file: string | undefined): string {
  return file === undefined ? DOCUMENT : `file ${file}`;
}

function valueOf<T>(record: Record<T> | undefined): T | undefined {
  if (record === undefined) return undefined;
  if (record.format !== FORMAT || !record.value) throw new StorageError("unreadable");
  return record.value;
}
