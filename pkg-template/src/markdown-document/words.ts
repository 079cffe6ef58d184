/** Messages about the parts of a document that Markdown does not keep. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { markdown as en } from "../languages/en/markdown.js";
import { markdown as zh } from "../languages/zh-CN/markdown.js";
import type { Locale } from "../types/index.js";

export function markdownWords(locale: Locale): LanguageWords["markdown"] {
  return wordsOf("markdown", { en, "zh-CN": zh }, locale);
}
