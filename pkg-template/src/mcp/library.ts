/** The official client of the protocol, an optional peer dependency: loaded when the first server is connected. */

import type { Transport } from "@modelcontextprotocol/client";
import { McpFailure } from "./messages.js";

export type Library = typeof import("@modelcontextprotocol/client");

/** The part of its module for processes that is used. */
export interface ProcessLibrary {
  StdioClientTransport: new (server: {
    command: string;
    args?: string[];
    env?: Record<string, string>;
    cwd?: string;
    stderr: "ignore";
    maxBufferSize: number;
  }) => Transport;
  getDefaultEnvironment(): Record<string, string>;
}

/** Loads the client. Fails with `mcp_not_installed`. */
export async function loadLibrary(): Promise<Library> {
  // A `try` of its own tells bundlers that it may be missing.
  try {
    return await import("@modelcontextprotocol/client");
  } catch (cause) {
    throw notInstalled(cause);
  }
}

/** Loads its transport to processes, which needs Node. Fails with `mcp_not_installed`. */
export async function loadProcessLibrary(): Promise<ProcessLibrary> {
  // Hides the import from bundlers for browsers: the module imports `child_process`.
  const name = ["@modelcontextprotocol/client", "stdio"].join("/");
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as ProcessLibrary;
  } catch (cause) {
    throw notInstalled(cause);
  }
}

function notInstalled(cause: unknown): McpFailure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new McpFailure("mcp_not_installed", { reason }, { cause });
}
