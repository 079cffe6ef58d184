/** Spaces at the ends of textblocks, which Markdown does not have: they are no content of a file. */

import { Fragment, type Node } from "@tiptap/pm/model";

/** The marks with which spaces show, except links. */
const SHOWING = new Set(["code", "underline", "highlight"]);
/** Characters that tell the end of a text. */
const EDGE = 20;

/**
 * Returns a document without the spaces at the ends of its textblocks, so that one that was just typed is not written as
 * `&#x20;`. What a file has there itself, as a character reference, stays: `opened` is the document that was read from it.
 */
export function withoutOuterSpace(doc: Node, opened: Node): Node {
  const known = new Set<string>();
  opened.descendants((node) => {
    if (node.isTextblock && spaceAt(node.children) > 0) known.add(edgesOf(node).start);
    if (node.isTextblock && spaceAt([...node.children].reverse(), true) > 0) known.add(edgesOf(node).end);
  });
  const inside = (node: Node): Node => {
    if (node.type.spec.code || node.isLeaf) return node;
    if (node.isTextblock) {
      const edges = edgesOf(node);
      const start = known.has(edges.start) ? 0 : spaceAt(node.children);
      const end = known.has(edges.end) ? 0 : spaceAt([...node.children].reverse(), true);
      return start + end > 0 ? node.cut(start, Math.max(start, node.content.size - end)) : node;
    }
    const children = node.children.map(inside);
    return children.every((child, at) => child === node.child(at)) ? node : node.copy(Fragment.fromArray(children));
  };
  return inside(doc);
}

/** Returns the number of spaces that inline content begins with; with `isEnd` it is in reverse order, and ends with them. */
function spaceAt(nodes: readonly Node[], isEnd = false): number {
  let count = 0;
  for (const node of nodes) {
    if (!node.isText || node.marks.some(({ type }) => SHOWING.has(type.name))) break;
    const space = (isEnd ? / *$/ : /^ */).exec(node.text ?? "")?.[0].length ?? 0;
    count += space;
    if (space < node.nodeSize) break;
  }
  return count;
}

function edgesOf(textblock: Node): { start: string; end: string } {
  const text = textblock.textBetween(0, textblock.content.size, "", "\uFFFC");
  return { start: `^${text.slice(0, EDGE)}`, end: `${text.slice(-EDGE)}$` };
}
