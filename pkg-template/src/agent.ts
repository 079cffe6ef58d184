/// <reference lib="esnext.disposable" preserve="true" />
/** The agent: a conversation with a model that reads and edits a document. */

import { App } from "./app.js";
import { guarded, settled } from "./calls.js";
import { Document, handleOf } from "./document.js";
import { check, CopydeskError, members, reading, reportError } from "./error.js";
import { followerOf, type Placer } from "./follower.js";
import { isObject, plain } from "./json.js";
import type { AgentHooks, AgentOptions, AgentSettings, EditorWithCopydesk } from "./options.js";
import { forWasm, split } from "./settings.js";
import type { AgentEvent, AgentState, AgentTool, AssistantMessage, ImageContent, Ledger, Message, RunResult, Usage } from "./types.js";
import type { AgentHandle } from "./wasm/page/copydesk.js";

/** An agent. It runs one prompt at a time and remembers the conversation. */
export class Agent {
  /** As `dispose`, for `using`, where the engine has it. */
  declare [Symbol.dispose]: () => void;
  /** None when it was disposed of. */
  #held: AgentHandle | undefined;
  readonly #listeners: Listeners = new Set();
  /** Shows in the editor what comes. */
  readonly #follow: (event: AgentEvent) => void;
  readonly #app: App;
  #settings: AgentSettings;
  #hooks: AgentHooks;
  #tools: Map<string, AgentTool> = new Map();
  #running: Promise<unknown> = Promise.resolve();

