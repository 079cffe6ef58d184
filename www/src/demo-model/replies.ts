/** The replies of the demo model, in both languages. */
import type { Intent, Language } from "./intent";
import type { Reworked } from "./rework";

type ReadingIntent = Exclude<Intent["kind"], "unknown" | "lookup" | "translate">;

interface SectionRef {
  index: number;
  title: string;
}

const plural = (count: number, one: string) => `${count === 1 ? "one" : count} ${one}${count === 1 ? "" : "s"}`;
const listed = (titles: string[]) => titles.map((title, at) => `${at + 1}. ${title}`).join("\n");

const english = {
  help: "I am a demo model: a script, not an AI, and I understand only a few requests. You can ask me to\n\n- write an article about tea with three sections and an image\n- rewrite, shorten or delete a section\n- replace “one word” with “another”\n- insert a section about a topic, before or after another section\n- add an image to a section\n- add a paragraph, or fix typos\n- summarize the document\n- write a chapter, and check the timeline and the setups of a novel, in the panel Files\n\nFor anything else, choose a real model in the settings.",
  noTool: (name: string) => `This needs the tool ${name}, which this page does not offer.`,
  readFirst: {
    write: "I’ll read the document first, then write.",
    rewrite: "I’ll read the text first.",
    shorten: "I’ll read the text first.",
    delete: "I’ll look for the section first.",
    replace: "I’ll look for the text first.",
    insert: "I’ll look for the right position first.",
    image: "I’ll look for the right position first.",
    summarize: "I’ll read the document first.",
    correct: "I’ll read the text first.",
    paragraph: "I’ll read the text first.",
  } as Record<ReadingIntent, string>,
  notUnderstood: (request: string) =>
    `I did not understand “${request}”: I am a script, and understand only a few requests.`,
  cannotTranslate: "I cannot translate: I am a script, not an AI. Choose a real model in the settings for that.",
  tooLong: (sections: number) =>
    `This document is too long for me: I read its first ${plural(sections, "section")} only. A real model reads on.`,
  corrected: (typos: number) =>
    typos
      ? `I corrected ${plural(typos, "typo")}. I am a script and know only a few; a real model finds more.`
      : "I found no typo that I know. I am a script and know only a few; a real model finds more.",
  addedParagraph: (name: string) =>
    `I added a paragraph to ${name}. It is a template for you to complete: I am a script and do not know the facts.`,
  noMoreText: "I have nothing more to say about this: I am a script with a few templates. A real model would continue.",
  cannotRead: "I could not read the document.",
  lookFirst: (topic: string) => `I have no article about ${topic}, so I’ll search the web.`,
  startEmpty: (title: string, sections: number) =>
    `The document is empty. I’ll start with the title, “${title}”, and add ${plural(sections, "section")}.`,
  startAfter: (sections: number) =>
    `The document already has text${sections ? ` (${plural(sections, "section")})` : ""}. I’ll leave it unchanged and append to it.`,
  editFailed: (code: string): string =>
    code === "rejected"
      ? "You did not allow this change, so I stopped. Earlier edits are kept."
      : code === "stale"
        ? "The text was changed meanwhile, so I left it as it is. Earlier edits are kept."
        : "This change could not be made. Earlier edits are kept.",
  nowImage: "Now the image.",
  noteTemplate:
    "The search found nothing, so this is a template: it says what belongs in each section, and you add the facts.",
  noteSources: "The first section cites the search results with links; the rest is a template for you to complete.",
  imageSearchFailed: "I could not search for an image: the service cannot be reached.",
  noImages: (keywords: string) => `I found no image for “${keywords}”.`,
  imageBy: (description: string, author: string) => `Image: “${description}”${author ? `, by ${author}` : ""}.`,
  imageFailed: (code: string): string =>
    code === "rejected" ? "You did not allow the image, so I left it out." : "The image could not be inserted.",
  written: (title: string, sections: string[], notes: string[], isEmpty: boolean) => {
    const count = plural(sections.length, "section");
    return [
      `Done. ${isEmpty ? `“${title}” has an introduction and ${count}` : `I added ${count}`}:`,
      listed(sections),
      ...notes,
    ].join("\n\n");
  },
  name: ({ index, title }: SectionRef) =>
    index === 0 ? "the introduction" : `section ${index}${title ? `, “${title}”` : ""}`,
  chosen: (name: string) => `You did not name a section, so I chose the longest one: ${name}.`,
  nothingThere: (name: string) => `There is no text in ${name} yet.`,
  shortEnough: (name: string) =>
    `I can only remove sentences from the end of paragraphs, and ${name} has none to remove.`,
  plainEnough: (name: string) =>
    `I can only replace wordy phrases and split long sentences, and found neither in ${name}.`,
  shortened: (name: string, { before, after }: Reworked) =>
    `I shortened ${name} from ${before} to ${after} characters. I am a script, so I kept the first sentences of each paragraph; a real model would choose them by content.`,
  rewritten: (name: string, { replaced, split }: Reworked) => {
    const changes = [
      replaced && `${plural(replaced, "phrase")} replaced`,
      split && `${plural(split, "long sentence")} split`,
    ].filter(Boolean);
    return `I edited ${name}: ${changes.join(", ")}. I am a script, so I change words, not content.`;
  },
  introductionStays: "The introduction cannot be deleted, only rewritten. Which section did you mean?",
  deleted: (name: string, moved: number) =>
    `I deleted ${name}.${moved ? " The sections after it move up by one." : ""} Nothing else changes.`,
  notFound: (old: string) => `“${old}” was not found in the document.`,
  replaced: (old: string, replacement: string, count: number) =>
    `I replaced “${old}” with “${replacement}” ${count === 1 ? "once" : `${count} times`}.`,
  inserted: (title: string, at: number | null, isTemplate: boolean) =>
    `I inserted “${title}” ${at === null ? "at the end" : `as section ${at}`}.${isTemplate ? " It is a template for you to complete: I have no article about that topic." : ""}`,
  emptyForImage: "The document is still empty. Write something first, or ask me for an article with an image.",
  placed: (name: string) => `I inserted the image at the end of ${name}.`,
  searchFailed: "The search failed: the service cannot be reached.",
  nothingFound: (topic: string) => `I found nothing about “${topic}”.`,
  found: (topic: string) => `I found this about “${topic}”:`,
  empty: "The document is empty. Ask me for an article about tea, coffee or bicycles.",
  whichSection: (titles: string[]) => `Which section? The document has these:\n\n${listed(titles)}`,
  noSuchSection: (number: number, titles: string[]) =>
    titles.length
      ? `There is no section ${number}. The document has these:\n\n${listed(titles)}`
      : `There is no section ${number}: the document has no sections yet.`,
  noSuchName: (name: string, titles: string[]) =>
    `There is no section called “${name}”. The document has these:\n\n${listed(titles)}`,
  scoped: {
    unknown:
      "I am a demo model: a script, not an AI. In a selection I can shorten, summarize, use plainer words and correct spaces and repeated words. For anything else, choose a real model in the settings.",
    nothing: "I found nothing to change in this text. I am a script; a real model would.",
    done: "Done. I am a script, so I change words, not content.",
    continued: "This sentence was added by a script; a real model would continue your thought.",
    summary: "This is where a real model would write the summary of the document.",
    outline: "<ul><li>The question</li><li>What is known</li><li>What follows from it</li></ul>",
  },
  noText: "no text yet.",
  colon: ": ",
  withImages: (count: number) => ` (${plural(count, "image")})`,
  summaryHead: (title: string, sections: number) =>
    `${title ? `**${title}**` : "The document"} has ${sections === 0 ? "no sections" : plural(sections, "section")}.`,
  summaryFoot: "These are the first sentences of each section; as a script, I cannot judge what matters most.",
};

