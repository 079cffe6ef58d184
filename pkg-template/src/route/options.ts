/** The options of a route. */

import type { Document } from "../document/document.js";
import type { InitSource } from "../loading/load.js";
import type { AgentHooks, AgentSettings } from "../agent/options.js";
import type { FetchLike, Guards, LlmConfig, Logger, RunResult } from "../types/index.js";
import type { ChatBody } from "./chat-body.js";
import type { FormatName } from "./formats/index.js";
import type { Hosts, Origins } from "./origin.js";
import type { RunLog } from "./run-log.js";
import type { OpenTelemetryApi } from "./telemetry.js";
import type { ImageServiceConfigs, SearchServiceConfigs, ServiceSource } from "./services.js";

/** The outcome of a run. */
export interface RunEnd {
  /** Of a run that waits for approval, the status is "aborted". */
  result: RunResult;
  /** The ids of the calls that wait for approval: the request that answers continues the run. */
  waiting: readonly string[];
  document: Document;
  /** The document as HTML. Parts that did not change are those of `documentContent`, byte for byte. */
  html: string;
  body: ChatBody;
}

/** The options that are the route's own. */
export interface RouteSettings {
  /** The model of all runs: that of the body is then ignored. Default: that of the body. */
  llmConfig?: LlmConfig;
  /** Replaces `globalThis.fetch` for the model and the searches. */
  fetch?: FetchLike;
  /** Receives log entries. */
  logger?: Logger;
  /** Limits of what edits may do. */
  guards?: Guards;
  /** The source of the WebAssembly file. Default: that of the package. */
  wasm?: InitSource;
  /** The web search: a service, the content of `search-service-configs.json`, or its URL or path. */
  searchService?: ServiceSource<SearchServiceConfigs>;
  /** The image search: a service, the content of `image-service-configs.json`, or its URL or path. */
  imageService?: ServiceSource<ImageServiceConfigs>;
  /** True if `GET …/config` may return the keys of the services. Default: false. */
  exposeKeys?: boolean;
  /** Origins whose pages may use the route, besides its own. Default: none. */
  origins?: Origins;
  /**
   * Names of hosts, without port, under which requests may reach the route: `app.example.com`, `*.example.com`. Those of the
   * loopback interface and numbers always may. Default: any to which no page can rebind its name.
   */
  hosts?: Hosts;
  /**
   * True if clients may read what the servers behind the route answer when they fail. Default: only what a provider or a
   * server of `baseUrls` answers to a client that has named it.
   */
  exposeErrors?: boolean;
  /** Origins or beginnings of URLs that `llmConfig` of a body may name. Default: any. */
  baseUrls?: readonly string[];
  /** The longest body, in bytes. Default: 16 MiB. */
  maxBodyBytes?: number;
  /** The time for a whole answer of the model, in milliseconds, also if a body asks for more. Default: 240000. */
  totalTimeout?: number;
  /** The time between two comments in a stream, in milliseconds. Default: 15000. */
  keepAlive?: number;
  /** Returns a document that the server holds, in place of `documentContent`. */
  document?: (
    body: ChatBody & Record<string, unknown>,
    request: Request,
  ) => Document | undefined | Promise<Document | undefined>;
  /**
   * The answer to a second run on a document: one of the server, or one with the same `documentId`. "refuse": 409.
   * Default: "queue".
   */
  whenBusy?: "queue" | "refuse";
  /**
   * Signs requests for approval: an answer counts once, and only for the calls that were asked about. A secret of 32
   * characters or more that all instances have, or several: the first one signs, all are valid.
   */
  approvalSecret?: string | readonly string[];
  /** The time in milliseconds in which a signed request for approval can be answered. Default: 86400000, a day. */
  approveWithin?: number;
  /** The form of bodies and streams: copydesk's, that of the AI SDK's `useChat`, or AG-UI's. Default: "copydesk". */
  format?: FormatName;
  /**
   * Stores runs that have a `runId`, so that a client can continue one after a disconnection; in other formats than
   * "copydesk", runs whose requests have a token.
   */
  log?: RunLog;
  /**
   * The time in milliseconds in which the log has to answer: an operation that takes longer has failed. Default: 5000.
   */
  logTimeout?: number;
  /** The time in milliseconds for which a run of the log continues without a client. Default: 60000. */
  resumeWithin?: number;
  /**
   * The time in milliseconds after which another instance continues a run whose instance no longer renews its lease.
   * Default: 15000.
   */
  lease?: number;
  /** The package `@opentelemetry/api`, for metrics and traces of runs. Default: none. */
  openTelemetry?: OpenTelemetryApi;
  /** Called at the end of each run, before the stream is closed. An exception is logged. */
  onEnd?: (end: RunEnd) => void | Promise<void>;
}

export type DocAgentRouteOptions = RouteSettings & Omit<AgentSettings, "llmConfig"> & AgentHooks;
