/** The document tools alone, in the forms that other loops take. */

import { documentOf } from "../document/document-of.js";
import { Document } from "../document/document.js";
import { localeOf } from "../base/locale.js";
import type { EditorWithCopydesk } from "../agent/options.js";
import { ToolRunner } from "../agent/tool-runner.js";
import type { AgentEvent, FetchLike, Locale, Services } from "../types/index.js";

export interface DocAgentToolsOptions {
  /** Called with `tool_use`, `tool_update`, `doc_update` and `tool_result` events. */
  emit?: (event: AgentEvent) => void;
  /** The services of the search tools. Default: Wikipedia and Openverse. */
  services?: Services;
  /** The language of descriptions, results and errors. Default: the page's. */
  locale?: Locale;
  /** Replaces `globalThis.fetch` for searches. */
  fetch?: FetchLike;
}

/** A tool of pi-agent-core. */
export interface PiTool {
  name: string;
  label: string;
  description: string;
  /** A JSON Schema. */
  parameters: any;
  execute: (
    toolCallId: string,
    params: any,
    signal?: AbortSignal,
    onUpdate?: (partial: any) => void,
  ) => Promise<{ content: { type: "text"; text: string }[]; details: unknown }>;
}

/** A tool of the AI SDK. */
export interface AiTool {
  description: string;
  inputSchema: any;
  execute: (input: any, options?: { toolCallId?: string; abortSignal?: AbortSignal | undefined }) => Promise<string>;
}

/** A function of the OpenAI API, and the way to run it. */
export interface OpenAiTool {
  type: "function";
  function: { name: string; description: string; parameters: object };
  /** Takes the arguments as text or parsed. Resolves to the content of the message with the role `tool`. */
  execute: (args: string | object, options?: { toolCallId?: string; signal?: AbortSignal }) => Promise<string>;
}

export interface DocAgentTools {
  /** The document that the tools work on. */
  document: Document;
  /** For `tools` of pi-agent-core. A failure is thrown, as pi expects it. */
  pi: PiTool[];
  /** For `tools` of the AI SDK. A failure is thrown, as it expects. */
  ai: Record<string, AiTool>;
  /** For `tools` of the OpenAI API. A failure is a result, which the model reads. */
  openai: OpenAiTool[];
  /** Releases memory. No tool can be called afterwards. */
  dispose: () => void;
}

/**
 * Returns the tools of the agent for another loop, which work on a document, or on a new one of this HTML. They share what the model was shown: indexes and lines are those of
 * the results that it has read. Await `init()` before.
 */
export function createDocAgentTools(
  given: Document | EditorWithCopydesk | string,
  options: DocAgentToolsOptions = {},
): DocAgentTools {
  const locale = localeOf(options.locale);
  const document = typeof given === "string" ? Document.fromHTML(given, { locale }) : documentOf(given);
  const runner = new ToolRunner(document, { ...options, locale });
  const specs = runner.tools.map(({ spec }) => spec);
  let calls = 0;
  const newId = () => `call_${calls++}`;
  const orThrow = async (running: ReturnType<ToolRunner["run"]>) => {
    const outcome = await running;
    if (outcome.isError) throw new Error(outcome.text);
    return outcome;
  };
  return {
    document,
    pi: specs.map((spec) => ({
      ...spec,
      label: spec.name,
      execute: async (id, params, signal, onUpdate) => {
        const { text, details } = await orThrow(runner.run(id, spec.name, params, signal, onUpdate));
        return { content: [{ type: "text", text }], details };
      },
    })),
    ai: Object.fromEntries(
      specs.map(({ name, description, parameters }) => [
        name,
        {
          description,
          inputSchema: aiSchema(parameters),
          execute: async (input, { toolCallId = newId(), abortSignal } = {}) =>
            (await orThrow(runner.run(toolCallId, name, input, abortSignal))).text,
        } satisfies AiTool,
      ]),
    ),
    openai: specs.map((spec) => ({
      type: "function",
      function: spec,
      execute: async (args, { toolCallId = newId(), signal } = {}) => {
        const parsed: unknown = typeof args === "string" ? JSON.parse(args || "{}") : args;
        return (await runner.run(toolCallId, spec.name, parsed, signal)).text;
      },
    })),
    dispose: () => runner.dispose(),
  };
}

/** Returns what `jsonSchema` of the AI SDK returns. Arguments are checked by the tool, which names what is wrong. */
function aiSchema(jsonSchema: object): object {
  return { [Symbol.for("vercel.ai.schema")]: true, _type: undefined, jsonSchema, validate: undefined };
}
