/** The files of an agent, as its tools use them. */

/** A line of a file in which a match begins. */
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
  /** A literal text, or a regular expression of JavaScript. */
  pattern: string;
  regex: boolean;
  caseSensitive: boolean;
  /** The files to search. */
  paths: string[];
  /** The most matches. */
  limit: number;
}

export interface FileSearchResult {
  matches: FileMatch[];
  /** True if there are more. */
  isCut: boolean;
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

export interface CheckReport {
  errors: Finding[];
  warnings: Finding[];
}

/**
 * The files that an agent works on. A failure is an error with a code of a workspace, such as `file_not_found` or
 * `file_changed`, and `details.path`.
 */
export interface WorkspaceHost {
  read(path: string): Promise<{ path: string; text: string; version: string; size: number }>;
  /** `expected` is the version that the file must have, or null if it must not exist. */
  write(
    path: string,
    text: string,
    options: { expected?: string | null; note?: string },
  ): Promise<{ path: string; version: string; created: boolean }>;
  list(): Promise<{ path: string; size: number }[]>;
  search(query: FileSearch): Promise<FileSearchResult>;
  /** Checks the story. Messages are in the language of `locale`. */
  check(kind: "timeline" | "references", locale?: string): Promise<CheckReport>;
}
