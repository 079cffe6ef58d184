/** The messages about servers, by code. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { mcp as en } from "../languages/en/mcp.js";
import { mcp as zh } from "../languages/zh-CN/mcp.js";
import type { Locale } from "../types/index.js";

type McpWords = LanguageWords["mcp"];

/** The codes of notices about servers, and of the errors in their states. */
export type McpCode = keyof McpWords["notices"];
/** The name of a reason in messages, or of the error of a call. */
export type ReasonName = keyof McpWords["reasons"];
/** A text in each language. */
export type Localized = (words: McpWords) => string;

type Details = Record<string, string | number | boolean | Localized | ((words: McpWords) => string[])>;

/** A problem with a server, in every language. */
export class McpFailure extends Error {
  constructor(
    readonly code: McpCode,
    private readonly details: Details,
    options?: ErrorOptions,
  ) {
    super(messageOf(code, details, en), options);
    this.name = "McpFailure";
  }

  /** Returns the message in a language. */
  in(locale: Locale): string {
    return messageOf(this.code, this.details, mcpWords(locale));
  }
}

function messageOf(code: McpCode, details: Details, words: McpWords): string {
  const values = Object.entries(details).map(([name, value]) => [
    name,
    typeof value === "function" ? value(words) : value,
  ]);
  return words.notices[code](Object.fromEntries(values) as Record<string, unknown>);
}

function mcpWords(locale: Locale): McpWords {
  return wordsOf("mcp", { en, "zh-CN": zh }, locale);
}

/** Returns a reason in each language. */
export function reasonFor(name: ReasonName): Localized {
  return ({ reasons }) => reasons[name];
}

/** Returns a text in a language. */
export function inLocale(locale: Locale, text: Localized): string {
  return text(mcpWords(locale));
}
