/** 各面板的中文文案，键与 `panels-en.ts` 相同。 */
import { chineseNumber as grouped } from "./numbers.js";
import type { PanelWords } from "./panels-en.js";

const outline: PanelWords["outline"] = {
  label: "大纲",
  introduction: "开头",
  noSections: "暂无章节",
  words: (count) => `${grouped(count)} 字`,
  proposed: "建议",
  deleted: "将删除",
};

export const panels: PanelWords = {
  lang: "zh-CN",
  outline,
};
