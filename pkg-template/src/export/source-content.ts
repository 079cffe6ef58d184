/** Source that a document keeps as text, as content for readers. */

import type { FootnoteDefinition, Nodes, Root, RootContent } from "mdast";
import { unitsOf } from "../markdown-document/from-mdast.js";
import { checkLimits, withinEffort } from "../markdown-document/limits.js";
import { SOURCE_LANGUAGE } from "../markdown-document/source-language.js";
import { parse } from "../markdown-document/syntax.js";
import type { NodeJSON } from "../types/index.js";
import { contentOfHTML } from "./html-content.js";
import { textOf, withoutDeleted } from "./publication.js";
import { SOURCE_SCHEMA } from "./source-schema.js";

/** Blocks, and the footnotes that are defined among them. */
export interface SourceContent {
  readonly blocks: readonly NodeJSON[];
  readonly footnotes: readonly { label: string; content: readonly NodeJSON[] }[];
  /** Inline source that is text in them. */
  readonly source: ReadonlySet<string>;
}

/** Returns true for a block that holds source which the document's schema has no node for. */
export function isSource(node: NodeJSON): boolean {
  return node.type === "codeBlock" && node.attrs?.language === SOURCE_LANGUAGE;
}

/** Reads a block of source; one that cannot be read stays as it is. */
export function contentOfSource(node: NodeJSON): SourceContent {
  // The version after the changes that wait for a decision, if there is one.
  const source = textOf(withoutDeleted(node)) || textOf(node);
  try {
    checkLimits(source);
    return withinEffort(() => read(source));
  } catch {
    return { blocks: [{ ...node, attrs: {} }], footnotes: [], source: new Set() };
  }
}

function read(source: string): SourceContent {
  const tree = parse(source, { hasMath: true, hasFrontMatter: false });
  const raw = new Set<string>();
  const footnotes = takeFootnotes(tree).map(({ label, identifier, children }) => {
    return { label: label ?? identifier, content: blocksOf(source, children, raw) };
  });
  return { blocks: blocksOf(source, tree.children, raw), footnotes, source: raw };
}

/** Returns the blocks of a tree, and adds the inline source in them. */
function blocksOf(source: string, children: RootContent[], raw: Set<string>): NodeJSON[] {
  const root: Root = { type: "root", children };
  return unitsOf(source, root, SOURCE_SCHEMA).flatMap((unit) => {
    for (const text of unit.raw) raw.add(text);
    return unmarked(unit.node.toJSON() as NodeJSON);
  });
}

/** Returns a block whose source of HTML, which no schema has nodes for, is content. */
function unmarked(node: NodeJSON): NodeJSON[] {
  if (isSource(node)) {
    const html = textOf(node);
    return html.trimStart().startsWith("<") ? contentOfHTML(html) : [{ ...node, attrs: {} }];
  }
  return [node.content ? { ...node, content: node.content.flatMap(unmarked) } : node];
}

/** Removes the definitions of footnotes from a tree, and returns them in their order. */
function takeFootnotes(tree: Root): FootnoteDefinition[] {
  const found: FootnoteDefinition[] = [];
  const visit = (node: Nodes): void => {
    if (!("children" in node)) return;
    for (const child of node.children) visit(child);
    const kept: Nodes[] = [];
    for (const child of node.children) {
      if (child.type === "footnoteDefinition") found.push(child);
      else kept.push(child);
    }
    (node as { children: Nodes[] }).children = kept;
  };
  visit(tree);
  return found;
}
