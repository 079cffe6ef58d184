/** Failures of files that a user inserts or opens. */

import { CopydeskError } from "../base/error.js";
import { textsOf, wordsOf, type LanguageWords } from "../languages/languages.js";
import { insert as en } from "../languages/en/insert.js";
import { insert as zh } from "../languages/zh-CN/insert.js";
import { localeOf } from "../base/locale.js";
import type { LocalizedError } from "../base/localized-error.js";

export type FileErrorCode = keyof LanguageWords["insert"]["errors"];

/** The reason why a file cannot be inserted or opened. */
export class FileError extends CopydeskError {
  /** The sentence in each language, by language tag. The message is that in the language of the page. */
  readonly texts: LocalizedError["texts"];

  constructor(code: FileErrorCode, details: Record<string, unknown>, options?: ErrorOptions) {
    const shipped = { en, "zh-CN": zh };
    super({ code, message: wordsOf("insert", shipped, localeOf(undefined)).errors[code](details), details }, options);
    this.name = "FileError";
    this.texts = textsOf("insert", shipped, (words) => words.errors[code](details));
  }
}
