/**
 * The Markdown that is read, in files and in the content of models: CommonMark, GFM's tables, tasks, strikethrough and
 * footnotes, front matter.
 */

import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFootnoteFromMarkdown } from "mdast-util-gfm-footnote";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { mathFromMarkdown } from "mdast-util-math";
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { gfmStrikethroughCjkFriendly } from "micromark-extension-cjk-friendly-gfm-strikethrough";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmFootnote } from "micromark-extension-gfm-footnote";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { checkCells, limitedPairing, limits } from "./effort.js";
import { readEmptyTasks } from "./empty-tasks.js";
import { formulas } from "./formulas.js";
import { frontMatterOf } from "./front-matter.js";

export interface SyntaxOptions {
  /** Reads formulas, which the schema must have. */
  hasMath: boolean;
  /** Reads front matter, which only files have. */
  hasFrontMatter: boolean;
}

/**
 * Parses Markdown. A bare URL stays text.
 *
 * @throws an `EffortError` for a source that would take too long.
 */
export function parse(source: string, { hasMath, hasFrontMatter }: SyntaxOptions): Root {
  // Without front matter the extension would spoil lists and quotes.
  const matter = hasFrontMatter ? frontMatterOf(source) : [];
  // The extension takes quadratic time for brackets.
  const hasFootnotes = source.includes("[^");
  const tree = fromMarkdown(source, {
    extensions: [
      // CommonMark joins `**注意：**不要` to one word, because it expects spaces between words.
      limitedPairing(cjkFriendlyExtension()),
      limitedPairing(gfmStrikethroughCjkFriendly({ singleTilde: false })),
      gfmTable(),
      gfmTaskListItem(),
      ...(hasFootnotes ? [gfmFootnote()] : []),
      frontmatter(matter),
      ...(hasMath ? [formulas()] : []),
      limits(source.length),
    ],
    mdastExtensions: [
      gfmStrikethroughFromMarkdown(),
      gfmTableFromMarkdown(),
      gfmTaskListItemFromMarkdown(),
      ...(hasFootnotes ? [gfmFootnoteFromMarkdown()] : []),
      frontmatterFromMarkdown(matter),
      ...(hasMath ? [mathFromMarkdown()] : []),
    ],
  });
  checkCells(source, tree);
  readEmptyTasks(source, tree);
  return tree;
}

/** The characters that references represent: a file has few references, each many times. */
const decoded = new Map<string, string | undefined>();
const MOST_DECODED = 1_000;

/** Returns the characters that a reference represents; undefined if it is text. */
export function decodeReference(reference: string): string | undefined {
  if (decoded.size > MOST_DECODED) decoded.clear();
  if (!decoded.has(reference)) decoded.set(reference, decode(reference));
  return decoded.get(reference);
}

function decode(reference: string): string | undefined {
  const [paragraph] = fromMarkdown(`x${reference}x`).children;
  const [text] = paragraph?.type === "paragraph" ? paragraph.children : [];
  const value = text?.type === "text" ? text.value.slice(1, -1) : reference;
  return value === reference ? undefined : value;
}
