/** Notices about plugins, and about files with rules, in Chinese. */

import type { plugins as english } from "../en/plugins.js";

export const plugins: typeof english = {
  failed: (name, reason) => `插件 ${name} 出错：${reason}。智能体将继续使用它此前提供的内容。`,
  leadsOut: "它离开了技能的文件夹，或含有控制字符",
  rulesNotRead: (path, reason) => `规则文件 ${path} 未能读取：${reason}`,
  rulesRefused: (paths) => `未采用 ${paths} 中的规则：用户尚未同意。请先阅读；如果信任其作者，再同意采用。`,
};
