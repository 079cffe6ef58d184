/**
 * Errors as the clients of a route may read them. Servers behind the route (of the model, of a search, of plugins) may be
 * in a network that the client cannot reach: their answers and their names are for the log.
 */

import { kindOf } from "../agent/tool-kinds.js";
import { isObject } from "../base/json.js";
import { routeWords } from "./errors.js";
import type { AgentEvent, Locale, Logger } from "../types/index.js";

/** The errors that quote an answer, or an exception of the server. */
const ANSWERS = new Set([
  "unauthorized",
  "model_not_found",
  "not_found",
  "rate_limited",
  "quota_exceeded",
  "overloaded",
  "context_overflow",
  "bad_request",
  "server_error",
  "not_a_stream",
  "malformed_stream",
  "provider_error",
  "redirected",
  "fetch_failed",
  "hook_failed",
]);
/** The errors that name a server. */
const NAMES = new Set(["unreachable", "blocked_by_cors", "timeout"]);
/** The errors of search services, which are always the route's. */
const SEARCHES = new Set(["service_error", "service_answer", "redirected", "unreachable", "fetch_failed"]);
const NOTICES = /^(?:plugin_failed|rules_not_read|mcp_|skills?_)/;

export interface PrivateErrorsOptions {
  /** True if clients may read the answers of the model's server: they have named it, and it is not a secret. */
  readonly isModelPublic: boolean;
  /** True if the client has named the model's server. */
  readonly isModelNamed: boolean;
  readonly locale: Locale;
  readonly logger: Logger | undefined;
}

/** Replaces what clients may not read, and logs it. */
export class PrivateErrors {
  readonly #options: PrivateErrorsOptions;

  constructor(options: PrivateErrorsOptions) {
    this.#options = options;
  }

  /** Returns an event as clients may read it. */
  event(event: AgentEvent): AgentEvent {
    switch (event.type) {
      case "error": {
        if (!this.#isPrivate(event.code)) return event;
        this.#log(event.code, event.error);
        return { ...event, error: this.#text(event.code, event.details), details: statusOf(event.details) };
      }
      case "retry":
        if (!this.#isPrivate(event.reason)) return event;
        this.#log(event.reason, event.message);
        return { ...event, message: this.#text(event.reason) };
      case "notice":
        if (!NOTICES.test(event.code)) return event;
        this.#log(event.code, event.message);
        return { ...event, message: this.#text(event.code) };
      case "tool_result": {
        const error = errorIn(event.content);
        const kind = kindOf(event.toolName);
        const asksService = kind?.subject === "outside" && kind.does === "search";
        if (!event.isError || !asksService || !error || !SEARCHES.has(error.code)) return event;
        this.#log(error.code, error.message);
        const { code, details } = error;
        return {
          ...event,
          content: { error: { code, message: this.#text(code, details), details: statusOf(details) } },
        };
      }
      default:
        return event;
    }
  }

  #isPrivate(code: string): boolean {
    const { isModelPublic, isModelNamed } = this.#options;
    if (code === "hook_failed") return true;
    return !isModelPublic && (ANSWERS.has(code) || (!isModelNamed && NAMES.has(code)));
  }

  #text(code: string, details?: unknown): string {
    return routeWords(this.#options.locale).serviceFailed(code, statusOf(details).status);
  }

  #log(code: string, reason: string): void {
    const { logger } = this.#options;
    const message = `${code}: the reason is not sent to clients`;
    if (logger?.error) logger.error(message, { code, reason });
    else console.error(`copydesk: ${message}: ${reason}`);
  }
}

function statusOf(details: unknown): { status?: number } {
  const { status } = (isObject(details) ? details : {}) as { status?: unknown };
  return typeof status === "number" && status > 0 ? { status } : {};
}

function errorIn(content: unknown): { code: string; message: string; details: unknown } | undefined {
  const { error } = (isObject(content) ? content : {}) as { error?: unknown };
  const { code, message, details } = (isObject(error) ? error : {}) as Record<string, unknown>;
  return typeof code === "string" && typeof message === "string" ? { code, message, details } : undefined;
}
