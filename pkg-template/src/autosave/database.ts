/** The documents of a page with their pending changes, and the conversations, in IndexedDB. */

import type { NodeJSON } from "copydesk";
import type { StoredConversation } from "../assistant/stored.js";
import { over, result } from "../base/idb-request.js";
import { Written, withChanges, type CurrentDocument, type StoredChanges } from "./document-changes.js";
import type { StoredDocument } from "./stored-document.js";
import { keyOfFile } from "./stored-file.js";

/** The format of records. A record with another one is left as it is. */
const FORMAT = 1;
/** A page of version 1 does not know of changes. */
const VERSION = 2;
const DOCUMENT = "document";

interface Record<T> {
  format: number;
  value: T;
  /** The id by which changes of a document refer to its record. */
  id?: string;
}

/** `changes` has those of documents since they were written as a whole, by the keys of the documents. */
type Table = "documents" | "changes" | "conversations";

const TABLES: Table[] = ["documents", "changes", "conversations"];

/**
 * The reason why something is not kept: storage is disabled (`off`), full, has data of a newer page (`newer`), was
 * taken over by a newer page (`replaced`), or holds a document that cannot be read (`unreadable`).
 */
export type SaveProblem = "off" | "full" | "newer" | "replaced" | "unreadable";

export class SaveError extends Error {
  constructor(readonly problem: SaveProblem) {
    super(problem);
  }
}

function problemOf(error: unknown): SaveError {
  if (error instanceof SaveError) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return new SaveError("full");
  return new SaveError(name === "VersionError" ? "newer" : "off");
}

/** The reason why a database cannot be used any more. */
interface Lost {
  problem?: SaveProblem;
}

async function attempt<T>(run: () => Promise<T>, lost: Lost = {}): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw lost.problem ? new SaveError(lost.problem) : problemOf(error);
  }
}

/** The methods fail with `SaveError`. */
export class Database {
  /** The document that was written last. */
  private written: Written | undefined;

  private constructor(
    private db: IDBDatabase,
    private lost: Lost,
  ) {}

  /** Opens the database. `onProblem` is called when it cannot be used any more. */
  static open(name: string, onProblem: (problem: SaveProblem) => void): Promise<Database> {
    const lost: Lost = {};
    const lose = (problem: SaveProblem) => {
      lost.problem = problem;
      onProblem(problem);
    };
    return attempt(async () => {
      const request = indexedDB.open(name, VERSION);
      request.onupgradeneeded = () => {
        const { result: database } = request;
        for (const table of TABLES) if (!database.objectStoreNames.contains(table)) database.createObjectStore(table);
      };
      const db = await result(request);
      db.onversionchange = () => {
        // A newer page wants to change the tables.
        db.close();
        lose("replaced");
      };
      db.onclose = () => lose("off");
      return new Database(db, lost);
    });
  }

  private attempt<T>(run: () => Promise<T>): Promise<T> {
    return attempt(run, this.lost);
  }

  private all<T>(table: Table): Promise<Record<T>[]> {
    return result(this.db.transaction(table).objectStore(table).getAll());
  }

  private write(tables: Table[], change: (transaction: IDBTransaction) => void): Promise<void> {
    return this.attempt(async () => {
      const transaction = this.db.transaction(tables, "readwrite");
      change(transaction);
      // Without it, the transaction is committed after its last result was read, which a page that is left never reads.
      transaction.commit();
      await over(transaction);
    });
  }

  close(): void {
    this.db.close();
  }

  /** Returns the document of a file by its key, or the user's own, or undefined if none was saved. */
  document(file?: string): Promise<StoredDocument | undefined> {
    return this.attempt(async () => {
      const key = keyOf(file);
      const read = this.db.transaction(["documents", "changes"]);
      const [record, changes] = await Promise.all([
        result<Record<StoredDocument> | undefined>(read.objectStore("documents").get(key)),
        result<Record<StoredChanges> | undefined>(read.objectStore("changes").get(key)),
      ]);
      return documentOf(record, changes);
    });
  }

