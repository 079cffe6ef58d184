/** The words of the details of a tool row, by language. */

import { wordsIn, type ShippedWords, type WordTables } from "./index.js";
import { rowDetails as en, type RowDetailWords } from "./row-details-en.js";
import { rowDetails as zh } from "./row-details-zh.js";

export type { RowDetailWords };

const shipped: ShippedWords<RowDetailWords> = { en, "zh-CN": zh };

/** Returns the words of the details of a tool row for a language tag. */
export function rowDetailWordsFor(tag: string, tables?: WordTables): RowDetailWords {
  return wordsIn("rowDetails", shipped, tag, tables);
}
