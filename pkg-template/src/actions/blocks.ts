/** Blocks that the slash menu inserts, as data: a product can list, translate, leave out and add them. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import { readyTexts, type ReadyId, type Texts } from "./words.js";

/** A block with a name. */
export interface SlashBlock {
  /** Unique among the blocks of a menu. */
  id: string;
  /** The name in the menu. */
  label: Texts;
  /** Other words by which it is found, in any language. */
  keywords?: readonly string[];
  /** The types of node that it needs: it is offered in editors that have them. */
  needs: readonly string[];
  /** Makes the empty paragraph at the cursor this block. */
  make: (chain: ChainedCommands) => ChainedCommands;
}

/** Returns the block of this id, with its name from the catalogs. */
function ready(
  id: ReadyId,
  keywords: readonly string[],
  needs: readonly string[],
  make: SlashBlock["make"],
): SlashBlock {
  return { id, label: readyTexts(id, "label"), keywords, needs, make };
}

const heading = (level: 1 | 2 | 3, keywords: readonly string[]): SlashBlock =>
  ready(`heading-${level}`, [`h${level}`, "heading", "bt", ...keywords], ["heading"], (chain) =>
    chain.setNode("heading", { level }),
  );

const list = (type: "bulletList" | "orderedList" | "taskList", item: string, keywords: readonly string[]): SlashBlock =>
  ready(type, ["list", "liebiao", ...keywords], [type, item], (chain) => chain.toggleList(type, item));

const cell = (type: string) => ({ type, content: [{ type: "paragraph" }] });
const row = (type: string) => ({ type: "tableRow", content: [cell(type), cell(type), cell(type)] });

/** The ready blocks, in the order of the menu. */
export const slashBlocks: readonly SlashBlock[] = [
  heading(1, ["biaoti"]),
  heading(2, ["zhangjie", "zj"]),
  heading(3, ["xiaobiaoti", "xbt"]),
  list("bulletList", "listItem", ["ul", "wuxu", "wx"]),
  list("orderedList", "listItem", ["ol", "bianhao", "bh"]),
  list("taskList", "taskItem", ["todo", "renwu", "rw"]),
  ready("blockquote", ["blockquote", "yinyong", "yy"], ["blockquote"], (chain) => chain.wrapIn("blockquote")),
  ready("codeBlock", ["code", "daima", "dm"], ["codeBlock"], (chain) => chain.setNode("codeBlock")),
  ready("horizontalRule", ["hr", "rule", "line", "fengexian", "fgx"], ["horizontalRule"], (chain) =>
    chain.insertContent([{ type: "horizontalRule" }, { type: "paragraph" }]),
  ),
  ready("table", ["biaoge", "bg"], ["table", "tableRow", "tableHeader", "tableCell"], (chain) =>
    chain.insertContent({ type: "table", content: [row("tableHeader"), row("tableCell"), row("tableCell")] }),
  ),
];

/** Returns the blocks that an editor can make. */
export function possible(blocks: readonly SlashBlock[], { schema }: Editor): readonly SlashBlock[] {
  return blocks.filter(({ needs }) => needs.every((type) => schema.nodes[type] !== undefined));
}
