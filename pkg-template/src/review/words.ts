/** The texts of the review. */

import { Fragment, type Node, type Schema } from "@tiptap/pm/model";
import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { review as en } from "../languages/en/review.js";
import { review as zh } from "../languages/zh-CN/review.js";
import { localeOf } from "../base/locale.js";
import type { Hunk, Locale } from "../types/index.js";
import { formsInWords, typeName } from "../view/node-names.js";

const LONGEST = 60;

export type ReviewTexts = LanguageWords["review"];

export type ReviewWords = ReviewTexts & { locale: Locale };

const known = new Map<Locale, ReviewWords>();

/** Returns the texts for a language tag; without one, for the page's current language. */
export function reviewWords(tag: string | undefined): ReviewWords {
  const locale = localeOf(tag);
  const words = known.get(locale) ?? { ...wordsOf("review", { en, "zh-CN": zh }, locale), locale };
  known.set(locale, words);
  return words;
}

/** Describes a hunk of a document: "deletion of “old words”". `formatting` is its change in words if it changes no text. */
export function describe(hunk: Hunk, words: ReviewWords, doc: Node, formatting = words.formatting): string {
  const [before, after] = versionsOf(hunk, words, doc);
  const what =
    hunk.kind === "insertion"
      ? words.insertion(after)
      : hunk.kind === "deletion"
        ? words.deletion(before)
        : hunk.originalText === hunk.newText && before === after
          ? `${before}: ${formatting}`
          : words.edit(before, after);
  const author = typeof hunk.author?.name === "string" ? hunk.author.name.slice(0, LONGEST) : "";
  const signed = author ? words.by(what, author) : what;
  return hunk.conflict ? words.conflict(signed) : signed;
}

/** Returns what a hunk replaces and what it proposes, as texts for labels. */
export function versionsOf(hunk: Hunk, words: ReviewWords, doc: Node): [before: string, after: string] {
  const { schema } = doc.type;
  const to = Math.min(hunk.to, doc.content.size);
  const original = doc.slice(Math.min(hunk.from, to), to).content;
  return [
    named(hunk.originalText, original, words, schema),
    named(hunk.newText, Fragment.fromJSON(schema, hunk.content), words, schema),
  ];
}

/** Returns a text on one line, shortened; without text the name of a picture or another leaf, if there is one. */
function named(text: string, content: Fragment, words: ReviewWords, schema: Schema): string {
  const typed = content.textBetween(0, content.size, "\n");
  const line = formsInWords(text, schema, words.locale, typed)
    .replace(/[\s\ufffc]+/g, " ")
    .trim();
  if (line) return words.quoted(line.length > LONGEST ? `${[...line].slice(0, LONGEST - 1).join("")}…` : line);
  let leaf: Node | undefined;
  content.descendants((node) => {
    if (node.isLeaf && !node.isText && !node.isTextblock) leaf ??= node;
  });
  if (!leaf) return words.nothing;
  return leaf.type.name === "image" ? words.image(String(leaf.attrs.alt ?? "")) : typeName(leaf.type, words.locale);
}
