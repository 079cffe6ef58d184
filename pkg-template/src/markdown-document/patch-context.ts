/** The source that a block is patched in, and the writer of what is new in it. */

import type { Node } from "@tiptap/pm/model";
import { Unpatchable, type InlineChange } from "./inline-patch.js";
import type { Origin, Origins, Piece } from "./origins.js";
import type { Way } from "./ways.js";

/** Writes nodes as Markdown, without the signs of the containers around them. */
export interface BlockWriter {
  block(node: Node): string;
  /** An item without its marker. */
  item(node: Node, list: Node): string;
  cell(node: Node): string;
  /** Returns the source of a row that the file has; undefined for others. */
  knownRow(node: Node): string | undefined;
  /** The change of a textblock; undefined if the source of its content is not known. */
  inline(
    way: Way,
    before: Node,
    after: Node,
    pieces: readonly Piece[],
    context: InlineContext,
  ): InlineChange | undefined;
}

/** The surroundings of inline content. */
export interface InlineContext {
  source: string;
  /** The beginning of each further line. */
  prefix: string;
  isCell: boolean;
}

export interface PatchContext {
  source: string;
  origins: Origins;
  lineEnd: string;
  writer: BlockWriter;
}

/** Returns the origin of a node. Throws {@link Unpatchable} if its source is not known. */
export function originOf({ origins }: PatchContext, node: Node): Origin {
  const origin = origins.get(node);
  if (!origin) throw new Unpatchable();
  return origin;
}

/** Returns the position at which the line of a position starts. */
export function lineStart(source: string, at: number): number {
  return Math.max(source.lastIndexOf("\n", at - 1), source.lastIndexOf("\r", at - 1)) + 1;
}

/** Returns what precedes a position in its line, with spaces in place of all but the signs of quotes and tabs. */
export function indentBefore(source: string, at: number): string {
  return source.slice(lineStart(source, at), at).replace(/[^>\t]/g, " ");
}
