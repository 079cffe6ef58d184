/** The secret of a run: who has only its id can neither read nor stop it. */

import type { Locale } from "../types/index.js";
import { routeError } from "./errors.js";

/** The header with the token, in requests and answers. */
export const TOKEN_HEADER = "copydesk-run-token";

/** The header with the id of a run, for formats whose bodies have none. */
export const RUN_HEADER = "copydesk-run-id";

const RUN_ID = /^[\w-]{1,100}$/;
const TOKEN = /^[\w.~-]{16,200}$/;

/** Returns a new token. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return hex(bytes);
}

/** Returns the token of a request, or undefined. @throws RouteError for one that is too short or too long. */
export function tokenOf(request: Request, locale: Locale): string | undefined {
  const token = request.headers.get(TOKEN_HEADER) ?? undefined;
  if (token === undefined || TOKEN.test(token)) return token;
  const expected = "a secret of 16 to 200 letters, digits and - . _ ~";
  throw routeError("invalid_parameter", locale, { name: TOKEN_HEADER, given: `${token.length} characters`, expected });
}

/**
 * Returns the key of a run in the log. It contains a hash of the token, so a run is only found with its token, and no
 * token is compared: the time of a look-up tells nothing about one.
 */
export async function runKey(id: string, token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${id}\n${token}`));
  return `${id}-${hex(new Uint8Array(digest))}`;
}

/** Returns the id of a run, if it is one. */
export function runIdOf(given: unknown): string | undefined {
  return typeof given === "string" && RUN_ID.test(given) ? given : undefined;
}

/** Returns the id in a key. */
export function idIn(key: string): string {
  return key.slice(0, key.lastIndexOf("-"));
}

/** Returns the key of a conversation in the log, made like that of a run. */
export async function threadKey(thread: string, token: string): Promise<string> {
  return runKey("thread", `${thread}\n${token}`);
}

/** Returns bytes as hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
