/** Chinese messages about skills, servers and rules. */
import type { plugins as english } from "./plugins-en";

export const plugins: typeof english = {
  tab: "技能、服务器与规则",
  notLoaded: "页面的这一部分未能加载。请检查网络后重试。",
  notSaved: "规则、技能和服务器未能保存：浏览器存储空间不足。关闭页面后它们将丢失。",
  rulesFound: (folder, names) => `文件夹 ${folder} 中有给助手的指令：${names.join("、")}。只有你同意，助手才会照做。`,
  readRules: "查看内容",
  useRules: "采用",
  refuseRules: "不采用",
};
