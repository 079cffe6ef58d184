/** The agent: a conversation with a model that reads and edits a document. */

import { guarded, settled } from "./calls.js";
import { Document, handleOf } from "./document.js";
import { check } from "./error.js";
import { followerOf, type Placer } from "./follower.js";
import { localeOf } from "./locale.js";
import type { AgentEvent, FetchLike, LlmConfig, Locale, Message, RunResult, Services, Usage } from "./types.js";
import { AgentHandle } from "./wasm/copydesk.js";

/** What of an agent can change between two runs. */
export interface AgentSettings {
  llmConfig: LlmConfig;
  /** Where the search tools ask. Default: Wikipedia and Openverse, which need no key. */
  services?: Services;
  /** The language of prompts, tools, results and errors. Default: the page's. */
  locale?: Locale;
  /** What the model is told before the conversation. Default: copydesk's own prompt. */
  systemPrompt?: string;
  /** The most turns of a run. Default and most: 40. */
  maxTurns?: number;
  /** The longest that a run may take, in milliseconds. Default and most: 300000. */
  runTimeout?: number;
}

export interface AgentOptions extends AgentSettings {
  /** What the agent works on: a document, or an editor with the `Copydesk` extension. */
  document: Document | EditorWithCopydesk;
  /** Stands in for `globalThis.fetch`: for tests, proxies, models in the page. */
  fetch?: FetchLike;
}

/** As much of a TipTap editor as an agent looks at. */
export interface EditorWithCopydesk {
  storage: { copydesk: { document: Document } };
}

/** An agent. It runs one prompt at a time and remembers the conversation. */
export class Agent {
  readonly #handle: AgentHandle;
  readonly #listeners: Listeners = new Set();
  #settings: AgentSettings;
  #running: Promise<unknown> = Promise.resolve();

  constructor({ document, fetch, ...settings }: AgentOptions) {
    this.#settings = settings;
    const target = document instanceof Document ? document : boundDocument(document);
    const report = reporter(this.#listeners);
    this.#handle = guarded(() => new AgentHandle(handleOf(target), withLocale(settings), fetch, report));
    // The wasm holds the listeners, and so none of them may hold what holds the wasm's agent.
    const made = new WeakRef(this.#handle);
    const placer: Placer = (toolName, partial) => made.deref()?.place(toolName, JSON.stringify(partial)) ?? null;
    this.#listeners.add((event) => followerOf(target)?.(event, placer));
  }

  /**
   * Says something to the agent and resolves when it is done, also when the run was stopped or failed.
   *
   * @throws CopydeskError `busy` while another run is under way.
   */
  async prompt(text: string): Promise<RunResult> {
    check(typeof text === "string", "text", text, "a string");
    const run = guarded(() => settled<RunResult>(this.#handle.prompt(text)));
    this.#running = Promise.allSettled([this.#running, run]);
    return run;
  }

  /** Stops the run under way. What was written stays. */
  abort(): void {
    this.#handle.abort();
  }

  /** Calls `listener` with every event from now on, until the function that is returned is called. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    check(typeof listener === "function", "listener", listener, "a function");
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when no run is under way. */
  async waitForIdle(): Promise<void> {
    await this.#running;
  }

  /** Changes settings, from the next run on; what is not given stays. */
  configure(settings: Partial<AgentSettings>): void {
    const changed = { ...this.#settings, ...settings };
    guarded(() => this.#handle.configure(withLocale(changed)));
    this.#settings = changed;
  }

  /** Forgets the conversation. */
  reset(): void {
    this.messages = [];
  }

  /** The conversation so far. It can be kept as JSON and given to another agent, but not while a run is under way. */
  get messages(): Message[] {
    return this.#handle.messages;
  }

  set messages(messages: Message[]) {
    guarded(() => this.#handle.setMessages(messages));
  }

  /** What all runs cost together. */
  get usage(): Usage {
    return this.#handle.usage;
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

function withLocale(settings: AgentSettings): AgentSettings {
  return { ...settings, locale: localeOf(settings.locale) };
}

function boundDocument(editor: EditorWithCopydesk): Document {
  const document = editor.storage?.copydesk?.document;
  if (!document) throw new TypeError("The editor has no Copydesk extension, or has been destroyed: add it from copydesk/tiptap.");
  return document;
}

/** As browsers report what an event listener throws; Node has no `reportError`. */
function reportError(thrown: unknown): void {
  if (globalThis.reportError) globalThis.reportError(thrown);
  else console.error(thrown);
}
