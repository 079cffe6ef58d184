/** Types of workspaces: trees of text files. */

import type {
  CheckKind,
  CheckReport,
  ReadProgress,
  SkippedFile,
  TextEncoding,
  WorkspaceHost,
  WriteAuthor,
  WrittenFile,
} from "./workspace-host.js";

/** The authors of changes: also whatever changes the files of a folder directly, such as another program. */
export type ChangeAuthor = WriteAuthor | "outside";

export interface RemoveOptions {
  /** The version that the file must have. Default: any. */
  expected?: string | undefined;
  /** Default: "user". */
  author?: WriteAuthor | undefined;
}

/** One entry of a file's history. */
export interface FileVersion {
  /** Identifies the entry among those of its path. */
  id: string;
  time: number;
  author: ChangeAuthor;
  note?: string;
  /** The size in bytes of UTF-8. */
  size: number;
  /** The version of the text; absent for a removal. */
  version?: string;
  /** The encoding of the file, if it was another one than UTF-8. */
  encoding?: TextEncoding;
  /** True if the file was removed. */
  removed?: true;
}

/** A change of one file. */
export interface WorkspaceChange {
  path: string;
  kind: "written" | "removed" | "renamed";
  author: ChangeAuthor;
  /** The version after the change, where it is known. */
  version?: string;
  /** The path before a rename. */
  from?: string;
}

/** A text of `readAll`. */
export interface ReadFile {
  path: string;
  text: string;
  /** The encoding, if it is another one than UTF-8. */
  encoding?: TextEncoding;
}

export interface ReadAllOptions {
  /** Called with each file that is left out: it is not text, is too large, or has a name that no path leads to. */
  skipped?: ((file: SkippedFile) => void) | undefined;
  /** Called with the number of files before the first ones. */
  listed?: ((files: number) => void) | undefined;
}

export interface CheckOptions {
  /** Called while the files are read, before the first check. */
  progress?: ReadProgress | undefined;
}

/**
 * A tree of text files. Paths are relative, with `/` between their parts; docs/workspace.md has their rules. Failures
 * are CopydeskErrors.
 *
 * A crash during a write leaves either the old or the new file. Writes to one path happen one after the other. Searches
 * and checks run in a worker, which starts with the first one; await `init()` before.
 */
export interface Workspace extends WorkspaceHost {
  readonly name: string;
  /** Checks a story. Messages are in the language of `locale`. */
  check(kind: CheckKind, locale?: string, options?: CheckOptions): Promise<CheckReport>;
  /** Removes a file. Its versions stay. */
  remove(path: string, options?: RemoveOptions): Promise<void>;
  /** Gives a file another path, which must be free. Its earlier versions stay at the old path. */
  rename(from: string, to: string): Promise<void>;
  /** Lists the versions of a path, the newest first; also those of a file that was removed. */
  versions(path: string): Promise<FileVersion[]>;
  /** Reads the text of a version. Fails with `version_not_found`. */
  readVersion(path: string, id: string): Promise<string>;
  /** Writes the text of a version again, as a new version. */
  restore(path: string, id: string): Promise<WrittenFile>;
  /** Calls `listener` with every change from now on, until the returned function is called. */
  watch(listener: (change: WorkspaceChange) => void): () => void;
  /** Ends the watching and the worker, and releases the storage. Later calls fail with `disposed`. The files stay. */
  close(): Promise<void>;
  /** Reads all files in batches, without those that are not text. */
  readAll(options?: ReadAllOptions): AsyncIterable<ReadFile[]>;
}
