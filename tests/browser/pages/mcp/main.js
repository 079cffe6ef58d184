// A page with the plugin for MCP servers, and an agent that only collects.
import { mcp } from "copydesk/mcp";
import { connect, until } from "../../../mcp/host.mjs";

/** Connects to these servers and waits for them. */
async function open(mcpServers, options) {
  const plugin = mcp({ mcpServers }, options);
  const host = connect({ after: () => {} }, plugin, options);
  await host.ready();
  return Object.assign(window, { plugin, host });
}

/** What a test wants to know about the servers. */
const seen = () => ({
  servers: plugin.servers.map(({ name, state, transport, protocolVersion, tools }) => ({ name, state, transport, protocolVersion, tools: tools.length })),
  notices: host.notices,
  names: host.names(),
});

Object.assign(window, { mcp, open, seen, until });
window.ready = true;
