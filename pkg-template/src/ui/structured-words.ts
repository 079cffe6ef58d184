/** Values in JSON as lines for people: one for each member of an object, and one for each object of a list. */

import { inWords } from "../assistant/tool-names.js";
import type { Words } from "./words/en.js";

/** The most lines of a value. */
const MOST_LINES = 200;
/** The deepest level that is shown. */
const DEEPEST = 8;

/** Returns a value in lines; `name` is said with it. */
export function linesOf(value: unknown, m: Words, name?: string): string[] {
  const lines = allLines(value, m, name, 0);
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), m.plugins.moreLines(more)] : lines;
}

/** Returns a text of a server with the objects and lists in it as lines, where they are all of it or whole lines. */
export function wordsOfText(text: string, m: Words): string {
  const whole = parsed(text);
  if (whole) return linesOf(whole, m).join("\n");
  const lines = text.split("\n");
  const said: string[] = [];
  for (let at = 0; at < lines.length;) {
    const found = jsonAt(lines, at);
    if (found) said.push(...linesOf(found.value, m));
    else said.push(lines[at]!);
    at = found?.end ?? at + 1;
  }
  return said.join("\n").trim();
}

/** Returns the JSON that begins at a line: in that line, or up to a closing bracket at the start of another. */
function jsonAt(lines: readonly string[], at: number): { value: object; end: number } | undefined {
  const line = lines[at]!;
  if (!/^[[{]/.test(line)) return undefined;
  const alone = parsed(line);
  if (alone) return { value: alone, end: at + 1 };
  const closing = /^[[{]\s*$/.test(line) ? lines.findIndex((each, index) => index > at && /^[\]}]/.test(each)) : -1;
  const value = closing > 0 ? parsed(lines.slice(at, closing + 1).join("\n")) : undefined;
  return value && { value, end: closing + 1 };
}

/** Returns the object or list that a text states as JSON. */
function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is object => value !== null && typeof value === "object";

function allLines(value: unknown, m: Words, name: string | undefined, depth: number): string[] {
  const named = (text: string) => (name === undefined ? text : m.plugins.given(name, text));
  if (!isObject(value) || !Object.keys(value).length || depth === DEEPEST) return [named(inline(value, m, depth))];
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([key, each]) =>
      allLines(each, m, name === undefined ? inWords(key) : `${name} › ${inWords(key)}`, depth + 1),
    );
  if (!value.some(isObject)) return [named(inline(value, m, depth))];
  const rows = value.map((each) => `• ${inline(each, m, depth + 1).replace(/\s+/g, " ")}`);
  return name === undefined ? rows : [named("").trim(), ...rows];
}

/** Returns a value in one line; objects within it are in brackets. */
function inline(value: unknown, m: Words, depth: number): string {
  const { none, yes, no, list } = m.plugins.values;
  if (value === null || value === undefined) return none;
  if (typeof value === "boolean") return value ? yes : no;
  if (!isObject(value)) return String(value);
  if (depth >= DEEPEST) return "…";
  const member = (each: unknown) => {
    const said = inline(each, m, depth + 1);
    return isObject(each) && Object.keys(each).length ? `(${said})` : said;
  };
  const parts = Array.isArray(value)
    ? value.map(member)
    : Object.entries(value).map(([key, each]) => m.plugins.given(inWords(key), member(each)));
  return parts.length ? list(parts) : none;
}
