/**
 * The demo model itself: from what was asked and what the tools have answered so far, the next thing to say
 * or to call. It knows of the document only what get_document told it.
 */
import { articleOn, escapeHtml, knownArticle, titleCase, type Source } from "./articles";
import { intentOf, languageOfRequest, type Intent, type Language, type Target } from "./intent";
import { plainText, rewrite, sentencesOf, shorten, type Reworked } from "./rework";
import { phrases, type Phrases } from "./phrases";
import { asObject, type PastCall, type Step } from "./wire";

export interface Situation {
  asked: string;
  calls: PastCall[];
  /** The names of the tools that the request offers. */
  tools: Set<string>;
}

interface Seen {
  index: number;
  title: string;
  content: string;
}

interface Picture {
  url: string;
  description: string;
  author: string;
}

export function nextStep({ asked, calls, tools }: Situation): Step {
  const language = languageOfRequest(asked);
  const p = phrases[language];
  const intent = intentOf(asked);
  if (intent.kind === "unknown") return { say: p.help };
  const needed = intent.kind === "lookup" ? "search_web" : "get_document";
  if (!tools.has(needed)) return { say: p.noTool(needed) };
  if (intent.kind === "lookup") return lookUp(intent.topic, calls, p);

  const read = calls[0];
  if (!read) return { say: p.readFirst[intent.kind], call: { name: "get_document", arguments: {} } };
  if (read.error !== undefined) return { say: p.cannotRead(read.error) };
  const sections = seen(read.result);
  const done = calls.slice(1);
  switch (intent.kind) {
    case "write":
      return write(intent, sections, done, tools, language, p);
    case "rewrite":
    case "shorten":
      return rework(intent, sections, done, language, p);
    case "delete":
      return remove(intent.target, sections, done, p);
    case "insert":
      return insert(intent, sections, done, language, p);
    case "picture":
      return picture(intent, sections, done, language, p);
    case "replace":
      return replace(intent, sections, done, tools, p);
    case "summarise":
      return { say: summary(sections, p) };
  }
}

function seen(result: unknown): Seen[] {
  const list = asObject(result).sections;
  if (!Array.isArray(list)) return [];
  return list.map((entry, at) => {
    const { index, title, content } = asObject(entry);
    return {
      index: typeof index === "number" ? index : at,
      title: typeof title === "string" ? title : "",
      content: typeof content === "string" ? content : "",
    };
  });
}

function write(
  intent: Extract<Intent, { kind: "write" }>,
  sections: Seen[],
  done: PastCall[],
  tools: Set<string>,
  language: Language,
  p: Phrases,
): Step {
  const { topic, chapters, picture: wanted } = intent;
  const known = knownArticle(topic, language);
  const looked = done.find((call) => call.name === "search_web");
  if (!known && !looked && tools.has("search_web")) {
    return { say: p.lookFirst(topic), call: { name: "search_web", arguments: { query: topic, maxResults: 3 } } };
  }
  const article = articleOn(topic, language, chapters, looked?.error === undefined ? sources(looked?.result) : []);
  const onBlank = sections.length === 0;

  // The edits to come, in order; those that were made already are counted off.
  const edits: Step["call"][] = [];
  if (onBlank) edits.push({ name: "update_section", arguments: { operation: "replace", sectionIndex: 0, title: article.title, content: article.intro } });
  for (const chapter of article.chapters) {
    edits.push({ name: "update_section", arguments: { operation: "append", title: chapter.title, content: chapter.content } });
  }
  const made = done.filter((call) => call.name === "update_section");
  const failed = made.find((call) => call.error !== undefined);
  if (failed) return { say: p.editFailed(failed.error!) };
  if (made.length < edits.length) {
    return { say: made.length ? undefined : onBlank ? p.startBlank(article.title, chapters) : p.startAfter(titles(sections).length), call: edits[made.length] };
  }

  const notes: string[] = [];
  if (!known) notes.push(looked && looked.error === undefined && sources(looked.result).length ? p.noteSources : p.noteFrame);
  if (wanted) {
    const search = done.find((call) => call.name === "search_image");
    if (!search) return { say: p.nowPicture, call: { name: "search_image", arguments: { keywords: article.keywords, count: 3 } } };
    const found = pictures(search);
    const insertion = done.find((call) => call.name === "insert_image");
    if (search.error !== undefined) notes.push(p.pictureSearchFailed(search.error));
    else if (!found.length) notes.push(p.noPictures(article.keywords));
    else if (!insertion) return { call: placing(found[0]!, onBlank ? 0 : sections.length, topic) };
    else notes.push(insertion.error === undefined ? p.pictureBy(found[0]!.description, found[0]!.author) : p.pictureFailed(insertion.error));
  }
  return { say: p.written(article.title, article.chapters.map((chapter) => chapter.title), notes, onBlank) };
}

