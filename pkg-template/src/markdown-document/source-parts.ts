/** The parts of a Markdown file that is open as a document: its blocks, and the source between them. */

import type { Node, Schema } from "@tiptap/pm/model";
import type { Definition, RootContent } from "mdast";
import { check } from "../base/error.js";
import type { NodeJSON } from "../types/index.js";
import { unitsOf, type Unit } from "./from-mdast.js";
import { styleOf, type Style } from "./notation.js";
import { parse } from "./syntax.js";
import { definitionsOf, isFrontMatter, rangeOf } from "./tree.js";

/** A Markdown file that was read: its document, and what a save needs to leave unchanged blocks as they are. */
export interface OpenedMarkdown {
  /** The document, for `editor.commands.setContent(json)` or the option `content`. */
  readonly json: NodeJSON;
  /** The front matter without its fences; null if there is none. It is not part of the document. */
  readonly frontMatter: string | null;
  /** The text that was read. */
  readonly source: string;
}

/** A block with its range in the source, from the start of its first line. */
export interface OpenedBlock extends Unit {
  from: number;
  to: number;
}

/** Source between two blocks. */
export interface Gap {
  text: string;
  /** The definitions in it; empty if it is only whitespace. */
  definitions: string;
}

/** The parts of an opened file. */
export interface Parts {
  schema: Schema;
  doc: Node;
  /** A byte order mark and the front matter. */
  head: string;
  blocks: OpenedBlock[];
  /** The gap before each block, and the one at the end. */
  gaps: Gap[];
  /** The source without the byte order mark, to which ranges refer. */
  source: string;
  style: Style;
  lineEnd: string;
  definitions: Map<string, Definition>;
  hasMath: boolean;
}

const partsOfFiles = new WeakMap<OpenedMarkdown, Parts>();
/** The schemas of files that a worker has opened: their parts are in the worker. */
const schemasOfFiles = new WeakMap<OpenedMarkdown, Schema>();
const inlineSources = new WeakMap<OpenedMarkdown, ReadonlySet<string>>();

/** Returns the parts of what `readMarkdown` returned. */
export function partsOf(file: OpenedMarkdown): Parts {
  const source = sourceOf(file);
  const known = partsOfFiles.get(file);
  if (known) return known;
  const parts = partsOf(opened(source, schemasOfFiles.get(file) as Schema));
  partsOfFiles.set(file, parts);
  return parts;
}

/** Returns the inline source that is text in an opened document. */
export function inlineSourceOf(file: OpenedMarkdown): ReadonlySet<string> {
  const known = inlineSources.get(file);
  return known ?? new Set(partsOf(file).blocks.flatMap(({ raw }) => [...raw]));
}

/** Returns the source of an opened file. */
export function sourceOf(file: OpenedMarkdown): string {
  const isFile = typeof file === "object" && file !== null && (partsOfFiles.has(file) || schemasOfFiles.has(file));
  check(isFile, "opened", file, "what readMarkdown or writeMarkdown returned");
  return file.source;
}

/**
 * Returns a file that a worker has opened. Its parts are read when this thread needs them, except for the inline source
 * if it is known.
 */
export function openLater(file: OpenedMarkdown, schema: Schema, inlineSource?: Iterable<string>): OpenedMarkdown {
  schemasOfFiles.set(file, schema);
  if (inlineSource) inlineSources.set(file, new Set(inlineSource));
  return file;
}

/** Opens a source within the limits. */
export function opened(source: string, schema: Schema): OpenedMarkdown {
  const mark = source.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = source.slice(mark.length);
  const hasMath = schema.nodes.inlineMath !== undefined && schema.nodes.blockMath !== undefined;
  const tree = parse(text, { hasMath, hasFrontMatter: true });
  const [first] = tree.children;
  const matter = first && isFrontMatter(first) ? first : undefined;
  const headEnd = matter ? rangeOf(matter).to : 0;
  const definitions = tree.children.filter((node) => node.type === "definition").map(rangeOf);
  const blocks = unitsOf(text, tree, schema).map((unit): OpenedBlock => {
    const from = startOf(unit.tree[0] as RootContent, text, definitions);
    const to = rangeOf(unit.tree.at(-1) as RootContent).to;
    const indent = /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(Math.max(0, from - 9), from))?.[1]?.length ?? 0;
    return { ...unit, from: from - indent, to };
  });
  const doc = schema.topNodeType.createAndFill(
    null,
    blocks.map(({ node }) => node),
  );
  check(doc !== null, "schema", schema.topNodeType.name, "a schema whose documents hold any blocks");
  const parts: Parts = {
    schema,
    doc: doc as Node,
    head: mark + text.slice(0, headEnd),
    blocks,
    gaps: gapsOf(text, definitions, blocks, headEnd),
    source: text,
    style: styleOf(text, tree),
    lineEnd: lineEndOf(text),
    definitions: definitionsOf(tree),
    hasMath,
  };
  const frontMatter = matter && "value" in matter ? matter.value : null;
  const file: OpenedMarkdown = { json: parts.doc.toJSON() as NodeJSON, frontMatter, source };
  partsOfFiles.set(file, parts);
  return file;
}

type Range = ReturnType<typeof rangeOf>;

/** Returns where a block starts: the parser counts definitions right before a heading as part of it. */
function startOf(node: RootContent, text: string, definitions: readonly Range[]): number {
  const { from, to } = rangeOf(node);
  const last = lastBefore(definitions, to);
  return last && last.from >= from ? last.to + (/^\s*/.exec(text.slice(last.to))?.[0].length ?? 0) : from;
}

function gapsOf(text: string, definitions: readonly Range[], blocks: readonly OpenedBlock[], start: number): Gap[] {
  const ends = [...blocks.map(({ from }) => from), text.length];
  let next = 0;
  return ends.map((end, index) => {
    const from = index === 0 ? start : (blocks[index - 1]?.to ?? 0);
    while ((definitions[next]?.from ?? Infinity) < from) next++;
    const first = definitions[next];
    while ((definitions[next]?.to ?? Infinity) <= end) next++;
    const last = first && definitions[next - 1];
    if (!last || last.from < first.from) return { text: text.slice(from, end), definitions: "" };
    return { text: text.slice(from, end), definitions: text.slice(first.from, last.to) };
  });
}

/** Returns the last of the ranges that ends at a position or before it. */
function lastBefore(ranges: readonly Range[], end: number): Range | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as Range).to <= end) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

/** Returns the line end that most lines of a text have. */
function lineEndOf(text: string): string {
  const counts = new Map([
    ["\r\n", 0],
    ["\r", 0],
    ["\n", 0],
  ]);
  for (const [end] of text.matchAll(/\r\n?|\n/g)) counts.set(end, (counts.get(end) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return most === 0 ? "\n" : ([...counts].find(([, count]) => count === most)?.[0] ?? "\n");
}
