/** Asks a provider for its models, which also tests the URL and the key. */

import type { Api } from "../types/model.js";
import { wireFormats } from "../agent/wire-formats.js";

export interface Endpoint {
  api: Api;
  baseUrl: string;
  apiKey: string;
}

/** The outcome of a test: the ids of the models, or the reason why there are none. */
export type Connection =
  | { models: string[] }
  | { problem: "key" | "url" | "offline" | "blocked" | "unreachable" | "unusable"; status?: number };

/** Timeout of the request, in milliseconds. */
const TIMEOUT = 10_000;

/** Asks an endpoint for its models. */
export async function testConnection({ api, baseUrl, apiKey }: Endpoint): Promise<Connection> {
  const { path, headers } = wireFormats[api].models;
  const url = baseUrl.trim().replace(/\/+$/, "") + path;
  let response: Response;
  try {
    response = await fetch(url, { headers: headers(apiKey.trim()), signal: AbortSignal.timeout(TIMEOUT) });
  } catch {
    return { problem: await whyNoAnswer(url) };
  }
  if (response.status === 401 || response.status === 403) return { problem: "key" };
  if (!response.ok) return { problem: response.status === 404 ? "url" : "unusable", status: response.status };
  const models = modelsOf(await response.json().catch(() => null));
  return models ? { models } : { problem: "url" };
}

/**
 * Returns the reason why a page gets no answer, as the assistant tells it: a server that answers a request whose response
 * the page may not read is there, and does not allow the page (CORS).
 */
async function whyNoAnswer(url: string): Promise<"offline" | "blocked" | "unreachable"> {
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname);
  if (!navigator.onLine && !isLocal) return "offline";
  try {
    await fetch(url, { mode: "no-cors", credentials: "omit", signal: AbortSignal.timeout(TIMEOUT) });
    return "blocked";
  } catch {
    return "unreachable";
  }
}

/** Returns the ids in a list of models: `data[].id`, or `models[].name` in Google's format. */
function modelsOf(answer: unknown): string[] | null {
  const { data, models } = (answer ?? {}) as { data?: unknown; models?: unknown };
  const list = Array.isArray(data) ? data : Array.isArray(models) ? models : null;
  const ids = list?.map((entry: { id?: unknown; name?: unknown } | null) => entry?.id ?? entry?.name);
  return (
    ids
      ?.filter((id): id is string => typeof id === "string")
      .map((id) => id.replace(/^models\//, ""))
      .sort() ?? null
  );
}
