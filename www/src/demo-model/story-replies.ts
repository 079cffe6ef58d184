/** What the demo model says and writes about the files of a book, in both languages. */
import type { Language } from "./intent";
import type { Reference } from "./story";
import type { CheckKind } from "./story-intent";
import type { Finding } from "./timeline-fix";

interface NewChapter {
  number: number;
  day: number;
  topic: string;
  title: string;
  reference: Reference | null;
}

const listed = (lines: string[]) => lines.map((line) => `- ${line}`).join("\n");
const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

const english = {
  checkFirst: "I’ll run the checks first.",
  checkFailed: "The check did not run, so I cannot say anything about it.",
  fixFirst: (faults: number) =>
    `The timeline has ${plural(faults, "fault")}. I’ll correct one after another, each by the smallest change, and check again.`,
  change: (path: string, from: string, to: string) => `${path}: ${from} → ${to}`,
  fixed: (changes: string[]) =>
    `I corrected the timeline:\n\n${listed(changes)}\n\nI am a script and follow the order of the chapters: a step back or a jump becomes the next day. Whether the story means it so, you decide; the earlier texts are among the versions of the files.`,
  finding: ({ message, file, line }: Finding) => `${message} (${file}, line ${line})`,
  left: (kind: CheckKind, findings: string[]) =>
    `${kind === "timeline" ? "Days and dates" : "Setups and references"}:\n\n${listed(findings)}`,
  clean: (kind: CheckKind): string =>
    kind === "timeline"
      ? "The check of days and dates finds nothing."
      : "The check of setups and references finds nothing.",
  waived: (count: number) => `${plural(count, "finding")} accepted by a comment in the file.`,
  offerFix: "I can correct the timeline: ask me to fix it.",
  rejected: "You did not allow this, so I stopped. Earlier changes are kept.",
  filesFailed: "I could not read the files.",
  lookFirst: "I’ll look at the files first.",
  chapterExists: (number: number, path: string) =>
    `Chapter ${number} exists already: ${path}. I leave it as it is. Ask me to write it and overwrite the old one if you want that; its versions stay.`,
  noChapter: (number: number) => `There is no chapter ${number} that I could refer to.`,
  readFirst: (number: number) => `I’ll read chapter ${number} first.`,
  writeFailed: (number: number) => `Chapter ${number} could not be written.`,
  written: (number: number, path: string) => `I wrote chapter ${number}: ${path}.`,
  noMark: (number: number) => `Chapter ${number} has no setup, so I quoted its first sentence.`,
  referenceHolds: (id: string, chapter: number) =>
    `It takes up what chapter ${chapter} sets up (${id}), and the check of setups and references finds nothing wrong in it.`,
  template:
    "It is a draft by a script: a real model would write a story. It is a file like any other: open it and write on.",
  chapter: ({ number, day, topic, title, reference }: NewChapter) => {
    const opening =
      number === 1
        ? `Day ${day} began quietly. ${topic ? `Nobody had spoken about ${topic} for years, and now it was all that anybody spoke about.` : "Nobody had expected that anything would begin at all."}`
        : `Day ${day} came, and with it an answer that nobody had asked for.`;
    const middle = reference
      ? `She had not forgotten it: “${reference.passage}” Only now did she see what it had meant.${reference.id ? ` [REF:${reference.id}]` : ""}`
      : "She wrote down what she saw, first in pencil, then in ink, and left room for what she did not see yet.";
    const end =
      number === 1
        ? "On the table lay a key that fitted no door of the house. She put it into her pocket. [SETUP:key-without-door]"
        : "Then she closed the door behind her, and for once it stayed closed.";
    return `# Chapter ${number}: ${title || "What Came Back"}\n\n${opening}\n\n${middle}\n\n${end}\n`;
  },
};

export type StoryReplies = typeof english;

const chinese: StoryReplies = {
  checkFirst: "我先运行检查。",
  checkFailed: "检查没有运行，因此我无法下结论。",
  fixFirst: (faults) => `时间线有 ${faults} 处问题。我会逐处修正，每处只做最小的改动，然后再次检查。`,
  change: (path, from, to) => `${path}：${from} → ${to}`,
  fixed: (changes) =>
    `时间线已修正：\n\n${listed(changes)}\n\n我只是脚本，按章节顺序处理：倒退或跳跃一律改为下一天。故事是否本意如此，由你决定；原文保留在各文件的历史版本中。`,
  finding: ({ message, file, line }) => `${message}（${file} 第 ${line} 行）`,
  left: (kind, findings) => `${kind === "timeline" ? "天数与日期" : "伏笔与引用"}：\n\n${listed(findings)}`,
  clean: (kind) => (kind === "timeline" ? "天数与日期的检查没有发现问题。" : "伏笔与引用的检查没有发现问题。"),
  waived: (count) => `另有 ${count} 处已由文件中的注释接受。`,
  offerFix: "如果需要，可以让我修正时间线。",
  rejected: "你没有同意，我就此停下。之前的修改仍然保留。",
  filesFailed: "无法读取文件。",
  lookFirst: "我先看看有哪些文件。",
  chapterExists: (number, path) =>
    `第 ${number} 章已存在：${path}，我没有改动它。如需重写，请让我覆盖它；历史版本会保留。`,
  noChapter: (number) => `没有第 ${number} 章，无法呼应。`,
  readFirst: (number) => `我先读第 ${number} 章。`,
  writeFailed: (number) => `第 ${number} 章未能写入。`,
  written: (number, path) => `第 ${number} 章已写好：${path}。`,
  noMark: (number) => `第 ${number} 章没有伏笔，我引用了它的第一句。`,
  referenceHolds: (id, chapter) => `它呼应了第 ${chapter} 章的伏笔（${id}），伏笔与引用的检查在这一章没有发现问题。`,
  template: "这是脚本写的草稿，真实模型会写出故事。它和其他文件一样，可以打开接着写。",
  chapter: ({ number, day, topic, title, reference }) => {
    const opening =
      number === 1
        ? `第${day}天很安静。${topic ? `多年来没有人提起${topic}，如今人人都在谈论。` : "没有人料到，会有什么从这里开始。"}`
        : `第${day}天到来时，带来了一个没有人问过的答案。`;
    const middle = reference
      ? `她没有忘记：“${reference.passage}”直到现在，她才明白那意味着什么。${reference.id ? `[REF:${reference.id}]` : ""}`
      : "她把看见的写下来，先用铅笔，再用墨水，给还没有看见的留出空白。";
    const end =
      number === 1
        ? "桌上放着一把钥匙，哪扇门都打不开。她把它放进口袋。[SETUP:key-without-door]"
        : "然后她关上身后的门，这一次，门没有再打开。";
    return `# 第${number}章 ${title || "归来之物"}\n\n${opening}\n\n${middle}\n\n${end}\n`;
  },
};

export const storyReplies: Record<Language, StoryReplies> = { en: english, zh: chinese };