export type Replies = typeof english;

const chinese: Replies = {
  help: "我是演示模型：按脚本应答，并非 AI，只能理解几种要求。你可以让我\n\n- 写一篇关于茶的文章，分三章，配一张图\n- 改写、精简或删除某一章\n- 把“某个词”替换为“另一个词”\n- 在某一章前后插入新的一章\n- 给某一章配图\n- 加一段文字，改正错别字\n- 概括文档\n- 在“文件”面板中写章节，检查小说的时间线与伏笔\n\n其他要求请在设置中选择真实模型。",
  noTool: (name) => `这需要工具 ${name}，本页没有提供。`,
  readFirst: {
    write: "我先阅读文档，然后开始写。",
    rewrite: "我先阅读原文。",
    shorten: "我先阅读原文。",
    delete: "我先找到这一章。",
    replace: "我先查找这段文字。",
    insert: "我先确定合适的位置。",
    image: "我先确定合适的位置。",
    summarize: "我先阅读文档。",
    correct: "我先阅读原文。",
    paragraph: "我先阅读原文。",
  },
  notUnderstood: (request) => `我没有理解“${request}”：我只是脚本，只能理解几种要求。`,
  cannotTranslate: "我不会翻译：我只是脚本，并非 AI。如需翻译，请在设置中选择真实模型。",
  tooLong: (sections) => `这篇文档对我来说太长，我只读了前 ${sections} 章。真实模型会继续读下去。`,
  corrected: (typos) =>
    typos
      ? `已改正 ${typos} 处错误。我只是脚本，只认得少数错误；真实模型会找到更多。`
      : "没有找到我认得的错误。我只是脚本，只认得少数错误；真实模型会找到更多。",
  addedParagraph: (name) => `已在${name}末尾加了一段。这是供你补充的模板：我只是脚本，不了解事实。`,
  noMoreText: "关于这个话题，我没有更多可写的了：我只是脚本，只有几个模板。真实模型会接着写。",
  cannotRead: "无法读取文档。",
  lookFirst: (topic) => `我没有关于“${topic}”的现成文章，先搜索网页。`,
  startEmpty: (title, sections) => `文档是空的。我先写标题“${title}”和开头，再写 ${sections} 章。`,
  startAfter: (sections) => `文档里已有内容${sections ? `（${sections} 章）` : ""}，我会保留原文，在后面续写。`,
  editFailed: (code) =>
    code === "rejected"
      ? "你没有同意这处修改，我就此停下。之前的修改仍然保留。"
      : code === "stale"
        ? "这段文字已被改动，我没有动它。之前的修改仍然保留。"
        : "这处修改无法完成。之前的修改仍然保留。",
  nowImage: "接下来配图。",
  noteTemplate: "没有搜索到资料，所以这是一个模板：各章说明了应写的内容，具体事实请你补充。",
  noteSources: "第一章引用了搜索结果并附有链接，其余部分是供你补充的模板。",
  imageSearchFailed: "图片搜索失败：无法连接服务。",
  noImages: (keywords) => `没有找到与“${keywords}”相关的图片。`,
  imageBy: (description, author) => `图片：“${description}”${author ? `，作者 ${author}` : ""}。`,
  imageFailed: (code) => (code === "rejected" ? "你没有同意插入图片，所以没有配图。" : "无法插入图片。"),
  written: (title, sections, notes, isEmpty) =>
    [
      isEmpty ? `写好了。《${title}》包括开头和 ${sections.length} 章：` : `写好了，新增 ${sections.length} 章：`,
      listed(sections),
      ...notes,
    ].join("\n\n"),
  name: ({ index, title }) => (index === 0 ? "开头部分" : `第 ${index} 章${title ? `“${title}”` : ""}`),
  chosen: (name) => `你没有指明是哪一章，我选择了最长的${name}。`,
  nothingThere: (name) => `${name}还没有文字。`,
  shortEnough: (name) => `我只会删去段落末尾的句子，${name}里没有可删的句子。`,
  plainEnough: (name) => `我只会替换书面词语、拆分长句，${name}里没有需要改的地方。`,
  shortened: (name, { before, after }) =>
    `${name}已从 ${before} 字精简到 ${after} 字。我只是脚本，保留的是每段开头的句子；真实模型会根据内容取舍。`,
  rewritten: (name, { replaced, split }) =>
    `${name}已改写：${[replaced && `替换 ${replaced} 处说法`, split && `拆分 ${split} 个长句`].filter(Boolean).join("，")}。我只是脚本，只改字词，不改内容。`,
  introductionStays: "开头不能删除，只能改写。你指的是哪一章？",
  deleted: (name, moved) => `${name}已删除${moved ? "，后面的章节依次前移" : ""}。其余内容不变。`,
  notFound: (old) => `文档中没有找到“${old}”。`,
  replaced: (old, replacement, count) => `已把“${old}”替换为“${replacement}”，共 ${count} 处。`,
  inserted: (title, at, isTemplate) =>
    `“${title}”已${at === null ? "加在文末" : `成为第 ${at} 章`}。${isTemplate ? "我没有关于这个主题的现成文章，这是供你补充的模板。" : ""}`,
  emptyForImage: "文档是空的。请先写一些内容，或者让我写一篇带配图的文章。",
  placed: (name) => `图片已插入${name}的末尾。`,
  searchFailed: "搜索失败：无法连接服务。",
  nothingFound: (topic) => `没有搜索到关于“${topic}”的内容。`,
  found: (topic) => `关于“${topic}”的搜索结果：`,
  empty: "文档是空的。可以让我写一篇关于茶、咖啡或自行车的文章。",
  whichSection: (titles) => `是哪一章？现有章节：\n\n${listed(titles)}`,
  noSuchSection: (number, titles) =>
    titles.length ? `没有第 ${number} 章。现有章节：\n\n${listed(titles)}` : `没有第 ${number} 章：文档还没有章节。`,
  noSuchName: (name, titles) => `没有找到名为“${name}”的章节。现有章节：\n\n${listed(titles)}`,
  scoped: {
    unknown:
      "我是演示模型：按脚本应答，并非 AI。对选中的文字，我只会缩短、总结、换用通俗说法、修正空格和重复的词。其他要求请在设置中选择真实模型。",
    nothing: "这段文字里没有我能改的地方。我只是脚本，真实模型会有办法。",
    done: "改好了。我只是脚本，只改字词，不改内容。",
    continued: "这句话由脚本添加；真实模型会接着你的思路写下去。",
    summary: "真实模型会在这里写出全文的总结。",
    outline: "<ul><li>问题是什么</li><li>已知的情况</li><li>由此得出的结论</li></ul>",
  },
  noText: "还没有文字。",
  colon: "：",
  withImages: (count) => `（${count} 张图）`,
  summaryHead: (title, sections) =>
    `${title ? `《${title}》` : "文档"}${sections === 0 ? "还没有章节。" : `共 ${sections} 章。`}`,
  summaryFoot: "以上是各章的第一句。我只是脚本，无法判断内容的轻重。",
};

export const replies: Record<Language, Replies> = { en: english, zh: chinese };
