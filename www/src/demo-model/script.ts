/**
 * The demo model: from the prompt and the tool results so far, it determines the next text or call. It knows the
 * document only through get_document.
 */
import { articleOn, escapeHtml, builtInArticle, paragraphsOn, titleCase, type Source } from "./articles";
import { intentsOf, languageOfRequest, type Intent, type Language, type Target } from "./intent";
import { correct, plainText, rewrite, sentencesOf, shorten, type Reworked } from "./rework";
import { replies, type Replies } from "./replies";
import { scopedStep, scopeOf } from "./scoped";
import type { StoryScript } from "./story";
import { nextStepOf } from "./tasks";
import { asObject, type CurrentRequest, type PastCall, type Step } from "./wire";

export interface RequestState extends CurrentRequest {
  /** Names of the tools in the request. */
  tools: Set<string>;
  /** The part of the script about files, if the request has the tools for them. */
  story?: StoryScript;
}

interface ReadSection {
  index: number;
  title: string;
  content: string;
}

interface FoundImage {
  url: string;
  description: string;
  author: string;
}

export function nextStep({ prompts, calls, message, callsSince, tools, story }: RequestState): Step {
  const last = prompts.at(-1)?.text ?? "";
  const scope = scopeOf(message);
  if (scope) return scopedStep(last, scope, callsSince, languageOfRequest(last));
  const tasks = prompts.flatMap(({ text }) => {
    const language = languageOfRequest(text);
    const wish = story?.storyIntentOf(text);
    if (story && wish) return [(calls: PastCall[]) => story.storyStep(wish, calls, language)];
    return intentsOf(text).map(
      (intent) => (calls: PastCall[]) => stepOf(intent, calls, tools, language, prompts.length > 1 ? text : null),
    );
  });
  return nextStepOf(tasks, calls);
}

/** Returns the next step of one task. `beside` is its text, if it is one of several. */
function stepOf(
  intent: Intent,
  calls: PastCall[],
  tools: Set<string>,
  language: Language,
  beside: string | null,
): Step {
  const p = replies[language];
  if (intent.kind === "unknown") return { text: beside === null ? p.help : p.notUnderstood(beside) };
  if (intent.kind === "translate") return { text: p.cannotTranslate };
  const needed = intent.kind === "lookup" ? "search_web" : "get_document";
  if (!tools.has(needed)) return { text: p.noTool(needed) };
  if (intent.kind === "lookup") return lookUp(intent.topic, calls, p);

  const read = calls[0];
  if (!read) return { text: p.readFirst[intent.kind], call: { name: "get_document", arguments: {} } };
  if (read.error !== undefined) return { text: p.cannotRead };
  const sections = sectionsOf(read.result);
  const isPart = asObject(read.result).isPart === true;
  const step = workOn(intent, sections, calls.slice(1), tools, language, p);
  return isPart && !step.call ? { text: `${step.text ?? ""}\n\n${p.tooLong(sections.length - 1)}` } : step;
}

function workOn(
  intent: Exclude<Intent, { kind: "unknown" | "translate" | "lookup" }>,
  sections: ReadSection[],
  done: PastCall[],
  tools: Set<string>,
  language: Language,
  p: Replies,
): Step {
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
    case "image":
      return addImage(intent, sections, done, language, p);
    case "replace":
      return replace(intent, sections, done, tools, p);
    case "correct":
      return correctAll(sections, done, p);
    case "paragraph":
      return addParagraph(intent, sections, done, language, p);
    case "summarize":
      return { text: summary(sections, p) };
  }
}

