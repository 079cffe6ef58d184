/** The fields of the form of `<copydesk-servers>`: their checks, and the server that they make. */

import type { McpHttpServer } from "../types/mcp.js";
import type { Sentence } from "./sentence.js";

export const DEFAULT_HEADER = "Authorization";
export const LONGEST_NAME = 64;

/** Returns the sentence about the first field that is not valid, or null. `taken` are the names that a new server has not. */
export function invalidServer(fields: ReadonlyMap<string, string>, taken: readonly string[]): Sentence | null {
  const field = (name: string) => fields.get(name) ?? "";
  const [url, name] = [field("url"), field("name")];
  if (!isHttp(url)) return (m) => m.servers.invalidUrl;
  if (new URL(url).username || new URL(url).password) return (m) => m.servers.urlWithPassword;
  if (!/^[A-Za-z0-9-]*$/.test(field("header"))) return (m) => m.servers.invalidHeader;
  if (!/^[\x20-\x7e]*$/.test(field("key"))) return (m) => m.servers.invalidKey;
  if (!/^[\w-]*$/.test(name)) return (m) => m.servers.invalidName;
  return taken.includes(name) ? (m) => m.servers.taken(name) : null;
}

/** Returns the name of the header with the key of a server: `Authorization`, or the first one. */
export function headerOf(server: McpHttpServer | undefined): string | undefined {
  const names = Object.keys(server?.headers ?? {});
  return names.find((name) => isSameHeader(name, DEFAULT_HEADER)) ?? names[0];
}

/**
 * Returns a server with another URL and key. Without a key it keeps its own. A URL that belongs to another server loses all
 * headers.
 */
export function withKey(before: McpHttpServer | undefined, url: string, header: string, key: string): McpHttpServer {
  const isSame = isHttp(before?.url) && new URL(before.url).origin === new URL(url).origin;
  const current = isSame ? headerOf(before) : undefined;
  const headers = isSame ? before.headers : undefined;
  // An unchanged key stays as it is, also one of another scheme.
  if (current !== undefined && !key && isSameHeader(current, header))
    return { ...before, url, headers: { ...headers } };
  const value = key || bare(headers?.[current ?? ""] ?? "");
  const others = Object.entries(headers ?? {}).filter(([name]) => name !== current && !isSameHeader(name, header));
  return {
    ...before,
    url,
    headers: Object.fromEntries([...(value ? [[header, valueOf(header, value)]] : []), ...others]),
  };
}

/** Returns a server without its key. Its other headers stay. */
export function withoutKey(server: McpHttpServer): McpHttpServer {
  const { [headerOf(server) ?? ""]: _, ...headers } = server.headers ?? {};
  return { ...server, headers };
}

/** Returns the name of a server that a URL suggests. */
export function nameIn(url: string): string {
  const { hostname } = new URL(url);
  const isAddress = /^[\d.]+$|^\[|^localhost$/.test(hostname);
  const named = isAddress ? "local" : (hostname.replace(/^(?:www|mcp|api)\./, "").split(".")[0] ?? "");
  return (named.replace(/[^\w-]/g, "") || "server").slice(0, LONGEST_NAME);
}

function isHttp(url: string | undefined): url is string {
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function isSameHeader(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Returns the value of a header without the scheme of bearer tokens. */
function bare(value: string): string {
  return value.replace(/^Bearer /i, "");
}

/** Returns the value of a header: keys without a scheme are bearer tokens. */
function valueOf(header: string, key: string): string {
  return isSameHeader(header, DEFAULT_HEADER) && !key.includes(" ") ? `Bearer ${key}` : key;
}
