/** The reasons why an addition of the user's cannot be used. */

import { textsOf, wordsOf, type LanguageWords } from "../languages/languages.js";
import { additions as en } from "../languages/en/additions.js";
import { additions as zh } from "../languages/zh-CN/additions.js";
import type { LocalizedError } from "../base/localized-error.js";
import type { Locale } from "../types/index.js";

type AdditionWords = LanguageWords["additions"];

export function additionWords(locale: Locale): AdditionWords {
  return wordsOf("additions", { en, "zh-CN": zh }, locale);
}

/** Returns a text in every language. */
export function additionTexts(name: keyof AdditionWords): LocalizedError["texts"] {
  return textsOf("additions", { en, "zh-CN": zh }, (words) => words[name]);
}
