/** Recognizes the requests about the files of a book, in English and Chinese. */
import { EN_NUMBER, EN_ORDINAL, toNumber, ZH_NUMBER } from "./intent";

export type CheckKind = "timeline" | "references";

export type StoryIntent =
  /** `fixes` also corrects the timeline. */
  | { kind: "check"; checks: CheckKind[]; fixes: boolean }
  /** `refersTo` is the number of an earlier chapter. */
  | { kind: "chapter"; number: number; refersTo: number | null; topic: string; overwrites: boolean };

const CHAPTERS = new RegExp(
  `\\bchapters?\\s+${EN_NUMBER}\\b|\\b${EN_ORDINAL}\\b(?=\\s*(?:chapter|one\\b|[.!?,]|$))|第\\s*${ZH_NUMBER}\\s*章`,
  "gi",
);
const REFERS = /\b(?:refer(?:s|ring)?|echo(?:es|ing)?|picks? up|recalls?|mentions?)\b|呼应|承接|回应|提到/i;
const WRITES = /\bwrite\b|\bdraft\b|写/i;
const CHECKS =
  /\b(?:check|verify|find|fix|correct|look for|which|what|any|are there|is there)\b|检查|核对|找|有没有|哪些|缺少|修正|修复/i;
const WHOLE = /\b(?:novel|book|story|chapters)\b|小说|全书|故事|书稿/i;
const TIMELINE = /\b(?:time\s?line|days|dates)\b|时间线|时间|天数|日期/i;
const REFERENCES = /\b(?:set-?ups?|foreshadow\w*|references)\b|伏笔|引用/i;
const FIXES = /\b(?:fix|correct|repair|mend)\b|修正|修复|改正/i;
const SPELLING = /\b(?:typos?|spelling|proofread)\b|错别字|错字|拼写/i;

/** Returns the numbers of the chapters that a text names. */
function chaptersIn(text: string): number[] {
  return [...text.matchAll(CHAPTERS)].flatMap((found) => toNumber(found.slice(1).find(Boolean) ?? "") ?? []);
}

/** Returns what a text asks about files; null for other requests. */
export function storyIntentOf(text: string): StoryIntent | null {
  if (SPELLING.test(text)) return null;
  const [head = "", ...rest] = text.split(REFERS);
  const [number] = chaptersIn(head);
  const [refersTo = null] = chaptersIn(rest.join(" "));
  if (number !== undefined && WRITES.test(text) && !/\b(?:re|over)write the (?:text|section)/i.test(text)) {
    return {
      kind: "chapter",
      number,
      refersTo,
      topic: topicOf(text),
      overwrites: /\boverwrit|\breplac|覆盖|替换/i.test(text),
    };
  }
  if (!CHECKS.test(text)) return null;
  const [timeline, references] = [TIMELINE.test(text), REFERENCES.test(text)];
  const whole = WHOLE.test(text) || (timeline && references);
  if (!whole && !timeline && !references) return null;
  // "Check my novel" checks everything, although "fix the timeline" may follow; other words narrow it down.
  const isNarrow = !/\bcheck|检查|核对/i.test(text) && (timeline || references);
  const checks: CheckKind[] = [];
  if (timeline || (whole && !isNarrow)) checks.push("timeline");
  if (references || (whole && !isNarrow)) checks.push("references");
  return { kind: "check", checks, fixes: FIXES.test(text) && checks.includes("timeline") };
}

function topicOf(text: string): string {
  const found = /\babout\s+(.+?)\s*[.!?]*$/i.exec(text) ?? /关于(.+?)的/.exec(text);
  return (found?.[1] ?? "").slice(0, 60);
}
