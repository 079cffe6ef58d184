/**
 * The words of the package by language. English and Chinese ship with the code; each other language is a module of
 * `languages/`.
 */

import type { actions, ReadyTable } from "./en/actions.js";
import type { additions } from "./en/additions.js";
import type { attachmentSentences } from "./en/attachment-sentences.js";
import type { chat } from "./en/chat.js";
import type { commentTools } from "./en/comment-tools.js";
import type { comments } from "./en/comments.js";
import type { completion } from "./en/completion.js";
import type { insert } from "./en/insert.js";
import type { markdown } from "./en/markdown.js";
import type { mcp } from "./en/mcp.js";
import type { nodes } from "./en/nodes.js";
import type { plugins } from "./en/plugins.js";
import type { publication } from "./en/publication.js";
import type { review } from "./en/review.js";
import type { route } from "./en/route.js";
import type { skills } from "./en/skills.js";
import type { suggestions } from "./en/suggestions.js";
import type { webmcp } from "./en/webmcp.js";
import type { worker } from "./en/worker.js";
import type { workspace } from "./en/workspace.js";
import type { AttachmentWords } from "../ui/words/attachments-en.js";
import type { Words as ConversationWords } from "../ui/words/en.js";
import type { PanelWords } from "../ui/words/panels-en.js";
import type { RowDetailWords } from "../ui/words/row-details-en.js";

/** The words of a language, by the part of the package that says them. A language without one of them does not compile. */
export interface LanguageWords {
  readonly conversation: ConversationWords;
  readonly panels: PanelWords;
  readonly attachments: AttachmentWords;
  /** The details of a tool row. */
  readonly rowDetails: RowDetailWords;
  /** The ready actions and blocks, by their ids. */
  readonly ready: ReadyTable;
  /** Actions on the selection, and the menu of them. */
  readonly actions: typeof actions;
  readonly additions: typeof additions;
  readonly attachmentSentences: typeof attachmentSentences;
  /** A page that uses a chat route. */
  readonly chat: typeof chat;
  readonly commentTools: typeof commentTools;
  readonly comments: typeof comments;
  /** Completions at the cursor. */
  readonly completion: typeof completion;
  /** Files that are inserted or opened. */
  readonly insert: typeof insert;
  /** Messages about the parts that Markdown does not keep. */
  readonly markdown: typeof markdown;
  readonly mcp: typeof mcp;
  /** The names of nodes, marks and attributes. */
  readonly nodes: typeof nodes;
  readonly plugins: typeof plugins;
  /** Exported files. */
  readonly publication: typeof publication;
  readonly review: typeof review;
  readonly route: typeof route;
  readonly skills: typeof skills;
  readonly suggestions: typeof suggestions;
  readonly webmcp: typeof webmcp;
  /** An agent in a worker. */
  readonly worker: typeof worker;
  readonly workspace: typeof workspace;
}

/** A language, as `addLanguage` takes it. */
export interface Language {
  /** Its tag, without a region, such as `es`. */
  readonly tag: string;
  /** The messages of the wasm, by crate. They are made of `messages/*.json` when the package is built. */
  readonly messages: Readonly<Record<string, readonly string[]>>;
  readonly words: LanguageWords;
}

/** Words in the languages that ship. */
export interface ShippedWords<T> {
  readonly en: T;
  readonly "zh-CN": T;
}

const added = new Map<string, Language>();
const listeners = new Set<(language: Language) => void>();

/**
 * Adds a language, before agents, documents and elements use it: `import { es } from "copydesk/languages/es"`. It may be
 * added before or after `init()`.
 */
export function addLanguage(language: Language): void {
  added.set(language.tag, language);
  for (const listener of listeners) listener(language);
}

/** Calls `listener` with each language that is added, and with those that are added already. */
export function onLanguage(listener: (language: Language) => void): void {
  listeners.add(listener);
  for (const language of added.values()) listener(language);
}

/** Returns the added language of a tag such as `es-MX`. */
export function addedLanguage(tag: string): Language | undefined {
  return added.get(tag) ?? added.get(tag.split(/[-_]/, 1)[0]!.toLowerCase());
}

/** Returns the messages of the wasm in all added languages, for a worker. */
export function addedMessages(): [tag: string, messages: Language["messages"]][] {
  return [...added.values()].map(({ tag, messages }) => [tag, messages]);
}

/** Returns the words of a part of the package for a language tag; English for a language that is not known. */
export function wordsOf<G extends keyof LanguageWords>(
  group: G,
  shipped: ShippedWords<LanguageWords[G]>,
  tag: string,
): LanguageWords[G] {
  if (/^zh(?![a-z])/i.test(tag)) return shipped["zh-CN"];
  return addedLanguage(tag)?.words[group] ?? shipped.en;
}

/** Returns a text of a part of the package in every language, by tag. */
export function textsOf<G extends keyof LanguageWords>(
  group: G,
  shipped: ShippedWords<LanguageWords[G]>,
  pick: (words: LanguageWords[G]) => string,
): Readonly<Record<keyof typeof shipped, string>> {
  const own = [...added.values()].map(({ tag, words }) => [tag, pick(words[group])]);
  return { ...Object.fromEntries(own), en: pick(shipped.en), "zh-CN": pick(shipped["zh-CN"]) };
}
