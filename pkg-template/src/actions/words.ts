/** The texts of the actions. */

import { wordsOf, type LanguageWords } from "../languages.js";
import { actions as en } from "../languages/en/actions.js";
import { actions as zh } from "../languages/zh-CN/actions.js";
import { localeOf } from "../locale.js";

export type ActionWords = LanguageWords["actions"];

/** Returns the texts for a language tag; without one, for the page's current language. */
export function actionWords(tag: string | undefined): ActionWords {
  return wordsOf("actions", { en, "zh-CN": zh }, localeOf(tag));
}
