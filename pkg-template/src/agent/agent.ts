/// <reference lib="esnext.disposable" preserve="true" />
/** The agent: a conversation with a model that reads and edits a document. */

import { AppCallbacks } from "./app-callbacks.js";
import { addAgent, removeAgent } from "./agents.js";
import { guarded, settled } from "../document/calls.js";
import { documentOf, noDocument } from "../document/document-of.js";
import type { Document } from "../document/document.js";
import { inThisThread, type Engine, type StartEngine } from "./engine.js";
import { check, CopydeskError, members, readInput, reportError } from "../base/error.js";
import { previewListenerOf, type TargetResolver } from "./preview-channel.js";
import { isObject, plain } from "../base/json.js";
import { readGateOf } from "./read-gate.js";
import type { AgentHooks, AgentOptions, AgentSettings, RunOptions } from "./options.js";
import { checkPlugins, Plugins } from "./plugins.js";
import { ruleFiles } from "./rule-files.js";
import { forWasm, split, type Subjects } from "./settings.js";
import type {
  AgentEvent,
  AgentState,
  AgentTool,
  AssistantMessage,
  ImageContent,
  Ledger,
  Message,
  RunResult,
  Usage,
  WorkspaceHost,
} from "../types/index.js";

/** An agent. It runs one prompt at a time and remembers the conversation. */
export class Agent {
  /** Same as `dispose`, for `using`, where the runtime supports it. */
  declare [Symbol.dispose]: () => void;
  /** Undefined after `dispose`. */
  #engine: Engine | undefined;
  readonly #listeners: Listeners = new Set();
  /** Shows unfinished calls in the editor. */
  readonly #updatePreview: (event: AgentEvent) => void;
  readonly #app: AppCallbacks;
  readonly #document: Document;
  readonly #subjects: Subjects;
  readonly #plugins: Plugins;
  #settings: AgentSettings;
  #hooks: AgentHooks;
  #running: Promise<unknown> = Promise.resolve();