  /** Deletes the document of a file; the file stays. */
  deleteDocument(file: string): Promise<void> {
    this.written = undefined;
    return this.write(["documents", "changes"], (change) => {
      change.objectStore("documents").delete(keyOf(file));
      change.objectStore("changes").delete(keyOf(file));
    });
  }

  /** Returns the readable conversations, the newest first. */
  conversations(): Promise<StoredConversation[]> {
    return this.attempt(async () => {
      const records = await this.all<StoredConversation>("conversations");
      const readable = records.filter((record) => record.format === FORMAT).map(({ value }) => value);
      return readable.sort((a, b) => b.changed - a.changed);
    });
  }

  /** Saves the document, and the conversations that have changed with it, or nothing. */
  async save(document: CurrentDocument, conversations: readonly StoredConversation[]): Promise<void> {
    const key = keyOf(document.file && keyOfFile(document.file));
    const changes = this.written?.key === key ? this.written.changesTo(document) : null;
    const written = changes ? this.written : (this.written = new Written(key, document));
    try {
      await this.write(TABLES, (change) => {
        if (changes) change.objectStore("changes").put({ format: FORMAT, value: changes }, key);
        else {
          const { doc, ...rest } = document;
          const value = { ...rest, json: doc.toJSON() as NodeJSON };
          change.objectStore("documents").put({ format: FORMAT, value, id: written!.id }, key);
          change.objectStore("changes").delete(key);
        }
        for (const conversation of conversations)
          change.objectStore("conversations").put({ format: FORMAT, value: conversation }, conversation.id);
      });
      written!.isCommitted = true;
    } catch (error) {
      this.written = undefined;
      throw error;
    }
  }

  deleteConversation(id: string): Promise<void> {
    return this.write(["conversations"], (change) => change.objectStore("conversations").delete(id));
  }

  /** Returns the matches of a pattern in everything that is kept, unreadable records included. */
  matches(pattern: RegExp): Promise<Set<string>> {
    return attempt(async () => {
      const found = new Set<string>();
      for (const table of TABLES) {
        for (const record of await this.all(table))
          for (const match of JSON.stringify(record).match(pattern) ?? []) found.add(match);
      }
      return found;
    });
  }

  /** Moves the saved document to another key, where it stays, so that another one can be saved. Returns its text. */
  setDocumentAside(): Promise<string> {
    return this.attempt(async () => {
      this.written = undefined;
      const change = this.db.transaction(["documents", "changes"], "readwrite");
      const [documents, others] = [change.objectStore("documents"), change.objectStore("changes")];
      const record: Partial<Record<unknown>> | undefined = await result(documents.get(DOCUMENT));
      const changes: Partial<Record<unknown>> | undefined = await result(others.get(DOCUMENT));
      const key = `unreadable ${new Date().toISOString()}`;
      if (record) documents.put(record, key);
      if (changes) others.put(changes, key);
      documents.delete(DOCUMENT);
      others.delete(DOCUMENT);
      await over(change);
      return JSON.stringify(joined(record, changes) ?? null, null, 1);
    });
  }
}

/** Returns the key of the document of a file, or of the user's own. */
function keyOf(file: string | undefined): string {
  return file === undefined ? DOCUMENT : `file ${file}`;
}

function valueOf<T>(record: Record<T> | undefined): T | undefined {
  if (record === undefined) return undefined;
  if (record.format !== FORMAT || !record.value) throw new SaveError("unreadable");
  return record.value;
}

/** Returns the document of a record with its changes. Changes of another record are ignored. */
function documentOf(
  record: Record<StoredDocument> | undefined,
  changes: Record<StoredChanges> | undefined,
): StoredDocument | undefined {
  const document = valueOf(record);
  if (!document || !changes || changes.value?.of !== record?.id) return document;
  try {
    return withChanges(document, valueOf(changes)!);
  } catch {
    throw new SaveError("unreadable");
  }
}

/** Returns what is known of a document that cannot be read. */
function joined(record: Partial<Record<unknown>> | undefined, changes: Partial<Record<unknown>> | undefined): unknown {
  try {
    return documentOf(record as Record<StoredDocument>, changes as Record<StoredChanges>);
  } catch {
    return record?.value ?? record;
  }
}
