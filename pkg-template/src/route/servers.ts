/** The servers of models that a body may name. */

import type { Glue } from "../loading/build.js";
import { guarded } from "../document/calls.js";
import type { LlmConfig, Locale } from "../types/index.js";
import { wireFormats } from "../agent/wire-formats.js";
import type { ChatRequest } from "./body.js";
import { routeError } from "./errors.js";
import type { DocAgentRouteOptions } from "./options.js";

/** The longest that an answer of a model may take, in milliseconds, unless the route has another limit. */
const TOTAL_TIMEOUT = 240_000;

/** The part of the wasm that builds URLs. */
interface Urls {
  modelUrl(config: LlmConfig, locale: string): string;
}

/** Number of encodings in one another that are decoded. */
const ENCODINGS = 6;

/**
 * Checks the URL that would be requested, with the id of the model and the path of the format, so no part of the settings
 * leads elsewhere. `init()` has to be over.
 *
 * @throws RouteError `base_url_not_allowed`; CopydeskError `config` for settings that an agent refuses.
 */
export function checkServer(config: LlmConfig, allowed: readonly string[], locale: Locale): void {
  const url = guarded((wasm) => (wasm as Glue & Urls).modelUrl(config, locale));
  if (allowed.some((base) => isBelow(url, base))) return;
  throw routeError("base_url_not_allowed", locale, { given: config.streamOptions.baseUrl.slice(0, 200) });
}

/** Returns the model of a run, with the limits of the route. */
export function modelFor(
  { llmConfig }: Pick<ChatRequest, "llmConfig">,
  options: Pick<DocAgentRouteOptions, "llmConfig" | "baseUrls" | "totalTimeout">,
  locale: Locale,
): LlmConfig {
  const { llmConfig: own, baseUrls, totalTimeout = TOTAL_TIMEOUT } = options;
  if (!own && baseUrls) checkServer(llmConfig!, baseUrls, locale);
  const { streamOptions, ...rest } = own ?? llmConfig!;
  const wanted = streamOptions.totalTimeout;
  const isLimit = typeof wanted === "number" && wanted > 0;
  return {
    ...rest,
    streamOptions: { ...streamOptions, totalTimeout: isLimit ? Math.min(wanted, totalTimeout) : totalTimeout },
  };
}

/** Returns whether a body names a server whose answers are for its client: a provider's, or one that is listed. */
export function isPublic({ model, streamOptions }: LlmConfig, listed: readonly string[] = []): boolean {
  return [wireFormats[model.api]?.baseUrl ?? "", ...listed].some((base) => isBelow(streamOptions.baseUrl, base));
}

/** Returns whether a URL is of the origin of another one, and its path begins with whole segments of the other's. */
export function isBelow(url: string, base: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(base)) return false;
  const [given, limit] = [new URL(url), new URL(base)];
  if (given.origin !== limit.origin || given.username || given.password) return false;
  const path = (pathname: string) => `${pathname.replace(/\/+$/, "")}/`;
  return path(given.pathname).startsWith(path(limit.pathname)) && !leadsOut(given.pathname);
}

/**
 * Returns whether a path has segments that a proxy or a server resolves: once it has decoded them, or without the
 * parameters after a semicolon that servlet containers take off.
 */
function leadsOut(path: string): boolean {
  let text = path;
  for (let at = 0; at <= ENCODINGS; at++) {
    if (text.split(/[/\\]/).some((segment) => /^\s*\.{1,2}\s*(;|$)/.test(segment))) return true;
    text = text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return false;
}
