/** The secret of a run: who has only its id can neither read nor stop it. */

import type { Locale } from "../types.js";
import { routeError } from "./errors.js";

/** The header with the token, in requests and answers. */
export const TOKEN_HEADER = "copydesk-run-token";

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

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
