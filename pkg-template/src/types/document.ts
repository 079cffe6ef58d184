/** Documents: nodes, sections, lines. */

/** A ProseMirror node as JSON. */
export interface NodeJSON {
  type: string;
  attrs?: Record<string, unknown>;
  content?: NodeJSON[];
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  text?: string;
}

/**
 * Section 0 is everything before the first top-level h2; section i is the i-th top-level h2 and everything up to the
 * next.
 */
export interface Section {
  index: number;
  /** Text of the heading; for section 0 of the first top-level h1 in it, or empty. */
  title: string;
  /** HTML of the section without the heading itself. */
  content: string;
  /** Positions around the section, heading included. */
  from: number;
  to: number;
}

/** An entry of the outline. */
export interface OutlineEntry {
  index: number;
  title: string;
}

/** One textblock segment between hard breaks or newlines, or one leaf block. */
export interface Line {
  /** Counted from 1. */
  line: number;
  from: number;
  to: number;
  /** Name of the type of the node that holds the line. */
  type: string;
  /** The text, with a readable form of each inline leaf that is not text, such as `@Ann Lee` for a mention. */
  text: string;
  /** Indexes that lead to that node, the top-level block first. */
  path: number[];
  /**
   * The parts of `text` that are such forms, if there are any. Each represents one position of the document, however
   * long it is; everything else in `text` is as wide as its characters.
   */
  atoms?: { offset: number; length: number }[];
}

/** A range of positions in an editor's document; empty for a cursor. */
export interface PositionRange {
  from: number;
  to: number;
}

/** A range of positions in an editor's document; empty for a cursor. */
export interface PositionRange {
  from: number;
  to: number;
}