function sectionsOf(result: unknown): ReadSection[] {
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
  sections: ReadSection[],
  done: PastCall[],
  tools: Set<string>,
  language: Language,
  p: Replies,
): Step {
  const { topic, sections: count, image: wanted } = intent;
  const known = builtInArticle(topic, language);
  const lookup = done.find((call) => call.name === "search_web");
  if (!known && !lookup && tools.has("search_web")) {
    return { text: p.lookFirst(topic), call: { name: "search_web", arguments: { query: topic, maxResults: 3 } } };
  }
  const article = articleOn(topic, language, count, lookup?.error === undefined ? sources(lookup?.result) : []);
  const isEmpty = sections.length === 0;

  // All edits in order; the calls so far are the first of them.
  const edits: Step["call"][] = [];
  if (isEmpty)
    edits.push({
      name: "update_section",
      arguments: { operation: "replace", sectionIndex: 0, title: article.title, content: article.intro },
    });
  for (const section of article.sections) {
    edits.push({
      name: "update_section",
      arguments: { operation: "append", title: section.title, content: section.content },
    });
  }
  const made = done.filter((call) => call.name === "update_section");
  const failed = made.find((call) => call.error !== undefined);
  if (failed) return { text: p.editFailed(failed.error!) };
  if (made.length < edits.length) {
    return {
      text: made.length
        ? undefined
        : isEmpty
          ? p.startEmpty(article.title, count)
          : p.startAfter(titles(sections).length),
      call: edits[made.length],
    };
  }

  const notes: string[] = [];
  if (!known)
    notes.push(lookup && lookup.error === undefined && sources(lookup.result).length ? p.noteSources : p.noteTemplate);
  if (wanted) {
    const search = done.find((call) => call.name === "search_image");
    if (!search)
      return { text: p.nowImage, call: { name: "search_image", arguments: { keywords: article.keywords, count: 3 } } };
    const found = imagesOf(search);
    const insertion = done.find((call) => call.name === "insert_image");
    if (search.error !== undefined) notes.push(p.imageSearchFailed);
    else if (!found.length) notes.push(p.noImages(article.keywords));
    else if (!insertion) return { call: insertionCall(found[0]!, isEmpty ? 0 : sections.length, topic) };
    else
      notes.push(
        insertion.error === undefined
          ? p.imageBy(found[0]!.description, found[0]!.author)
          : p.imageFailed(insertion.error),
      );
  }
  return {
    text: p.written(
      article.title,
      article.sections.map((section) => section.title),
      notes,
      isEmpty,
    ),
  };
}

function rework(
  intent: Extract<Intent, { kind: "rewrite" | "shorten" }>,
  sections: ReadSection[],
  done: PastCall[],
  language: Language,
  p: Replies,
): Step {
  const found = find(intent.target, sections, p, (candidates) =>
    candidates.reduce((a, b) => (b.content.length > a.content.length ? b : a)),
  );
  if (typeof found === "string") return { text: found };
  const section = found;
  const result: Reworked =
    intent.kind === "shorten"
      ? shorten(section.content)
      : rewrite(section.content, languageOfRequest(section.content) ?? language);
  const edit = done.find((call) => call.name === "update_section");
  const name = p.name(section);
  if (!edit) {
    if (!plainText(section.content)) return { text: p.nothingThere(name) };
    if (intent.kind === "shorten" && result.after >= result.before) return { text: p.shortEnough(name) };
    if (intent.kind === "rewrite" && !result.replaced && !result.split) return { text: p.plainEnough(name) };
    return {
      text: intent.target ? undefined : p.chosen(name),
      call: {
        name: "update_section",
        arguments: { operation: "replace", sectionIndex: section.index, content: result.content },
      },
    };
  }
  if (edit.error !== undefined) return { text: p.editFailed(edit.error) };
  return { text: intent.kind === "shorten" ? p.shortened(name, result) : p.rewritten(name, result) };
}

/** Corrects the typos that the script knows, in one section after another. */
function correctAll(sections: ReadSection[], done: PastCall[], p: Replies): Step {
  if (!sections.length) return { text: p.empty };
  const wrong = sections.flatMap((section) => {
    const { content, replaced } = correct(section.content);
    return replaced ? [{ section, content, replaced }] : [];
  });
  const failed = done.find((call) => call.error !== undefined);
  if (failed) return { text: p.editFailed(failed.error!) };
  const next = wrong[done.length];
  if (next)
    return {
      call: {
        name: "update_section",
        arguments: { operation: "replace", sectionIndex: next.section.index, content: next.content },
      },
    };
  return { text: p.corrected(wrong.reduce((sum, { replaced }) => sum + replaced, 0)) };
}

/** Adds a paragraph to the end of a section: the one that is named, or the last. */
function addParagraph(
  intent: Extract<Intent, { kind: "paragraph" }>,
  sections: ReadSection[],
  done: PastCall[],
  language: Language,
  p: Replies,
): Step {
  if (!sections.length) return { text: p.empty };
  const found = intent.target ? find(intent.target, sections, p, () => null) : sections[sections.length - 1]!;
  if (typeof found === "string") return { text: found };
  const edit = done.find((call) => call.name === "update_section");
  if (edit) return { text: edit.error === undefined ? p.addedParagraph(p.name(found)) : p.editFailed(edit.error) };
  const topic = intent.topic || found.title || sections[0]!.title || (language === "zh" ? "这件事" : "this");
  const text = paragraphsOn(topic, language).find(
    (paragraph) => !sections.some(({ content }) => content.includes(paragraph)),
  );
  if (!text) return { text: p.noMoreText };
  return {
    call: {
      name: "update_section",
      arguments: { operation: "replace", sectionIndex: found.index, content: found.content + text },
    },
  };
}

