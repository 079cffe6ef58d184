/** The messages about servers, by code, in English and in Chinese. */

import type { Locale } from "../types.js";

type Details = Record<string, unknown>;

const MESSAGES = {
  mcp_unreachable: [
    ({ server, url, reason }) =>
      `The MCP server ${server} cannot be reached at ${url}: ${reason}. Start it, or correct its URL. The agent ` +
      `works without its tools.`,
    ({ server, url, reason }) =>
      `无法连接 MCP 服务器 ${server}（${url}）：${reason}。请启动它，或更正其 URL。智能体将不使用它的工具。`,
  ],
  mcp_cors: [
    ({ server, url, header }) =>
      `The MCP server ${server} runs at ${url}, but does not allow this page to use it (CORS). Its responses need ` +
      `the header ${header}. Add it on the server or in a proxy. The agent works without its tools.`,
    ({ server, url, header }) =>
      `MCP 服务器 ${server}（${url}）正在运行，但不允许此页面使用它（CORS）。它的响应需要带上 ${header}。` +
      "请在服务器或代理中添加。智能体将不使用它的工具。",
  ],
  mcp_unauthorized: [
    ({ server, url, status }) =>
      `The MCP server ${server} at ${url} refused the request (HTTP ${status}). Check the key in its headers. The ` +
      "agent works without its tools.",
    ({ server, url, status }) =>
      `MCP 服务器 ${server}（${url}）拒绝了请求（HTTP ${status}）。请检查 headers 中的密钥。智能体将不使用它的工具。`,
  ],
  mcp_local_network: [
    ({ server, url }) =>
      `The browser does not allow this page to reach the MCP server ${server} at ${url} in the local network. Allow ` +
      "local network access for this page in the browser's site settings. The agent works without its tools.",
    ({ server, url }) =>
      `浏览器不允许此页面访问本地网络中的 MCP 服务器 ${server}（${url}）。请在浏览器的网站设置中允许此页面访问本地网络。` +
      "智能体将不使用它的工具。",
  ],
  mcp_mixed_content: [
    ({ server, url }) =>
      `The browser does not let this page, which was loaded by https, reach the MCP server ${server} at ${url} ` +
      `by http. Give the server an https URL. The agent works without its tools.`,
    ({ server, url }) =>
      `此页面通过 https 加载，浏览器不允许它通过 http 访问 MCP 服务器 ${server}（${url}）。请为服务器使用 https 的 URL。` +
      "智能体将不使用它的工具。",
  ],
  mcp_timeout: [
    ({ server, ms }) =>
      `The MCP server ${server} did not answer within ${ms} ms. Check the server, or raise timeoutMs. The agent ` +
      `works without its tools.`,
    ({ server, ms }) =>
      `MCP 服务器 ${server} 在 ${ms} 毫秒内没有响应。请检查服务器，或调大 timeoutMs。智能体将不使用它的工具。`,
  ],
  mcp_not_a_server: [
    ({ server, url, reason }) =>
      `${url} (${server}) answers, but not as an MCP server: ${reason}. Correct the URL; it often ends in /mcp ` +
      `or /sse. The agent works without its tools.`,
    ({ server, url, reason }) =>
      `${url}（${server}）有响应，但不是 MCP 服务器：${reason}。请更正 URL，它通常以 /mcp 或 /sse 结尾。智能体将不使用它的工具。`,
  ],
  mcp_server_error: [
    ({ server, reason }) =>
      `The MCP server ${server} failed: ${reason}. Check the log of the server. The agent works without its tools.`,
    ({ server, reason }) => `MCP 服务器 ${server} 出错：${reason}。请查看服务器的日志。智能体将不使用它的工具。`,
  ],
  mcp_too_large: [
    ({ server, limit }) =>
      `The MCP server ${server} sent more than ${limit} bytes at once. Ask it for less. The agent works without ` +
      `its tools.`,
    ({ server, limit }) =>
      `MCP 服务器 ${server} 一次发送的数据超过 ${limit} 字节。请向它请求更少的数据。智能体将不使用它的工具。`,
  ],
  mcp_process: [
    ({ server, command, reason }) =>
      `The MCP server ${server} could not be started with ${command}: ${reason}. Check command, args and env. ` +
      `The agent works without its tools.`,
    ({ server, command, reason }) =>
      `无法用 ${command} 启动 MCP 服务器 ${server}：${reason}。请检查 command、args 和 env。智能体将不使用它的工具。`,
  ],
  mcp_no_processes: [
    ({ server, command }) =>
      `The MCP server ${server} is a program (${command}), which a page cannot start. Run it behind a gateway with a ` +
      "URL, such as supergateway, and set url. The agent works without its tools.",
    ({ server, command }) =>
      `MCP 服务器 ${server} 是一个程序（${command}），网页无法启动它。请用网关（例如 supergateway）为它提供 URL，并设置 url。` +
      "智能体将不使用它的工具。",
  ],
  mcp_not_installed: [
    ({ reason }) =>
      `The package @modelcontextprotocol/client could not be loaded: ${reason}. Install it (npm install ` +
      "@modelcontextprotocol/client). The agent works without MCP servers.",
    ({ reason }) =>
      `无法加载 @modelcontextprotocol/client：${reason}。请安装它（npm install @modelcontextprotocol/client）。` +
      "智能体将不使用 MCP 服务器。",
  ],
  mcp_tools_left_out: [
    ({ server, count, total, reason }) =>
      `${count} of ${total} tools of the MCP server ${server} are not used: ${reason}. Name the tools that you ` +
      `need in the setting tools of the server.`,
    ({ server, count, total, reason }) =>
      `MCP 服务器 ${server} 的 ${total}工具中有${count}未被使用：${reason}。请在该服务器的 tools 设置中列出需要的工具。`,
  ],
} satisfies Record<string, [(details: Details) => string, (details: Details) => string]>;

