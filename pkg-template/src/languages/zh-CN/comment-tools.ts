/** Texts about comments for a model, in Chinese. */

import type { commentTools as english } from "../en/comment-tools.js";

export const commentTools: typeof english = {
  tools: {
    list_comments: "列出用户和智能体对文档的评论及其所在行。处理评论之前先调用它。",
    add_comment: "对文档中的一段文字发表评论，不会改动文档。",
    reply_to_comment: "回复一条评论。如果因该评论而修改文档，请先修改，再回复：用户会一并接受或拒绝二者。",
    resolve_comment: "将已处理的评论标为已解决，应在修改之后调用。`text` 是说明处理结果的回复。",
  },
  readLines: "返回文档的若干行（带行号）以及其中的评论。你不能修改文档。",
  startLine: "第一行，从 1 开始",
  endLine: "最后一行（包含）",
  includeResolved: "为 true 时也列出已解决的评论",
  line: "文字所在的行，从 1 开始",
  quote: "评论所针对的该行中的文字。默认：整行",
  text: "评论内容，纯文本",
  closing: "回复内容，纯文本",
  id: "评论的 id，来自 list_comments",
  comments: "这些行的评论：",
  pending: "用户接受你的修改后才会显示；若被拒绝则撤回。",
  lost: "这次修改会删除以下评论所针对的文字。请在回复中说明；如非本意，请恢复该文字。",
  noThread: (id, ids) => `没有评论 ${id}。${ids.length ? `现有评论：${ids.join("、")}。` : "文档没有评论。"}`,
  noLine: (line, lines) => `没有第 ${line} 行。文档共有 ${lines} 行。`,
  noQuote: (quote, line, text) => `第 ${line} 行（“${text}”）中找不到“${quote}”。请准确引用该行的文字。`,
  emptyLine: (line) => `第 ${line} 行是空行。请评论有文字的行。`,
  proposed: "这段文字只是建议，尚未进入文档。请评论文档中已有的文字，或在修改被接受之后再评论。",
};
