/** Sentences that panels show in their language, also after it has changed. */

import type { LocalizedError } from "../base/localized-error.js";
import type { PanelWords } from "./words/panels-en.js";

/** A sentence in the language of the words. */
export type Sentence = (words: PanelWords) => string;

/** Returns the message of a failure. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the sentence of a failure. One that does not exist in a language is English there. */
export function sentenceOf(error: unknown): Sentence {
  const { texts } = (error ?? {}) as Partial<LocalizedError>;
  return ({ lang }) => texts?.[lang] ?? texts?.en ?? messageOf(error);
}
