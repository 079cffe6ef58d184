/** The browser's WebMCP interface, and the registration of tools with it. */

import { CopydeskError } from "../base/error.js";
import type { Words } from "./words.js";

/** A tool as it is registered. */
export interface ModelContextTool {
  name: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: object;
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  /** The draft has no second argument yet; Chromium passes the signal of the call. */
  execute(input: object, client?: { signal?: AbortSignal }): Promise<string>;
}

/** The part of `ModelContext` that is used. */
export interface ModelContext {
  registerTool(tool: ModelContextTool, options?: { signal?: AbortSignal }): unknown;
  /** Of earlier drafts, which had no signal. */
  unregisterTool?(name: string): unknown;
}

/** The most sets of tools that one page registers under suffixes. */
const MOST_SETS = 99;

/** Returns the page's model context, which was a member of `navigator` in earlier drafts; undefined without one. */
export function findModelContext(): ModelContext | undefined {
  const owners = [globalThis.document, globalThis.navigator] as { modelContext?: Partial<ModelContext> }[];
  const contexts = owners.map((owner) => owner?.modelContext);
  return contexts.find((context) => typeof context?.registerTool === "function") as ModelContext | undefined;
}

/**
 * Registers tools until `signal` aborts: with a suffix if their names are taken. `tools` returns them for a suffix.
 * Resolves to their names, once they are registered or the signal has aborted.
 *
 * @throws CopydeskError `tools_refused` if the browser refuses them. Then none is registered.
 */
export async function registerAll(
  context: ModelContext,
  tools: (suffix: string) => ModelContextTool[],
  signal: AbortSignal,
  words: Words,
): Promise<string[]> {
  for (let set = 1; ; set++) {
    const given = tools(set > 1 ? `_${set}` : "");
    const attempt = new AbortController();
    const forward = () => attempt.abort();
    signal.addEventListener("abort", forward);
    // All are registered in this task, so that the names of two editors do not mix.
    const outcomes = await Promise.allSettled(given.map((tool) => register(context, tool, attempt.signal)));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (!failed || signal.aborted) return given.map(({ name }) => name);
    attempt.abort();
    signal.removeEventListener("abort", forward);
    const { name, message } = failed.reason as Partial<Error>;
    if (name === "InvalidStateError" && set < MOST_SETS) continue;
    const reason = message || String(failed.reason);
    throw new CopydeskError(
      { code: "tools_refused", message: words.refused(reason), details: { reason } },
      { cause: failed.reason },
    );
  }
}

async function register(context: ModelContext, tool: ModelContextTool, signal: AbortSignal): Promise<void> {
  if (!context.unregisterTool) {
    await context.registerTool(tool, { signal });
    return;
  }
  await context.registerTool(tool);
  if (signal.aborted) context.unregisterTool(tool.name);
  else signal.addEventListener("abort", () => context.unregisterTool?.(tool.name));
}
