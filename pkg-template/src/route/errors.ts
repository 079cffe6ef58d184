/** The errors that the route answers with before a run begins. */

import { CopydeskError } from "../base/error.js";
import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { route as en } from "../languages/en/route.js";
import { route as zh } from "../languages/zh-CN/route.js";
import type { ErrorInfo, Locale, Logger } from "../types/index.js";

type Details = Record<string, string | number>;
type RouteWords = LanguageWords["route"];

const STATUS = {
  not_json: 400,
  too_deep: 400,
  missing_parameter: 400,
  invalid_parameter: 400,
  base_url_not_allowed: 403,
  origin_not_allowed: 403,
  host_not_allowed: 403,
  approval_not_asked: 403,
  unknown_run: 404,
  unknown_event: 404,
  method_not_allowed: 405,
  document_busy: 409,
  log_failed: 503,
  closing: 503,
  too_large: 413,
} satisfies Record<keyof RouteWords["errors"], number>;

export type RouteErrorCode = keyof typeof STATUS;

export function routeWords(locale: Locale): RouteWords {
  return wordsOf("route", { en, "zh-CN": zh }, locale);
}

/** A request that is answered with an error instead of a stream. */
export class RouteError extends CopydeskError {
  readonly status: number;

  constructor(info: ErrorInfo, status: number, options?: ErrorOptions) {
    super(info, options);
    this.status = status;
  }
}

export function routeError(code: RouteErrorCode, locale: Locale, details: Details = {}): RouteError {
  const message = routeWords(locale).errors[code](details);
  return new RouteError({ code, message, details }, STATUS[code]);
}

/** Throws an error about a member of the body. */
export type Wrong = (name: string, given: unknown, expected: string) => never;

/**
 * Returns any failure as a `RouteError`: one of copydesk is the client's, any other the server's. Exceptions of the server
 * are for the log only: they may name its files, hosts and tables.
 */
export function asRouteError(thrown: unknown, locale: Locale, logger: Logger | undefined): RouteError {
  if (thrown instanceof RouteError) return thrown;
  const { code, message, details } = thrown instanceof CopydeskError ? thrown : internal(thrown);
  const status = code === "too_large" ? 413 : ["internal", "wasm_load"].includes(code) ? 500 : 400;
  if (status !== 500) return new RouteError({ code, message, details }, status, { cause: thrown });
  logger?.error?.(message, { code });
  const shown = routeWords(locale).serverFailed;
  return new RouteError({ code, message: shown, details: {} }, status, { cause: thrown });
}

function internal(thrown: unknown): ErrorInfo {
  return { code: "internal", message: thrown instanceof Error ? thrown.message : String(thrown), details: {} };
}

/** Returns the answer for a failure: `{error, code, details}`. */
export function errorResponse({ message, code, details, status }: RouteError, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  all.set("cache-control", "no-store");
  return Response.json({ error: message, code, details }, { status, headers: all });
}
