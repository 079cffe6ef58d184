/** Conversion to plain JSON data. */

import { check, readInput } from "./error.js";

/**
 * Returns a value as JSON text without lone surrogates, which editors may hold and Rust's strings cannot. Each becomes U+FFFD,
 * one UTF-16 code unit for another, so that positions stay. `NaN` and infinite numbers, which TipTap parses from some
 * attributes, become null: a stored document has that as well. `name` is the value's name in errors.
 *
 * @throws CopydeskError `invalid_parameter` for what JSON cannot represent.
 */
export function jsonOf(value: unknown, name: string, replacer?: (key: string, member: unknown) => unknown): string {
  const json = readInput(name, () => JSON.stringify(value, replacer)) as string | undefined;
  check(json !== undefined, name, value, "plain data");
  // JSON.stringify escapes only lone surrogates.
  if (!json!.includes("\\ud")) return json!;
  return json!.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\ufffd");
}

/** The least length of a text that is passed beside the JSON. */
const LONG = 10_000;

/**
 * Returns plain data as JSON text, as {@link jsonOf} does, and its first long text beside it, empty if there is none: writing
 * and reading that as JSON would take longer than a small edit of it. In its place is U+0000. A text that begins with
 * U+0000 has another one before it.
 */
export function jsonWithText(value: unknown, name: string): [json: string, text: string] {
  let text = "";
  const short = (member: unknown) => {
    if (typeof member !== "string") return member;
    if (text || member.length < LONG) return member.startsWith("\0") ? `\0${member}` : member;
    text = member;
    return "\0";
  };
  return [jsonOf(value, name, (_, member) => short(member)), text];
}

/** Returns a copy of a value as plain data. Refuses data that JSON would silently change or lose; the error has its
 * path, which begins with `name`. */
export function plain(value: unknown, name: string): unknown {
  return readInput(name, () => plainIn(value, name, { path: new Set(), left: MOST }));
}

/** The state of a copy: the ancestors of the current value, and the number of values left. An object may occur
 * several times, but not within itself. */
interface Copying {
  readonly path: Set<object>;
  left: number;
}

function plainIn(value: unknown, name: string, copying: Copying): unknown {
  if (typeof Headers === "function" && value instanceof Headers) return Object.fromEntries(value);
  if (typeof value === "number") check(Number.isFinite(value), name, value, "a finite number");
  // JSON.stringify turns a Map or Set into {}.
  const isSet = isObject(value) && Symbol.iterator in value && !Array.isArray(value);
  const isData = !["function", "symbol", "bigint"].includes(typeof value) && !isSet && copying.path.size < DEEPEST;
  check(isData, name, isSet ? "a Map or the like" : `a ${typeof value}`, "plain data that is not too deep");
  if (!isObject(value)) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return plainIn(value.toJSON(), name, copying);
  check(!copying.path.has(value), name, "part of itself", "plain data without circles");
  check(--copying.left > 0, name, "too much", `at most ${MOST} values`);
  copying.path.add(value);
  const copy = Array.isArray(value)
    ? value.map((item, at) => plainIn(item, `${name}[${at}]`, copying))
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== undefined)
          .map(([key, member]) => [key, plainIn(member, `${name}.${key}`, copying)]),
      );
  copying.path.delete(value);
  return copy;
}

const MOST = 1_000_000;
const DEEPEST = 64;

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
