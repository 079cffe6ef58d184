/** The words of attachments, by language. */

import { attachments as en, type AttachmentWords } from "./attachments-en.js";
import { attachments as zh } from "./attachments-zh.js";
import { wordsIn, type ShippedWords, type WordTables } from "./index.js";

export type { AttachmentWords };

/** The tables that ship. */
export const attachmentWords: ShippedWords<AttachmentWords> = { en, "zh-CN": zh };

/** Returns the words of attachments for a language tag. */
export function attachmentWordsFor(tag: string, tables?: WordTables): AttachmentWords["attachments"] {
  return wordsIn("attachments", attachmentWords, tag, tables).attachments;
}
