/** Labels of definitions and footnotes, which refer to those of another chapter where a book is one file. */

import type { Definition, FootnoteDefinition, Nodes } from "mdast";
import { parse } from "../markdown-document/syntax.js";
import { identifierOf, rangeOf } from "../markdown-document/tree.js";

/** A label in brackets. */
const LABEL = /\[((?:\\[^]|[^\][\\])+)\]/g;
const FIRST_LABEL = new RegExp(`^${LABEL.source}`);

/** The definitions of a text, by key, and the labels to which it may refer. */
interface Labels {
  tree: Nodes;
  defined: Map<string, Definition | FootnoteDefinition>;
  mentioned: Set<string>;
}

/** Returns the texts of chapters in which each label refers to what it does in its own chapter. */
export function withOwnLabels(texts: readonly string[], hasMath: boolean): string[] {
  if (texts.length < 2) return [...texts];
  const all = texts.map((text) => labelsIn(text, hasMath));
  const taken = new Set(all.flatMap(({ mentioned }) => [...mentioned]));
  return texts.map((text, at) => {
    const { tree, defined } = all[at] as Labels;
    const renamed = new Map<string, string>();
    for (const [key, definition] of defined) {
      if (!all.some((other, index) => index !== at && isAmbiguous(key, definition, other, index < at))) continue;
      const label = definition.label ?? definition.identifier;
      let count = at + 1;
      while (taken.has(`${key}-${count}`)) count += 1;
      taken.add(`${key}-${count}`);
      renamed.set(key, `${label}-${count}`);
    }
    return renamed.size === 0 ? text : withLabels(text, tree, renamed);
  });
}

/** Returns true if a label of a chapter would refer to something else with another chapter around it. */
function isAmbiguous(
  key: string,
  definition: Definition | FootnoteDefinition,
  other: Labels,
  isBefore: boolean,
): boolean {
  const own = other.defined.get(key);
  // What is text in the other chapter would become a link.
  if (!own) return other.mentioned.has(key);
  const isSame =
    own.type === "definition" &&
    definition.type === "definition" &&
    own.url === definition.url &&
    own.title === definition.title;
  return isBefore && !isSame;
}

function labelsIn(text: string, hasMath: boolean): Labels {
  const tree = parse(text, { hasMath, hasFrontMatter: false });
  const defined: Labels["defined"] = new Map();
  const visit = (node: Nodes): void => {
    if (node.type === "definition" || node.type === "footnoteDefinition") {
      const key = keyOf(node);
      if (!defined.has(key)) defined.set(key, node);
    }
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(tree);
  return { tree, defined, mentioned: new Set([...text.matchAll(LABEL)].map(([, label = ""]) => identifierOf(label))) };
}

function keyOf({ type, identifier }: { type: string; identifier: string }): string {
  return type.startsWith("footnote") ? `^${identifier}` : identifier;
}

/** Returns a text with other labels. */
function withLabels(text: string, tree: Nodes, renamed: ReadonlyMap<string, string>): string {
  const edits: { from: number; to: number; label: string }[] = [];
  const visit = (node: Nodes): void => {
    if ("children" in node) for (const child of node.children) visit(child);
    if (!("identifier" in node)) return;
    const label = renamed.get(keyOf(node));
    if (label === undefined) return;
    const { from, to } = rangeOf(node);
    const source = text.slice(from, to);
    if ("referenceType" in node) {
      // `[text][label]`, `[label][]` or `[label]`.
      const length = { full: (/\[(?:\\[^]|[^\][\\])*\]$/.exec(source)?.[0] ?? "").length, collapsed: 2, shortcut: 0 };
      edits.push({ from: to - length[node.referenceType], to, label: `[${label}]` });
    } else {
      const [first = ""] = FIRST_LABEL.exec(source) ?? [];
      const sign = node.type === "definition" ? "" : "^";
      if (first) edits.push({ from, to: from + first.length, label: `[${sign}${label}]` });
    }
  };
  visit(tree);
  let [written, at] = ["", 0];
  for (const { from, to, label } of edits.sort((one, other) => one.from - other.from)) {
    written += text.slice(at, from) + label;
    at = to;
  }
  return written + text.slice(at);
}
