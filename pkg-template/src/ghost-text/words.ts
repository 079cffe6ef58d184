/** The texts of completions at the cursor. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { completion as en } from "../languages/en/completion.js";
import { completion as zh } from "../languages/zh-CN/completion.js";

export type CompletionWords = LanguageWords["completion"];

/** Returns the texts in a language. */
export function completionWords(locale: string): CompletionWords {
  return wordsOf("completion", { en, "zh-CN": zh }, locale);
}
