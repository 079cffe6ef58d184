/** The errors that the route answers with, in Chinese. */

import type { Refusal, route as english } from "../en/route.js";

const REFUSALS: Record<Refusal, string> = {
  unsigned: "它没有此路由的签名",
  changed: "这些调用、其所指内容或对话与请求批准时不一致",
  expired: "请求批准的时间过久",
  decided: "此前已作出决定",
};

export const route: typeof english = {
  errors: {
    not_json: ({ reason }) =>
      `请求体不是 JSON 对象（${reason}）。请以 JSON 发送 {"message", "documentContent", "history"?, "llmConfig"}。`,
    too_deep: ({ limit }) => `请求体的嵌套超过 ${limit} 层。请以 HTML 发送文档，以文本发送结果。`,
    missing_parameter: ({ name, expected }) => `缺少 ${name}。请在请求体中加入它：${expected}。`,
    invalid_parameter: ({ name, given, expected }) => `${name} 为 ${given}，必须是 ${expected}。`,
    base_url_not_allowed: ({ given }) =>
      `不允许使用基础 URL ${given}，或它与此模型组成的地址。请将其加入路由的 \`baseUrls\`，或使用其他 URL。`,
    origin_not_allowed: ({ origin }) => `来自 ${origin} 的页面不能使用此路由。请将该来源加入路由的 \`origins\`。`,
    host_not_allowed: ({ host }) =>
      `此路由不接受发往主机 ${host} 的请求。请将其名称加入路由的 \`hosts\`，或使用 https。`,
    approval_not_asked: ({ reason }) =>
      `对调用的此决定被拒绝：${REFUSALS[reason as Refusal]}。没有执行任何调用。请改为发送一条消息。`,
    unknown_run: ({ id }) =>
      `没有与此令牌相符的任务 ${id}。请发送开始该任务时的 copydesk-run-token 请求头，或不带 last-event-id 请求头重新发送消息。`,
    unknown_event: ({ given, last }) =>
      `该任务已结束，没有事件 ${given}，最后一个事件是 ${last}。请在 last-event-id 中发送该任务某个事件的编号，或省略此请求头以从头读取。`,
    method_not_allowed: ({ method, valid }) => `此处不支持 ${method} 方法。请使用 ${valid}。`,
    document_busy: () => '该文档上有另一个任务正在运行。请等待其结束，或在路由上设置 `whenBusy: "queue"`。',
    log_failed: () => "目前无法读取任务日志，因此无法得知该任务的进度。请稍后重试。",
    closing: () => "服务器的此实例正在关闭。请重新发送请求，由其他实例处理。",
    too_large: ({ limit }) => `请求体超过 ${limit} 字节。请发送更小的文档或历史记录，或调高 \`maxBodyBytes\`。`,
  },
  serverFailed: "服务器出错，原因在其日志中。请稍后重试。",
  serviceFailed: (code, status) =>
    `服务器端的一项服务出错（${code}${status ? `，状态 ${status}` : ""}）。请稍后重试，或联系服务器的管理员：原因在其日志中。`,
};
