/** The language in which copydesk speaks where the app does not say. */

import type { Locale } from "./types.js";

/** The page's language if it is Chinese, else English. */
export function pageLocale(): Locale {
  const page = globalThis.document?.documentElement.lang || globalThis.navigator?.language || "en";
  return /^zh\b/i.test(page) ? "zh-CN" : "en";
}
