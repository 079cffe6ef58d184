/** The words of the panels, by language. */

import { panels as en, type PanelWords } from "./panels-en.js";
import { panels as zh } from "./panels-zh.js";
import { wordsIn, type ShippedWords, type WordTables } from "./index.js";

export type { PanelWords };

/** The tables that ship. */
export const panelWords: ShippedWords<PanelWords> = { en, "zh-CN": zh };

/** Returns the words of the panels for a language tag. */
export function panelWordsFor(tag: string, tables?: WordTables): PanelWords {
  return wordsIn("panels", panelWords, tag, tables);
}
