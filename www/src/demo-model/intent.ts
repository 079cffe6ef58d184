/** Recognizes the requests that the demo model can handle, in English and Chinese. */

export type Language = "en" | "zh";

/** The section that a request names: by number, the last, the introduction, or by a part of its title. */
export type Target = { number: number } | { last: true } | { introduction: true } | { name: string } | null;

export type Intent =
  | { kind: "write"; topic: string; sections: number; image: boolean }
  | { kind: "rewrite"; target: Target }
  | { kind: "shorten"; target: Target }
  | { kind: "delete"; target: Target }
  | { kind: "insert"; topic: string; before: number | null; after: number | null; atEnd: boolean }
  | { kind: "replace"; old: string; new: string }
  | { kind: "image"; topic: string; target: Target }
  | { kind: "summarize" }
  | { kind: "correct" }
  | { kind: "paragraph"; topic: string; target: Target }
  | { kind: "translate" }
  | { kind: "lookup"; topic: string }
  | { kind: "unknown" };

export function languageOfRequest(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}

const englishNumbers: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  a: 1,
  an: 1,
};
const chineseDigits: Record<string, number> = {
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
};

export function toNumber(word: string): number | null {
  const text = word.toLowerCase();
  if (/^\d+/.test(text)) return Number.parseInt(text, 10);
  if (text in englishNumbers) return englishNumbers[text]!;
  if (/^十[一二三四五六七八九]$/.test(text)) return 10 + chineseDigits[text[1]!]!;
  return chineseDigits[text] ?? null;
}

const EN_UNIT = "(?:chapters?|sections?|parts?)";
export const EN_NUMBER = "(\\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
export const EN_ORDINAL =
  "(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\\d+(?:st|nd|rd|th))";
const ZH_UNIT = "(?:个?章节|章|节|个?部分|段)";
export const ZH_NUMBER = "(\\d+|十[一二三四五六七八九]?|[一二两三四五六七八九])";

/** Returns the number of a section that a text names in one of the usual ways. */
function numbered(text: string): number | null {
  const found =
    new RegExp(`\\b${EN_UNIT}\\s*(?:no\\.?|number)?\\s*${EN_NUMBER}\\b`, "i").exec(text) ??
    new RegExp(`\\b${EN_ORDINAL}\\s+${EN_UNIT}`, "i").exec(text) ??
    new RegExp(`第\\s*${ZH_NUMBER}\\s*${ZH_UNIT}`).exec(text);
  return found ? toNumber(found[1]!) : null;
}

function targetOf(text: string): Target {
  const number = numbered(text);
  if (number !== null) return { number };
  if (new RegExp(`\\blast\\s+${EN_UNIT}`, "i").test(text) || /最后一?[章节个]/.test(text)) return { last: true };
  if (/\b(introduction|intro|opening|beginning)\b/i.test(text) || /引言|导语|开头|前言/.test(text))
    return { introduction: true };
  const quoted = /["“”'‘「『《]([^"“”'‘’「」『』《》]+)["“”'’」』》]/.exec(text);
  if (quoted) return { name: quoted[1]!.trim() };
  const named =
    new RegExp(`\\b${EN_UNIT}\\s+(?:on|about|called|named|titled)\\s+(.+?)[.!?]*$`, "i").exec(text) ??
    new RegExp(`\\bthe\\s+(.+?)\\s+${EN_UNIT}\\b`, "i").exec(text) ??
    /(?:关于|讲)(.+?)的?(?:那|这)?一?[章节]/.exec(text);
  return named ? { name: named[1]!.trim() } : null;
}

function sectionCount(text: string): number {
  const found =
    new RegExp(`\\b${EN_NUMBER}[\\s-]+(?:short\\s+|long\\s+)?${EN_UNIT}`, "i").exec(text) ??
    new RegExp(`(?<!第\\s*)${ZH_NUMBER}\\s*${ZH_UNIT}`).exec(text);
  const count = found ? toNumber(found[1]!) : null;
  return Math.min(8, Math.max(1, count ?? 3));
}

const wantsImage = (text: string) =>
  /\b(picture|image|photo|illustration|photograph)s?\b/i.test(text) || /图|插画|照片/.test(text);

