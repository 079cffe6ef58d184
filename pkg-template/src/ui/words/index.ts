/** The words of the conversation, by language, and the words of apps. */

import type { AttachmentWords } from "./attachments-en.js";
import type { RowDetailWords } from "./row-details-en.js";
import { en, type Words } from "./en.js";
import type { PanelWords } from "./panels-en.js";
import { zh } from "./zh.js";
import { wordsOf, type LanguageWords, type ShippedWords } from "../../languages/languages.js";

export type { ShippedWords, Words };

/** Words that replace those of a language, or a part of them. */
export type PartialWords<T = Words & PanelWords & AttachmentWords & RowDetailWords> = {
  [K in keyof T]?: T[K] extends (...given: never[]) => unknown
    ? T[K]
    : T[K] extends readonly unknown[]
      ? T[K]
      : T[K] extends object
        ? PartialWords<T[K]>
        : T[K];
};

/** Words of an app, by language tag: of one that ships, to replace some, or of another one. What is missing is English. */
export type WordTables = Readonly<Record<string, PartialWords>>;

const conversation: ShippedWords<Words> = { en, "zh-CN": zh };

/** Returns the words of the conversation for a language tag. */
export function wordsFor(tag: string, tables?: WordTables): Words {
  return wordsIn("conversation", conversation, tag, tables);
}

const known = new WeakMap<object, WeakMap<WordTables, Map<string, unknown>>>();

/** Returns the words of a group for a language tag, with those of the app. */
export function wordsIn<G extends "conversation" | "panels" | "attachments" | "rowDetails">(
  group: G,
  shipped: ShippedWords<LanguageWords[G]>,
  tag: string,
  tables?: WordTables,
): LanguageWords[G] {
  const base: LanguageWords[G] = wordsOf(group, shipped, tag);
  return withTables(shipped, base, tag, tables);
}

/** Returns words with those of the app. */
export function withTables<T extends object>(shipped: object, base: T, tag: string, tables?: WordTables): T {
  const key = tables && keyFor(tag, tables);
  const own = key && tables[key];
  if (!key || !own) return base;
  const merged = mergedIn(shipped, tables);
  const found = (merged.get(tag) as T | undefined) ?? (merge(base, { ...languageOf(base, key), ...own }) as T);
  merged.set(tag, found);
  return found;
}

/** Returns the words that were merged of both tables, by language tag. */
function mergedIn(shipped: object, tables: WordTables): Map<string, unknown> {
  const ofShipped = known.get(shipped) ?? new WeakMap<WordTables, Map<string, unknown>>();
  known.set(shipped, ofShipped);
  const merged = ofShipped.get(tables) ?? new Map<string, unknown>();
  ofShipped.set(tables, merged);
  return merged;
}

/** Returns the language tag of the table for a tag. */
function keyFor(tag: string, tables: WordTables): string | undefined {
  for (let at = tag; at; at = at.slice(0, Math.max(0, at.lastIndexOf("-")))) if (tables[at]) return at;
  return undefined;
}

/** Returns the language of a table of the app as that of its words, unless it replaces words of a language that ships. */
function languageOf(base: object, tag: string): { lang?: string } {
  const language = (one: string) => one.split("-", 1)[0]!.toLowerCase();
  return "lang" in base && language(tag) !== language(base.lang as string) ? { lang: tag } : {};
}

function merge(base: object, own: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(own)) {
    const before = merged[name];
    const isTable = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one);
    if (value !== undefined) merged[name] = isTable(before) && isTable(value) ? merge(before as object, value) : value;
  }
  return merged;
}
