/** The language in which copydesk speaks. */

import type { Locale } from "./types.js";

/** The locale for a tag such as `zh` or `en-GB`; without one, for the language of the page. */
export function localeOf(tag: string | undefined): Locale {
  const page = () => globalThis.document?.documentElement.lang || globalThis.navigator?.language || "en";
  return /^zh(?![a-z])/i.test(tag ?? page()) ? "zh-CN" : "en";
}
