/** The texts of the actions, in both languages. */

import { localeOf } from "../locale.js";
import type { Locale } from "../types.js";

const en = {
  menu: "Assistant",
  ask: "Ask…",
  askLabel: "Ask the assistant about the selection",
  askHere: "Ask the assistant to write here",
  placeholder: "What should change?",
  placeholderHere: "What should be written?",
  send: "Send",
  back: "Back",
  slash: "Let the assistant write",
  slashOrInsert: "Let the assistant write, or insert",
  askFor: (text: string) => `Ask: ${text}`,
  found: (count: number) => (count === 1 ? "1 action" : `${count} actions`),
  working: (label: string) => `${label}: the assistant is working`,
  stop: "Stop",
  close: "Close",
  done: (changes: number) => (changes === 1 ? "Done: 1 edit" : `Done: ${changes} edits`),
  unchanged: "The assistant changed nothing",
  stopped: "Stopped",
  loading: "The assistant is still loading. Try again in a moment.",
  no_agent: "There is no assistant for this document.",
  busy: "The assistant is already working. Wait for it, or stop it.",
  read_only: "This document cannot be edited.",
  nothing_selected: "Select some text first.",
  editor_destroyed: "The editor was closed.",
};

export type ActionWords = typeof en;

const zh: ActionWords = {
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

const all: Record<Locale, ActionWords> = { en, "zh-CN": zh };

/** Returns the texts for a language tag; without one, for the page's current language. */
export function actionWords(tag: string | undefined): ActionWords {
  return all[localeOf(tag)];
}
