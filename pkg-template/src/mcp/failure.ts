/** Finds out why a server cannot be used. */

import type { McpHttpServer, McpServerConfig } from "../types/mcp.js";
import { isFailedRequest, TooLarge } from "./bounded-fetch.js";
import { LARGEST_MESSAGE, LONGEST_QUOTE, PROBE_MS } from "./limits.js";
import { McpFailure, reasonFor, type Localized } from "./messages.js";
import type { Redact } from "./redact.js";
import { cut, shownURL } from "./text.js";

/** The known facts about a failed attempt to connect. */
export interface Attempt {
  server: string;
  config: McpServerConfig;
  fetch: typeof fetch;
  redact: Redact;
  /** True if the time for connecting was over. */
  timedOut: boolean;
  ms: number;
  /** True if the server answered a message as the protocol has it. */
  hasSpoken: boolean;
  /** True if there was no session id in its last answer: it has no sessions, or the page cannot read them. */
  lacksSession: boolean;
}

/** Returns the cause of an error that occurred while a server was being connected. */
export async function causeOf(error: unknown, attempt: Attempt): Promise<McpFailure> {
  if (error instanceof McpFailure) return error;
  const { server, config, redact } = attempt;
  if (isTooLarge(error)) return new McpFailure("mcp_too_large", { server, limit: LARGEST_MESSAGE }, { cause: error });
  if (attempt.timedOut && "url" in config && isForeign(config.url)) {
    // The browser asks the user, who has not answered.
    const { hostname } = new URL(config.url);
    const shown = { server, url: redact(shownURL(config.url)) };
    if (await isLocalNetworkBlocked(hostname)) return new McpFailure("mcp_local_network", shown, { cause: error });
  }
  if (attempt.timedOut) return new McpFailure("mcp_timeout", { server, ms: attempt.ms }, { cause: error });
  const reason = reasonOf(error, redact);
  if (!("url" in config)) {
    return new McpFailure("mcp_process", { server, command: redact(config.command), reason }, { cause: error });
  }
  const url = redact(shownURL(config.url));
  const status = statusOf(error);
  const isRefused = attempt.hasSpoken && (status === 400 || status === 404);
  if (isRefused && attempt.lacksSession && isForeign(config.url)) {
    const header = "Access-Control-Expose-Headers: Mcp-Session-Id";
    return new McpFailure("mcp_cors", { server, url, header }, { cause: error });
  }
  if (status === 401 || status === 403)
    return new McpFailure("mcp_unauthorized", { server, url, status }, { cause: error });
  if (status !== undefined && (status >= 500 || isRefused))
    return new McpFailure("mcp_server_error", { server, reason }, { cause: error });
  if (status !== undefined) {
    return new McpFailure("mcp_not_a_server", { server, url, reason: `HTTP ${status}` }, { cause: error });
  }
  if (isNetworkError(error)) return networkCause(error, attempt, config, url);
  // An error of JSON-RPC comes from a server that speaks the protocol.
  if (typeof codeOf(error) === "number")
    return new McpFailure("mcp_server_error", { server, reason }, { cause: error });
  return new McpFailure("mcp_not_a_server", { server, url, reason }, { cause: error });
}

/** Returns true if a request got no response, or its connection broke. */
export function isNetworkError(error: unknown): boolean {
  return chainOf(error).some(isFailedRequest);
}

/** Returns the HTTP status of an error of the client. */
export function statusOf(error: unknown): number | undefined {
  for (const one of chainOf(error)) {
    // `status` is that of a response, `code` that of a stream of events.
    const { status, code, name } = one as { status?: unknown; code?: unknown; name?: string };
    if (typeof status === "number") return status;
    if (name === "UnauthorizedError") return 401;
    if ("event" in one && typeof code === "number") return code;
  }
  return undefined;
}

/** Returns true if the server does not know the session any more, and so did not do what was asked. */
export function isSessionLost(error: unknown): boolean {
  const status = statusOf(error);
  // The protocol requires 404. Servers that were built on its examples respond with 400.
  return status === 404 || (status === 400 && /session/i.test(textOf(error)));
}

/** Returns true if a message of the server was larger than the limit. */
export function isTooLarge(error: unknown): boolean {
  return chainOf(error).some(
    (one) => one instanceof TooLarge || /exceed\w* (?:the )?max\w* (?:buffer )?size/i.test(one.message),
  );
}

/** Returns a short text that describes the failure, without keys. */
export function reasonOf(error: unknown, redact: Redact): string | Localized {
  // Its message quotes the text, cut, so that a key in it could not be found.
  if (chainOf(error).some((one) => one instanceof SyntaxError)) return reasonFor("notJSON");
  return cut(
    firstOf(redact(textOf(error)))
      .replace(/\.$/, "")
      .trim(),
    LONGEST_QUOTE,
  );
}

