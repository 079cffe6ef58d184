/** One request of a completion, by an agent without tools and with an empty document. */

import { Agent, CopydeskError, Document, loadRest, type FetchLike, type LlmConfig, type Locale } from "copydesk";
import { guarded } from "../document/calls.js";
import { localeOf } from "../base/locale.js";
import { completionWords } from "./words.js";
import { continuation } from "./text.js";

export interface CompletionOptions {
  llmConfig: LlmConfig | null;
  locale: Locale | undefined;
  systemPrompt: string | undefined;
  fetch: FetchLike | undefined;
}

/** The text around the cursor. */
export interface CompletionContext {
  readonly before: string;
  readonly after: string;
}

/** The most tokens of an answer, and its time in milliseconds: a late completion helps nobody. */
const MOST_TOKENS = 60;
const TIMEOUT = 15_000;
/** The length at which an answer is long enough. */
const ENOUGH = 300;

/** Returns a continuation; empty for none. Rejects with a CopydeskError, also after an abort. */
export async function complete(
  options: CompletionOptions,
  context: CompletionContext,
  signal: AbortSignal,
): Promise<string> {
  const { llmConfig, fetch } = options;
  if (!llmConfig) return "";
  await loadRest();
  if (signal.aborted) return "";
  const locale = localeOf(options.locale);
  const { streamOptions } = llmConfig;
  const agent = new Agent({
    document: Document.fromJSON({ type: "doc", content: [{ type: "paragraph" }] }),
    llmConfig: {
      thinkingLevel: "off",
      ...llmConfig,
      streamOptions: { maxTokens: MOST_TOKENS, totalTimeout: TIMEOUT, ...streamOptions },
    },
    systemPrompt: options.systemPrompt ?? completionWords(locale).instruction,
    builtInTools: false,
    documentInPrompt: false,
    maxRetries: 0,
    maxTurns: 1,
    locale,
    ...(fetch ? { fetch } : {}),
  });
  let answer = "";
  let isLongEnough = false;
  agent.subscribe((event) => {
    if (event.type !== "content") return;
    answer += event.content;
    isLongEnough = answer.length > ENOUGH || /\S[^]*\n/.test(answer);
    if (isLongEnough) agent.abort();
  });
  const stop = () => agent.abort();
  signal.addEventListener("abort", stop);
  try {
    const { status, error } = await agent.prompt(promptOf(context));
    if (error && status === "error") throw new CopydeskError(error);
    return signal.aborted || (status !== "complete" && !isLongEnough) ? "" : continuation(answer, context.before);
  } finally {
    signal.removeEventListener("abort", stop);
    agent.dispose();
  }
}

/** Returns the text around the cursor, as data. */
function promptOf({ before, after }: CompletionContext): string {
  const fence = (source: string, text: string) => guarded((wasm) => wasm.fencedText(source, text));
  return [...(after.trim() ? [fence("after_cursor", after)] : []), fence("before_cursor", before)].join("\n\n");
}