/** The codes of notices about servers, and of the errors in their states. */
export type McpCode = keyof typeof MESSAGES;

/** A text in English and in Chinese. */
export type Localized = readonly [string, string];

/** What is wrong with a server, in both languages. */
export class McpFailure extends Error {
  constructor(
    readonly code: McpCode,
    private readonly details: Record<string, string | number | Localized>,
    options?: ErrorOptions,
  ) {
    super(messageOf(code, details, 0), options);
    this.name = "McpFailure";
  }

  /** Returns the message in a language. */
  in(locale: Locale): string {
    return messageOf(this.code, this.details, indexOf(locale));
  }
}

function messageOf(code: McpCode, details: Record<string, string | number | Localized>, index: 0 | 1): string {
  const values = Object.entries(details).map(([name, value]) => [
    name,
    typeof value === "object" ? value[index] : value,
  ]);
  return MESSAGES[code][index](Object.fromEntries(values) as Details);
}

function indexOf(locale: Locale): 0 | 1 {
  return locale === "zh-CN" ? 1 : 0;
}

/** Reasons in messages, and the errors of calls. */
export const REASONS = {
  disconnected: [
    "The connection to the MCP server was lost before it answered. The call may have run.",
    "在 MCP 服务器响应之前连接已断开。调用可能已经执行。",
  ],
  notReady: ["The MCP server is not connected at the moment.", "MCP 服务器当前未连接。"],
  refused: [
    "nothing answers there, or the page's Content-Security-Policy forbids it",
    "没有响应，或页面的 Content-Security-Policy 不允许访问",
  ],
  tooMany: ["there are more tools than a model takes", "工具数量超过模型可接受的数量"],
  tooLong: ["the descriptions of all tools together are too long", "所有工具的描述合计过长"],
  tooManyPages: ["its list has more pages than are read", "它的列表页数超过读取上限"],
  unusable: ["their names or parameters cannot be used", "它们的名称或参数无法使用"],
  notJSON: ["the response is not valid JSON", "响应不是有效的 JSON"],
  ended: ["it ended the connection", "它结束了连接"],
} satisfies Record<string, Localized>;

/** Returns a text in a language. */
export function inLocale(locale: Locale, text: Localized): string {
  return text[indexOf(locale)];
}
