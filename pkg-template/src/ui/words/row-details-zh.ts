/** 工具行详情的中文文案，键与 `row-details-en.ts` 相同。 */

import { chineseNumber as grouped } from "./numbers.js";
import type { RowDetailWords } from "./row-details-en.js";

export const rowDetails: RowDetailWords = {
  reasons: {
    rejected: "你没有同意这处修改。",
    stale: "这段文字已被改动，保持原样。",
    tool_blocked: "本页不允许此操作。",
    not_run: "这一步之前已停止。",
  },
  showInDocument: "在文档中查看",
  verdicts: { accepted: "已接受", rejected: "已拒绝" },
  formattingOnly: "格式",
  moreChanges: (count) => `还有 ${grouped(count)} 处修改`,
};
