/** The texts of comments for users, in Chinese. */

import type { comments as english } from "../en/comments.js";

export const comments: typeof english = {
  ignored: (count) =>
    `文档中有 ${count} 条评论无法显示，作者可能使用了更新的版本。请重新加载页面，或请对方重新发表评论。`,
  assistant: "助手",
};
