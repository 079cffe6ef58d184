/** The texts of the actions and blocks. */

import { addedLanguage, wordsOf, type LanguageWords } from "../languages/languages.js";
import { actions as en, ready, type ReadyTable, type ReadyWords } from "../languages/en/actions.js";
import { actions as zh, ready as readyZh } from "../languages/zh-CN/actions.js";
import { localeOf } from "../base/locale.js";

export type ActionWords = LanguageWords["actions"];

/** Returns the texts for a language tag; without one, for the page's current language. */
export function actionWords(tag: string | undefined): ActionWords {
  return wordsOf("actions", { en, "zh-CN": zh }, localeOf(tag));
}

/** A text in each language, by language tag. Of another language it is that of the added language, or English. */
export interface Texts {
  readonly en: string;
  readonly "zh-CN": string;
  readonly [tag: string]: string | undefined;
}

/** The id of a ready action or block. */
export type ReadyId = keyof ReadyTable;

/** Returns a text of a ready action or block; empty if it has none of this kind. */
export function readyTexts(id: ReadyId, kind: keyof ReadyWords): Texts {
  const [own, chinese]: ReadyWords[] = [ready[id], readyZh[id]];
  return { en: own?.[kind] ?? "", "zh-CN": chinese?.[kind] ?? "" };
}

/** Returns a text that is made of a name, in each language that the name is given in. */
export function textsWith(name: Texts, sentence: (words: ActionWords, name: string) => string): Texts {
  const made: Record<string, string> = {};
  for (const [tag, text = ""] of Object.entries(name))
    // Read when it is asked for: a language may be added later.
    Object.defineProperty(made, tag, { enumerable: true, get: () => sentence(actionWords(tag), text) });
  return made as unknown as Texts;
}

/** Returns a text of an action or a block in a language. */
export function textIn(texts: Texts, kind: keyof ReadyWords, id: string, locale?: string): string {
  const language = localeOf(locale);
  const added: Readonly<Record<string, ReadyWords | undefined>> | undefined = addedLanguage(language)?.words.ready;
  return texts[language] ?? added?.[id]?.[kind] ?? texts.en;
}