function remove(target: Target, sections: ReadSection[], done: PastCall[], p: Replies): Step {
  const found = find(target, sections, p, () => null);
  if (typeof found === "string") return { text: found };
  if (found.index === 0) return { text: p.introductionStays };
  const edit = done.find((call) => call.name === "update_section");
  if (!edit) return { call: { name: "update_section", arguments: { operation: "delete", sectionIndex: found.index } } };
  if (edit.error !== undefined) return { text: p.editFailed(edit.error) };
  return { text: p.deleted(p.name(found), sections.filter((section) => section.index > found.index).length) };
}

function replace(
  intent: Extract<Intent, { kind: "replace" }>,
  sections: ReadSection[],
  done: PastCall[],
  tools: Set<string>,
  p: Replies,
): Step {
  if (!tools.has("replace_text")) return { text: p.noTool("replace_text") };
  const edit = done.find((call) => call.name === "replace_text");
  const count = sections.reduce(
    (sum, { title, content }) => sum + `${title} ${plainText(content)}`.split(intent.old).length - 1,
    0,
  );
  if (!edit) {
    if (!count) return { text: p.notFound(intent.old) };
    return { call: { name: "replace_text", arguments: { old: intent.old, new: intent.new, all: true } } };
  }
  if (edit.error !== undefined) return { text: p.editFailed(edit.error) };
  return { text: p.replaced(intent.old, intent.new, count) };
}

function insert(
  intent: Extract<Intent, { kind: "insert" }>,
  sections: ReadSection[],
  done: PastCall[],
  language: Language,
  p: Replies,
): Step {
  const last = sections.length - 1;
  const position = intent.before ?? (intent.after !== null ? intent.after + 1 : null);
  if (intent.before !== null && (intent.before < 1 || intent.before > last))
    return { text: p.noSuchSection(intent.before, titles(sections)) };
  if (intent.after !== null && intent.after > last) return { text: p.noSuchSection(intent.after, titles(sections)) };
  const at = position !== null && position <= last ? position : null;
  const known = builtInArticle(intent.topic, language);
  const fresh = known?.sections.find(({ title }) => !sections.some((section) => section.title === title));
  const template = articleOn(intent.topic, language, 3, []).sections;
  const added = fresh ?? {
    title: language === "zh" ? `说说${intent.topic}` : titleCase(intent.topic),
    content: template[0]!.content,
  };
  const edit = done.find((call) => call.name === "update_section");
  if (!edit) {
    const base = { title: added.title, content: added.content };
    return {
      call: {
        name: "update_section",
        arguments: at === null ? { operation: "append", ...base } : { operation: "insert", sectionIndex: at, ...base },
      },
    };
  }
  if (edit.error !== undefined) return { text: p.editFailed(edit.error) };
  return { text: p.inserted(added.title, at, !fresh) };
}

function addImage(
  intent: Extract<Intent, { kind: "image" }>,
  sections: ReadSection[],
  done: PastCall[],
  language: Language,
  p: Replies,
): Step {
  if (!sections.length) return { text: p.emptyForImage };
  const found = intent.target
    ? find(intent.target, sections, p, () => null)
    : (sections.find((section) => section.index > 0 && !section.content.includes("<img")) ??
      sections[sections.length - 1]!);
  if (typeof found === "string") return { text: found };
  const subject = intent.topic || sections[0]!.title || found.title;
  const keywords = keywordsFor(intent.topic, sections, found, language);
  const search = done.find((call) => call.name === "search_image");
  if (!search) return { call: { name: "search_image", arguments: { keywords, count: 3 } } };
  if (search.error !== undefined) return { text: p.imageSearchFailed };
  const choice = imagesOf(search);
  // An image that is already in the document is not inserted again.
  const fresh =
    choice.find(({ url }) => !sections.some((section) => section.content.includes(escapeHtml(url)))) ?? choice[0];
  if (!fresh) return { text: p.noImages(keywords) };
  const insertion = done.find((call) => call.name === "insert_image");
  if (!insertion) return { call: insertionCall(fresh, found.index, subject) };
  if (insertion.error !== undefined) return { text: p.imageFailed(insertion.error) };
  return { text: `${p.placed(p.name(found))}\n\n${p.imageBy(fresh.description, fresh.author)}` };
}

