/** The errors of an agent in a worker. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { worker as en } from "../languages/en/worker.js";
import { worker as zh } from "../languages/zh-CN/worker.js";

export function workerWords(locale: string | undefined): LanguageWords["worker"] {
  return wordsOf("worker", { en, "zh-CN": zh }, locale ?? "en");
}
