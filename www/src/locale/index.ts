/** The language of the page: choosing it, switching it, and updating labels when it changes. */
import { loadItem, saveItem } from "../storage";
import { en, type Messages } from "./en";
import { zh } from "./zh";

export type { Messages };
export type Locale = "en" | "zh-CN";

const all: Record<Locale, Messages> = { en, "zh-CN": zh };
const listeners = new Set<(messages: Messages) => void>();

function initialLocale(): Locale {
  const saved = loadItem("locale");
  if (saved === "en" || saved === "zh-CN") return saved;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}

let current: Locale = initialLocale();
document.documentElement.lang = current;

/** Returns the current language. */
export const locale = (): Locale => current;

/** Returns the messages in the current language. */
export const messages = (): Messages => all[current];

/** Returns the messages in the language of a text. */
export const messagesIn = (language: "en" | "zh"): Messages => (language === "en" ? en : zh);

/** Returns a value for each language. */
export const inAllLocales = <T>(text: (messages: Messages, locale: Locale) => T): Record<Locale, T> => ({
  en: text(en, "en"),
  "zh-CN": text(zh, "zh-CN"),
});

export function switchLocale(): void {
  current = current === "en" ? "zh-CN" : "en";
  saveItem("locale", current);
  document.documentElement.lang = current;
  for (const listener of listeners) listener(messages());
}

/** Calls `listener` now and after every change of the language. Returns a function that unsubscribes it. */
export function localize(listener: (messages: Messages) => void): () => void {
  listeners.add(listener);
  listener(messages());
  return () => listeners.delete(listener);
}
