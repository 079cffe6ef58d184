/** The reader of a chat route, for pages. */

import { documentOf } from "../document-of.js";
import type { Document } from "../document.js";
import { check, CopydeskError } from "../error.js";
import { isObject } from "../json.js";
import { localeOf } from "../locale.js";
import type { EditorWithCopydesk } from "../options.js";
import type { AgentEvent, Locale } from "../types.js";
import type { ChatBody } from "./body.js";
import { ServerEventReader } from "./sse-reader.js";

export interface ChatStreamOptions {
  /** The document to which updates are applied: an editor with the extension `Copydesk`, or a `Document`. */
  document?: Document | EditorWithCopydesk;
  /** Stops the run. */
  signal?: AbortSignal;
  /** Headers of the app's own, such as `authorization`. */
  headers?: Record<string, string>;
  /** Replaces `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch;
  /** The language of errors. Default: the page's. */
  locale?: Locale;
}

/**
 * Posts a message to a chat route and returns the events of the run. With `document`, each `doc_update` has been applied
 * when it is returned; without `body.documentContent` that document is sent.
 *
 * @throws CopydeskError for an error of the route, with its code; `stream_cut` if the stream ends before the run does;
 * `document_changed` if somebody else has changed the document during the run: nothing more is applied then.
 */
export async function* streamDocAgentChat(
  url: string | URL,
  body: ChatBody & Record<string, unknown>,
  options: ChatStreamOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  const { signal, headers, fetch = globalThis.fetch } = options;
  check(isObject(body), "body", body, "an object with message and llmConfig");
  const locale = localeOf(options.locale);
  const copy = options.document === undefined ? undefined : new Copy(documentOf(options.document), locale);
  const documentContent = body.documentContent ?? copy?.document.toHTML();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
    body: JSON.stringify({ ...body, ...(documentContent !== undefined && { documentContent }) }),
    ...(signal && { signal }),
  });
  if (!response.ok || !response.body) throw await failure(response, locale);
  for await (const event of eventsOf(response.body, locale)) {
    copy?.follow(event);
    yield event;
  }
}

/** Returns the events of a stream up to the end of the run. Cancels the stream if they are not read to the end. */
async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  locale: Locale,
): AsyncGenerator<AgentEvent, void, undefined> {
  const events = new ServerEventReader();
  const reader = body.getReader();
  let isOver = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      for (const { data } of events.read(read.value)) {
        const event = JSON.parse(data) as AgentEvent;
        isOver = isEnd(event);
        yield event;
      }
  } finally {
    // A stream that has failed cannot be cancelled.
    reader.cancel().catch(() => {});
  }
  if (!isOver) throw textError("stream_cut", locale);
}

/** Returns whether an event is the last one of its run. */
export function isEnd({ type }: AgentEvent): boolean {
  return type === "complete" || type === "aborted" || type === "error";
}

/** A copy of the route's document. */
class Copy {
  readonly document: Document;
  readonly #locale: Locale;
  #version: string;

  constructor(document: Document, locale: Locale) {
    this.document = document;
    this.#locale = locale;
    this.#version = document.version;
  }

  /** Applies an update. Its lines and sections are those of the document as the route has it. */
  follow(event: AgentEvent): void {
    if (event.type !== "doc_update" || event.pending) return;
    if (this.document.version !== this.#version) throw textError("document_changed", this.#locale);
    this.#version = this.document.apply(event).version;
  }
}

const MESSAGES = {
  stream_cut: {
    en: "The stream ended before the run did. Check the connection, and send the message again.",
    zh: "数据流在任务结束前中断。请检查网络连接，然后重新发送消息。",
  },
  document_changed: {
    en:
      "The document was changed while the run was editing it, so its updates no longer fit. Make the editor read-only " +
      "during a run, or run the agent in the page.",
    zh: "任务编辑文档期间，文档被他人修改，后续更新已无法应用。请在任务运行时将编辑器设为只读，或在页面中运行智能体。",
  },
  bad_answer: {
    en: "The server did not answer as a chat route does. Check the URL.",
    zh: "服务器的响应不符合聊天路由的格式。请检查 URL。",
  },
};

function textError(code: keyof typeof MESSAGES, locale: Locale, details: Record<string, unknown> = {}): CopydeskError {
  return new CopydeskError({ code, message: MESSAGES[code][locale === "zh-CN" ? "zh" : "en"], details });
}

/** Returns the error that a route has answered with. */
async function failure(response: Response, locale: Locale): Promise<CopydeskError> {
  const { status } = response;
  const text = await response.text();
  try {
    const { error, code, details } = JSON.parse(text) as Record<string, unknown>;
    if (typeof error === "string" && typeof code === "string")
      return new CopydeskError({ code, message: error, details: { ...(details as object), status } });
  } catch {
    // Not JSON: the answer of another server.
  }
  return textError("bad_answer", locale, { status, answer: text.slice(0, 200) });
}
