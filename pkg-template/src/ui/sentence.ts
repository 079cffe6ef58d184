/** Sentences that panels show in their language, also after it has changed. */

import type { PanelWords } from "./words/panels-en.js";

/** A sentence in the language of the words. */
export type Sentence = (words: PanelWords) => string;

/** A failure with a sentence in each language, by language tag. */
export class LocalizedError extends Error {
  override name = "LocalizedError";

  constructor(
    readonly texts: Readonly<{ en: string; "zh-CN": string }>,
    options?: ErrorOptions,
  ) {
    super(texts.en, options);
  }
}

/** Returns the message of a failure. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the sentence of a failure. One that exists in one language only is the same in the other. */
export function sentenceOf(error: unknown): Sentence {
  const { texts } = (error ?? {}) as Partial<LocalizedError>;
  return ({ lang }) => texts?.[lang] ?? messageOf(error);
}