function rework(
  intent: Extract<Intent, { kind: "rewrite" | "shorten" }>,
  sections: Seen[],
  done: PastCall[],
  language: Language,
  p: Phrases,
): Step {
  const found = find(intent.target, sections, p, (candidates) => candidates.reduce((a, b) => (b.content.length > a.content.length ? b : a)));
  if (typeof found === "string") return { say: found };
  const section = found;
  const result: Reworked = intent.kind === "shorten" ? shorten(section.content) : rewrite(section.content, languageOfRequest(section.content) ?? language);
  const edit = done.find((call) => call.name === "update_section");
  const name = p.name(section);
  if (!edit) {
    if (!plainText(section.content)) return { say: p.nothingThere(name) };
    if (intent.kind === "shorten" && result.after >= result.before) return { say: p.shortEnough(name) };
    if (intent.kind === "rewrite" && !result.replaced && !result.split) return { say: p.plainEnough(name) };
    return {
      say: intent.target ? undefined : p.chose(name),
      call: { name: "update_section", arguments: { operation: "replace", sectionIndex: section.index, content: result.content } },
    };
  }
  if (edit.error !== undefined) return { say: p.editFailed(edit.error) };
  return { say: intent.kind === "shorten" ? p.shortened(name, result) : p.rewritten(name, result) };
}

function remove(target: Target, sections: Seen[], done: PastCall[], p: Phrases): Step {
  const found = find(target, sections, p, () => null);
  if (typeof found === "string") return { say: found };
  if (found.index === 0) return { say: p.openingStays };
  const edit = done.find((call) => call.name === "update_section");
  if (!edit) return { call: { name: "update_section", arguments: { operation: "delete", sectionIndex: found.index } } };
  if (edit.error !== undefined) return { say: p.editFailed(edit.error) };
  return { say: p.deleted(p.name(found), sections.filter((section) => section.index > found.index).length) };
}

function replace(intent: Extract<Intent, { kind: "replace" }>, sections: Seen[], done: PastCall[], tools: Set<string>, p: Phrases): Step {
  if (!tools.has("replace_text")) return { say: p.noTool("replace_text") };
  const edit = done.find((call) => call.name === "replace_text");
  const count = sections.reduce((sum, { title, content }) => sum + `${title} ${plainText(content)}`.split(intent.old).length - 1, 0);
  if (!edit) {
    if (!count) return { say: p.notThere(intent.old) };
    return { call: { name: "replace_text", arguments: { old: intent.old, new: intent.new, all: true } } };
  }
  if (edit.error !== undefined) return { say: p.editFailed(edit.error) };
  return { say: p.replaced(intent.old, intent.new, count) };
}

function insert(
  intent: Extract<Intent, { kind: "insert" }>,
  sections: Seen[],
  done: PastCall[],
  language: Language,
  p: Phrases,
): Step {
  const last = sections.length - 1;
  const wish = intent.before ?? (intent.after !== null ? intent.after + 1 : null);
  if (intent.before !== null && (intent.before < 1 || intent.before > last)) return { say: p.noSuchChapter(intent.before, titles(sections)) };
  if (intent.after !== null && intent.after > last) return { say: p.noSuchChapter(intent.after, titles(sections)) };
  const at = wish !== null && wish <= last ? wish : null;
  const known = knownArticle(intent.topic, language);
  const fresh = known?.chapters.find((chapter) => !sections.some((section) => section.title === chapter.title));
  const frame = articleOn(`${intent.topic}`, language, 3, []).chapters;
  const chapter = fresh ?? { title: language === "zh" ? `说说${intent.topic}` : titleCase(intent.topic), content: frame[0]!.content };
  const edit = done.find((call) => call.name === "update_section");
  if (!edit) {
    const base = { title: chapter.title, content: chapter.content };
    return {
      call: {
        name: "update_section",
        arguments: at === null ? { operation: "append", ...base } : { operation: "insert", sectionIndex: at, ...base },
      },
    };
  }
  if (edit.error !== undefined) return { say: p.editFailed(edit.error) };
  return { say: p.inserted(chapter.title, at, !fresh) };
}

function picture(
  intent: Extract<Intent, { kind: "picture" }>,
  sections: Seen[],
  done: PastCall[],
  language: Language,
  p: Phrases,
): Step {
  if (!sections.length) return { say: p.blankForPicture };
  const found = intent.target
    ? find(intent.target, sections, p, () => null)
    : (sections.find((section) => section.index > 0 && !section.content.includes("<img")) ?? sections[sections.length - 1]!);
  if (typeof found === "string") return { say: found };
  const subject = intent.topic || sections[0]!.title || found.title;
  const keywords = keywordsFor(intent.topic, sections, found, language);
  const search = done.find((call) => call.name === "search_image");
  if (!search) return { call: { name: "search_image", arguments: { keywords, count: 3 } } };
  if (search.error !== undefined) return { say: p.pictureSearchFailed(search.error) };
  const choice = pictures(search);
  // A picture that stands in the document already is not put there twice.
  const fresh = choice.find(({ url }) => !sections.some((section) => section.content.includes(escapeHtml(url)))) ?? choice[0];
  if (!fresh) return { say: p.noPictures(keywords) };
  const insertion = done.find((call) => call.name === "insert_image");
  if (!insertion) return { call: placing(fresh, found.index, subject) };
  if (insertion.error !== undefined) return { say: p.pictureFailed(insertion.error) };
  return { say: `${p.placed(p.name(found))}\n\n${p.pictureBy(fresh.description, fresh.author)}` };
}

