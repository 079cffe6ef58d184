/** Requests for runs, as they arrive. */

import type { ChatRequest } from "./body.js";
import type { OwnLog } from "./lease.js";
import type { EventId } from "./client-writer.js";
import type { LoggedRun } from "./run-log.js";

/** The part of a worker's execution context that a route uses. */
export interface RequestContext {
  /** Keeps the worker alive. */
  waitUntil?: (promise: Promise<unknown>) => void;
}

const STREAM = /\/([^/]+)\/stream$/;

/** Returns whether a path is that of the last run of a conversation. */
export function isOfThread(path: string): boolean {
  return STREAM.test(path);
}

/** Returns the path of the route in that of a conversation's run. */
export function routeIn(path: string): string {
  return path.replace(STREAM, "");
}

/** Returns the id of the conversation in such a path. */
export function threadIn(path: string): string {
  const [, id = ""] = STREAM.exec(path) ?? [];
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** A request, as it arrives: without a body for the last run of a conversation. */
export interface Arrival {
  readonly chat?: ChatRequest;
  readonly request: Request;
  readonly context?: RequestContext | undefined;
  /** The last event that the client has. Default: that of its header. */
  readonly after?: EventId;
  /** The key of the conversation whose last run this is. */
  readonly thread?: string | undefined;
}

/** A run that begins or continues at this instance. */
export interface Beginning extends Arrival {
  readonly chat: ChatRequest;
  readonly own?: OwnLog | undefined;
  /** The run of the log, and the last event that its client has. */
  readonly earlier?: { readonly run: LoggedRun; readonly after: EventId } | undefined;
  readonly isReplay?: boolean;
  /** Names the request that has begun the run. */
  readonly claim?: string | undefined;
}
