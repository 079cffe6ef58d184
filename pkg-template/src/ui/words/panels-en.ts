/** English words of the panels. `panels-zh.ts` has the same keys. */
import { englishNumber as grouped } from "./numbers.js";

const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;

const outline = {
  label: "Outline",
  introduction: "Introduction",
  noSections: "No sections yet.",
  words: (count: number) => plural(count, "word"),
  proposed: "suggested",
  deleted: "would be deleted",
};

export const panels = {
  lang: "en" as "en" | "zh-CN",
  outline,
};

export type PanelWords = typeof panels;
