/** The texts of the review, in both languages. */

import { localeOf } from "../locale.js";
import type { Hunk, Locale, NodeJSON } from "../types.js";

const LONGEST = 60;

const en = {
  changes: "Suggested changes",
  count: (at: number, total: number) => `${at ? `${at} of ` : ""}${total} ${total === 1 ? "change" : "changes"}`,
  previous: "Previous change",
  next: "Next change",
  accept: "Accept",
  reject: "Reject",
  acceptAll: "Accept all",
  rejectAll: "Reject all",
  keepMine: "Keep mine",
  takeProposal: "Take the proposal",
  keepBoth: "Keep both",
  and: (one: string, other: string) => `${one} and ${other}`,
  open: (count: number) => (count === 1 ? "1 conflict is open" : `${count} conflicts are open`),
  bothChanged: "You changed this as well",
  deleteThis: "Delete this",
  replaceThis: "Replace this",
  mine: "Yours",
  proposal: "Proposal",
  quoted: (text: string) => `“${text}”`,
  insertion: (text: string) => `insertion of ${text}`,
  deletion: (text: string) => `deletion of ${text}`,
  edit: (before: string, after: string) => `${before} becomes ${after}`,
  labelled: (act: string, what: string) => `${act}: ${what}`,
  announced: (at: number, total: number, what: string) => `Change ${at} of ${total}: ${what}`,
  conflict: (what: string) => `${what}. You changed this as well`,
  none: "No changes left to review",
  image: (alt: string) => (alt ? `the image “${alt}”` : "an image"),
  nothing: "nothing",
  formatting: "formatting",
  enteredByTyping: "This change is accepted now, so that you can edit it. Undo takes it back.",
  notInConflict: "Decide this conflict first: keep yours, take the proposal, or keep both.",
  notInDeletion: "This is a deletion. Accept or reject it; there is no text to edit here.",
  notInProposal: "There is no text to edit here. Accept this change first.",
  hidden: "Text that a change deletes is hidden here. Show the changes to edit it.",
  markedAgain: "There are new changes, so the changes are shown again.",
  notMarked: "Show the changes to decide one of them.",
  view: "View",
  views: { original: "Original", marked: "With changes", final: "Final" },
  rejected: (count: number) => `${count} changes are rejected.`,
  undo: "Undo",
  cut: (count: number) =>
    count === 1
      ? "The cut text contains a suggested change. Undo brings it back to where it was."
      : `The cut text contains ${count} suggested changes. Undo brings them back to where they were.`,
};

type Words = typeof en;

const zh: Words = {
  changes: "修改建议",
  count: (at, total) => (at ? `第 ${at} 处，共 ${total} 处修改` : `${total} 处修改`),
  previous: "上一处修改",
  next: "下一处修改",
  accept: "接受",
  reject: "拒绝",
  acceptAll: "全部接受",
  rejectAll: "全部拒绝",
  keepMine: "保留我的",
  takeProposal: "采用建议",
  keepBoth: "两者都保留",
  and: (one, other) => `${one}和${other}`,
  open: (count) => `${count} 处冲突待定`,
  bothChanged: "你也修改了这里",
  deleteThis: "删除以下内容",
  replaceThis: "替换以下内容",
  mine: "你的",
  proposal: "建议",
  quoted: (text) => `“${text}”`,
  insertion: (text) => `插入${text}`,
  deletion: (text) => `删除${text}`,
  edit: (before, after) => `${before}改为${after}`,
  labelled: (act, what) => `${act}：${what}`,
  announced: (at, total, what) => `第 ${at} 处修改，共 ${total} 处：${what}`,
  conflict: (what) => `${what}。你也修改了这里`,
  none: "没有待审阅的修改了",
  image: (alt) => (alt ? `图片“${alt}”` : "一张图片"),
  nothing: "空白",
  formatting: "格式",
  enteredByTyping: "已接受这处修改，以便继续编辑。撤销可恢复为待定。",
  notInConflict: "请先处理这处冲突：保留你的、采用建议，或两者都保留。",
  notInDeletion: "这是一处删除，没有可编辑的文字。请接受或拒绝。",
  notInProposal: "这里没有可编辑的文字。请先接受这处修改。",
  hidden: "这里隐藏了一处待删除的文字。请先显示修改，再编辑它。",
  markedAgain: "有新的修改，已恢复显示修改。",
  notMarked: "请先显示修改，再决定是否采用。",
  view: "视图",
  views: { original: "原文", marked: "显示修改", final: "最终稿" },
  rejected: (count) => `已拒绝 ${count} 处修改。`,
  undo: "撤销",
  cut: (count) => `剪切的内容含有 ${count} 处修改建议。撤销可将其恢复到原处。`,
};

export type ReviewWords = Words & { locale: Locale };

const all: Record<Locale, ReviewWords> = { en: { ...en, locale: "en" }, "zh-CN": { ...zh, locale: "zh-CN" } };

/** Returns the texts for a language tag; without one, for the page's current language. */
export function reviewWords(tag: string | undefined): ReviewWords {
  return all[localeOf(tag)];
}

/** Describes a hunk: "deletion of “old words”". */
export function describe(hunk: Hunk, words: ReviewWords): string {
  const after = named(hunk.newText, hunk.content, words);
  const before = named(hunk.originalText, [], words);
  const what =
    hunk.kind === "insertion"
      ? words.insertion(after)
      : hunk.kind === "deletion"
        ? words.deletion(before)
        : hunk.originalText === hunk.newText
          ? `${before}: ${words.formatting}`
          : words.edit(before, after);
  return hunk.conflict ? words.conflict(what) : what;
}

/** Returns a text for labels: on one line, shortened, or a description if there is no text. */
export function named(text: string, content: readonly NodeJSON[], words: ReviewWords): string {
  const line = text.replace(/[\s\ufffc]+/g, " ").trim();
  if (line) return words.quoted(line.length > LONGEST ? `${[...line].slice(0, LONGEST - 1).join("")}…` : line);
  const image = content.find((node) => node.type === "image");
  return image || text.includes("\ufffc") ? words.image(String(image?.attrs?.alt ?? "")) : words.nothing;
}
