/** The language of the page: choosing it, switching it, and updating labels when it changes. */
import { loadItem, saveItem } from "../storage";
import { en, type Messages } from "./en";
import { zh } from "./zh";

export type { Messages };
/** The languages of the page, with their own names. Those without a table here are loaded when they are chosen. */
export const LANGUAGES = { en: "English", "zh-CN": "中文", es: "Español" } as const;
export type Locale = keyof typeof LANGUAGES;

const all: Partial<Record<Locale, Messages>> = { en, "zh-CN": zh };
const loads: Partial<Record<Locale, () => Promise<Messages>>> = {
  es: async () => (await import("./es")).es,
};
const listeners = new Set<(messages: Messages) => void>();

function initialLocale(): Locale {
  const saved = loadItem("locale") ?? navigator.language.split("-", 1)[0]!.toLowerCase();
  const found = (Object.keys(LANGUAGES) as Locale[]).find((tag) => tag === saved || tag.split("-", 1)[0] === saved);
  return found ?? "en";
}

let current: Locale = initialLocale();

/** Loads the words of the language. Without them the page is in English, and the next visit tries again. */
export async function loadLocale(): Promise<void> {
  if (!(await load(current))) current = "en";
  document.documentElement.lang = current;
}

/** Loads the words of a language. Returns false if they cannot be loaded. */
async function load(locale: Locale): Promise<boolean> {
  try {
    const loaded = all[locale] ?? (await loads[locale]?.());
    if (loaded) all[locale] = loaded;
  } catch {
    return false;
  }
  return true;
}

/** Returns the current language. */
export const locale = (): Locale => current;

/** Returns the messages in the current language. */
export const messages = (): Messages => all[current] ?? en;

/** Returns the messages in the language of a text. */
export const messagesIn = (language: "en" | "zh"): Messages => (language === "en" ? en : zh);

/** Returns a value for each language that is loaded. */
export function inAllLocales<T>(
  text: (messages: Messages, locale: Locale) => T,
): { en: T; "zh-CN": T } & Partial<Record<Locale, T>> {
  return { en: text(en, "en"), "zh-CN": text(zh, "zh-CN"), ...(all.es && { es: text(all.es, "es") }) };
}

/** Switches to the language that the button names. */
export function switchLocale(): void {
  void setLocale(current === "en" ? "zh-CN" : "en");
}

/** Shows the page in a language. Does nothing if its words cannot be loaded. */
export async function setLocale(locale: Locale): Promise<void> {
  // At once for what is loaded: nothing may come between a click and its effect.
  if (!all[locale] && !(await load(locale))) return;
  current = locale;
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
