/** Cells that rows have more than their header. No document holds them. */

import type { Nodes } from "mdast";
import { rangeOf } from "./tree.js";

/** Returns the source of the cells that rows have more than their header. */
export function cellsBeyond(nodes: readonly Nodes[], source: string): string[] {
  return nodes.flatMap((node): string[] => {
    if (node.type !== "table") return "children" in node ? cellsBeyond(node.children, source) : [];
    const width = node.children[0]?.children.length ?? 0;
    const cells = node.children.flatMap((row) => row.children.slice(width));
    return cells.map((cell) =>
      source
        .slice(rangeOf(cell).from, rangeOf(cell).to)
        .replace(/^\||\|$/g, "")
        .trim(),
    );
  });
}
