/** The texts of suggestions. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { suggestions as en } from "../languages/en/suggestions.js";
import { suggestions as zh } from "../languages/zh-CN/suggestions.js";
import { localeOf } from "../base/locale.js";

export type SuggestionWords = LanguageWords["suggestions"];

export function suggestionWords(tag?: string): SuggestionWords {
  return wordsOf("suggestions", { en, "zh-CN": zh }, localeOf(tag));
}
