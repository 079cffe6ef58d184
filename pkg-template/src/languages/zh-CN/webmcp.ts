/** The texts for agents outside of the page, in Chinese. */

import type { webmcp as english } from "../en/webmcp.js";

export const webmcp: typeof english = {
  notOffered: "这次调用没有运行：页面已不再提供此编辑器的工具。",
  cancelled: "这次调用已取消。",
  another: (name, suffix) =>
    `用于本页面的另一个文档，其工具名均以 ${suffix} 结尾：说明和结果中的 ${name} 在这里是 ${name}${suffix}。`,
  refused: (reason) =>
    `浏览器不允许此页面注册工具（${reason}）。如在框架中，请允许：<iframe allow="tools">；` +
    "否则请检查页面的 Permissions-Policy，并确认页面通过 HTTPS 提供。",
};
