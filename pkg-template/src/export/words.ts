/** The texts of exported files beside the text of the user. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { publication as en } from "../languages/en/publication.js";
import { publication as zh } from "../languages/zh-CN/publication.js";

/** Returns the words in the language of a publication. */
export function publicationWords(language: string): LanguageWords["publication"] {
  return wordsOf("publication", { en, "zh-CN": zh }, language);
}