  constructor(given: AgentOptions);
  /** @internal */
  constructor(given: AgentOptions, start: StartEngine);
  constructor(given: AgentOptions, start: StartEngine = inThisThread) {
    guarded(() => check(isObject(given), "options", given, "an object"));
    const { document, workspace, plugins = [], fetch, logger, record = false, ...options } = members(given, "options");
    check(fetch == null || typeof fetch === "function", "fetch", fetch, "a function");
    check(logger == null || isObject(logger), "logger", logger, "an object with debug, info, warning and error");
    checkWorkspace(workspace);
    checkPlugins(plugins);
    const [hooks, settings] = split(options);
    this.#settings = settings;
    this.#hooks = hooks;
    const hasDocument = document != null || !workspace;
    this.#subjects = { hasDocument, hasWorkspace: !!workspace };
    // No function here may name `this`: those that the wasm keeps would keep the agent.
    const target = readInput("document", () => (hasDocument ? documentOf(document) : guarded(noDocument)));
    this.#document = target;
    const report = reporter(this.#listeners);
    const self = new WeakRef(this);
    const { ruleFiles: rules } = settings;
    const isSwitch = rules == null || typeof rules === "boolean" || typeof rules === "function";
    check(isSwitch, "ruleFiles", rules, "true, false or a function");
    const ofFiles = ruleFiles(typeof rules === "function" ? rules : undefined);
    const all = workspace && rules !== false ? [ofFiles, ...plugins] : plugins;
    this.#plugins = new Plugins(all, {
      locale: () => {
        const agent = self.deref();
        return agent ? agent.#settings.locale : settings.locale;
      },
      workspace,
      logger,
      changed: () => {
        const agent = self.deref();
        if (agent && agent.#engine) agent.#apply(agent.#settings);
      },
      notice: (code, message) => {
        const agent = self.deref();
        const engine = agent && agent.#engine;
        if (engine) guarded(() => engine.notice(code, message));
      },
      hasSkill: (name) => {
        const agent = self.deref();
        const { skills } = agent ? agent.#settings : settings;
        return !!skills?.some((skill) => skill.name === name);
      },
    });
    this.#app = new AppCallbacks(hooks, {
      logger,
      stateOf: () => self.deref()?.state,
      gate: readGateOf(target),
      workspace,
      plugins: this.#plugins,
    });
    const app = this.#app;
    this.#engine = start({
      document: target,
      settings: forWasm(settings, this.#subjects, this.#plugins),
      fetch,
      app,
      report,
      record: record === true,
    });
    this.#giveTools(settings.tools);
    // The wasm holds the listeners, so no listener may hold the wasm's agent.
    const resolveTarget: TargetResolver = (toolId) => {
      const agent = self.deref();
      return (agent && agent.#engine)?.preview(toolId) ?? null;
    };
    this.#updatePreview = (event) => previewListenerOf(target)?.(event, resolveTarget);
    this.#listeners.add(this.#updatePreview);
    addAgent(target, this);
    try {
      this.#plugins.start();
    } catch (wrong) {
      // Nobody could dispose it.
      this.dispose();
      throw wrong;
    }
  }

  get #handle(): Engine {
    if (this.#engine) return this.#engine;
    throw new CopydeskError({ code: "disposed", message: "This agent was disposed. Create another one.", details: {} });
  }

  /**
   * Starts a run with a message and resolves when it has ended, also if it was stopped or failed.
   *
   * @throws CopydeskError `busy` while another run is under way; `invalid_parameter` for an empty message; `locked` or
   * `out_of_scope` for a scope in which nothing may be changed.
   */
  async prompt(input: string | Message | Message[], images?: ImageContent[], options?: RunOptions): Promise<RunResult> {
    const messages = this.#messagesOf("prompt", input, images);
    return this.#run(() => this.#handle.prompt(messages, optionsOfRun(options)));
  }

  /**
   * Continues the conversation as it is: after a failure, or with calls that waited for approval when the page was
   * reloaded. The scope of the last prompt stays, unless there is another one or the conversation was replaced.
   *
   * @throws CopydeskError `busy`, or `nothing_to_continue` if the last message is an answer of the model.
   */
  async continue(options?: RunOptions): Promise<RunResult> {
    return this.#run(() => this.#handle.continueRun(optionsOfRun(options)));
  }

  /** Queues a message for the model after the turn under way. Without a run it waits for the next one. */
  steer(input: string | Message, images?: ImageContent[]): void {
    const messages = this.#messagesOf("message", input, images);
    guarded(() => this.#handle.queue(messages, false));
  }

  /** Queues a message for the model when it has finished; the run continues with it. */
  followUp(input: string | Message, images?: ImageContent[]): void {
    const messages = this.#messagesOf("message", input, images);
    guarded(() => this.#handle.queue(messages, true));
  }

  /** Removes the messages that `steer` and `followUp` have queued. */
  clearQueues(): void {
    this.#handle.clearQueues();
  }

  /**
   * Decides about a call that waits for approval (`approval_request`).
   *
   * @throws CopydeskError `not_waiting` if no such call waits.
   */
  approve(toolId: string, approved: boolean, reason?: string | null): void {
    check(typeof toolId === "string", "toolId", toolId, "a string");
    check(typeof approved === "boolean", "approved", approved, "true or false");
    check(typeof (reason ?? "") === "string", "reason", reason, "a string");
    guarded(() => this.#handle.approve(toolId, approved, reason ?? ""));
  }

  /** Stops the run under way. Applied edits stay. */
  abort(): void {
    this.#handle.abort();
  }

  /** Calls `listener` with every event from now on, until the returned function is called. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    check(typeof listener === "function", "listener", listener, "a function");
    void this.#handle;
    this.#listeners.add(listener);
    // After the caller has what this returns.
    queueMicrotask(() => this.#plugins.hear());
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when no run is under way. */
  async waitForIdle(): Promise<void> {
    // A listener of the last event may start the next run.
    for (let awaited: Promise<unknown> | undefined; awaited !== this.#running;) {
      awaited = this.#running;
      await awaited;
    }
  }

  /** Changes settings, from the next request of the model on, and hooks, from the next run on. Absent members stay, and
   * a hook that is `undefined` is removed. */
  configure(settings: Partial<AgentSettings & AgentHooks>): void {
    const given = members(settings, "settings");
    const [hooks, changed] = split({ ...this.#settings, ...this.#hooks, ...given });
    this.#apply(changed);
    this.#hooks = hooks;
  }

  /** Gives the wasm other settings, with what plugins add: completely or not at all. */
  #apply(settings: AgentSettings): void {
    guarded(() => this.#handle.configure(forWasm(settings, this.#subjects, this.#plugins)));
    try {
      this.#giveTools(settings.tools);
    } catch (wrong) {
      guarded(() => this.#handle.configure(forWasm(this.#settings, this.#subjects, this.#plugins)));
      throw wrong;
    }
    this.#settings = settings;
  }

  /**
   * Stops the run under way and releases everything: listeners, hooks, tools and the wasm's memory. An agent that is
   * referenced by its own listeners or hooks is not collected otherwise. Every later call throws `disposed`, except
   * `waitForIdle`.
   */
  dispose(): void {
    const handle = this.#engine;
    if (!handle) return;
    removeAgent(this.#document, this);
    handle.abort();
    this.#engine = undefined;
    this.#listeners.clear();
    // Removes the preview at the end of the run.
    this.#listeners.add(this.#updatePreview);
    // The run ends soon; until then it keeps its hooks.
    this.#running.then(() => this.#app.release());
    this.#plugins.close();
    handle.free();
  }

  /** Removes the conversation and the queued messages. */
  reset(): void {
    this.messages = [];
    this.clearQueues();
  }

  /** The conversation so far. It can be stored as JSON and passed to another agent. It cannot be set while a run is
   * under way. */
  get messages(): Message[] {
    return this.#handle.messages;
  }

  set messages(messages: Message[]) {
    guarded(() => this.#handle.setMessages(messages));
  }

  /**
   * Everything that the agent received so far, as the text of a JSON file: responses, results of tools and hooks, the
   * user's actions, and the documents. `replay` plays it. It contains no keys, but text of the user and the model.
   *
   * @throws CopydeskError `not_recording` if the agent was made without `record: true`.
   */
  get recording(): string {
    return guarded(() => this.#handle.recording);
  }

  /** True while a run is under way. */
  get isRunning(): boolean {
    return guarded(() => this.#handle.isRunning);
  }

  /** Usage of all runs. */
  get usage(): Usage {
    return this.#handle.usage;
  }

  /** Tokens and costs by turn, tool and edit; costs if `model.cost` has prices. */
  get ledger(): Ledger {
    return guarded(() => this.#handle.ledger);
  }

  /** A snapshot of the current state, with the names of pi-agent-core. Use `messages` and `configure` to change the
   * agent. */
  get state(): AgentState {
    const { isStreaming, streamingText, pendingToolCalls, waitingForApproval, errorMessage } = guarded(
      () => this.#handle.state,
    );
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
    // A run under way keeps its hooks.
    if (guarded(() => !this.#handle.state.isStreaming)) this.#app.take(this.#hooks);
    const run = guarded(() => settled<RunResult>(begin()));
    // Resolves to nothing, so that the result of a run is not kept in memory.
    this.#running = Promise.allSettled([this.#running, run]).then(() => {});
    return run;
  }

  #messagesOf(name: string, input: string | Message | Message[], images?: ImageContent[]): Message[] {
    return readInput(name, () => this.#readMessages(name, input, images));
  }

  #readMessages(name: string, input: string | Message | Message[], images: ImageContent[] = []): Message[] {
    check(Array.isArray(images), "images", images, "an array of images");
    if (typeof input === "string") {
      check(!!input.trim() || !!images.length, name, input, "a text that is not empty, or have images beside it");
      const content = images.length ? [{ type: "text" as const, text: input }, ...images] : input;
      return [{ role: "user", content }];
    }
    check(!images.length, "images", "given beside messages", "part of a message's content, or given with a text");
    const messages = Array.isArray(input) ? input : [input];
    check(
      messages.every((message) => typeof message?.role === "string"),
      name,
      input,
      "a text, a message or an array of messages",
    );
    const isHeard = messages.some(({ role }) => !role.startsWith("custom")) || !!this.#hooks.convertToLlm;
    check(
      isHeard || !messages.length,
      name,
      messages[0]?.role,
      "a message for the model; roles of your own need the hook convertToLlm",
    );
    return messages;
  }

  #giveTools(given: AgentTool[] | null | undefined): void {
    const own = given ?? [];
    const added = this.#plugins.tools;
    const [told, all] = readInput("tools", () => [
      [...this.#readTools(own), ...this.#readTools(added)],
      new Map([...own, ...added].map((tool) => [tool.name, tool])),
    ]);
    guarded(() => this.#handle.setTools(told));
    this.#app.tools = all;
  }

  #readTools(tools: AgentTool[]): unknown[] {
    check(Array.isArray(tools), "tools", tools, "an array of tools");
    tools.forEach((tool, at) => {
      check(typeof tool?.execute === "function", `tools[${at}].execute`, tool?.execute, "a function");
      const isNew = tools.findIndex(({ name }) => name === tool.name) === at;
      check(isNew, `tools[${at}].name`, tool.name, "a unique name");
    });
    return tools.map(({ name, description, parameters, executionMode, timeout, trusted, urlFields }, at) =>
      plain(
        {
          name,
          description,
          executionMode,
          timeout,
          trusted,
          urlFields,
          // Asked at the time of the call: another tool of this name may have replaced it.
          needsApproval: true,
          parameters: parameters ?? { type: "object", properties: {} },
        },
        `tools[${at}]`,
      ),
    );
  }
}

type Listeners = Set<(event: AgentEvent) => void>;

/** Returns the function that the wasm calls with events. It holds the listeners only, so that an unreferenced agent
 * can be collected. */
function reporter(listeners: Listeners): (event: AgentEvent) => void {
  return (event) => {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (thrown) {
        // An exception of one listener must not stop the run or the other listeners.
        reportError(thrown);
      }
    }
  };
}

const WORKSPACE_METHODS = ["read", "write", "list", "search", "check"] as const;

function checkWorkspace(given: WorkspaceHost | undefined): void {
  const isHost = (host: Partial<WorkspaceHost>) => WORKSPACE_METHODS.every((name) => typeof host[name] === "function");
  const holds = given == null || (isObject(given) && isHost(given));
  check(holds, "workspace", given, `an object with the methods ${WORKSPACE_METHODS.join(", ")}`);
}

function optionsOfRun(options: RunOptions | undefined): unknown {
  return options === undefined ? undefined : plain(members(options, "options"), "options");
}

function answerSoFar(text: string): AssistantMessage {
  return { role: "assistant", content: text ? [{ type: "text", text }] : [], stopReason: "" };
}

// Some runtimes lack it.
if (Symbol.dispose)
  Object.defineProperty(Agent.prototype, Symbol.dispose, {
    value: Agent.prototype.dispose,
    configurable: true,
    writable: true,
  });

// Vue leaves such objects as they are: its proxies cannot read private fields.
Object.defineProperty(Agent.prototype, "__v_skip", { value: true });
