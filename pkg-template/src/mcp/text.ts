/** Text of servers in messages: cut, and without the keys of the configuration. */

import type { McpServerConfig } from "../types/mcp.js";

/** Returns the text, cut to this many characters. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** Returns the URL of a server as messages show it: without what may be a key. */
export function shownURL(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Returns a function that replaces the keys of a server's settings in a text. */
export function redaction(config: McpServerConfig): (text: string) => string {
  const secrets = new Set<string>();
  // Shorter values are no keys, and would be found in ordinary words.
  const add = (value: string): unknown => value.trim().length >= 6 && secrets.add(value.trim());
  for (const value of "url" in config ? Object.values(config.headers ?? {}) : Object.values(config.env ?? {})) {
    add(value);
    add(value.replace(/^\S+\s+/, ""));
  }
  if ("url" in config) {
    const { searchParams, username, password } = new URL(config.url);
    for (const value of [...searchParams.values(), username, password]) add(value);
  }
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, secret) => clean.replaceAll(secret, "[key]"), text);
}