/** What to search pictures with: the topic's own keywords where it is a known one, in English if possible. */
function keywordsFor(topic: string, sections: Seen[], section: Seen, language: Language): string {
  if (topic) return knownArticle(topic, language)?.keywords ?? topic;
  const hints: [string[], string][] = [
    [["tea", "茶", "一片叶子"], "tea"],
    [["coffee", "咖啡"], "coffee"],
    [["bicycle", "自行车"], "bicycle"],
  ];
  // The chapter's own words first, then those of the document.
  for (const { title, content } of [section, sections[0]!]) {
    const text = `${title} ${plainText(content)}`.toLowerCase();
    const hint = hints.find(([names]) => names.some((name) => (/[a-z]/.test(name) ? new RegExp(`\\b${name}s?\\b`).test(text) : text.includes(name))));
    if (hint) return hint[1];
  }
  return section.title || sections[0]?.title || "paper";
}

function placing(found: Picture, sectionIndex: number, subject: string): NonNullable<Step["call"]> {
  return {
    name: "insert_image",
    arguments: { sectionIndex, imageUrl: found.url, imageDescription: found.description || subject, position: "after_section" },
  };
}

function lookUp(topic: string, calls: PastCall[], p: Phrases): Step {
  if (!topic) return { say: p.help };
  const search = calls.find((call) => call.name === "search_web");
  if (!search) return { call: { name: "search_web", arguments: { query: topic, maxResults: 3 } } };
  if (search.error !== undefined) return { say: p.searchFailed(search.error) };
  const found = sources(search.result);
  if (!found.length) return { say: p.nothingFound(topic) };
  const lines = found.map(({ title, url, content }) => `- [${title.replace(/[[\]]/g, "")}](${encodeURI(decodeURI(url)).replace(/[()]/g, escape)}): ${plainText(content).slice(0, 180)}`);
  return { say: `${p.found(topic)}\n\n${lines.join("\n")}` };
}

function summary(sections: Seen[], p: Phrases): string {
  if (!sections.length) return p.blank;
  const lines = sections
    .filter((section) => section.index > 0)
    .map((section) => {
      const first = sentencesOf(plainText(section.content))[0]?.trim() ?? "";
      const pictures = section.content.match(/<img\b/g)?.length ?? 0;
      return `${section.index}. **${section.title}**${p.colon}${first || p.noText}${pictures ? p.withPictures(pictures) : ""}`;
    });
  const opening = sections[0]!;
  const lead = sentencesOf(plainText(opening.content))[0]?.trim() ?? "";
  return [p.summaryHead(opening.title, lines.length), lead, lines.join("\n"), p.summaryFoot].filter(Boolean).join("\n\n");
}

/** The section that is meant, or the sentence that says why there is none. */
function find(target: Target, sections: Seen[], p: Phrases, otherwise: (candidates: Seen[]) => Seen | null): Seen | string {
  if (!sections.length) return p.blank;
  const chapters = sections.filter((section) => section.index > 0);
  if (!target) {
    if (!chapters.length) return sections[0]!;
    const only = chapters.length === 1 ? chapters[0]! : otherwise(chapters);
    return only ?? p.which(titles(sections));
  }
  if ("opening" in target) return sections[0]!;
  if ("last" in target) return sections[sections.length - 1]!;
  if ("number" in target) return sections.find((section) => section.index === target.number) ?? p.noSuchChapter(target.number, titles(sections));
  const wanted = target.name.toLowerCase();
  const named =
    chapters.find((section) => section.title.toLowerCase() === wanted) ??
    chapters.find((section) => section.title.toLowerCase().includes(wanted)) ??
    chapters.find((section) => section.title && wanted.includes(section.title.toLowerCase()));
  return named ?? p.noSuchName(target.name, titles(sections));
}

function titles(sections: Seen[]): string[] {
  return sections.filter((section) => section.index > 0).map((section) => section.title);
}

function pictures(search: PastCall): Picture[] {
  const images = asObject(search.result).images;
  if (!Array.isArray(images)) return [];
  return images.map(asObject).flatMap(({ url, description, author }) =>
    typeof url === "string" ? [{ url, description: typeof description === "string" ? description : "", author: typeof author === "string" ? author : "" }] : [],
  );
}

function sources(result: unknown): Source[] {
  const results = asObject(result).results;
  if (!Array.isArray(results)) return [];
  return results.map(asObject).flatMap(({ title, url, content }) =>
    typeof url === "string" ? [{ title: typeof title === "string" ? title : url, url, content: typeof content === "string" ? content : "" }] : [],
  );
}
