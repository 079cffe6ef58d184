/** Tasks without text. GFM reads `- [ ]` as text, while editors make such items, and other readers of Markdown tasks. */

import type { List, ListItem, Nodes, Paragraph, Root } from "mdast";
import { rangeOf } from "./tree.js";

/** Makes tasks of the items that are only a box, in lists whose items are all tasks or boxes. */
export function readEmptyTasks(source: string, node: Root | Nodes): void {
  if (node.type === "list" && !node.ordered) readList(source, node);
  if ("children" in node) for (const child of node.children) readEmptyTasks(source, child);
}

function readList(source: string, { children }: List): void {
  const boxes = new Map(children.map((item) => [item, boxOf(source, item)]));
  if (!children.every((item) => typeof item.checked === "boolean" || boxes.get(item))) return;
  for (const [item, box] of boxes) {
    if (!box) continue;
    item.checked = /x/i.test(box);
    (item.children[0] as Paragraph).children = [];
  }
}

/** Returns the box that is all of an item's first paragraph. With a backslash it is text. */
function boxOf(source: string, { children: [first] }: ListItem): string | undefined {
  if (first?.type !== "paragraph") return undefined;
  const [only, ...others] = first.children;
  if (only?.type !== "text" || others.length > 0) return undefined;
  const { from, to } = rangeOf(only);
  return /^\[[ \txX]\]$/.exec(source.slice(from, to))?.[0];
}
