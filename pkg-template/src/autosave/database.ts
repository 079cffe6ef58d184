/** The documents of a page with their pending changes, and the conversations, in IndexedDB. */

import type { Hunk, NodeJSON } from "copydesk";
import type { StoredConversation } from "../assistant/stored.js";
import { over, result } from "../base/idb-request.js";
import { keyOfFile, type StoredFile } from "./stored-file.js";

/** The format of records. A record with another one is left as it is. */
const FORMAT = 1;
const VERSION = 1;
const DOCUMENT = "document";

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
  /** The user's own document, while another one is shown in its place. */
  previous?: KeptDocument;
  /** The name of the file that was opened in its place. */
  opened?: string;
}

export type KeptDocument = Omit<StoredDocument, "previous">;

interface Record<T> {
  format: number;
  value: T;
}

type Table = "documents" | "conversations";

const TABLES: Table[] = ["documents", "conversations"];

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
      request.onupgradeneeded = () => TABLES.forEach((table) => request.result.createObjectStore(table));
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
    return this.attempt(async () =>
      valueOf<StoredDocument>(await result(this.db.transaction("documents").objectStore("documents").get(keyOf(file)))),
    );
  }

  /** Deletes the document of a file; the file stays. */
  deleteDocument(file: string): Promise<void> {
    return this.write(["documents"], (change) => change.objectStore("documents").delete(keyOf(file)));
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
  save(document: StoredDocument, conversations: readonly StoredConversation[]): Promise<void> {
    return this.write(TABLES, (change) => {
      const key = keyOf(document.file && keyOfFile(document.file));
      change.objectStore("documents").put({ format: FORMAT, value: document }, key);
      for (const conversation of conversations)
        change.objectStore("conversations").put({ format: FORMAT, value: conversation }, conversation.id);
    });
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
      const change = this.db.transaction("documents", "readwrite");
      const table = change.objectStore("documents");
      const record: Partial<Record<unknown>> | undefined = await result(table.get(DOCUMENT));
      if (record) table.put(record, `unreadable ${new Date().toISOString()}`);
      table.delete(DOCUMENT);
      await over(change);
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
  if (record.format !== FORMAT || !record.value) throw new SaveError("unreadable");
  return record.value;
}
