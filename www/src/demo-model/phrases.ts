/** What the demo model says, in both languages. */
import type { Intent, Language } from "./intent";
import type { Reworked } from "./rework";

type Reads = Exclude<Intent["kind"], "unknown" | "lookup">;
interface Named {
  index: number;
  title: string;
}

const listed = (titles: string[]) => titles.map((title, at) => `${at + 1}. ${title}`).join("\n");

const english = {
  help: "I am a demo model: a script, not an AI, so I understand only a handful of requests. You can ask me to\n\n- write an article about tea with three chapters and a picture\n- rewrite, shorten or delete a chapter\n- replace “one word” by “another”\n- insert a chapter about something, before or after another\n- add a picture to a chapter\n- summarise the document\n\nFor everything else, add a key in settings and a real model takes over.",
  noTool: (name: string) => `I would need the tool ${name} for that, and this page does not offer it.`,
  readFirst: {
    write: "I’ll look at the page first, then write.",
    rewrite: "Let me read what stands there.",
    shorten: "Let me read what stands there.",
    delete: "Let me see which one that is.",
    replace: "Let me see where that stands.",
    insert: "Let me see where it fits.",
    picture: "Let me see where it fits.",
    summarise: "Let me read it.",
  } as Record<Reads, string>,
  cannotRead: (error: string) => `I could not read the document: ${error}`,
  lookFirst: (topic: string) => `I know nothing about ${topic} by heart, so I’ll look it up.`,
  startBlank: (title: string, chapters: number) =>
    `The page is empty. I’ll begin with the title, “${title}”, and ${chapters === 1 ? "one chapter" : `${chapters} chapters`}.`,
  startAfter: (sections: number) =>
    `The page has text already${sections ? ` (${sections} ${sections === 1 ? "chapter" : "chapters"})` : ""}. I leave it as it is and write after it.`,
  editFailed: (error: string) => `The page did not take that edit: ${error} What was written before stays.`,
  nowPicture: "Now a picture.",
  noteFrame: "I found no sources, so the text is a frame: it names what belongs in each chapter, and the facts are for you to add.",
  noteSources: "What the search found is cited with links in the first chapter; the rest is a frame for you to fill.",
  pictureSearchFailed: (error: string) => `I could not search for a picture: ${error}`,
  noPictures: (keywords: string) => `I found no picture for “${keywords}”.`,
  pictureBy: (description: string, author: string) => `Picture: “${description}”${author ? `, by ${author}` : ""}.`,
  pictureFailed: (error: string) => `The picture could not be placed: ${error}`,
  written: (title: string, chapters: string[], notes: string[], blank: boolean) =>
    [`Done. ${blank ? `“${title}” has an opening and ${chapters.length} ${chapters.length === 1 ? "chapter" : "chapters"}` : `I added ${chapters.length} ${chapters.length === 1 ? "chapter" : "chapters"}`}:`, listed(chapters), ...notes].join("\n\n"),
  name: ({ index, title }: Named) => (index === 0 ? "the opening" : `chapter ${index}${title ? `, “${title}”` : ""}`),
  chose: (name: string) => `You named no chapter, so I take the longest: ${name}.`,
  nothingThere: (name: string) => `There is no text in ${name} yet.`,
  shortEnough: (name: string) => `I only know how to drop sentences from the end of paragraphs, and in ${name} there is none I could spare.`,
  plainEnough: (name: string) => `I only know how to replace wordy phrases and split long sentences, and found neither in ${name}.`,
  shortened: (name: string, { before, after }: Reworked) =>
    `I shortened ${name} from ${before} to ${after} characters. Being a script, I kept the first sentences of each paragraph; a real model would weigh them.`,
  rewritten: (name: string, { replaced, split }: Reworked) =>
    `I went over ${name}: ${[replaced && `${replaced} plainer ${replaced === 1 ? "word" : "words"}`, split && `${split} long ${split === 1 ? "sentence" : "sentences"} split`].filter(Boolean).join(", ")}. Being a script, I change words, not thoughts.`,
  openingStays: "The opening cannot be deleted, only rewritten. Which chapter did you mean?",
  deleted: (name: string, moved: number) => `I took out ${name}.${moved ? " The chapters after it move up by one." : ""} Nothing else changes.`,
  notThere: (old: string) => `“${old}” does not stand in the document.`,
  replaced: (old: string, now: string, count: number) => `“${old}” becomes “${now}” in ${count === 1 ? "one place" : `${count} places`}.`,
  inserted: (title: string, at: number | null, frame: boolean) =>
    `“${title}” now stands ${at === null ? "at the end" : `as chapter ${at}`}.${frame ? " It is a frame for you to fill: I know nothing more about that topic." : ""}`,
  blankForPicture: "The page is still empty. Write something first, or ask me for an article with a picture.",
  placed: (name: string) => `The picture stands at the end of ${name}.`,
  searchFailed: (error: string) => `The search did not work: ${error}`,
  nothingFound: (topic: string) => `I found nothing about “${topic}”.`,
  found: (topic: string) => `About “${topic}” I found:`,
  blank: "The page is empty. Ask me for an article about tea, coffee or bicycles, and there will be something to read.",
  which: (titles: string[]) => `Which chapter? These are there:\n\n${listed(titles)}`,
  noSuchChapter: (number: number, titles: string[]) =>
    titles.length ? `There is no chapter ${number}. These are there:\n\n${listed(titles)}` : `There is no chapter ${number}: the page has no chapters yet.`,
  noSuchName: (name: string, titles: string[]) => `I find no chapter called “${name}”. These are there:\n\n${listed(titles)}`,
  noText: "no text yet.",
  colon: ": ",
  withPictures: (count: number) => ` (${count} ${count === 1 ? "picture" : "pictures"})`,
  summaryHead: (title: string, chapters: number) =>
    `${title ? `**${title}**` : "The document"} has ${chapters === 0 ? "no chapters" : chapters === 1 ? "one chapter" : `${chapters} chapters`}.`,
  summaryFoot: "I quoted the first sentence of each; being a script, I cannot judge what matters most.",
};

