/** Messages about attachments of a user. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { attachmentSentences as en } from "../languages/en/attachment-sentences.js";
import { attachmentSentences as zh } from "../languages/zh-CN/attachment-sentences.js";

export type AttachmentProblem = keyof LanguageWords["attachmentSentences"]["problems"];

/** Returns the sentences in a language. */
export function attachmentSentences(locale: string): LanguageWords["attachmentSentences"] {
  return wordsOf("attachmentSentences", { en, "zh-CN": zh }, locale);
}
