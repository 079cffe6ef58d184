/** Types of workspaces: trees of text files. */

/** The authors of writes through a workspace. */
export type WriteAuthor = "agent" | "user";

/** The authors of changes: also whatever changes the files of a folder directly, such as another program. */
export type ChangeAuthor = WriteAuthor | "outside";

/** A text file. */
export interface WorkspaceFile {
  path: string;
  text: string;
  /** The first 16 hexadecimal digits of the SHA-256 of the text in UTF-8. */
  version: string;
  /** The size in bytes of UTF-8. */
  size: number;
}

/** A file in the list of a workspace. */
export interface WorkspaceEntry {
  path: string;
  /** The size in bytes. */
  size: number;
  /** The time of the last change in milliseconds, where it is known. */
  modified?: number;
}

export interface WriteOptions {
  /**
   * The version that the file must have; null if it must not exist. Otherwise the write fails with `file_changed` or
   * `file_exists`. Default: any.
   */
  expected?: string | null | undefined;
  /** Default: "user". */
  author?: WriteAuthor | undefined;
  /** A remark for the list of versions. */
  note?: string | undefined;
}

export interface RemoveOptions {
  /** The version that the file must have. Default: any. */
  expected?: string | undefined;
  /** Default: "user". */
  author?: WriteAuthor | undefined;
}

/** The result of a write. */
export interface WrittenFile {
  path: string;
  version: string;
  /** True if the file did not exist before. */
  created: boolean;
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

/**
 * A tree of text files. Paths are relative, with `/` between their parts; docs/workspace.md has their rules. Failures
 * are CopydeskErrors.
 */
export interface Workspace {
  readonly name: string;
  /** Reads a file. Fails with `file_not_found`, `not_text` or `file_too_large`. */
  read(path: string): Promise<WorkspaceFile>;
  /**
   * Writes a file and its folders. A crash leaves either the old or the new file. Writes to one path happen one after
   * the other.
   */
  write(path: string, text: string, options?: WriteOptions): Promise<WrittenFile>;
  /** Lists all files, sorted by path. */
  list(): Promise<WorkspaceEntry[]>;
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
  /** Ends the watching and releases the storage. Later calls fail with `disposed`. The files stay. */
  close(): Promise<void>;
  /** Reads all text files in batches, without those that are not text. Default: `list` and `read`. */
  readAll?(): AsyncIterable<{ path: string; text: string }[]>;
}
