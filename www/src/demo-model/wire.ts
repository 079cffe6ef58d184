/** The part of the OpenAI chat completions format that the demo model supports. */

export interface WireMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  content?: string | { type: string; text?: string }[] | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface WireRequest {
  model: string;
  messages: WireMessage[];
  tools?: { function: { name: string } }[];
}

/** One answer of the model: text, then at most one call. */
export interface Step {
  text?: string;
  call?: { name: string; arguments: Record<string, unknown> };
}

/** A call of the current run with its result. */
export interface PastCall {
  name: string;
  arguments: Record<string, unknown>;
  result: unknown;
  /** The result as text. */
  text: string;
  /** The error message, if the call failed. */
  error?: string;
}

export function textOf(message: WireMessage): string {
  if (typeof message.content === "string") return message.content;
  return message.content?.map((part) => part.text ?? "").join("") ?? "";
}

/** The document as requests show it. The script reads it by its tools. */
const DOCUMENT = /(?:^|\n\n)<document>\n[^]*?\n<\/document>/g;

/** Returns the user's prompt in a message, without the document and what the agent says about scope and review. */
function promptOf(message: WireMessage): string {
  const paragraphs = textOf(message).replace(DOCUMENT, "").split("\n\n");
  return paragraphs.filter((paragraph) => !/^\[(?:Review|审阅|Scope|范围)\]/.test(paragraph)).join("\n\n");
}

/** Returns the user's last prompt, the calls made for it so far, and the whole message it is in. */
export function currentRequest(messages: WireMessage[]): { prompt: string; calls: PastCall[]; message: string } {
  const at = messages.findLastIndex((message) => message.role === "user" && promptOf(message) !== "");
  const calls = messages.slice(at + 1).flatMap((message) => message.tool_calls ?? []);
  return {
    prompt: at < 0 ? "" : promptOf(messages[at]!),
    message: at < 0 ? "" : textOf(messages[at]!),
    calls: calls.map((call) => {
      const answer = messages.find((message) => message.role === "tool" && message.tool_call_id === call.id);
      return { name: call.function.name, arguments: asObject(parse(call.function.arguments)), ...readResult(answer) };
    }),
  };
}

function readResult(answer: WireMessage | undefined): { result: unknown; text: string; error?: string } {
  const text = answer ? textOf(answer) : "";
  // Untrusted content is fenced.
  const result = parse(/^<data source="[^"]*">\n([^]*)\n<\/data>$/.exec(text)?.[1] ?? text);
  if (!result || typeof result !== "object") return { result, text, error: text || "no result" };
  const { error, success, message } = result as Record<string, unknown>;
  if (error !== undefined && error !== null) {
    const detail = typeof error === "object" ? (error as Record<string, unknown>).message : error;
    return { result, text, error: typeof detail === "string" ? detail : JSON.stringify(error) };
  }
  if (success === false) return { result, text, error: typeof message === "string" ? message : text };
  return { result, text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Record<string, unknown> {
  return value && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Splits a text into chunks of a few characters, never within a character. */
export function splitText(text: string, size: number): string[] {
  const characters = [...text];
  const out: string[] = [];
  for (let at = 0; at < characters.length; at += size) out.push(characters.slice(at, at + size).join(""));
  return out;
}

/** Yields the data lines of one streamed answer. */
export function* chunks(step: Step, promptTokens: number): Generator<string> {
  const id = `chatcmpl-demo-${Math.random().toString(36).slice(2, 12)}`;
  const frame = { id, object: "chat.completion.chunk", created: Math.floor(Date.now() / 1000), model: "copydesk-demo" };
  const choice = (delta: object, finish_reason: string | null = null) =>
    JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason }] });
  let tokens = 0;
  yield choice({ role: "assistant", content: "" });
  for (const content of splitText(step.text ?? "", 4)) {
    tokens++;
    yield choice({ content });
  }
  if (step.call) {
    const call = { index: 0, id: `call_${Math.random().toString(36).slice(2, 12)}`, type: "function" };
    yield choice({ tool_calls: [{ ...call, function: { name: step.call.name, arguments: "" } }] });
    for (const part of splitText(JSON.stringify(step.call.arguments), 14)) {
      tokens += 3;
      yield choice({ tool_calls: [{ index: 0, function: { arguments: part } }] });
    }
  }
  yield choice({}, step.call ? "tool_calls" : "stop");
  const usage = { prompt_tokens: promptTokens, completion_tokens: tokens, total_tokens: promptTokens + tokens };
  yield JSON.stringify({ ...frame, choices: [], usage });
  yield "[DONE]";
}
