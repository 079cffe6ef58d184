/** Words of the actions and blocks, in Chinese. */

import type { actions as english, ReadyTable } from "../en/actions.js";

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
  about: (label, excerpt) => `${label}：“${excerpt}”`,
  translateTo: (language) => `把选中的文字翻译成${language}。保留格式、链接、名称和数字。`,
  changeTone: (tone) => `用${tone}的语气改写选中的文字。保留原意、语言、格式和链接。`,
};

const translation = (language: string) => ({ label: language, instruction: actions.translateTo(language) });
const tone = (name: string) => ({ label: name, instruction: actions.changeTone(name) });

export const ready: ReadyTable = {
  improve: {
    label: "润色",
    instruction: "润色选中的文字，使其更清楚、更通顺、不重复。保留原意、语言、篇幅、格式和链接。",
  },
  shorten: {
    label: "缩短",
    instruction: "把选中的文字缩短到约一半。保留要点、语言、格式和链接。",
  },
  expand: {
    label: "扩写",
    instruction: "扩写选中的文字，补充细节和例子，篇幅约为原来的两倍。保持语言和风格，不要添加没有把握的事实。",
  },
  fix: {
    label: "修正错别字和语法",
    instruction: "修正选中文字的错别字、语法和标点，其他都不要改动。",
  },
  translate: { label: "翻译" },
  "translate-en": translation("英语"),
  "translate-zh": translation("中文"),
  "translate-es": translation("西班牙语"),
  "translate-fr": translation("法语"),
  "translate-de": translation("德语"),
  "translate-ja": translation("日语"),
  tone: { label: "改变语气" },
  "tone-formal": tone("正式"),
  "tone-friendly": tone("亲切"),
  "tone-plain": tone("平实"),
  "tone-confident": tone("自信"),
  summarize: {
    label: "总结",
    instruction: "用两三句话总结选中的文字，并用总结替换它，语言不变。",
  },
  continue: {
    label: "续写",
    instruction: "在光标处续写一段，承接前文，语言和风格与前文一致，不要重复前文。",
  },
  outline: {
    label: "写大纲",
    instruction: "在光标处用列表写出这篇文档还应当包含的内容大纲，语言与文档一致。",
  },
  "summarize-document": {
    label: "总结全文",
    instruction: "在光标处用三到五句话总结全文，语言与文档一致。",
  },
  "heading-1": { label: "标题" },
  "heading-2": { label: "章节" },
  "heading-3": { label: "小标题" },
  bulletList: { label: "无序列表" },
  orderedList: { label: "编号列表" },
  taskList: { label: "任务列表" },
  blockquote: { label: "引用" },
  codeBlock: { label: "代码块" },
  horizontalRule: { label: "分隔线" },
  table: { label: "表格" },
};
