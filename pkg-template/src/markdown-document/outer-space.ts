/** Spaces at the ends of textblocks, which Markdown does not have: they are not content of a file. */

import { Fragment, type Node } from "@tiptap/pm/model";
import { pairsOf } from "./pair-nodes.js";

/** The marks with which spaces show, except links. */
const SHOWING = new Set(["code", "underline", "highlight"]);

/**
 * Returns a document without the spaces at the ends of its textblocks, so that one that was just typed is not written as
 * `&#x20;`. What the textblock of the file has there itself, as a character reference or in source, stays: `opened` is the
 * document that was read from it.
 */
export function withoutOuterSpace(doc: Node, opened: Node): Node {
  const [before, after] = [textblocksOf(opened), textblocksOf(doc)];
  const hasOuterSpace = before.some((node) => startSpace(node) + endSpace(node) > 0);
  const pairs = hasOuterSpace ? pairsOf(before, after) : [];
  let index = 0;
  const inside = (node: Node): Node => {
    if (node.isTextblock) {
      const pair = pairs[index];
      index += 1;
      return node.type.spec.code ? node : trimmed(node, pair === undefined ? undefined : before[pair]);
    }
    if (node.isLeaf) return node;
    const children = node.children.map(inside);
    return children.every((child, at) => child === node.child(at)) ? node : node.copy(Fragment.fromArray(children));
  };
  return inside(doc);
}

function textblocksOf(doc: Node): Node[] {
  const found: Node[] = [];
  doc.descendants((node) => {
    if (node.isTextblock) found.push(node);
    return !node.isTextblock;
  });
  return found;
}

/** Returns a textblock with at most the outer spaces of another one. */
function trimmed(textblock: Node, known: Node | undefined): Node {
  const start = startSpace(textblock) - (known ? startSpace(known) : 0);
  const end = endSpace(textblock) - (known ? endSpace(known) : 0);
  if (start <= 0 && end <= 0) return textblock;
  const to = textblock.content.size - Math.max(0, end);
  return textblock.cut(Math.min(Math.max(0, start), to), to);
}

function startSpace(textblock: Node): number {
  return spaceAt(textblock.children);
}

function endSpace(textblock: Node): number {
  return spaceAt([...textblock.children].reverse(), true);
}

/** Returns the number of spaces that inline content begins with; with `isEnd` it is in reverse order, and ends with them. */
function spaceAt(nodes: readonly Node[], isEnd = false): number {
  let count = 0;
  for (const node of nodes) {
    if (!node.isText || node.marks.some(({ type }) => SHOWING.has(type.name))) break;
    const text = node.text ?? "";
    let space = 0;
    while (text[isEnd ? text.length - 1 - space : space] === " ") space += 1;
    count += space;
    if (space < node.nodeSize) break;
  }
  return count;
}
