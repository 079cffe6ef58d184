/** Servers of the Model Context Protocol whose tools an agent uses. */

import type { Locale } from "./agent.js";
import type { AgentPlugin } from "./plugins.js";

/**
 * When calls need the user's approval. "annotations": unless the server declares the tool as reading only or as not
 * destructive; a tool without annotations counts as destructive, as in the specification. "always" and "never" are for
 * all tools of the server.
 */
export type McpApproval = "annotations" | "always" | "never";

/** Settings of every server. */
export interface McpServerOptions {
  /** False: the server is not connected. Default: true. */
  enabled?: boolean;
  /** Duration that connecting and listing the tools may take, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** Default: "annotations". */
  approval?: McpApproval;
  /** Names of the tools to use, as the server has them. Default: all, up to the limit. */
  tools?: string[];
}

/** A server with a URL: Streamable HTTP, or the older SSE transport. */
export interface McpHttpServer extends McpServerOptions {
  url: string;
  /** Sent with every request. Their values are redacted where the server repeats them. */
  headers?: Record<string, string>;
}

/** A server that runs as a process and speaks over stdio. Only in Node and Electron. */
export interface McpCommandServer extends McpServerOptions {
  command: string;
  args?: string[];
  /** Added to the few variables that every process needs, such as PATH. */
  env?: Record<string, string>;
  cwd?: string;
}

export type McpServerConfig = McpHttpServer | McpCommandServer;

/** Servers by name, in the shape of the usual configuration files. */
export interface McpConfig {
  mcpServers: Record<string, McpServerConfig>;
}

/** A question of a server to the user: a form as a JSON Schema whose properties are texts, numbers and choices. */
export interface McpQuestion {
  server: string;
  message: string;
  schema: object;
}

/** The user's answer: "accept" with the values of the form, "decline" (no), "cancel" (closed without an answer). */
export interface McpAnswer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
}

/** Options of `mcp()`. */
export interface McpOptions {
  /** Language of the errors in `servers`. Default: that of the page. Notices have the language of their agent. */
  locale?: Locale;
  /** Sends the requests to servers with a URL. Default: the platform's `fetch`. */
  fetch?: typeof fetch;
  /** Asks the user a question of a server. Default: servers are told that they cannot ask. */
  elicit?: (question: McpQuestion, signal: AbortSignal) => McpAnswer | Promise<McpAnswer>;
}

/** A tool of a server. */
export interface McpToolInfo {
  /** The name that the model sees: `server__tool`. Missing if the model does not see the tool. */
  name?: string;
  /** The name that the server gave it. */
  tool: string;
  title?: string;
  description?: string;
  /** The JSON Schema of its arguments, as the server gave it, without keys. */
  inputSchema: object;
  /** True if calls need approval. */
  needsApproval: boolean;
}

/** A server as it is at the moment. */
export interface McpServerState {
  name: string;
  /** "connecting" also before the first agent. */
  state: "connecting" | "ready" | "failed" | "disabled";
  transport?: "streamable-http" | "sse" | "stdio";
  /** For example `2026-07-28`. */
  protocolVersion?: string;
  tools: readonly McpToolInfo[];
  /** The failure since which it is not ready. */
  error?: { code: string; message: string };
}

/** The plugin that `mcp()` creates. It may serve several agents, which share its connections. */
export interface McpPlugin extends AgentPlugin {
  /** The servers, in the order of the configuration. */
  readonly servers: readonly McpServerState[];
  /** Replaces the configuration. Servers whose settings are the same stay connected. */
  configure(config: McpConfig): void;
  /** Calls `listener` after each change of `servers`. Returns the function that ends it. */
  subscribe(listener: () => void): () => void;
  /**
   * Connects to a server again, now. Resolves when it is ready or has failed; `servers` has the outcome. Without an
   * agent nothing is connected, and it resolves at once.
   */
  reconnect(name: string): Promise<void>;
}