/** Returns keywords for the image search: those of a built-in topic if possible, in English if possible. */
function keywordsFor(topic: string, sections: ReadSection[], section: ReadSection, language: Language): string {
  if (topic) return builtInArticle(topic, language)?.keywords ?? topic;
  const hints: [string[], string][] = [
    [["tea", "茶", "一片叶子"], "tea"],
    [["coffee", "咖啡"], "coffee"],
    [["bicycle", "自行车"], "bicycle"],
  ];
  // The section's text first, then the introduction's.
  for (const { title, content } of [section, sections[0]!]) {
    const text = `${title} ${plainText(content)}`.toLowerCase();
    const hint = hints.find(([names]) =>
      names.some((name) => (/[a-z]/.test(name) ? new RegExp(`\\b${name}s?\\b`).test(text) : text.includes(name))),
    );
    if (hint) return hint[1];
  }
  return section.title || sections[0]?.title || "paper";
}

function insertionCall(found: FoundImage, sectionIndex: number, subject: string): NonNullable<Step["call"]> {
  return {
    name: "insert_image",
    arguments: {
      sectionIndex,
      imageUrl: found.url,
      imageDescription: found.description || subject,
      position: "after_section",
    },
  };
}

function lookUp(topic: string, calls: PastCall[], p: Replies): Step {
  if (!topic) return { text: p.help };
  const search = calls.find((call) => call.name === "search_web");
  if (!search) return { call: { name: "search_web", arguments: { query: topic, maxResults: 3 } } };
  if (search.error !== undefined) return { text: p.searchFailed };
  const found = sources(search.result);
  if (!found.length) return { text: p.nothingFound(topic) };
  const lines = found.map(
    ({ title, url, content }) =>
      `- [${title.replace(/[[\]]/g, "")}](${encodeURI(decodeURI(url)).replace(/[()]/g, escape)}): ${plainText(content).slice(0, 180)}`,
  );
  return { text: `${p.found(topic)}\n\n${lines.join("\n")}` };
}

function summary(sections: ReadSection[], p: Replies): string {
  if (!sections.length) return p.empty;
  const lines = sections
    .filter((section) => section.index > 0)
    .map((section) => {
      const first = sentencesOf(plainText(section.content))[0]?.trim() ?? "";
      const images = section.content.match(/<img\b/g)?.length ?? 0;
      return `${section.index}. **${section.title}**${p.colon}${first || p.noText}${images ? p.withImages(images) : ""}`;
    });
  const introduction = sections[0]!;
  const lead = sentencesOf(plainText(introduction.content))[0]?.trim() ?? "";
  return [p.summaryHead(introduction.title, lines.length), lead, lines.join("\n"), p.summaryFoot]
    .filter(Boolean)
    .join("\n\n");
}

/** Returns the section that a request names, or a reply that says why there is none. */
function find(
  target: Target,
  sections: ReadSection[],
  p: Replies,
  otherwise: (candidates: ReadSection[]) => ReadSection | null,
): ReadSection | string {
  if (!sections.length) return p.empty;
  const numbered = sections.filter((section) => section.index > 0);
  if (!target) {
    if (!numbered.length) return sections[0]!;
    const only = numbered.length === 1 ? numbered[0]! : otherwise(numbered);
    return only ?? p.whichSection(titles(sections));
  }
  if ("introduction" in target) return sections[0]!;
  if ("last" in target) return sections[sections.length - 1]!;
  if ("number" in target)
    return (
      sections.find((section) => section.index === target.number) ?? p.noSuchSection(target.number, titles(sections))
    );
  const wanted = target.name.toLowerCase();
  const named =
    numbered.find((section) => section.title.toLowerCase() === wanted) ??
    numbered.find((section) => section.title.toLowerCase().includes(wanted)) ??
    numbered.find((section) => section.title && wanted.includes(section.title.toLowerCase()));
  return named ?? p.noSuchName(target.name, titles(sections));
}

function titles(sections: ReadSection[]): string[] {
  return sections.filter((section) => section.index > 0).map((section) => section.title);
}

function imagesOf(search: PastCall): FoundImage[] {
  const images = asObject(search.result).images;
  if (!Array.isArray(images)) return [];
  return images.map(asObject).flatMap(({ url, description, author }) =>
    typeof url === "string"
      ? [
          {
            url,
            description: typeof description === "string" ? description : "",
            author: typeof author === "string" ? author : "",
          },
        ]
      : [],
  );
}

function sources(result: unknown): Source[] {
  const results = asObject(result).results;
  if (!Array.isArray(results)) return [];
  return results
    .map(asObject)
    .flatMap(({ title, url, content }) =>
      typeof url === "string"
        ? [{ title: typeof title === "string" ? title : url, url, content: typeof content === "string" ? content : "" }]
        : [],
    );
}
