/** The messages about MCP servers, by code. */

/** Makes a text of the details of a failure. */
type Text = (details: Record<string, unknown>) => string;

export const mcp = {
  notices: {
    mcp_unreachable: ({ server, url, reason }) =>
      `The MCP server ${server} cannot be reached at ${url}: ${reason}. Start it, or correct its URL. The agent ` +
      `works without its tools.`,
    mcp_cors: ({ server, url, header }) =>
      `The MCP server ${server} runs at ${url}, but does not allow this page to use it (CORS). Its responses need ` +
      `the header ${header}. Add it on the server or in a proxy. The agent works without its tools.`,
    mcp_unauthorized: ({ server, url, status }) =>
      `The MCP server ${server} at ${url} refused the request (HTTP ${status}). Check the key in its headers. The ` +
      "agent works without its tools.",
    mcp_local_network: ({ server, url }) =>
      `The browser does not allow this page to reach the MCP server ${server} at ${url} in the local network. Allow ` +
      "local network access for this page in the browser's site settings. The agent works without its tools.",
    mcp_mixed_content: ({ server, url }) =>
      `The browser does not let this page, which was loaded by https, reach the MCP server ${server} at ${url} ` +
      `by http. Give the server an https URL. The agent works without its tools.`,
    mcp_timeout: ({ server, ms }) =>
      `The MCP server ${server} did not answer within ${ms} ms. Check the server, or raise timeoutMs. The agent ` +
      `works without its tools.`,
    mcp_not_a_server: ({ server, url, reason }) =>
      `${url} (${server}) answers, but not as an MCP server: ${reason}. Correct the URL; it often ends in /mcp ` +
      `or /sse. The agent works without its tools.`,
    mcp_server_error: ({ server, reason }) =>
      `The MCP server ${server} failed: ${reason}. Check the log of the server. The agent works without its tools.`,
    mcp_too_large: ({ server, limit }) =>
      `The MCP server ${server} sent more than ${limit} bytes at once. Ask it for less. The agent works without ` +
      `its tools.`,
    mcp_process: ({ server, command, reason }) =>
      `The MCP server ${server} could not be started with ${command}: ${reason}. Check command, args and env. ` +
      `The agent works without its tools.`,
    mcp_no_processes: ({ server, command }) =>
      `The MCP server ${server} is a program (${command}), which a page cannot start. Run it behind a gateway with a ` +
      "URL, such as supergateway, and set url. The agent works without its tools.",
    mcp_not_installed: ({ reason }) =>
      `The package @modelcontextprotocol/client could not be loaded: ${reason}. Install it (npm install ` +
      "@modelcontextprotocol/client). The agent works without MCP servers.",
    mcp_tools_left_out: ({ server, left, total, isCut, reasons }) =>
      `${isCut ? "Some" : left} of ${isCut ? `more than ${total}` : total} tools of the MCP server ${server} are not used: ` +
      `${(reasons as string[]).join("; ")}. Name the tools that you need in the setting tools of the server.`,
  } satisfies Record<string, Text>,
  /** Reasons in messages, and the errors of calls. */
  reasons: {
    disconnected: "The connection to the MCP server was lost before it answered. The call may have run.",
    notReady: "The MCP server is not connected at the moment.",
    refused: "nothing answers there, or the page's Content-Security-Policy forbids it",
    tooMany: "there are more tools than a model takes",
    tooLong: "the descriptions of all tools together are too long",
    tooManyPages: "its list has more pages than are read",
    unusable: "their names or parameters cannot be used",
    notJSON: "the response is not valid JSON",
    ended: "it ended the connection",
  },
};
