/** `copydesk/ui/words`: the words of all elements, by language. Importing it defines no element. */

import { attachments as attachmentsEn, type AttachmentWords } from "./attachments-en.js";
import { attachments as attachmentsZh } from "./attachments-zh.js";
import { en, type Words as ConversationWords } from "./en.js";
import { withTables, type PartialWords, type ShippedWords, type WordTables } from "./index.js";
import { panels as panelsEn, type PanelWords } from "./panels-en.js";
import { panels as panelsZh } from "./panels-zh.js";
import { rowDetails as rowDetailsEn, type RowDetailWords } from "./row-details-en.js";
import { rowDetails as rowDetailsZh } from "./row-details-zh.js";
import { zh } from "./zh.js";
import { addedLanguage } from "../../languages/languages.js";

export { LocalizedError } from "../../base/localized-error.js";
export type { PartialWords, WordTables };
export type Words = ConversationWords & PanelWords & AttachmentWords & RowDetailWords;

/** The tables that ship. */
export const words: ShippedWords<Words> = {
  en: { ...en, ...panelsEn, ...attachmentsEn, ...rowDetailsEn },
  "zh-CN": { ...zh, ...panelsZh, ...attachmentsZh, ...rowDetailsZh },
};

/** Returns the words for a language tag. */
export function wordsFor(tag: string, tables?: WordTables): Words {
  return withTables(words, allOf(tag), tag, tables);
}

function allOf(tag: string): Words {
  if (/^zh(?![a-z])/i.test(tag)) return words["zh-CN"];
  const added = addedLanguage(tag)?.words;
  return added ? { ...added.conversation, ...added.panels, ...added.attachments, ...added.rowDetails } : words.en;
}
