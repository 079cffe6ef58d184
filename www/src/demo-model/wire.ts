/** Writes answers in the OpenAI chat completions format. */
import type { Answer } from "./player";

/** Splits a text into chunks of a few characters, never within a character. */
export function splitText(text: string, size: number): string[] {
  const characters = [...text];
  const out: string[] = [];
  for (let at = 0; at < characters.length; at += size) out.push(characters.slice(at, at + size).join(""));
  return out;
}

/** Yields the data lines of one streamed answer. */
export function* chunks({ text, calls }: Answer, promptTokens: number): Generator<string> {
  const id = `chatcmpl-demo-${Math.random().toString(36).slice(2, 12)}`;
  const frame = { id, object: "chat.completion.chunk", created: Math.floor(Date.now() / 1000), model: "copydesk-demo" };
  const choice = (delta: object, finish_reason: string | null = null) =>
    JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason }] });
  let tokens = 0;
  yield choice({ role: "assistant", content: "" });
  for (const content of splitText(text, 4)) {
    tokens++;
    yield choice({ content });
  }
  for (const [index, { id, name, arguments: given }] of calls.entries()) {
    yield choice({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (const part of splitText(JSON.stringify(given), 14)) {
      tokens += 3;
      yield choice({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  yield choice({}, calls.length ? "tool_calls" : "stop");
  const usage = { prompt_tokens: promptTokens, completion_tokens: tokens, total_tokens: promptTokens + tokens };
  yield JSON.stringify({ ...frame, choices: [], usage });
  yield "[DONE]";
}
