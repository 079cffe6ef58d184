/** The texts of the actions, in Chinese. */

import type { actions as english } from "../en/actions.js";

export const actions: typeof english = {
  menu: "助手",
  ask: "提要求…",
  askLabel: "就选中的文字向助手提要求",
  askHere: "让助手在这里写",
  placeholder: "想怎么改？",
  placeholderHere: "想写什么？",
  send: "发送",
  back: "返回",
  slash: "让助手来写",
  slashOrInsert: "让助手来写，或插入",
  askFor: (text) => `提要求：${text}`,
  found: (count) => `${count} 项操作`,
  working: (label) => `${label}：助手正在处理`,
  stop: "停止",
  close: "关闭",
  done: (changes) => `已完成：${changes} 处修改`,
  unchanged: "助手没有做任何修改",
  stopped: "已停止",
  loading: "助手还在加载，请稍后再试。",
  no_agent: "这篇文档没有可用的助手。",
  busy: "助手正在工作。请等它完成，或先停止它。",
  read_only: "这篇文档不能编辑。",
  nothing_selected: "请先选中文字。",
  editor_destroyed: "编辑器已关闭。",
};
