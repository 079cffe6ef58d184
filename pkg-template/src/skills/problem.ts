/** The failures and remarks of skills, with their messages. */

import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { skills as en } from "../languages/en/skills.js";
import { skills as zh } from "../languages/zh-CN/skills.js";
import type { Locale, SkillProblem } from "../types/index.js";

export type Details = Record<string, unknown>;
type SkillWords = LanguageWords["skills"];
/** A text of a detail, in each language. */
export type Reason = (words: SkillWords) => string;

export type ProblemCode = keyof SkillWords["problems"];

/** A failure or a remark; `problemIn` gives its message. Details that depend on the language are functions of its words. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: Details;

  constructor(code: ProblemCode, details: Details, options?: ErrorOptions) {
    super(code, options);
    this.name = "Problem";
    this.code = code;
    this.details = details;
  }
}

/** Returns a problem in a language. */
export function problemIn({ code, details }: Problem, locale: Locale): SkillProblem {
  const words = wordsOf("skills", { en, "zh-CN": zh }, locale);
  const shown = Object.entries(details).map(([name, value]) => [name, isReason(value) ? value(words) : value]);
  return { code, message: words.problems[code](Object.fromEntries(shown) as Details) };
}

/** Returns a failure of loading `origin` as a problem. */
export function problemOf(thrown: unknown, origin: string): Problem {
  if (thrown instanceof Problem) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new Problem("skill_unreachable", { origin, reason: withoutEnd(reason) }, { cause: thrown });
}

/** A short text of a server or library, without line breaks, for the inside of a sentence. */
export function withoutEnd(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .slice(0, 200)
    .replace(/[.\s]+$/, "");
}

function isReason(value: unknown): value is Reason {
  return typeof value === "function";
}
