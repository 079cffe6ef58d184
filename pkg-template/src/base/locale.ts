/** The language of messages and labels. */

import { check } from "./error.js";
import { addedLanguage } from "../languages/languages.js";
import type { Locale } from "../types/index.js";

/** Returns the locale for a language tag such as `zh` or `en-GB`; without one, for the language of the page. A language that is neither
 * shipped nor added is English. */
export function localeOf(tag: string | undefined): Locale {
  check(tag == null || typeof tag === "string", "locale", tag, 'a language tag, such as "en" or "zh-CN"');
  const page = () => globalThis.document?.documentElement.lang || globalThis.navigator?.language || "en";
  const given = tag ?? page();
  return /^zh(?![a-z])/i.test(given) ? "zh-CN" : (addedLanguage(given)?.tag ?? "en");
}
