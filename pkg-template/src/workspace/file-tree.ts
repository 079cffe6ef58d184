/** The interface to a file system. */

import type { WorkspaceEntry } from "../types/index.js";
import type { Skipped } from "./storage.js";

/** Files and folders of a file system below one folder. Paths may begin with {@link OWN_FOLDER}. */
export interface FileTree {
  readonly name: string;
  /**
   * Returns the bytes of a file; undefined if there is none. Fails with `file_too_large`, and with `file_changed` for one
   * that others change again and again meanwhile.
   */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Fails with `invalid_path` where a file is in the place of a folder, or a folder in the place of the file. */
  checkPlace(path: string): Promise<void>;
  /**
   * Replaces a file in one step, with its folders. Fails as `checkPlace` does, and with what `last` throws, which is called
   * right before that step.
   */
  write(path: string, bytes: Uint8Array<ArrayBuffer>, last?: () => Promise<void>): Promise<void>;
  /** Runs work while no other page or process does under the same name in this folder. Names are words. */
  lock<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Removes a file, and the folders that are empty without it. */
  remove(path: string): Promise<void>;
  /**
   * Lists all files whose paths are valid, which those in {@link OWN_FOLDER} are not. Names that begin with a dot are
   * passed over, other files and folders that are left out are reported.
   */
  list(skipped?: Skipped): Promise<WorkspaceEntry[]>;
  /** Returns size and time of a file; undefined if there is none. */
  stat(path: string): Promise<{ size: number; modified: number } | undefined>;
  /** Lists the names in a folder; none if there is no such folder. */
  names(folder: string): Promise<string[]>;
  /** False where the platform does not tell of changes. */
  readonly isWatched: boolean;
  /**
   * Calls `changed` when files may have changed: with their paths, or without if any may have. Returns the function that
   * ends it.
   */
  observe(changed: (paths?: string[]) => void): () => void;
  close(): void;
}

/** The folder for the history. Its name begins with a dot, so no path of a workspace leads into it. */
export const OWN_FOLDER = ".copydesk";
