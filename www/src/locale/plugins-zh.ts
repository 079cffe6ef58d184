/** Chinese messages about skills, servers and rules. */
import type { plugins as english } from "./plugins-en";

const skill = (name?: string) => (name ? `技能“${name}”` : "技能");

export const plugins: typeof english = {
  tab: "技能、服务器与规则",
  notLoaded: "页面的这一部分未能加载。请检查网络后重试。",
  notSaved: "规则、技能和服务器未能保存：浏览器存储空间不足。关闭页面后它们将丢失。",
  invalidSource: "请输入代码仓库或文件夹的网址（不含密码），或文件中的文件夹。",
  invalidServer: "请输入服务器的网址，名称只能包含字母、数字、连字符和下划线。",
  rulesFound: (folder, names) => `文件夹 ${folder} 中有给助手的指令：${names.join("、")}。只有你同意，助手才会照做。`,
  readRules: "查看内容",
  useRules: "采用",
  refuseRules: "不采用",
  settingsChanged: (changes) => `设置已更改：${changes}`,
  tools: { activate_skill: "加载技能", read_file: "读取文件" },
  toolOf: (server, tool) => `${server}：${tool}`,
  setup: (skills, servers, rules) =>
    `本次使用 ${[rules && `${rules} 条规则`, skills && `${skills} 个技能`, servers && `${servers} 个服务器`].filter(Boolean).join("、")}`,
  ruleRow: (number, text) => `规则 ${number}：${text}`,
  skillRow: (name) => `技能：${name}`,
  serverRow: (name, tools) => `服务器：${name} · ${tools} 个工具`,
  requested: { tool: (name) => `使用 ${name}`, skill: (name) => `加载${skill(name)}` },
  working: {
    tool: (name) => `正在使用 ${name}`,
    skill: (name) => `正在加载${skill(name)}`,
    skillFile: (file, name) => `正在读取${skill(name)}的 ${file}`,
  },
  done: {
    tool: (name) => `已使用 ${name}`,
    skill: (name) => `已加载${skill(name)}`,
    skillFile: (file, name) => `已读取${skill(name)}的 ${file}`,
  },
  failedTo: {
    tool: (name) => `${name} 运行失败`,
    skill: (name) => `无法加载${skill(name)}`,
    skillFile: (file, name) => `无法读取${skill(name)}的 ${file}`,
  },
  given: (name, value) => `${name}：${value}`,
  values: { none: "无", yes: "是", no: "否", list: (parts) => parts.join("，") },
  moreLines: (count) => `……还有 ${count} 行`,
  resultImage: (number) => `结果图片 ${number}`,
};
