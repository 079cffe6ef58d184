/** The texts of the review. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { review as en } from "../languages/en/review.js";
import { review as zh } from "../languages/zh-CN/review.js";
import { localeOf } from "../base/locale.js";
import type { Hunk, Locale, NodeJSON } from "../types/index.js";

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

/** Describes a hunk: "deletion of “old words”". */
export function describe(hunk: Hunk, words: ReviewWords): string {
  const after = named(hunk.newText, hunk.content, words);
  const before = named(hunk.originalText, [], words);
  const what =
    hunk.kind === "insertion"
      ? words.insertion(after)
      : hunk.kind === "deletion"
        ? words.deletion(before)
        : hunk.originalText === hunk.newText
          ? `${before}: ${words.formatting}`
          : words.edit(before, after);
  const author = typeof hunk.author?.name === "string" ? hunk.author.name.slice(0, LONGEST) : "";
  const signed = author ? words.by(what, author) : what;
  return hunk.conflict ? words.conflict(signed) : signed;
}

/** Returns a text for labels: on one line, shortened, or a description if there is no text. */
export function named(text: string, content: readonly NodeJSON[], words: ReviewWords): string {
  const line = text.replace(/[\s\ufffc]+/g, " ").trim();
  if (line) return words.quoted(line.length > LONGEST ? `${[...line].slice(0, LONGEST - 1).join("")}…` : line);
  const image = content.find((node) => node.type === "image");
  return image || text.includes("\ufffc") ? words.image(String(image?.attrs?.alt ?? "")) : words.nothing;
}
