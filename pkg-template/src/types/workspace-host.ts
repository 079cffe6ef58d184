/** The files of an agent, as its tools use them. */

/** A line of a file in which a match begins. Long lines are cut. */
export interface FileMatch {
  path: string;
  /** From 1. */
  line: number;
  text: string;
  /** Up to two lines before it. */
  before: string[];
  /** Up to two lines after it. */
  after: string[];
}

export interface FileSearch {
  /** A literal text or, with `regex`, a regular expression of JavaScript. */
  pattern: string;
  /** Default: false. */
  regex?: boolean | undefined;
  /** False if characters that differ in case only are equal. Default: false. */
  caseSensitive?: boolean | undefined;
  /** The files to search, in this order. Default: all. */
  paths?: string[] | undefined;
  /** The most matches. Default: 50. */
  limit?: number | undefined;
  /** Called while the files are read, before the first search. */
  progress?: ReadProgress | undefined;
}

/** Is told how many files were read, and how many there are. The last call has two equal numbers. */
export type ReadProgress = (read: number, files: number) => void;

/** A file that was left out, with the error of reading it. */
export interface SkippedFile {
  /** Its path, or its name where no path leads to it. */
  path: string;
  code: string;
  message: string;
}

/** Files that could not be read: their number, and the first 100 of them. */
export interface SkippedFiles {
  count: number;
  files: SkippedFile[];
}

export interface FileSearchResult {
  matches: FileMatch[];
  /** True if there are more. */
  isCut: boolean;
  /** The files that were not searched, if there are any. */
  skipped?: SkippedFiles;
}

/** A finding of a check, with its evidence. */
export interface Finding {
  file: string;
  /** From 1. */
  line: number;
  /** The text of the line. */
  text: string;
  /** The finding in words. */
  message: string;
  /** Stable, for programs; docs/tools.md lists the codes. */
  code: string;
  /** The values in the message. */
  details: Record<string, unknown>;
  /** True if a comment in the file accepts it. */
  waived?: true;
}

/** The days and dates of a story, or its setups and references. */
export type CheckKind = "timeline" | "references";

export interface CheckReport {
  errors: Finding[];
  warnings: Finding[];
  /** A sentence, if a list has more than 10,000 findings and the others are left out. */
  cut?: string;
  /** The files that were not checked, if there are any. */
  skipped?: SkippedFiles;
}

/** The author of a write. */
export type WriteAuthor = "agent" | "user";

/**
 * The encoding of a text file. Files in `utf-16le` and `utf-16be` begin with a byte order mark, which is not part of
 * their text. `gbk` has no characters of four bytes, such as emoji; `gb18030` has all.
 */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "gbk" | "gb18030";

/** A text file. */
export interface WorkspaceFile {
  path: string;
  text: string;
  /** The first 16 hexadecimal digits of the SHA-256 of the text in UTF-8. */
  version: string;
  /** The size in bytes of UTF-8. */
  size: number;
  /** The encoding, if it is another one than UTF-8. */
  encoding?: TextEncoding;
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
  /** Default: "user". The writes of an agent are "agent". */
  author?: WriteAuthor | undefined;
  /** A remark for the list of versions. */
  note?: string | undefined;
  /**
   * The encoding of the file, in a folder or directory. A text with characters that it does not have is refused with
   * `not_encodable`. Default: that of the file that is replaced, and UTF-8 for a new one.
   */
  encoding?: TextEncoding | undefined;
}

/** The result of a write. */
export interface WrittenFile {
  path: string;
  version: string;
  /** True if the file did not exist before. */
  created: boolean;
}

/**
 * The part of a workspace that an agent needs. A failure is an error with a code of a workspace, such as
 * `file_not_found` or `file_changed`, and `details.path`.
 */
export interface WorkspaceHost {
  /** Reads a file. Fails with `file_not_found`, `not_text` or `file_too_large`. */
  read(path: string): Promise<WorkspaceFile>;
  /** Writes a file and its folders. */
  write(path: string, text: string, options?: WriteOptions): Promise<WrittenFile>;
  /** Lists all files, sorted by path. */
  list(): Promise<WorkspaceEntry[]>;
  /** Searches the files. A regular expression that takes too long fails with `search_timeout`. */
  search(query: FileSearch): Promise<FileSearchResult>;
  /** Checks a story. Messages are in the language of `locale`. */
  check(kind: CheckKind, locale?: string): Promise<CheckReport>;
}
