/** The language of the page: which one, switching it, and keeping labels in step with it. */
import { recall, remember } from "../storage";
import { en, type Words } from "./en";
import { zh } from "./zh";

export type { Words };
export type Locale = "en" | "zh-CN";

const all: Record<Locale, Words> = { en, "zh-CN": zh };
const followers = new Set<(words: Words) => void>();

function firstLocale(): Locale {
  const kept = recall("locale");
  if (kept === "en" || kept === "zh-CN") return kept;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}

let current: Locale = firstLocale();
document.documentElement.lang = current;

export const locale = (): Locale => current;
export const words = (): Words => all[current];

export function switchLocale(): void {
  current = current === "en" ? "zh-CN" : "en";
  remember("locale", current);
  document.documentElement.lang = current;
  for (const follow of followers) follow(words());
}

/** Runs now and after every change of language. Returns the way to end it. */
export function inWords(follow: (words: Words) => void): () => void {
  followers.add(follow);
  follow(words());
  return () => followers.delete(follow);
}
