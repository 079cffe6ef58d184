/** The words of the conversation, by language, and the words of apps. */

import { en, type Words } from "./en.js";
import type { PanelWords } from "./panels-en.js";
import { zh } from "./zh.js";

export type { Words };

/** Words that replace those of a language, or a part of them. */
export type PartialWords<T = Words & PanelWords> = {
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

/** The tables of a group of elements, by the languages that ship. */
export interface ShippedWords<T> {
  readonly en: T;
  readonly "zh-CN": T;
}

const conversation: ShippedWords<Words> = { en, "zh-CN": zh };

/** Returns the words of the conversation for a language tag. */
export function wordsFor(tag: string, tables?: WordTables): Words {
  return wordsIn(conversation, tag, tables);
}

const known = new WeakMap<object, WeakMap<WordTables, Map<string, unknown>>>();

/** Returns the words of shipped tables for a language tag, with those of the app. */
export function wordsIn<T extends object>(shipped: ShippedWords<T>, tag: string, tables?: WordTables): T {
  const own = tables && tableFor(tag, tables);
  const base = /^zh(?![a-z])/i.test(tag) ? shipped["zh-CN"] : shipped.en;
  if (!own || !tables) return base;
  const merged = mergedIn(shipped, tables);
  const found = (merged.get(tag) as T | undefined) ?? (merge(base, own) as T);
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

function tableFor(tag: string, tables: WordTables): PartialWords | undefined {
  for (let at = tag; at; at = at.slice(0, Math.max(0, at.lastIndexOf("-")))) if (tables[at]) return tables[at];
  return undefined;
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
