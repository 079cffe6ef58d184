/** The OpenAI chat-completions wire format, as far as the demo model speaks it. */

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

/** What one answer of the model holds: something said, then perhaps one call. */
export interface Step {
  say?: string;
  call?: { name: string; arguments: Record<string, unknown> };
}

/** A call of the present run with what came of it. */
export interface PastCall {
  name: string;
  arguments: Record<string, unknown>;
  result: unknown;
  /** The error's own sentence, where the call failed. */
  error?: string;
}

export function textOf(message: WireMessage): string {
  if (typeof message.content === "string") return message.content;
  return message.content?.map((part) => part.text ?? "").join("") ?? "";
}

/** What somebody asks for; what the agent says of decisions in a review, in paragraphs of its own, is no request. */
function requestOf(message: WireMessage): string {
  const paragraphs = textOf(message).split("\n\n");
  return paragraphs.filter((paragraph) => !/^\[(?:Review|审阅)\]/.test(paragraph)).join("\n\n");
}

/** The last thing the person asked, and the calls that were made for it so far. */
export function present(messages: WireMessage[]): { request: string; calls: PastCall[] } {
  const at = messages.findLastIndex((message) => message.role === "user" && requestOf(message) !== "");
  const calls = messages.slice(at + 1).flatMap((message) => message.tool_calls ?? []);
  return {
    request: at < 0 ? "" : requestOf(messages[at]!),
    calls: calls.map((call) => {
      const answer = messages.find((message) => message.role === "tool" && message.tool_call_id === call.id);
      return { name: call.function.name, arguments: asObject(parse(call.function.arguments)), ...readResult(answer) };
    }),
  };
}

function readResult(answer: WireMessage | undefined): { result: unknown; error?: string } {
  const text = answer ? textOf(answer) : "";
  // What strangers wrote comes fenced.
  const result = parse(/^<data source="[^"]*">\n([^]*)\n<\/data>$/.exec(text)?.[1] ?? text);
  if (!result || typeof result !== "object") return { result, error: text || "no result" };
  const { error, success, message } = result as Record<string, unknown>;
  if (error !== undefined && error !== null) {
    const said = typeof error === "object" ? (error as Record<string, unknown>).message : error;
    return { result, error: typeof said === "string" ? said : JSON.stringify(error) };
  }
  if (success === false) return { result, error: typeof message === "string" ? message : text };
  return { result };
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

/** Cuts a text into pieces of a few characters, never within one. */
export function pieces(text: string, size: number): string[] {
  const characters = [...text];
  const out: string[] = [];
  for (let at = 0; at < characters.length; at += size) out.push(characters.slice(at, at + size).join(""));
  return out;
}

/** The data lines of one streamed answer. */
export function* chunks(step: Step, promptTokens: number): Generator<string> {
  const id = `chatcmpl-demo-${Math.random().toString(36).slice(2, 12)}`;
  const frame = { id, object: "chat.completion.chunk", created: Math.floor(Date.now() / 1000), model: "copydesk-demo" };
  const choice = (delta: object, finish_reason: string | null = null) =>
    JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason }] });
  let written = 0;
  yield choice({ role: "assistant", content: "" });
  for (const content of pieces(step.say ?? "", 4)) {
    written++;
    yield choice({ content });
  }
  if (step.call) {
    const call = { index: 0, id: `call_${Math.random().toString(36).slice(2, 12)}`, type: "function" };
    yield choice({ tool_calls: [{ ...call, function: { name: step.call.name, arguments: "" } }] });
    for (const part of pieces(JSON.stringify(step.call.arguments), 14)) {
      written += 3;
      yield choice({ tool_calls: [{ index: 0, function: { arguments: part } }] });
    }
  }
  yield choice({}, step.call ? "tool_calls" : "stop");
  const usage = { prompt_tokens: promptTokens, completion_tokens: written, total_tokens: promptTokens + written };
  yield JSON.stringify({ ...frame, choices: [], usage });
  yield "[DONE]";
}
