/** The body of a request: read up to a limit, and checked. */

import { CopydeskError } from "../base/error.js";
import { isObject } from "../base/json.js";
import type { LlmConfig, Locale, Message } from "../types/index.js";
import { isApi, wireFormats } from "../agent/wire-formats.js";
import type { Body } from "./chat-body.js";
import { withUniqueCalls, type Decision } from "./conversation.js";
import { routeError, type Wrong } from "./errors.js";
import type { StreamFormat } from "./formats/format.js";
import { runIdOf } from "./run-key.js";
import { isDeeper } from "./json-depth.js";

/** A body after all checks. */
export interface ChatRequest {
  /** Absent if the run continues with calls about which the user has decided. */
  readonly message: string | undefined;
  readonly documentContent: string;
  readonly history: Message[];
  readonly decisions: readonly Decision[];
  /** The signature of the request for approval that is answered. */
  readonly signature: string | undefined;
  readonly llmConfig: LlmConfig | undefined;
  readonly documentId: string | undefined;
  readonly runId: string | undefined;
  readonly toolArgs: Body["toolArgs"];
  /** The body as it was sent, with further members of the app. */
  readonly body: Body;
}

/** Levels of arrays and objects. */
const DEEPEST = 100;
/** Far more than any server needs, and than a model calls at once. */
const MOST_HEADERS = 50;
const MOST_CALLS = 1000;
const LONGEST_ID = 500;
const LONGEST_URL = 2000;
/** Headers that pages cannot set either: those of the connection, and the host, by which servers choose a site. */
const OF_THE_CONNECTION =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|via|origin|cookie2?|(?:proxy|sec)-.*)$/i;

export interface BodyRules {
  readonly limit: number;
  readonly locale: Locale;
  /** True if a body without `llmConfig` is complete. */
  readonly hasModel: boolean;
  readonly format: StreamFormat;
}

/** @throws RouteError if the body is too long, not JSON, or not a `ChatBody`. */
export async function readChatRequest(request: Request, rules: BodyRules): Promise<ChatRequest> {
  const { limit, locale } = rules;
  return chatRequestOf(parse(await readText(request, limit, locale), locale), rules);
}

/** @throws RouteError if the body is not one of the format. */
export function chatRequestOf(body: Body, { locale, hasModel, format }: Omit<BodyRules, "limit">): ChatRequest {
  const wrong = (name: string, given: unknown, expected: string): never => {
    const shown = (JSON.stringify(given) ?? typeof given).slice(0, 100);
    throw given == null
      ? routeError("missing_parameter", locale, { name, expected })
      : routeError("invalid_parameter", locale, { name, given: shown, expected });
  };
  const { documentContent, llmConfig, documentId, runId, toolArgs } = format.members(body);
  const { message, history, decisions, signature } = format.read(body, wrong);
  const calls = history.reduce((most, message) => Math.max(most, callsIn(message)), 0);
  if (calls > MOST_CALLS) wrong("history", `an answer with ${calls} calls`, `answers of at most ${MOST_CALLS} calls`);
  const isText = typeof message === "string" && message.trim() !== "";
  if (!isText && !decisions.length) wrong("message", message || undefined, "a text");
  if (documentContent != null && typeof documentContent !== "string")
    wrong("documentContent", documentContent, "HTML as a string");
  if (documentId != null && typeof documentId !== "string") wrong("documentId", documentId, "a string");
  if (runId != null && runIdOf(runId) === undefined) wrong("runId", runId, "1 to 100 letters, digits, - or _");
  if (toolArgs != null && toolArgs !== "delta" && toolArgs !== "partial")
    wrong("toolArgs", toolArgs, '"delta" or "partial"');
  if (llmConfig == null && !hasModel) wrong("llmConfig", undefined, "{model: {api, modelId}, streamOptions: {apiKey}}");
  return {
    message: isText ? (message as string) : undefined,
    documentContent: documentContent ?? "",
    history: withUniqueCalls(history),
    decisions,
    signature,
    llmConfig: llmConfig == null ? undefined : modelOf(llmConfig, wrong),
    documentId: documentId ?? undefined,
    runId: runId ?? undefined,
    toolArgs: toolArgs ?? undefined,
    body,
  };
}

