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
  tools?: { function: { name: string; description?: string; parameters?: object } }[];
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
  /** The code of the error, if the call failed; its message is for models. */
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
  const parts =
    typeof message.content === "string" ? [message.content] : (message.content ?? []).map((part) => part.text ?? "");
  const paragraphs = parts.flatMap((part) => part.replace(DOCUMENT, "").split("\n\n"));
  return paragraphs
    .filter(
      (paragraph) =>
        paragraph.trim() &&
        !/^(?:\[(?:Review|审阅|Scope|范围|Settings|设置)\]|Reminder: the rules still apply\.|提醒：规则仍然有效。)/.test(
          paragraph,
        ),
    )
    .join("\n\n");
}

/** The prompts that are not answered yet, and the calls that were made for them. */
export interface CurrentRequest {
  /** The prompt of the run and those that came while it was under way. */
  prompts: { text: string; number: number }[];
  calls: PastCall[];
  /** The message of the last prompt, and the calls since. */
  message: string;
  callsSince: PastCall[];
}

/** Returns the open request of a conversation. An answer without calls ends a run. */
export function currentRequest(messages: WireMessage[]): CurrentRequest {
  const ended = messages.findLastIndex(
    ({ role, tool_calls }, at) => role === "assistant" && !tool_calls?.length && at < messages.length - 1,
  );
  const asked = messages.flatMap((message, at) =>
    message.role === "user" && promptOf(message) ? [{ message, at, text: promptOf(message) }] : [],
  );
  const open = asked.map(({ text, at }, number) => ({ text, at, number })).filter(({ at }) => at > ended);
  const prompts = open.length ? open : asked.map(({ text, at }, number) => ({ text, at, number })).slice(-1);
  const last = asked.at(-1);
  return {
    prompts,
    calls: callsAfter(messages, prompts[0]?.at ?? 0),
    message: last ? textOf(last.message) : "",
    callsSince: callsAfter(messages, last?.at ?? 0),
  };
}

function callsAfter(messages: WireMessage[], at: number): PastCall[] {
  const calls = messages.slice(at + 1).flatMap((message) => message.tool_calls ?? []);
  return calls.map((call) => {
    const answer = messages.find((message) => message.role === "tool" && message.tool_call_id === call.id);
    return { name: call.function.name, arguments: asObject(parse(call.function.arguments)), ...readResult(answer) };
  });
}

function readResult(answer: WireMessage | undefined): { result: unknown; text: string; error?: string } {
  const text = answer ? textOf(answer) : "";
  // Untrusted content is fenced.
  const result = parse(/^<data source="[^"]*">\n([^]*)\n<\/data>$/.exec(text)?.[1] ?? text);
  const shown = result === undefined ? sectionsIn(text) : [];
  if (shown.length) return { result: { sections: shown, isPart: true }, text };
  // Files are text.
  if (typeof result === "string") return { result, text };
  if (!result || typeof result !== "object") return { result, text, error: "failed" };
  const { error, success } = result as Record<string, unknown>;
  if (error !== undefined && error !== null) return { result, text, error: String(asObject(error).code ?? "failed") };
  if (success === false) return { result, text, error: "failed" };
  return { result, text };
}

/** Returns the complete sections in the first part of a result that is too long to be shown at once. */
function sectionsIn(text: string): unknown[] {
  const start = text.indexOf('"sections":[');
  const found: unknown[] = [];
  if (start < 0) return found;
  let [depth, from, inString] = [0, 0, false];
  for (let at = start + '"sections":['.length; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" && depth++ === 0) from = at;
    else if (character === "}" && --depth === 0) found.push(parse(text.slice(from, at + 1)));
    else if (character === "]" && depth === 0) break;
  }
  return found;
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
