/** `copydesk/ui/words`: the words of all elements, by language. Importing it defines no element. */

import { en, type Words as ConversationWords } from "./en.js";
import { wordsIn, type PartialWords, type ShippedWords, type WordTables } from "./index.js";
import { panels as panelsEn, type PanelWords } from "./panels-en.js";
import { panels as panelsZh } from "./panels-zh.js";
import { zh } from "./zh.js";

export { LocalizedError } from "../sentence.js";
export type { PartialWords, WordTables };
export type Words = ConversationWords & PanelWords;

/** The tables that ship. */
export const words: ShippedWords<Words> = { en: { ...en, ...panelsEn }, "zh-CN": { ...zh, ...panelsZh } };

/** Returns the words for a language tag. */
export function wordsFor(tag: string, tables?: WordTables): Words {
  return wordsIn(words, tag, tables);
}
