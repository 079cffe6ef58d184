/** Edits: updates, guards, results. */

import type { NodeJSON, OutlineEntry } from "./document.js";

/** Options of every update. */
export interface UpdateOptions {
  /** True to apply an update that failed with `would_drop`. */
  confirmDrop?: boolean;
  /**
   * The format of `content`. Default: HTML if it has a tag, Markdown if it looks like Markdown, else text. Markdown
   * needs `await loadMarkdown()` once; an agent loads the parser by itself.
   */
  format?: "html" | "markdown" | "text";
}

/** One edit of a document, as a model or a server states it. */
export type DocUpdate = UpdateOptions & DocUpdateOperation;

export type DocUpdateOperation =
  | { operation: "replace"; sectionIndex: number; content: string; title?: string; whole?: boolean }
  | { operation: "append"; title: string; content: string }
  | { operation: "insert"; sectionIndex: number; title: string; content: string }
  | { operation: "delete"; sectionIndex: number }
  | {
      operation: "insert_image";
      sectionIndex: number;
      imageUrl: string;
      imageDescription: string;
      position?: "after_section" | "before_section";
    }
  | {
      operation: "move_section";
      sectionIndex: number;
      /** The index that the section has afterwards. */
      toIndex: number;
    }
  | {
      operation: "replace_lines";
      edits: LineEdit[];
      version?: string;
      instruction?: string;
      /** True if content without lines may delete most of the document. */
      whole?: boolean;
    }
  | {
      operation: "replace_text";
      /** The text to replace, as it is in the document; a newline for the end of each line that it continues over. */
      old: string;
      /** The new text. Inline Markdown or HTML makes marks. */
      new: string;
      /** Line that chooses the nearest occurrence, where there are several. */
      near_line?: number;
      /** True to replace every occurrence. */
      all?: boolean;
      version?: string;
      instruction?: string;
    }
  | { operation: "set_attributes"; edits: AttributeEdit[]; version?: string; instruction?: string };

/** A range of lines, counted from 1, both ends included, and attributes for each of them. */
export interface AttributeEdit {
  start_line?: number;
  end_line?: number;
  /**
   * Values by the names of attributes in the schema; null is the default. Each is set at the innermost node of a line
   * that has the attribute.
   */
  attributes: { [name: string]: unknown };
}

/**
 * A range of lines, counted from 1, both ends included, and its new content. Without lines, `content` is the whole new
 * document.
 */
export interface LineEdit {
  start_line?: number;
  end_line?: number;
  /**
   * Plain text keeps what each line is and the marks of the characters that stay; HTML is inserted as it is. Empty
   * content deletes the lines.
   */
  content: string;
  /** Default: recognized from the content. */
  format?: "html" | "markdown" | "text";
}

/** One difference that an edit made, in lines counted from 1. An empty side has `end` equal to `start - 1`. */
export interface DiffRecord {
  diffId: string;
  /** Id of the edit that it belongs to. */
  diffAreaId: string;
  diffType: "insertion" | "deletion" | "edit";
  originalCode: string;
  originalStartLine: number;
  originalEndLine: number;
  newCode: string;
  startLine: number;
  endLine: number;
  contextBefore?: string;
  contextAfter?: string;
  /** The lines as they were given. */
  aiSpecifiedStartLine?: number;
  aiSpecifiedEndLine?: number;
  instruction?: string;
  /** The method by which the lines were found. */
  foundBy?: "lines" | "diff" | "context" | "text";
}

/** A section by its index or its title. */
export type SectionRef = number | string;

/** Limits of what edits may do: those of the agent and those of `apply`, not what the user types. */
export interface Guards {
  /**
   * The parts of the document that edits may change: sections, or the top-level blocks that a range of positions
   * touches. Default: everything.
   */
  scope?: { sections: SectionRef[] } | { from: number; to: number };
  /** Sections that no edit changes, heading included. New sections may come before and after them. */
  locked?: SectionRef[];
  /**
   * The handling of edits that would drop a link, an image, a table, a mention, a comment, a custom node, or a mark of
   * text that stays. "report": the result lists it as `dropped`. "reject": the edit fails with `would_drop` unless
   * `confirmDrop` is true. Default: "off".
   */
  lossless?: "off" | "report" | "reject";
  /**
   * Hosts of images and of everything else that a page loads by itself, whatever the attribute is called. URLs that the
   * user wrote in a message, that a tool returned in a field that it declares (`urlFields`), and of images in the
   * document are always allowed. Default: for the agent no others, for `apply` any.
   */
  images?: UrlSources;
  /** Hosts of links. Default: "any". */
  links?: UrlSources;
}

/** Hosts are names without scheme and port; `*.example.com` is every host below `example.com`. */
export type UrlSources = "any" | { hosts: string[] };

/** Something that an edit removed from the document although the update does not say so. */
export interface Dropped {
  type: "link" | "image" | "mark" | "node" | "attribute";
  /** Name of its type in the schema, or of the attribute. */
  name: string;
  /** Its text, or an image's alternative text. */
  text: string;
  url?: string;
}

/** A change of a doc update: the range `from`–`to` of the document before the update becomes `content`. */
export interface Change {
  from: number;
  to: number;
  content: NodeJSON[];
}

export interface ApplyResult {
  success: true;
  operation: DocUpdateOperation["operation"];
  /** The section that was replaced, appended, inserted, deleted or given an image. Not set if lines were edited. */
  sectionIndex?: number;
  /** A sentence about the result, in the locale of the document. */
  message: string;
  /** True if the edit is a proposal that waits for the user's decision. */
  pending?: true;
  /** Set if the content was Markdown. */
  converted?: "markdown";
  /** The nodes and marks that the edit dropped, if the guards report it. */
  dropped?: Dropped[];
  /** In ascending order, in positions of the document before the update. Empty if nothing differs. */
  changes: Change[];
  /** The same changes, line by line. */
  diffs: DiffRecord[];
  /** The reading of content for a range of lines: as the text of those lines, or as the whole document. */
  reading?: "range" | "document";
  /** Differences of a whole document outside the given lines, which were not applied. */
  notApplied?: { line: number; text: string; content: string | null }[];
  /** Number of occurrences that were replaced. */
  matches?: number;
  /** False if the text was found only with differences of width, quotes, dashes and spaces ignored. */
  exact?: boolean;
  /** The outline after the update. */
  sections: OutlineEntry[];
  /** Version of the document after the update. */
  version: string;
}