function tidy(topic: string | undefined): string {
  return (topic ?? "")
    .trim()
    .replace(/^(?:the topic of|the subject of)\s+/i, "")
    .replace(/^["“”'‘「『《]|["“”'’」』》]$/g, "")
    .replace(/[\s.,;:!?，。；：！？]+$/g, "")
    .slice(0, 60);
}

function englishTopic(text: string): string {
  const found = /\b(?:about|on|of|regarding|covering)\s+(.+)$/i.exec(text) ?? /\b(?:on|about)\s*:\s*(.+)$/i.exec(text);
  const rest = found?.[1] ?? "";
  return tidy(
    rest.split(
      /\s+(?:with|in|to|for|before|after|and\s+(?:a|an|one|add|put|include)|having|that\s+has|into|at)\s+|[,.;!?]/i,
    )[0],
  );
}

function chineseTopic(text: string): string {
  const found =
    /(?:关于|介绍|讲述|讲讲|讲|谈谈|谈|说说|聊聊|写写|围绕|以)\s*[“「《]?(.+?)[”」》]?\s*(?:为题|为主题|为主|的(?:\S{0,4})?(?:文章|短文|科普文?|介绍|文|稿子?|内容|一?[章节]|新?章节|图片?|照片)|[，。；,.;！!？?]|$)/.exec(
      text,
    ) ??
    /(?:写|来|插入|添加|增加|加)\s*(?:一|1)?\s*[篇个章节]\s*(.+?)的?(?:文章|短文|科普文?|介绍|章节|[，。；,.;！!]|$)/.exec(
      text,
    ) ??
    /(?:加|配|插入?|添加|放|找)\s*(?:一|1)?\s*[张幅个]\s*(.+?)的?(?:图片?|照片|插画|[，。；,.;！!]|$)/.exec(text);
  return tidy(found?.[1]);
}

/** Returns a text and its replacement, both in quotation marks. */
function replacement(text: string): { old: string; new: string } | null {
  const quoted = '["“‘\'「『]([^"“”‘’「」『』]+)["”’\'」』]';
  const found =
    new RegExp(
      `\\b(?:replace|change|turn)\\s+(?:all\\s+|every\\s+)?${quoted}\\s+(?:with|by|to|into)\\s+${quoted}`,
      "i",
    ).exec(text) ?? new RegExp(`把\\S{0,4}?${quoted}\\S{0,2}?(?:改|换|替换|改写)[成为]?${quoted}`).exec(text);
  return found ? { old: found[1]!.trim(), new: found[2]!.trim() } : null;
}

const is = (text: string, english: RegExp, chinese: RegExp) => english.test(text) || chinese.test(text);

export function intentOf(text: string): Intent {
  const topic = languageOfRequest(text) === "zh" ? chineseTopic(text) : englishTopic(text);
  const replaced = replacement(text);
  if (replaced) return { kind: "replace", ...replaced };
  if (is(text, /\b(delete|remove|drop)\b/i, /删除|删掉|删去|去掉|移除/))
    return { kind: "delete", target: targetOf(text) };
  if (
    is(text, /\b(shorten|shorter|tighten|condense|trim|cut down)\b/i, /精简|缩短|压缩|简短|删减|[更变]短|短一?[点些]/)
  ) {
    return { kind: "shorten", target: targetOf(text) };
  }
  if (
    is(
      text,
      /\b(rewrite|rephrase|reword|revise|polish|improve|simplify|plainer)\b/i,
      /改写|重写|改得|润色|修改|重新写|换个说法|通俗/,
    )
  ) {
    return { kind: "rewrite", target: targetOf(text) };
  }
  const article = is(
    text,
    /\b(write|draft|compose|create)\b.*\b(article|essay|piece|text|post|story|report|introduction to|guide)\b/i,
    /写.*(?:文章|短文|科普|一篇|介绍|报告|故事)/,
  );
  if (article && topic) return { kind: "write", topic, sections: sectionCount(text), image: wantsImage(text) };
  const addsSection = is(
    text,
    new RegExp(
      `\\b(insert|add|append|write|put)\\b[^.]*?\\b(?:a|an|another|one|new)\\s+(?:new\\s+|short\\s+)?${EN_UNIT}`,
      "i",
    ),
    /(?:插入|添加|增加|加|补|写|新增)\S{0,3}?(?:一|1)?个?(?:新)?(?:章|节)/,
  );
  if (addsSection && topic) {
    const before =
      new RegExp(`before\\s+(?:the\\s+)?(.+)$`, "i").exec(text)?.[1] ??
      (/(第\s*\S{1,3}\s*(?:章|节|部分))\s*(?:之?前)/.exec(text)?.[1] || "");
    const after =
      new RegExp(`after\\s+(?:the\\s+)?(.+)$`, "i").exec(text)?.[1] ??
      (/(第\s*\S{1,3}\s*(?:章|节|部分))\s*(?:之?后)/.exec(text)?.[1] || "");
    return {
      kind: "insert",
      topic: topic.replace(/^(?:一下|一讲)/, ""),
      before: before ? numbered(before) : null,
      after: after ? numbered(after) : null,
      atEnd: !before && !after,
    };
  }
  if (is(text, /\b(translate|translation)\b/i, /翻译|译成|译为/)) return { kind: "translate" };
  if (is(text, /\b(typos?|spelling|misspellings?|proofread)\b/i, /错别字|错字|拼写|校对|勘误/))
    return { kind: "correct" };
  const addsParagraph = is(
    text,
    /\b(?:add|append|insert|write)\b[^.]*\b(?:paragraph|sentence)s?\b/i,
    /(?:加|补|写|插入|添加|增加|来)\S{0,4}(?:一|1)?(?:段|句)/,
  );
  if (
    addsParagraph ||
    is(
      text.trim(),
      /^(?:please\s+)?(?:continue|go on|keep (?:writing|going)|write more)\b/i,
      /^请?(?:继续|接着|续写|往下写)/,
    )
  ) {
    const about = addsParagraph ? topic.replace(/^(?:文字|内容|话)$/, "") : "";
    return { kind: "paragraph", topic: about, target: targetOf(text) };
  }
  if (wantsImage(text)) {
    const about = topic.replace(
      new RegExp(`^(?:${EN_UNIT}\\s*\\S+|第\\S+[章节]|图片?|照片|[配插]|插[图画])$`, "i"),
      "",
    );
    return { kind: "image", topic: about, target: targetOf(text.replace(/\bof .+? (?=to |in |for )/i, "")) };
  }
  if (
    is(
      text,
      /\b(summar(y|ise|ize)|overview|what(?:'s| is) in|outline of)\b/i,
      /概括|总结|摘要|有什么内容|写了什么|讲了什么|归纳/,
    )
  )
    return { kind: "summarize" };
  if (is(text, /\b(look up|search (?:the web )?(?:for|about)|find out)\b/i, /查一?[查下]|搜一?[搜下]|搜索/)) {
    const asked =
      /(?:look up|search (?:the web )?(?:for|about)|find out about|查一?[查下]|搜一?[搜下]|搜索)\s*(.+)$/i.exec(
        text,
      )?.[1];
    return { kind: "lookup", topic: tidy(asked) || topic };
  }
  if (topic && is(text, /\bwrite\b/i, /写/))
    return { kind: "write", topic, sections: sectionCount(text), image: wantsImage(text) };
  return { kind: "unknown" };
}

/** Joints between the parts of a request. */
const JOINT = /\s*[,;，；。]?\s*(?:\band then\b|\band also\b|\band\b|\bthen\b|并且|并|然后|接着|再|同时)\s*|[;；]\s*/i;

/** Returns the parts of a request in order. A part that names no section means that of the part before. */
export function intentsOf(text: string): Intent[] {
  const whole = intentOf(text);
  if (whole.kind === "write" || whole.kind === "replace" || whole.kind === "lookup") return [whole];
  const parts = text
    .split(JOINT)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(intentOf);
  if (parts.length < 2 || parts.some(({ kind }) => kind === "unknown")) return [whole];
  let target: Target = null;
  return parts.map((part) => {
    if (!("target" in part)) return part;
    target = part.target ?? target;
    return { ...part, target };
  });
}
