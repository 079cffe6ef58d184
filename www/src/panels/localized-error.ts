/** Failures whose sentences panels show in the language of the page, also after it has changed. */
import type { PanelLanguage } from "./localized";

/** A failure with a sentence in each language. */
export class LocalizedError extends Error {
  override name = "LocalizedError";

  constructor(
    readonly texts: Readonly<Record<PanelLanguage, string>>,
    options?: ErrorOptions,
  ) {
    super(texts.en, options);
  }
}

/** Returns the sentence of a failure. One that exists in one language only is the same in the other. */
export function sentenceOf(error: unknown): (words: { lang: string }) => string {
  if (error instanceof LocalizedError) return ({ lang }) => error.texts[lang === "en" ? "en" : "zh-CN"];
  const message = error instanceof Error ? error.message : String(error);
  return () => message;
}
