/** The texts of suggestions, in Chinese. */

import type { suggestions as english } from "../en/suggestions.js";

export const suggestions: typeof english = {
  agentOf: (name) => (name ? `${name}的助手` : "助手"),
  notPermitted: (count) =>
    count === 1
      ? "你无权决定这条建议。请让建议者或文档的编辑者来决定。"
      : `你无权决定这 ${count} 条建议。请让建议者或文档的编辑者来决定。`,
  ignored: (count) =>
    `文档中有 ${count} 条建议无法显示，建议者可能使用了更新的版本。请重新加载页面，或请对方重新提出建议。`,
};
