/** The texts for agents outside of the page, in both languages. */

import type { Locale } from "../types.js";

const en = {
  notOffered: "This call did not run: the page no longer offers the tools of this editor.",
  cancelled: "This call was cancelled.",
  another: (name: string, suffix: string) =>
    `For another document of this page, whose tools all end in ${suffix}: what texts and results call ${name} is ` +
    `${name}${suffix} here.`,
  refused: (reason: string) =>
    `The browser does not let this page register tools (${reason}). In a frame, allow it: <iframe allow="tools">; ` +
    "otherwise check the page's Permissions-Policy and that it is served over HTTPS.",
};

export type Words = typeof en;

const zh: Words = {
  notOffered: "这次调用没有运行：页面已不再提供此编辑器的工具。",
  cancelled: "这次调用已取消。",
  another: (name, suffix) =>
    `用于本页面的另一个文档，其工具名均以 ${suffix} 结尾：说明和结果中的 ${name} 在这里是 ${name}${suffix}。`,
  refused: (reason) =>
    `浏览器不允许此页面注册工具（${reason}）。如在框架中，请允许：<iframe allow="tools">；` +
    "否则请检查页面的 Permissions-Policy，并确认页面通过 HTTPS 提供。",
};

/** Returns the texts in a language. */
export function wordsOf(locale: Locale): Words {
  return locale === "zh-CN" ? zh : en;
}
