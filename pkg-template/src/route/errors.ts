/** The errors that the route answers with before a run begins. */

import { CopydeskError } from "../error.js";
import type { ErrorInfo, Locale, Logger } from "../types.js";

type Details = Record<string, string | number>;

interface Definition {
  readonly status: number;
  readonly en: (details: Details) => string;
  readonly zh: (details: Details) => string;
}

const ERRORS = {
  not_json: {
    status: 400,
    en: ({ reason }) =>
      `The body is not a JSON object (${reason}). Send {"message", "documentContent", "history"?, "llmConfig"} as JSON.`,
    zh: ({ reason }) =>
      `请求体不是 JSON 对象（${reason}）。请以 JSON 发送 {"message", "documentContent", "history"?, "llmConfig"}。`,
  },
  too_deep: {
    status: 400,
    en: ({ limit }) =>
      `The body nests arrays and objects deeper than ${limit} levels. Send documents as HTML, and results as texts.`,
    zh: ({ limit }) => `请求体的嵌套超过 ${limit} 层。请以 HTML 发送文档，以文本发送结果。`,
  },
  missing_parameter: {
    status: 400,
    en: ({ name, expected }) => `${name} is missing. Add it to the body: ${expected}.`,
    zh: ({ name, expected }) => `缺少 ${name}。请在请求体中加入它：${expected}。`,
  },
  invalid_parameter: {
    status: 400,
    en: ({ name, given, expected }) => `${name} is ${given}; it must be ${expected}.`,
    zh: ({ name, given, expected }) => `${name} 为 ${given}，必须是 ${expected}。`,
  },
  base_url_not_allowed: {
    status: 403,
    en: ({ given }) =>
      `The base URL ${given}, or where it leads with this model, is not allowed. Add it to \`baseUrls\` of the route, or ` +
      "use another one.",
    zh: ({ given }) =>
      `不允许使用基础 URL ${given}，或它与此模型组成的地址。请将其加入路由的 \`baseUrls\`，或使用其他 URL。`,
  },
  origin_not_allowed: {
    status: 403,
    en: ({ origin }) => `Pages of ${origin} may not use this route. Add the origin to \`origins\` of the route.`,
    zh: ({ origin }) => `来自 ${origin} 的页面不能使用此路由。请将该来源加入路由的 \`origins\`。`,
  },
  host_not_allowed: {
    status: 403,
    en: ({ host }) =>
      `This route is not for requests to the host ${host}. Add its name to \`hosts\` of the route, or use https.`,
    zh: ({ host }) => `此路由不接受发往主机 ${host} 的请求。请将其名称加入路由的 \`hosts\`，或使用 https。`,
  },
  unknown_run: {
    status: 404,
    en: ({ id }) =>
      `There is no run ${id} with this token. Send the header copydesk-run-token of the request that began it, or send ` +
      "the message without a last-event-id header.",
    zh: ({ id }) =>
      `没有与此令牌相符的任务 ${id}。请发送开始该任务时的 copydesk-run-token 请求头，或不带 last-event-id 请求头重新发送消息。`,
  },
  method_not_allowed: {
    status: 405,
    en: ({ method, valid }) => `The method ${method} is not supported here. Use ${valid}.`,
    zh: ({ method, valid }) => `此处不支持 ${method} 方法。请使用 ${valid}。`,
  },
  document_busy: {
    status: 409,
    en: () => 'Another run is active on this document. Wait for it, or set `whenBusy: "queue"` on the route.',
    zh: () => '该文档上有另一个任务正在运行。请等待其结束，或在路由上设置 `whenBusy: "queue"`。',
  },
  log_failed: {
    status: 503,
    en: () => "The log of runs cannot be read at the moment, so nobody knows how far this run is. Try again later.",
    zh: () => "目前无法读取任务日志，因此无法得知该任务的进度。请稍后重试。",
  },
  closing: {
    status: 503,
    en: () => "This instance of the server is closing. Send the request again: another one answers it.",
    zh: () => "服务器的此实例正在关闭。请重新发送请求，由其他实例处理。",
  },
  too_large: {
    status: 413,
    en: ({ limit }) =>
      `The body is longer than ${limit} bytes. Send a smaller document or history, or raise \`maxBodyBytes\`.`,
    zh: ({ limit }) => `请求体超过 ${limit} 字节。请发送更小的文档或历史记录，或调高 \`maxBodyBytes\`。`,
  },
} satisfies Record<string, Definition>;

export type RouteErrorCode = keyof typeof ERRORS;

/** A request that is answered with an error instead of a stream. */
export class RouteError extends CopydeskError {
  readonly status: number;

  constructor(info: ErrorInfo, status: number, options?: ErrorOptions) {
    super(info, options);
    this.status = status;
  }
}

export function routeError(code: RouteErrorCode, locale: Locale, details: Details = {}): RouteError {
  const { status, en, zh }: Definition = ERRORS[code];
  return new RouteError({ code, message: locale === "zh-CN" ? zh(details) : en(details), details }, status);
}

/** Throws an error about a member of the body. */
export type Wrong = (name: string, given: unknown, expected: string) => never;

/**
 * Returns any failure as a `RouteError`: one of copydesk is the client's, any other the server's. Exceptions of the server
 * are for the log only: they may name its files, hosts and tables.
 */
export function asRouteError(thrown: unknown, locale: Locale, logger: Logger | undefined): RouteError {
  if (thrown instanceof RouteError) return thrown;
  const { code, message, details } = thrown instanceof CopydeskError ? thrown : internal(thrown);
  const status = code === "too_large" ? 413 : ["internal", "wasm_load"].includes(code) ? 500 : 400;
  if (status !== 500) return new RouteError({ code, message, details }, status, { cause: thrown });
  logger?.error?.(message, { code });
  const shown =
    locale === "zh-CN"
      ? "服务器出错，原因在其日志中。请稍后重试。"
      : "The server failed; its log has the reason. Try again later.";
  return new RouteError({ code, message: shown, details: {} }, status, { cause: thrown });
}

function internal(thrown: unknown): ErrorInfo {
  return { code: "internal", message: thrown instanceof Error ? thrown.message : String(thrown), details: {} };
}

/** Returns the answer for a failure: `{error, code, details}`. */
export function errorResponse({ message, code, details, status }: RouteError, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  all.set("cache-control", "no-store");
  return Response.json({ error: message, code, details }, { status, headers: all });
}
