/** The names of the tools of servers, for people. */
import type { McpServerState } from "../types/mcp.js";

/** A tool of a server. */
export interface ServerTool {
  server: string;
  tool: string;
}

/** Signs that change the direction of the text after them. */
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns the server and the tool that the model calls by a name; null for other tools. */
export function serverToolOf(name: string, servers: readonly McpServerState[]): ServerTool | null {
  for (const { name: server, tools } of servers) {
    const found = tools.find((tool) => tool.name === name);
    if (found) return { server, tool: (found.title ?? "").replace(DIRECTIONS, "") || inWords(found.tool) };
  }
  // A call of an earlier visit, or of a server that is gone.
  const [, server, tool] = /^(.+?)__(.+)$/.exec(name) ?? [];
  return server && tool ? { server, tool: inWords(tool) } : null;
}

/** Returns a name in code as words. */
export function inWords(name: string): string {
  return name.replace(/[-_]+/g, " ").trim() || name;
}
