/** The words of the elements, by language. */

import { en, type Words } from "./en.js";
import { zh } from "./zh.js";

export type { Words };

/** Words that replace those of a language, or a part of them. */
export type PartialWords<T = Words> = {
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

/** The tables that ship. */
export const words: { readonly en: Words; readonly "zh-CN": Words } = { en, "zh-CN": zh };

const known = new WeakMap<WordTables, Map<string, Words>>();

/** Returns the words for a language tag. */
export function wordsFor(tag: string, tables?: WordTables): Words {
  const own = tables && tableFor(tag, tables);
  const base = /^zh(?![a-z])/i.test(tag) ? zh : en;
  if (!own || !tables) return base;
  const merged = known.get(tables) ?? new Map<string, Words>();
  known.set(tables, merged);
  const found = merged.get(tag) ?? (merge(base, own) as Words);
  merged.set(tag, found);
  return found;
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
