/** Removes the keys of the configuration from what a server sends. */

import type { McpServerConfig } from "../types/mcp.js";

/** The replacement of a key. The protocol does not allow these brackets in names of tools. */
export const REDACTED = "[key]";

/** Shorter values are not keys, and would be found in ordinary words. */
const SHORTEST = 6;
/** Names of signs in HTML. */
const ENTITIES: Record<string, string> = { '"': "quot", "'": "apos", "&": "amp", "<": "lt", ">": "gt" };
/** Members of a result that go back to the server as they are. They are not shown. */
const OPAQUE = ["nextCursor", "requestState"];

/** Replaces the keys in a text. */
export type Redact = (text: string) => string;

/**
 * Returns a function that replaces the keys of a server's settings in a text, as they are and in the encodings of URLs,
 * JSON and HTML.
 */
export function redaction(config: McpServerConfig): Redact {
  const secrets = new Set<string>();
  const add = (value: string): unknown => value.trim().length >= SHORTEST && secrets.add(value.trim());
  for (const value of "url" in config ? Object.values(config.headers ?? {}) : Object.values(config.env ?? {})) {
    add(value);
    // Without the scheme, such as Bearer.
    add(value.trim().replace(/^\S+\s+/, ""));
  }
  if ("url" in config) for (const value of new URL(config.url).searchParams.values()) add(value);
  if (secrets.size === 0) return (text) => text;
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  const anyForm = new RegExp(longestFirst.map((secret) => [...secret].map(formsOf).join("")).join("|"), "g");
  return (text) => text.replace(anyForm, REDACTED);
}

/** Returns a pattern of the forms of a character: each may be encoded, also more than once. The repeats have bounds, so
 * that a hostile text costs no more than its length. */
function formsOf(character: string): string {
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const bytes = [...new TextEncoder().encode(character)].map((byte) => `%(?:25){0,2}${anyCase(byte, 2)}`).join("");
  const units = Array.from({ length: character.length }, (_, at) => anyCase(character.charCodeAt(at), 4));
  const code = character.codePointAt(0)!;
  const entities = [
    `#0{0,6}${code}`,
    `#[xX]0{0,6}${anyCase(code)}`,
    ...(ENTITIES[character] ? [ENTITIES[character]] : []),
  ];
  return `(?:${[
    `\\\\{0,4}${plain}`,
    bytes,
    units.map((unit) => `\\\\{1,4}u${unit}`).join(""),
    `&(?:amp;){0,2}(?:${entities.join("|")});`,
    ...(character === " " ? ["\\+"] : []),
  ].join("|")})`;
}

/** Returns a pattern of a number in hexadecimal, with letters of either case. */
function anyCase(value: number, digits = 1): string {
  const hex = value.toString(16).padStart(digits, "0");
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Replaces the keys in a message of the protocol, in texts and names of members, however deep. Changes the message. */
export function redactMessage(message: object, redact: Redact): void {
  const { params, result, error } = message as { params?: unknown; result?: unknown; error?: unknown };
  const kept = Object.entries((result ?? {}) as object).filter(([name]) => OPAQUE.includes(name));
  // A list instead of recursion: a server may nest without end.
  const open: object[] = [{ params, result, error }];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const [name, member] of Object.entries(value) as [string, unknown][]) {
      const clean = typeof member === "string" ? redact(member) : member;
      const cleanName = Array.isArray(value) ? name : redact(name);
      if (cleanName !== name) Reflect.deleteProperty(value, name);
      // Not assigned: a member may be called `__proto__`.
      if (clean !== member || cleanName !== name) {
        Object.defineProperty(value, cleanName, { value: clean, writable: true, enumerable: true, configurable: true });
      }
      if (typeof member === "object" && member !== null) open.push(member);
    }
  }
  for (const [name, value] of kept) if (typeof value === "string") Object.assign(result as object, { [name]: value });
}
