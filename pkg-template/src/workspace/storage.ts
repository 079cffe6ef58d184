/** The interface between the rules of a workspace (`core.ts`) and the places that files are stored in. */

import type { ChangeAuthor, FileVersion, ReadFile, WorkspaceChange, WorkspaceEntry } from "../types/index.js";
import type { Content } from "./content.js";

/** An entry to add to the history of a path. */
export interface NewVersion {
  readonly time: number;
  readonly author: ChangeAuthor;
  readonly note?: string | undefined;
  /** Null for a removal. */
  readonly content: Content | null;
}

/** The change of one file. */
export interface Update {
  /** The new content; null removes the file. */
  readonly content: Content | null;
  /** The entries to add to its history, the oldest first. */
  readonly versions: readonly NewVersion[];
}

/** The state of a file that `update` passes to the change. */
export interface Current {
  readonly content: Content | undefined;
  /** The newest entry of its history. */
  readonly newest: FileVersion | undefined;
}

/** Takes note of a file that is left out, with the failure of reading it. `path` may be a name that no path leads to. */
export type Skipped = (path: string, thrown: unknown) => void;

/** Runs work on a path after all earlier work on it. */
export type Exclusively = <T>(path: string, work: () => Promise<T>) => Promise<T>;

/**
 * Stores files and their history. Paths are valid. Methods may fail with errors of the platform, which `core.ts`
 * converts.
 */
export interface Storage {
  readonly name: string;
  /** True if its files have encodings. Others have texts. */
  readonly hasEncodings?: true;
  /** Returns a file; undefined if there is none. */
  read(path: string): Promise<Content | undefined>;
  /** Lists all files, in any order. */
  list(): Promise<WorkspaceEntry[]>;
  /** Reads all text files in batches of a few hundred kilobytes. Tells `listed` their number before. */
  readAll(skipped: Skipped, listed: (files: number) => void): AsyncIterable<ReadFile[]>;
  /**
   * Makes the change that `plan` returns; undefined means none. The history is stored before the file, and the file is
   * replaced in one step. Fails with the error that `plan` throws, or `invalid_path` if a file is in the place of a
   * folder, or a folder in the place of the file.
   */
  update(path: string, plan: (current: Current) => Update | undefined): Promise<void>;
  /** Returns the history of a path, the newest entry first. */
  versions(path: string): Promise<FileVersion[]>;
  /** Returns the text of an entry; undefined if there is none. */
  readVersion(path: string, id: string): Promise<string | undefined>;
  /** Starts to report changes that are not made through this storage. Returns the function that ends it. */
  observe(report: (change: WorkspaceChange) => void, exclusively: Exclusively): () => void;
  /** Resolves when the changes that others have made are reported, where the platform does not tell of them. */
  catchUp?(): Promise<void>;
  /** Tells other tabs about a change that was made through this storage. */
  announce(change: WorkspaceChange): void;
  close(): void;
}

/** The size in UTF-16 units that a batch of `readAll` reaches before it ends. */
export const BATCH = 250_000;
/** The number of files that a batch has at most. */
export const BATCH_FILES = 500;
