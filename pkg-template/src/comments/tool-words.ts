/** Texts about comments for a model. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { commentTools as en } from "../languages/en/comment-tools.js";
import { commentTools as zh } from "../languages/zh-CN/comment-tools.js";
import type { Locale } from "../types/index.js";

export function toolWords(locale: Locale): LanguageWords["commentTools"] {
  return wordsOf("commentTools", { en, "zh-CN": zh }, locale);
}