function textOf(error: unknown): string {
  // `fetch` of Node has the reason in the cause.
  const last = chainOf(error).at(-1);
  if (!last) return String(error);
  const { code } = last as { code?: unknown };
  // Node's errors of several addresses have no message.
  return last.message || (typeof code === "string" ? code : last.name);
}

/** Returns the first line of a text, or the first message of the list of all that a validator found. */
function firstOf(text: string): string {
  const [, before, message] = /^([^[{]*)\[\s*\{[^]*?"message":\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  if (message !== undefined) return `${before}${JSON.parse(message) as string}`;
  return text.split("\n").find((line) => /\w/.test(line)) ?? text;
}

/** An error and its causes. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && chain.length < 8; one = one.cause) chain.push(one);
  return chain;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}

/** Browsers give one error for a server that is down, one that does not allow the page, and one that they block. */
async function networkCause(error: unknown, attempt: Attempt, config: McpHttpServer, url: string): Promise<McpFailure> {
  const { server, redact } = attempt;
  const failure = (code: "mcp_mixed_content" | "mcp_local_network") =>
    new McpFailure(code, { server, url }, { cause: error });
  if (!isForeign(config.url)) {
    const reason = isBrowser() ? reasonFor("refused") : reasonOf(error, redact);
    return new McpFailure("mcp_unreachable", { server, url, reason }, { cause: error });
  }
  const target = new URL(config.url);
  const isSecure = globalThis.location.protocol === "https:";
  if (isSecure && target.protocol === "http:" && !isLoopback(target.hostname)) return failure("mcp_mixed_content");
  // One limit for all requests: the run waits for the cause.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), PROBE_MS);
  const ask: Ask = (init) => responds(attempt.fetch, config.url, init, over.signal);
  const answers = await ask({ mode: "no-cors" });
  const header = answers ? await missingHeader(ask, config) : undefined;
  clearTimeout(timer);
  if (answers && over.signal.aborted) return new McpFailure("mcp_timeout", { server, ms: PROBE_MS }, { cause: error });
  over.abort();
  if (!answers && (await isLocalNetworkBlocked(target.hostname))) return failure("mcp_local_network");
  if (header) return new McpFailure("mcp_cors", { server, url, header }, { cause: error });
  return new McpFailure("mcp_unreachable", { server, url, reason: reasonFor("refused") }, { cause: error });
}

/** Sends a request to the server. Resolves with true if there is a response that the page may see. */
type Ask = (init: RequestInit) => Promise<boolean>;

/** Returns the CORS header that the server's responses lack, by requests that each need one more. */
async function missingHeader(ask: Ask, { headers = {} }: McpHttpServer): Promise<string | undefined> {
  if (!(await ask({ headers: { accept: "text/event-stream" } }))) {
    return `Access-Control-Allow-Origin: ${globalThis.location.origin}`;
  }
  // A body that is not a message of the protocol has no effect. The keys are not sent: only names are asked for.
  const post = (names: string[]) => {
    const given = Object.fromEntries(names.map((name) => [name, "0"]));
    return ask({ method: "POST", body: "{}", headers: { "content-type": "application/json", ...given } });
  };
  if (!(await post([]))) return "Access-Control-Allow-Headers: Content-Type";
  const names = ["Mcp-Protocol-Version", "Mcp-Session-Id", ...Object.keys(headers)];
  const allowed = await Promise.all(names.map((name) => post([name])));
  const missing = names.filter((_, index) => !allowed[index]);
  return missing.length > 0 ? `Access-Control-Allow-Headers: ${missing.join(", ")}` : undefined;
}

async function responds(send: typeof fetch, url: string, init: RequestInit, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await send(url, { credentials: "omit", cache: "no-store", ...init, signal });
    // Only that there is a response counts.
    await body?.cancel();
    return true;
  } catch {
    // That it fails is the answer.
    return false;
  }
}

/** Returns true if the browser asks for a permission to reach the local network that the page does not have. */
async function isLocalNetworkBlocked(host: string): Promise<boolean> {
  const names = isLoopback(host) ? ["loopback-network"] : isLocal(host) ? ["local-network"] : [];
  if (names.length === 0 || isLoopback(globalThis.location.hostname)) return false;
  for (const name of [...names, "local-network-access"]) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return state !== "granted";
    } catch {
      // This browser does not have the permission.
    }
  }
  return false;
}

function isBrowser(): boolean {
  const { document, WorkerGlobalScope } = globalThis as { document?: unknown; WorkerGlobalScope?: unknown };
  return (document ?? WorkerGlobalScope) !== undefined && globalThis.location !== undefined;
}

/** Returns true in a page or worker of another origin, whose requests the server has to allow. */
export function isForeign(url: string): boolean {
  return isBrowser() && new URL(url).origin !== globalThis.location.origin;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\./.test(host);
}

function isLocal(host: string): boolean {
  return (
    /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./.test(host) ||
    host.endsWith(".local") ||
    /^\[f[cde]/.test(host)
  );
}
