/** `copydesk/mcp`: tools of servers of the Model Context Protocol, for an agent. */

import { McpServers } from "./mcp/plugin.js";
import type { McpConfig, McpOptions, McpPlugin } from "./types/mcp.js";

export type {
  McpAnswer,
  McpApproval,
  McpCommandServer,
  McpConfig,
  McpHttpServer,
  McpOptions,
  McpPlugin,
  McpQuestion,
  McpServerConfig,
  McpServerOptions,
  McpServerState,
  McpToolInfo,
} from "./types/mcp.js";

/**
 * Returns a plugin that connects an agent to these servers. It needs the package `@modelcontextprotocol/client`, which
 * is loaded with the first server.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter`.
 */
export function mcp(config: McpConfig, options: McpOptions = {}): McpPlugin {
  return new McpServers(config, options);
}