export type Phrases = typeof english;

const chinese: Phrases = {
  help: "我是演示模型：按脚本应答，并非 AI，只听得懂几种要求。你可以让我\n\n- 写一篇关于茶的文章，分三章，配一张图\n- 改写、精简或删除某一章\n- 把“某个词”改成“另一个词”\n- 在某一章前后插入新的一章\n- 给某一章配图\n- 概括文档\n\n其他要求，请在设置中填入密钥，交给真实模型。",
  noTool: (name) => `这件事需要工具 ${name}，但本页没有提供。`,
  readFirst: {
    write: "我先看看文档，再动笔。",
    rewrite: "我先读一读原文。",
    shorten: "我先读一读原文。",
    delete: "我先看看是哪一章。",
    replace: "我先看看它在哪里。",
    insert: "我先看看放在哪里合适。",
    picture: "我先看看放在哪里合适。",
    summarise: "我先读一遍。",
  },
  cannotRead: (error) => `没能读到文档：${error}`,
  lookFirst: (topic) => `“${topic}”我没有现成的稿子，先查一查资料。`,
  startBlank: (title, chapters) => `文档还是空的。我先写标题“${title}”和开头，再写 ${chapters} 章。`,
  startAfter: (sections) => `文档里已有内容${sections ? `（${sections} 章）` : ""}，我不去动它，接着往后写。`,
  editFailed: (error) => `这次修改没有成功：${error}之前写好的内容还在。`,
  nowPicture: "接下来配图。",
  noteFrame: "没有查到资料，所以这是一个框架：每章写明了该放什么，具体事实请你补充。",
  noteSources: "查到的资料已在第一章注明出处并附链接，其余部分是留给你补充的框架。",
  pictureSearchFailed: (error) => `没能搜索图片：${error}`,
  noPictures: (keywords) => `没有找到与“${keywords}”相关的图片。`,
  pictureBy: (description, author) => `图片：“${description}”${author ? `，作者 ${author}` : ""}。`,
  pictureFailed: (error) => `图片没能插入：${error}`,
  written: (title, chapters, notes, blank) =>
    [blank ? `写好了。《${title}》有一段开头和 ${chapters.length} 章：` : `写好了，新增 ${chapters.length} 章：`, listed(chapters), ...notes].join("\n\n"),
  name: ({ index, title }) => (index === 0 ? "开头部分" : `第 ${index} 章${title ? `“${title}”` : ""}`),
  chose: (name) => `你没有指明是哪一章，我就选最长的${name}。`,
  nothingThere: (name) => `${name}还没有文字。`,
  shortEnough: (name) => `我只会删去段落末尾的句子，${name}里已经没有可删的了。`,
  plainEnough: (name) => `我只会替换书面词语、拆开长句，${name}里没有找到可改之处。`,
  shortened: (name, { before, after }) => `${name}已从 ${before} 字精简到 ${after} 字。我只是脚本，做法是保留每段开头的句子；真实模型会权衡取舍。`,
  rewritten: (name, { replaced, split }) =>
    `${name}改好了：${[replaced && `换了 ${replaced} 处更通俗的说法`, split && `拆开 ${split} 个长句`].filter(Boolean).join("，")}。我只是脚本，只改字词，不改意思。`,
  openingStays: "开头不能删除，只能改写。你指的是哪一章？",
  deleted: (name, moved) => `${name}已删除${moved ? "，后面的章节依次前移" : ""}。其余内容不变。`,
  notThere: (old) => `文档里没有“${old}”。`,
  replaced: (old, now, count) => `“${old}”改为“${now}”，共 ${count} 处。`,
  inserted: (title, at, frame) => `“${title}”已${at === null ? "加在文末" : `成为第 ${at} 章`}。${frame ? "这个话题我没有现成的稿子，写的是框架，请你补充。" : ""}`,
  blankForPicture: "文档还是空的。请先写点内容，或者让我写一篇带配图的文章。",
  placed: (name) => `图片放在了${name}的末尾。`,
  searchFailed: (error) => `搜索没有成功：${error}`,
  nothingFound: (topic) => `没有查到关于“${topic}”的内容。`,
  found: (topic) => `关于“${topic}”，查到这些：`,
  blank: "文档还是空的。可以让我写一篇关于茶、咖啡或自行车的文章。",
  which: (titles) => `要改哪一章？现有章节：\n\n${listed(titles)}`,
  noSuchChapter: (number, titles) => (titles.length ? `没有第 ${number} 章。现有章节：\n\n${listed(titles)}` : `没有第 ${number} 章：文档还没有章节。`),
  noSuchName: (name, titles) => `没有找到名为“${name}”的章节。现有章节：\n\n${listed(titles)}`,
  noText: "还没有文字。",
  colon: "：",
  withPictures: (count) => `（${count} 张图）`,
  summaryHead: (title, chapters) => `${title ? `《${title}》` : "文档"}${chapters === 0 ? "还没有分章。" : `共 ${chapters} 章。`}`,
  summaryFoot: "以上引用了各章的第一句。我只是脚本，判断不了轻重。",
};

export const phrases: Record<Language, Phrases> = { en: english, zh: chinese };