  constructor(given: AgentOptions) {
    guarded(() => check(isObject(given), "options", given, "an object"));
    const { document, fetch, logger, record = false, ...options } = members(given, "options");
    check(fetch == null || typeof fetch === "function", "fetch", fetch, "a function");
    check(logger == null || isObject(logger), "logger", logger, "an object with debug, info, warning and error");
    const [hooks, settings] = split(options);
    this.#settings = settings;
    this.#hooks = hooks;
    const target = reading("document", () => documentOf(document));
    const report = reporter(this.#listeners);
    const itself = new WeakRef(this);
    this.#app = new App(hooks, logger, () => itself.deref()?.state);
    const app = this.#app;
    this.#held = guarded((wasm) => new wasm.AgentHandle(handleOf(target), forWasm(settings), fetch, app, report, record === true));
    this.#giveTools(settings);
    // The wasm holds the listeners, and so none of them may hold what holds the wasm's agent.
    const placer: Placer = (toolId) => {
      const agent = itself.deref();
      return (agent && agent.#held)?.preview(toolId) ?? null;
    };
    this.#follow = (event) => followerOf(target)?.(event, placer);
    this.#listeners.add(this.#follow);
  }

  get #handle(): AgentHandle {
    if (this.#held) return this.#held;
    throw new CopydeskError({ code: "disposed", message: "This agent was disposed of. Make another one.", details: {} });
  }

  /**
   * Says something to the agent and resolves when it is done, also when the run was stopped or failed.
   *
   * @throws CopydeskError `busy` while another run is under way; `invalid_parameter` where nothing is said.
   */
  async prompt(input: string | Message | Message[], images?: ImageContent[]): Promise<RunResult> {
    const messages = this.#messagesOf("prompt", input, images);
    return this.#run(() => this.#handle.prompt(messages));
  }

  /**
   * Goes on with the conversation as it is: after a failure, or with calls that waited for the person's yes when the
   * page was loaded anew.
   *
   * @throws CopydeskError `busy`, or `nothing_to_continue` where the model had the last word.
   */
  async continue(): Promise<RunResult> {
    return this.#run(() => this.#handle.continueRun());
  }

  /** Says something while the agent works: the model hears it after the turn under way. Without a run it waits for the next. */
  steer(input: string | Message, images?: ImageContent[]): void {
    const messages = this.#messagesOf("message", input, images);
    guarded(() => this.#handle.queue(messages, false));
  }

  /** Says something when the agent would be done: the run goes on with it. */
  followUp(input: string | Message, images?: ImageContent[]): void {
    const messages = this.#messagesOf("message", input, images);
    guarded(() => this.#handle.queue(messages, true));
  }

  /** Forgets what `steer` and `followUp` have queued. */
  clearQueues(): void {
    this.#handle.clearQueues();
  }

  /**
   * Says whether a call may run that waits for it (`approval_request`).
   *
   * @throws CopydeskError `not_waiting` where no such call waits.
   */
  approve(toolId: string, approved: boolean, reason?: string | null): void {
    check(typeof toolId === "string", "toolId", toolId, "a string");
    check(typeof approved === "boolean", "approved", approved, "true or false");
    check(typeof (reason ?? "") === "string", "reason", reason, "a string");
    guarded(() => this.#handle.approve(toolId, approved, reason ?? ""));
  }

  /** Stops the run under way. What was written stays. */
  abort(): void {
    this.#handle.abort();
  }

  /** Calls `listener` with every event from now on, until the function that is returned is called. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    check(typeof listener === "function", "listener", listener, "a function");
    void this.#handle;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when no run is under way. */
  async waitForIdle(): Promise<void> {
    // Who hears the end of a run may begin the next one.
    for (let awaited: Promise<unknown> | undefined; awaited !== this.#running; ) {
      awaited = this.#running;
      await awaited;
    }
  }

  /** Changes settings and hooks, from the next run on; what is not given stays, and a hook that is `undefined` goes. */
  configure(settings: Partial<AgentSettings & AgentHooks>): void {
    const given = members(settings, "settings");
    const [hooks, changed] = split({ ...this.#settings, ...this.#hooks, ...given });
    guarded(() => this.#handle.configure(forWasm(changed)));
    try {
      if ("tools" in given) this.#giveTools(changed);
    } catch (wrong) {
      // All of it or nothing.
      guarded(() => this.#handle.configure(forWasm(this.#settings)));
      throw wrong;
    }
    this.#settings = changed;
    this.#hooks = hooks;
  }

  /**
   * Stops the run under way and lets go of everything: listeners, hooks, tools, and what the wasm holds. An agent whose
   * listeners or hooks hold it is never collected without. Every call after it throws `disposed`, but for `waitForIdle`.
   */
  dispose(): void {
    const handle = this.#held;
    if (!handle) return;
    handle.abort();
    this.#held = undefined;
    this.#listeners.clear();
    // The preview goes with the end of the run.
    this.#listeners.add(this.#follow);
    // The run ends in a moment; until then it keeps the hooks it began with.
    this.#running.then(() => this.#app.release());
    this.#tools.clear();
    handle.free();
  }

  /** Forgets the conversation and what is queued. */
  reset(): void {
    this.messages = [];
    this.clearQueues();
  }

  /** The conversation so far. It can be kept as JSON and given to another agent, but not while a run is under way. */
  get messages(): Message[] {
    return this.#handle.messages;
  }

  set messages(messages: Message[]) {
    guarded(() => this.#handle.setMessages(messages));
  }

  /**
   * All that has come to the agent so far, as the text of a JSON file: what servers, tools, hooks and the person said and did, and the
   * documents. `replay` plays it. Keys are not in it; what people and models wrote is.
   *
   * @throws CopydeskError `not_recording` where the agent was made without `record: true`.
   */
  get recording(): string {
    return guarded(() => this.#handle.recording);
  }

  /** What all runs cost together. */
  get usage(): Usage {
    return this.#handle.usage;
  }

  /** What was spent on which turns, tools and edits; money where `model.cost` has prices. */
  get ledger(): Ledger {
    return guarded(() => this.#handle.ledger);
  }

  /** How the agent is just now, in the words of pi-agent-core. It is a snapshot: `messages` and `configure` are for changing it. */
  get state(): AgentState {
    const { isStreaming, streamingText, pendingToolCalls, waitingForApproval, errorMessage } = guarded(() => this.#handle.state);
    const { systemPrompt, thinkingLevel, tools, llmConfig } = this.#settings;
    return {
      systemPrompt,
      model: llmConfig.model,
      thinkingLevel,
      tools: [...(tools ?? [])],
      messages: this.messages,
      isStreaming,
      streamingMessage: isStreaming && streamingText !== null ? answerSoFar(streamingText) : undefined,
      pendingToolCalls: new Set(pendingToolCalls),
      waitingForApproval,
      errorMessage: errorMessage ?? undefined,
    };
  }

  #run(begin: () => Promise<RunResult>): Promise<RunResult> {
    // A run under way keeps the hooks and the tools that it began with.
    if (guarded(() => !this.#handle.state.isStreaming)) this.#app.take(this.#hooks, this.#tools);
    const run = guarded(() => settled<RunResult>(begin()));
    // What came of a run is not to be kept for as long as the agent is.
    this.#running = Promise.allSettled([this.#running, run]).then(() => {});
    return run;
  }

  #messagesOf(name: string, input: string | Message | Message[], images?: ImageContent[]): Message[] {
    return reading(name, () => this.#readMessages(name, input, images));
  }

  #readMessages(name: string, input: string | Message | Message[], images: ImageContent[] = []): Message[] {
    check(Array.isArray(images), "images", images, "an array of images");
    if (typeof input === "string") {
      check(!!input.trim() || !!images.length, name, input, "a text that says something, or have images beside it");
      const content = images.length ? [{ type: "text" as const, text: input }, ...images] : input;
      return [{ role: "user", content }];
    }
    check(!images.length, "images", "given beside messages", "part of a message's content, or given with a text");
    const messages = Array.isArray(input) ? input : [input];
    check(messages.every((message) => typeof message?.role === "string"), name, input, "a text, a message or an array of messages");
    const isHeard = messages.some(({ role }) => !role.startsWith("custom")) || !!this.#hooks.convertToLlm;
    check(isHeard || !messages.length, name, messages[0]?.role, "a message that the model hears; roles of your own need the hook convertToLlm");
    return messages;
  }

  #giveTools(settings: AgentSettings): void {
    const tools = settings.tools ?? [];
    const [told, byName] = reading("tools", () => [this.#readTools(tools), new Map(tools.map((tool) => [tool.name, tool]))]);
    guarded(() => this.#handle.setTools(told));
    this.#tools = byName;
  }

  #readTools(tools: AgentTool[]): unknown[] {
    check(Array.isArray(tools), "tools", tools, "an array of tools");
    tools.forEach((tool, at) => {
      check(typeof tool?.execute === "function", `tools[${at}].execute`, tool?.execute, "a function");
      const isNew = tools.findIndex(({ name }) => name === tool.name) === at;
      check(isNew, `tools[${at}].name`, tool.name, "a name that no other of the tools has");
    });
    return tools.map(({ name, description, parameters, executionMode, timeout, trusted, urlFields, needsApproval }, at) =>
      plain({
        name, description, executionMode, timeout, trusted, urlFields, needsApproval: !!needsApproval,
        parameters: parameters ?? { type: "object", properties: {} },
      }, `tools[${at}]`),
    );
  }
}

type Listeners = Set<(event: AgentEvent) => void>;

/** What the wasm calls with events. It holds the listeners only: an agent that nobody holds can be collected. */
function reporter(listeners: Listeners): (event: AgentEvent) => void {
  return (event) => {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (thrown) {
        // One listener's fault must stop neither the run nor the others.
        reportError(thrown);
      }
    }
  };
}

function answerSoFar(text: string): AssistantMessage {
  return { role: "assistant", content: text ? [{ type: "text", text }] : [], stopReason: "" };
}

// Not all engines have it yet.
if (Symbol.dispose) Object.defineProperty(Agent.prototype, Symbol.dispose, { value: Agent.prototype.dispose, configurable: true, writable: true });

function documentOf(given: Document | EditorWithCopydesk): Document {
  if (given instanceof Document) return given;
  const document = (given as Partial<EditorWithCopydesk> | null | undefined)?.storage?.copydesk?.document;
  const expected = "a Document, or an editor that is not destroyed and has the extension Copydesk of copydesk/tiptap";
  check(document !== undefined, "document", given, expected);
  return document as Document;
}
