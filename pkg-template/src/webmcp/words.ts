/** The texts for agents outside of the page. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { webmcp as en } from "../languages/en/webmcp.js";
import { webmcp as zh } from "../languages/zh-CN/webmcp.js";
import type { Locale } from "../types/index.js";

export type Words = LanguageWords["webmcp"];

/** Returns the texts in a language. */
export function webmcpWords(locale: Locale): Words {
  return wordsOf("webmcp", { en, "zh-CN": zh }, locale);
}
