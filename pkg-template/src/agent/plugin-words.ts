/** Notices about plugins, and about files with rules. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { plugins as en } from "../languages/en/plugins.js";
import { plugins as zh } from "../languages/zh-CN/plugins.js";
import type { Locale } from "../types/index.js";

export function pluginWords(locale: Locale): LanguageWords["plugins"] {
  return wordsOf("plugins", { en, "zh-CN": zh }, locale);
}
