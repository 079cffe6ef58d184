/** `copydesk/webmcp`: the document tools for agents outside of the page: the browser's own, and those of extensions. */

import type { Editor } from "@tiptap/core";
import { documentOf } from "./document/document-of.js";
import { check, CopydeskError, members } from "./base/error.js";
import { localeOf } from "./base/locale.js";
import { ToolRunner, type BuiltInTool } from "./agent/tool-runner.js";
import type { AgentEvent, Guards, Locale } from "./types/index.js";
import { findModelContext, registerAll, type ModelContextTool } from "./webmcp/model-context.js";
import { webmcpWords, type Words } from "./webmcp/words.js";

export interface ExposeOptions {
  /** The names of the tools to expose; `read_more`, which reads long results on, comes with any. Default: all tools for
   * the document. */
  tools?: readonly string[] | undefined;
  /**
   * Limits of the calls from outside, besides the guards of the document. Sections are those of the current document.
   */
  guards?: Guards | undefined;
  /** Unregisters the tools when it aborts. */
  signal?: AbortSignal | undefined;
  /** The language of descriptions, results and errors. Default: the page's. */
  locale?: Locale | undefined;
  /** The time in milliseconds after a call in which further calls belong to the same answer of the other agent: a browser
   * passes each on in a task of its own. Default: 25. */
  gather?: number | undefined;
  /** Called with the `tool_use`, `doc_update` and `tool_result` events of the calls. */
  emit?: ((event: AgentEvent) => void) | undefined;
}

export interface ExposedTools {
  /** False if the browser has no WebMCP; then nothing was registered. */
  readonly isSupported: boolean;
  /** The names by which the tools are registered; none after the end. */
  readonly tools: readonly string[];
  /** Unregisters the tools and stops their calls. */
  dispose(): void;
}

/** The default of `gather`. */
const GATHER_MS = 25;

/** The tool that reads results on which were too long to be shown at once. */
const READ_MORE = "read_more";

/**
 * Registers the document tools of an agent with the page's `document.modelContext`. Calls have the same results, errors,
 * proposals and undo steps as those of an agent of copydesk. The tools are unregistered when the editor is destroyed.
 * Await `init()` before.
 *
 * @throws CopydeskError `invalid_parameter` for a wrong option, `config` for wrong guards, and `tools_refused` if the
 * browser does not let this page register tools.
 */
export async function exposeTools(editor: Editor, options: ExposeOptions = {}): Promise<ExposedTools> {
  const { tools: wanted, guards, signal, locale: tag, gather = GATHER_MS, emit } = members(options, "options");
  check(typeof editor?.on === "function", "editor", editor, "an editor with the extension Copydesk");
  check(signal == null || typeof signal.addEventListener === "function", "signal", signal, "an AbortSignal");
  check(Number.isFinite(gather) && gather >= 0, "gather", gather, "a number of milliseconds");
  check(emit == null || typeof emit === "function", "emit", emit, "a function");
  const locale = localeOf(tag);
  const context = findModelContext();
  if (!context || signal?.aborted) return { isSupported: !!context, tools: [], dispose: () => {} };

  const words = webmcpWords(locale);
  const runner = new ToolRunner(documentOf(editor), { locale, guards, gather, ...(emit && { emit }) });
  const controller = new AbortController();
  let registered: string[] = [];
  const end = () => {
    if (controller.signal.aborted) return;
    registered = [];
    controller.abort();
    editor.off("destroy", end);
    signal?.removeEventListener("abort", end);
    void runner.stop(new CopydeskError({ code: "not_run", message: words.notOffered, details: {} }));
  };
  try {
    const calls = callsOf(runner, words, controller.signal);
    const tools = selected(runner.tools, wanted);
    editor.on("destroy", end);
    signal?.addEventListener("abort", end);
    const toRegister = (suffix: string) => tools.map((tool) => described(tool, suffix, calls, words));
    const names = await registerAll(context, toRegister, controller.signal, words);
    if (!controller.signal.aborted) registered = names;
  } catch (thrown) {
    end();
    throw thrown;
  }
  return {
    isSupported: true,
    get tools() {
      return [...registered];
    },
    dispose: end,
  };
}

/** Returns the tools of these names. Searches are not among them: a browser's agent has its own. */
function selected(all: readonly BuiltInTool[], names: readonly string[] | undefined): BuiltInTool[] {
  const tools = all.filter(({ external }) => !external);
  if (names === undefined) return tools;
  const valid = tools.map(({ spec }) => spec.name);
  const expected = `an array of some of these names: ${valid.join(", ")}`;
  check(Array.isArray(names) && names.length > 0, "tools", names, expected);
  names.forEach((name, at) => check(valid.includes(name), `tools[${at}]`, name, `one of ${valid.join(", ")}`));
  return tools.filter(({ spec: { name } }) => name === READ_MORE || names.includes(name));
}

type Call = (name: string, input: object, signal: AbortSignal | undefined) => Promise<string>;

/** Returns the function that runs calls. It resolves to the result as a model reads it, also for errors: browsers do not
 * pass on the message of an exception. */
function callsOf(runner: ToolRunner, words: Words, ended: AbortSignal): Call {
  let calls = 0;
  return async (name, input, signal) => {
    try {
      if (ended.aborted) return errorText("not_run", words.notOffered);
      return (await runner.run(`outside_${++calls}`, name, input, signal)).text;
    } catch (thrown) {
      // Nobody reads it, but browsers log an exception.
      if (signal?.aborted) return errorText("aborted", words.cancelled);
      const { code, message, details } = thrown as Partial<CopydeskError>;
      return errorText(typeof code === "string" ? code : "internal", message ?? String(thrown), details);
    }
  };
}

function errorText(code: string, message: string, details: object = {}): string {
  return JSON.stringify({ error: { code, message, details } });
}

/** Returns a tool as it is registered. The tools of a second document have a suffix. */
function described({ spec, edits }: BuiltInTool, suffix: string, call: Call, words: Words): ModelContextTool {
  return {
    name: spec.name + suffix,
    description: suffix ? `${words.another(spec.name, suffix)} ${spec.description}` : spec.description,
    inputSchema: spec.parameters,
    // Others may have written what a document contains.
    annotations: { readOnlyHint: !edits, untrustedContentHint: true },
    execute: (input, client) => call(spec.name, input, client?.signal),
  };
}
