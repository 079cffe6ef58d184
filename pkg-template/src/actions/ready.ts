/** Ready instructions, as data: a product can list, translate, leave out and add them. */

import { addedLanguage } from "../languages.js";
import { localeOf } from "../locale.js";

/** A text in each language, by language tag. Of another language it is that of the added language, or English. */
export interface Texts {
  readonly en: string;
  readonly "zh-CN": string;
  readonly [tag: string]: string | undefined;
}

/** An instruction with a name. */
export interface AgentAction {
  /** Unique among the actions of a menu. */
  id: string;
  /** The name in menus. */
  label: Texts;
  /** The text for the model; empty if there are `choices`. */
  instruction: Texts;
  /** `selection`: it works on selected text. `cursor`: it writes at the cursor. */
  target: "selection" | "cursor";
  /** Other words by which the slash menu finds it, in any language. */
  keywords?: readonly string[];
  /** Variants to choose from, such as languages. */
  choices?: readonly AgentAction[];
}

/** Returns an action that translates the selected text into a language, given by its name in English and Chinese. */
export function translateTo(id: string, language: Texts): AgentAction {
  const en = `Translate the selected text into ${language.en}. Keep its formatting, links, names and numbers.`;
  const zh = `把选中的文字翻译成${language["zh-CN"]}。保留格式、链接、名称和数字。`;
  return { id, label: language, instruction: { en, "zh-CN": zh }, target: "selection" };
}

/** Returns an action that changes the tone of the selected text; the tone is an adjective. */
export function changeTone(id: string, tone: Texts): AgentAction {
  const en = `Rewrite the selected text in a ${tone.en.toLowerCase()} tone. Keep its meaning, language, formatting and links.`;
  const zh = `用${tone["zh-CN"]}的语气改写选中的文字。保留原意、语言、格式和链接。`;
  return { id, label: tone, instruction: { en, "zh-CN": zh }, target: "selection" };
}

const NONE: Texts = { en: "", "zh-CN": "" };

/** The ready actions, in the order of the menus. */
export const agentActions: readonly AgentAction[] = [
  {
    id: "improve",
    label: { en: "Improve", "zh-CN": "润色" },
    instruction: {
      en: "Improve the selected text: clearer, more fluent, without repetition. Keep its meaning, language, length, formatting and links.",
      "zh-CN": "润色选中的文字，使其更清楚、更通顺、不重复。保留原意、语言、篇幅、格式和链接。",
    },
    target: "selection",
  },
  {
    id: "shorten",
    label: { en: "Shorten", "zh-CN": "缩短" },
    instruction: {
      en: "Shorten the selected text to about half. Keep what matters, its language, formatting and links.",
      "zh-CN": "把选中的文字缩短到约一半。保留要点、语言、格式和链接。",
    },
    target: "selection",
  },
  {
    id: "expand",
    label: { en: "Expand", "zh-CN": "扩写" },
    instruction: {
      en: "Expand the selected text with details and examples, to about twice its length. Keep its language and style. Add no facts that you are not sure of.",
      "zh-CN": "扩写选中的文字，补充细节和例子，篇幅约为原来的两倍。保持语言和风格，不要添加没有把握的事实。",
    },
    target: "selection",
  },
  {
    id: "fix",
    label: { en: "Fix spelling and grammar", "zh-CN": "修正错别字和语法" },
    instruction: {
      en: "Correct spelling, grammar and punctuation of the selected text. Change nothing else.",
      "zh-CN": "修正选中文字的错别字、语法和标点，其他都不要改动。",
    },
    target: "selection",
  },
  {
    id: "translate",
    label: { en: "Translate", "zh-CN": "翻译" },
    instruction: NONE,
    target: "selection",
    choices: [
      translateTo("translate-en", { en: "English", "zh-CN": "英语" }),
      translateTo("translate-zh", { en: "Chinese", "zh-CN": "中文" }),
      translateTo("translate-es", { en: "Spanish", "zh-CN": "西班牙语" }),
      translateTo("translate-fr", { en: "French", "zh-CN": "法语" }),
      translateTo("translate-de", { en: "German", "zh-CN": "德语" }),
      translateTo("translate-ja", { en: "Japanese", "zh-CN": "日语" }),
    ],
  },
  {
    id: "tone",
    label: { en: "Change tone", "zh-CN": "改变语气" },
    instruction: NONE,
    target: "selection",
    choices: [
      changeTone("tone-formal", { en: "Formal", "zh-CN": "正式" }),
      changeTone("tone-friendly", { en: "Friendly", "zh-CN": "亲切" }),
      changeTone("tone-plain", { en: "Plain", "zh-CN": "平实" }),
      changeTone("tone-confident", { en: "Confident", "zh-CN": "自信" }),
    ],
  },
  {
    id: "summarize",
    label: { en: "Summarize", "zh-CN": "总结" },
    instruction: {
      en: "Replace the selected text with a summary of it in two or three sentences, in its language.",
      "zh-CN": "用两三句话总结选中的文字，并用总结替换它，语言不变。",
    },
    target: "selection",
  },
  {
    id: "continue",
    label: { en: "Continue writing", "zh-CN": "续写" },
    instruction: {
      en: "Continue writing at the cursor: one paragraph that follows from the text before it, in the same language and style. Do not repeat that text.",
      "zh-CN": "在光标处续写一段，承接前文，语言和风格与前文一致，不要重复前文。",
    },
    target: "cursor",
    keywords: ["write", "next", "go on", "xuxie", "xx"],
  },
  {
    id: "outline",
    label: { en: "Write an outline", "zh-CN": "写大纲" },
    instruction: {
      en: "Write an outline at the cursor for what this document should still say, as a list, in the language of the document.",
      "zh-CN": "在光标处用列表写出这篇文档还应当包含的内容大纲，语言与文档一致。",
    },
    target: "cursor",
    keywords: ["plan", "list", "dagang", "dg"],
  },
  {
    id: "summarize-document",
    label: { en: "Summarize the document", "zh-CN": "总结全文" },
    instruction: {
      en: "Write a summary of the whole document at the cursor, in three to five sentences, in the language of the document.",
      "zh-CN": "在光标处用三到五句话总结全文，语言与文档一致。",
    },
    target: "cursor",
    keywords: ["summary", "tldr", "zongjie", "zj"],
  },
];

/** Returns what `askAgent` takes for an action; `locale` is a language tag, by default the page's. */
export function askOf(
  action: AgentAction,
  locale?: string,
): { instruction: string; label: string; needsSelection: boolean } {
  const { label, instruction, target } = action;
  return {
    instruction: textIn(instruction, "instruction", action.id, locale),
    label: textIn(label, "label", action.id, locale),
    needsSelection: target === "selection",
  };
}

/** Returns a text of an action or a block in a language. */
export function textIn(texts: Texts, kind: "label" | "instruction", id: string, locale?: string): string {
  const language = localeOf(locale);
  return texts[language] ?? addedLanguage(language)?.words.ready[id]?.[kind] ?? texts.en;
}