function callsIn(message: Message): number {
  return message.role === "assistant" ? message.content.filter(({ type }) => type === "toolCall").length : 0;
}

function modelOf(given: unknown, wrong: Wrong): LlmConfig {
  if (!isObject(given)) return wrong("llmConfig", given, "an object");
  const { model, streamOptions = {}, ...rest } = given as Partial<LlmConfig>;
  if (!isObject(model)) return wrong("llmConfig.model", model, "{api, modelId}");
  if (typeof model.modelId !== "string" || !model.modelId)
    return wrong("llmConfig.model.modelId", model.modelId || undefined, "the name of a model");
  if (model.modelId.length > LONGEST_ID)
    wrong("llmConfig.model.modelId", model.modelId, `a name of at most ${LONGEST_ID} characters`);
  if (!isApi(model.api)) {
    const names = Object.keys(wireFormats).join(", ");
    return wrong("llmConfig.model.api", model.api, `one of ${names}`);
  }
  if (!isObject(streamOptions)) return wrong("llmConfig.streamOptions", streamOptions, "an object");
  const { baseUrl, ...others } = streamOptions as Partial<LlmConfig["streamOptions"]>;
  if (baseUrl != null && !(typeof baseUrl === "string" && /^https?:/i.test(baseUrl) && URL.canParse(baseUrl)))
    wrong("llmConfig.streamOptions.baseUrl", baseUrl, "an http or https URL");
  if (typeof baseUrl === "string" && baseUrl.length > LONGEST_URL)
    wrong("llmConfig.streamOptions.baseUrl", baseUrl, `a URL of at most ${LONGEST_URL} characters`);
  const { headers } = others;
  const names = isObject(headers) ? Object.keys(headers) : [];
  if (names.length > MOST_HEADERS)
    wrong("llmConfig.streamOptions.headers", `${names.length} headers`, `at most ${MOST_HEADERS} headers`);
  const forbidden = names.find((name) => OF_THE_CONNECTION.test(name));
  if (forbidden !== undefined)
    wrong("llmConfig.streamOptions.headers", forbidden, "headers of the model's server, not of the connection");
  return {
    thinkingLevel: "off",
    ...rest,
    model,
    streamOptions: { ...others, baseUrl: baseUrl ?? wireFormats[model.api].baseUrl },
  };
}

function parse(text: string, locale: Locale): Body {
  let body: unknown;
  if (isDeeper(text, DEEPEST)) throw routeError("too_deep", locale, { limit: DEEPEST });
  try {
    body = JSON.parse(text);
  } catch (thrown) {
    throw routeError("not_json", locale, { reason: (thrown as Error).message });
  }
  if (!isObject(body) || Array.isArray(body)) throw routeError("not_json", locale, { reason: text.slice(0, 40) });
  return body as Body;
}

/** Reads no more than `limit` bytes, whatever the request says about its length. */
async function readText(request: Request, limit: number, locale: Locale): Promise<string> {
  const tooLarge = () => routeError("too_large", locale, { limit });
  if (Number(request.headers.get("content-length")) > limit) throw tooLarge();
  if (!request.body) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      if (length > limit) throw tooLarge();
      text += decoder.decode(read.value, { stream: true });
    }
  } catch (thrown) {
    if (thrown instanceof CopydeskError) {
      // The rest of the body is of no interest, and neither is a failure to refuse it.
      reader.cancel().catch(() => {});
      throw thrown;
    }
    throw routeError("not_json", locale, { reason: (thrown as Error).message });
  }
  return text + decoder.decode();
}
