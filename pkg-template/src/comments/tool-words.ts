/** What a model is told about comments. */

import { wordsOf, type LanguageWords } from "../languages.js";
import { commentTools as en } from "../languages/en/comment-tools.js";
import { commentTools as zh } from "../languages/zh-CN/comment-tools.js";
import type { Locale } from "../types.js";

export function toolWords(locale: Locale): LanguageWords["commentTools"] {
  return wordsOf("commentTools", { en, "zh-CN": zh }, locale);
}
