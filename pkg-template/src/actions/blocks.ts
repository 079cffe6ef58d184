/** Blocks that the slash menu inserts, as data: a product can list, translate, leave out and add them. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import type { Texts } from "./ready.js";

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

const heading = (level: number, en: string, zh: string, keywords: readonly string[]): SlashBlock => ({
  id: `heading-${level}`,
  label: { en, "zh-CN": zh },
  keywords: [`h${level}`, "heading", "bt", ...keywords],
  needs: ["heading"],
  make: (chain) => chain.setNode("heading", { level }),
});

const list = (type: string, item: string, en: string, zh: string, keywords: readonly string[]): SlashBlock => ({
  id: type,
  label: { en, "zh-CN": zh },
  keywords: ["list", "liebiao", ...keywords],
  needs: [type, item],
  make: (chain) => chain.toggleList(type, item),
});

const cell = (type: string) => ({ type, content: [{ type: "paragraph" }] });
const row = (type: string) => ({ type: "tableRow", content: [cell(type), cell(type), cell(type)] });

/** The ready blocks, in the order of the menu. */
export const slashBlocks: readonly SlashBlock[] = [
  heading(1, "Title", "标题", ["biaoti"]),
  heading(2, "Section", "章节", ["zhangjie", "zj"]),
  heading(3, "Subheading", "小标题", ["xiaobiaoti", "xbt"]),
  list("bulletList", "listItem", "Bulleted list", "无序列表", ["ul", "wuxu", "wx"]),
  list("orderedList", "listItem", "Numbered list", "编号列表", ["ol", "bianhao", "bh"]),
  list("taskList", "taskItem", "Task list", "任务列表", ["todo", "renwu", "rw"]),
  {
    id: "blockquote",
    label: { en: "Quote", "zh-CN": "引用" },
    keywords: ["blockquote", "yinyong", "yy"],
    needs: ["blockquote"],
    make: (chain) => chain.wrapIn("blockquote"),
  },
  {
    id: "codeBlock",
    label: { en: "Code block", "zh-CN": "代码块" },
    keywords: ["code", "daima", "dm"],
    needs: ["codeBlock"],
    make: (chain) => chain.setNode("codeBlock"),
  },
  {
    id: "horizontalRule",
    label: { en: "Divider", "zh-CN": "分隔线" },
    keywords: ["hr", "rule", "line", "fengexian", "fgx"],
    needs: ["horizontalRule"],
    make: (chain) => chain.insertContent([{ type: "horizontalRule" }, { type: "paragraph" }]),
  },
  {
    id: "table",
    label: { en: "Table", "zh-CN": "表格" },
    keywords: ["biaoge", "bg"],
    needs: ["table", "tableRow", "tableHeader", "tableCell"],
    make: (chain) =>
      chain.insertContent({ type: "table", content: [row("tableHeader"), row("tableCell"), row("tableCell")] }),
  },
];

/** Returns the blocks that an editor can make. */
export function possible(blocks: readonly SlashBlock[], { schema }: Editor): readonly SlashBlock[] {
  return blocks.filter(({ needs }) => needs.every((type) => schema.nodes[type] !== undefined));
}
