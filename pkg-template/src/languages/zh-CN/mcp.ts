/** The messages about MCP servers, by code, in Chinese. */

import type { mcp as english } from "../en/mcp.js";

export const mcp: typeof english = {
  notices: {
    mcp_unreachable: ({ server, url, reason }) =>
      `无法连接 MCP 服务器 ${server}（${url}）：${reason}。请启动它，或更正其 URL。智能体将不使用它的工具。`,
    mcp_cors: ({ server, url, header }) =>
      `MCP 服务器 ${server}（${url}）正在运行，但不允许此页面使用它（CORS）。它的响应需要带上 ${header}。` +
      "请在服务器或代理中添加。智能体将不使用它的工具。",
    mcp_unauthorized: ({ server, url, status }) =>
      `MCP 服务器 ${server}（${url}）拒绝了请求（HTTP ${status}）。请检查 headers 中的密钥。智能体将不使用它的工具。`,
    mcp_local_network: ({ server, url }) =>
      `浏览器不允许此页面访问本地网络中的 MCP 服务器 ${server}（${url}）。请在浏览器的网站设置中允许此页面访问本地网络。` +
      "智能体将不使用它的工具。",
    mcp_mixed_content: ({ server, url }) =>
      `此页面通过 https 加载，浏览器不允许它通过 http 访问 MCP 服务器 ${server}（${url}）。请为服务器使用 https 的 URL。` +
      "智能体将不使用它的工具。",
    mcp_timeout: ({ server, ms }) =>
      `MCP 服务器 ${server} 在 ${ms} 毫秒内没有响应。请检查服务器，或调大 timeoutMs。智能体将不使用它的工具。`,
    mcp_not_a_server: ({ server, url, reason }) =>
      `${url}（${server}）有响应，但不是 MCP 服务器：${reason}。请更正 URL，它通常以 /mcp 或 /sse 结尾。智能体将不使用它的工具。`,
    mcp_server_error: ({ server, reason }) =>
      `MCP 服务器 ${server} 出错：${reason}。请查看服务器的日志。智能体将不使用它的工具。`,
    mcp_too_large: ({ server, limit }) =>
      `MCP 服务器 ${server} 一次发送的数据超过 ${limit} 字节。请向它请求更少的数据。智能体将不使用它的工具。`,
    mcp_process: ({ server, command, reason }) =>
      `无法用 ${command} 启动 MCP 服务器 ${server}：${reason}。请检查 command、args 和 env。智能体将不使用它的工具。`,
    mcp_no_processes: ({ server, command }) =>
      `MCP 服务器 ${server} 是一个程序（${command}），网页无法启动它。请用网关（例如 supergateway）为它提供 URL，并设置 url。` +
      "智能体将不使用它的工具。",
    mcp_not_installed: ({ reason }) =>
      `无法加载 @modelcontextprotocol/client：${reason}。请安装它（npm install @modelcontextprotocol/client）。` +
      "智能体将不使用 MCP 服务器。",
    mcp_tools_left_out: ({ server, left, total, isCut, reasons }) =>
      `MCP 服务器 ${server} 的 ${total} 个${isCut ? "以上的" : ""}工具中有${isCut ? "一部分" : ` ${left} 个`}未被使用：` +
      `${(reasons as string[]).join("；")}。请在该服务器的 tools 设置中列出需要的工具。`,
  },
  reasons: {
    disconnected: "在 MCP 服务器响应之前连接已断开。调用可能已经执行。",
    notReady: "MCP 服务器当前未连接。",
    refused: "没有响应，或页面的 Content-Security-Policy 不允许访问",
    tooMany: "工具数量超过模型可接受的数量",
    tooLong: "所有工具的描述合计过长",
    tooManyPages: "它的列表页数超过读取上限",
    unusable: "它们的名称或参数无法使用",
    notJSON: "响应不是有效的 JSON",
    ended: "它结束了连接",
  },
};
