/** Types of searches and checks over a workspace. */

/** A search of the files of a workspace. */
export interface SearchQuery {
  /** The text or, with `regex`, the regular expression of JavaScript. */
  pattern: string;
  /** Default: false. */
  regex?: boolean;
  /** False if characters that differ in case only are equal. Default: false. */
  caseSensitive?: boolean;
  /** The files to search, in this order. Default: all. */
  paths?: string[];
  /** The most matches. */
  limit: number;
}

/** A line in which a match begins. Long lines are cut. */
export interface FileMatch {
  path: string;
  /** Its number, from 1. */
  line: number;
  text: string;
  /** The two lines before it. */
  before: string[];
  /** The two lines after it. */
  after: string[];
}

export interface SearchResult {
  matches: FileMatch[];
  /** True if there are more. */
  isCut: boolean;
}

/** A finding of a check, with its evidence. */
export interface Finding {
  file: string;
  /** The number of the line, from 1. */
  line: number;
  /** The text that the finding is about. */
  text: string;
  message: string;
  code: string;
  /** True if a comment in the file accepts it. */
  waived?: true;
}

export type CheckKind = "timeline" | "references";

export interface CheckReport {
  errors: Finding[];
  warnings: Finding[];
}
