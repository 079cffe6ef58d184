/** The texts of comments for users. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { comments as en } from "../languages/en/comments.js";
import { comments as zh } from "../languages/zh-CN/comments.js";
import { localeOf } from "../base/locale.js";

export function commentWords(tag?: string): LanguageWords["comments"] {
  return wordsOf("comments", { en, "zh-CN": zh }, localeOf(tag));
}
