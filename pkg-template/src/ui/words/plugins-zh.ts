/** 关于技能、服务器与规则的中文文案。 */

import type { plugins as english } from "./plugins-en.js";

const skill = (name?: string) => (name ? `技能“${name}”` : "技能");

export const plugins: typeof english = {
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
  comments: {
    list_comments: ["阅读评论", "正在阅读评论", "已阅读评论", "无法阅读评论"],
    add_comment: ["写评论", "正在写评论", "已写评论", "无法写评论"],
    reply_to_comment: ["回复评论", "正在回复评论", "已回复评论", "无法回复评论"],
    resolve_comment: ["解决评论", "正在解决评论", "已处理评论", "无法处理评论"],
  },
  given: (name, value) => `${name}：${value}`,
  values: { none: "无", yes: "是", no: "否", list: (parts) => parts.join("，") },
  moreLines: (count) => `……还有 ${count} 行`,
  resultImage: (number) => `结果图片 ${number}`,
};
