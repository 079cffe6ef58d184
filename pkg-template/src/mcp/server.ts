/** A configured server: connects to it, keeps its tools, calls them, connects again. */

import type { Tool } from "@modelcontextprotocol/client";
import type { Locale } from "../types/agent.js";
import type { McpOptions, McpServerConfig, McpServerState } from "../types/mcp.js";
import { TooLarge } from "./bounded-fetch.js";
import { causeOf, isNetworkError, isSessionLost, isTooLarge, reasonOf } from "./failure.js";
import {
  CONNECT_MS,
  FIRST_PAUSE_MS,
  LAST_PAUSE_MS,
  LIST_PAUSE_MS,
  LONGEST_MS,
  LONGEST_QUOTE,
  MOST_ATTEMPTS,
  MOST_CALLS,
  MOST_REPORTS,
  STABLE_MS,
} from "./limits.js";
import { inLocale, McpFailure, reasonFor } from "./messages.js";
import { toolResult, type ToolResult } from "./result.js";
import { Questions } from "./questions.js";
import { Session, type ListedTools, type SessionEvents } from "./session.js";
import { Slots, unlessAborted } from "./slots.js";
import { redaction, type Redact } from "./redact.js";
import { cut } from "./text.js";

/** The events of a server for its plugin. */
export interface ServerEvents {
  /** Its state or its tools have changed. */
  changed(): void;
  /** A failure after which it continues. The text has no keys. */
  problem(server: string, reason: string): void;
}

/** The tools that a server listed: those that the app wants, and the number of all. */
interface Listed {
  wanted: readonly Tool[];
  total: number;
  /** True if the server has more, which were not read. */
  isCut: boolean;
}

const NONE: ListedTools = { tools: [], total: 0, isCut: false };

export class McpServer {
  state: McpServerState["state"];
  /** The reason why it is not ready. The same object until it was ready again, whatever later attempts find. */
  failure?: McpFailure;

  /** All tools that it listed last, also while it is connected again. */
  private found = NONE;
  private session?: Session;
  private readonly questions: Questions | undefined;
  private readonly slots = new Slots(MOST_CALLS);
  private readonly calls = new Set<AbortController>();
  /** The connection that requests of the model wait for. */
  private awaited?: Promise<void>;
  /** The attempt under way. Aborts when the server is closed. */
  private attempt?: { over: AbortController; done: Promise<void> };
  private listing?: Promise<void>;
  /** When the list was last asked for again. */
  private lastListing = 0;
  /** True if the tools have changed since the list was asked for. */
  private isStale = false;
  private attempts = 0;
  private lastAttempt = 0;
  private readySince = 0;
  private timer?: ReturnType<typeof setTimeout>;
  private readonly redact: Redact;

  constructor(
    readonly name: string,
    private settings: McpServerConfig,
    private readonly options: McpOptions,
    private readonly events: ServerEvents,
  ) {
    this.redact = redaction(settings);
    const { elicit } = options;
    this.questions = elicit && new Questions(name, elicit, (error) => this.problem(error));
    this.state = this.isEnabled ? "connecting" : "disabled";
  }

  get config(): McpServerConfig {
    return this.settings;
  }

  /** The tools that the app wants. Those that it does not want are not missing. */
  get listed(): Listed {
    const { tools, total, isCut } = this.found;
    const { tools: names } = this.settings;
    const wanted = names ? tools.filter(({ name }) => names.includes(name)) : tools;
    const missing = names?.some((name) => !wanted.some((tool) => tool.name === name)) ?? true;
    return { wanted, total: total - (tools.length - wanted.length), isCut: isCut && missing };
  }

  /** Takes settings that need no other connection. */
  configure(settings: McpServerConfig): void {
    this.settings = settings;
  }

  /** Takes the tools of the same server with other settings, until its own are known. */
  inherit({ found, isEnabled }: McpServer): void {
    if (this.isEnabled && isEnabled) this.found = found;
  }

  get isEnabled(): boolean {
    return this.config.enabled ?? true;
  }

  get transport(): McpServerState["transport"] {
    return this.session?.transport;
  }

  get protocolVersion(): string | undefined {
    return this.session?.client.getNegotiatedProtocolVersion();
  }

  /** Connects, unless it is connected or connecting. Requests of the model wait for it. */
  open(): Promise<void> {
    if (!this.isEnabled || this.session) return Promise.resolve();
    this.setState("connecting");
    return (this.awaited = this.connect());
  }

  /** Connects again, now. */
  async reopen(): Promise<void> {
    const { found } = this;
    const closing = this.close();
    // Its tools stay until it is known which it has now. Calls wait for the connection, as requests of the model do.
    this.found = found;
    await Promise.all([closing, this.open()]);
  }

  /** Resolves when what is under way has succeeded or failed; for one that has failed, at once. */
  async settled(signal: AbortSignal): Promise<void> {
    const waited = this.lastAttempt + LAST_PAUSE_MS;
    if (this.state === "failed" && !this.timer && !this.attempt && Date.now() >= waited) void this.connect();
    while (this.awaited && !signal.aborted) {
      const { awaited } = this;
      await unlessAborted(signal, awaited);
      if (awaited === this.awaited) this.awaited = undefined;
    }
    // A change may be announced while the list is under way; not more often, since a server may announce without end.
    for (let times = 0; times < 2 && this.listing; times++) await unlessAborted(signal, this.listing);
  }

  /** Ends everything. `open` begins again. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.attempts = 0;
    this.lastAttempt = 0;
    this.attempt?.over.abort(new Error("closed"));
    this.attempt = undefined;
    this.awaited = undefined;
    const { session } = this;
    this.session = undefined;
    this.found = NONE;
    this.failure = undefined;
    this.endCalls(new Error(inLocale(this.language, reasonFor("disconnected"))));
    if (this.isEnabled) this.state = "connecting";
    await session?.close();
  }

  /** Calls a tool. Rejects with an error whose message is for the model. */
  async call(name: string, args: Record<string, unknown>, signal: AbortSignal, report: Report): Promise<ToolResult> {
    const send = () => this.slots.run(signal, () => this.send(name, args, signal, report, true));
    return this.questions ? this.questions.during(send) : send();
  }

  private async send(
    name: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    report: Report,
    mayRepeat: boolean,
  ): Promise<ToolResult> {
    if (!this.session) await this.settled(signal);
    signal.throwIfAborted();
    const { session } = this;
    if (!session) throw new Error(inLocale(this.language, reasonFor("notReady")));
    const own = new AbortController();
    const abort = () => own.abort(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    this.calls.add(own);
    let reports = 0;
    try {
      const call = session.client.callTool(
        { name, arguments: args },
        {
          signal: own.signal,
          timeout: LONGEST_MS,
          onprogress: ({ progress, total, message }) => {
            if (++reports > MOST_REPORTS) return;
            report({
              progress,
              ...(total !== undefined && { total }),
              ...(message && { message: cut(message, LONGEST_QUOTE) }),
            });
          },
        },
      );
      return toolResult(await unlessAborted(own.signal, call));
    } catch (error) {
      signal.throwIfAborted();
      // The server did not run it: it knows only the next session.
      if (mayRepeat && isSessionLost(error)) {
        this.lost(session);
        await this.settled(signal);
        return await this.send(name, args, signal, report, false);
      }
      if (isNetworkError(error)) this.lost(session, error);
      // Without the cause: it may have a key in it.
      throw new Error(this.reasonOf(own.signal.aborted ? own.signal.reason : error));
    } finally {
      this.calls.delete(own);
      signal.removeEventListener("abort", abort);
    }
  }

  private connect(): Promise<void> {
    if (this.attempt) return this.attempt.done;
    clearTimeout(this.timer);
    this.timer = undefined;
    const over = new AbortController();
    const done = this.tryToConnect(over).finally(() => {
      if (this.attempt?.over === over) this.attempt = undefined;
    });
    this.attempt = { over, done };
    return done;
  }

  private async tryToConnect(over: AbortController): Promise<void> {
    const ms = this.config.timeoutMs ?? CONNECT_MS;
    const { signal } = over;
    let timedOut = false;
    let hasSpoken = false;
    let lacksSession = false;
    const timer = setTimeout(() => {
      timedOut = true;
      over.abort(new Error("timeout"));
    }, ms);
    let session: Session | undefined;
    let large: TooLarge | undefined;
    // The tools have changed while they were listed for the first time.
    let hasChanged = false;
    const events: SessionEvents = {
      closed: (error) => session && this.lost(session, error),
      toolsChanged: () => {
        if (session && this.session === session) this.refresh(session);
        else hasChanged = true;
      },
      tooLarge: () => {
        if (session) this.endCalls(new TooLarge());
        else over.abort((large ??= new TooLarge()));
      },
      problem: (error) => {
        this.problem(error);
        // The transport of a process says it only so, and then ends it.
        if (!("url" in this.config) && isTooLarge(error)) events.tooLarge();
      },
    };
    try {
      session = await Session.open({
        server: this.name,
        config: this.config,
        options: this.options,
        events,
        redact: this.redact,
        questions: this.questions,
        signal,
        ms,
        spoken: ({ headers }) => {
          hasSpoken = true;
          lacksSession = !headers.has("mcp-session-id");
        },
      });
      const listed = await session.tools(signal, ms);
      signal.throwIfAborted();
      this.session = session;
      this.found = listed;
      this.failure = undefined;
      this.readySince = Date.now();
      this.setState("ready");
      if (hasChanged) this.refresh(session);
    } catch (error) {
      session?.close().catch(events.problem);
      // Closed by the plugin: nobody waits for the cause.
      if (signal.aborted && !timedOut && !large) return;
      const { name: server, config, redact, options } = this;
      const send = options.fetch ?? globalThis.fetch.bind(globalThis);
      const seen = { timedOut, ms, hasSpoken, lacksSession };
      const cause = await causeOf(large ?? error, { server, config, fetch: send, redact, ...seen });
      if (this.attempt?.over !== over) return;
      this.failed(cause);
    } finally {
      clearTimeout(timer);
    }
  }

  private failed(cause: McpFailure): void {
    this.failure ??= cause;
    this.found = NONE;
    this.lastAttempt = Date.now();
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.attempts, LAST_PAUSE_MS);
    const isHopeless = cause.code === "mcp_not_installed" || cause.code === "mcp_no_processes";
    if (++this.attempts <= MOST_ATTEMPTS && !isHopeless) this.timer = setTimeout(() => void this.connect(), pause);
    this.setState("failed");
  }

  /** The connection is over. Its tools stay until it is known whether the server can be reached again. */
  private lost(session: Session, error?: unknown): void {
    if (this.session !== session) return;
    this.problem(error ?? "the connection was lost");
    this.session = undefined;
    this.endCalls(new Error(inLocale(this.language, reasonFor("disconnected"))));
    session.close().catch((reason: unknown) => this.problem(reason));
    if (Date.now() - this.readySince > STABLE_MS) this.attempts = 0;
    // Where nothing answers any more, connecting again finds out why.
    if (this.attempts++ === 0 || isNetworkError(error)) void this.open();
    else this.failed(this.endedBy(error));
  }

  /** Lists the tools again: at once, but not again and again for a server that announces changes without end. */
  private refresh(session: Session): void {
    if (this.session !== session) return;
    this.isStale = this.listing !== undefined;
    if (this.listing) return;
    const ms = this.config.timeoutMs ?? CONNECT_MS;
    const pause = Math.max(0, this.lastListing + LIST_PAUSE_MS - Date.now());
    this.listing = (async () => {
      try {
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
        const listed = await session.tools(AbortSignal.timeout(ms), ms);
        if (this.session !== session) return;
        this.found = listed;
        this.events.changed();
      } catch (error) {
        this.lost(session, error);
      } finally {
        this.lastListing = Date.now();
        this.listing = undefined;
        if (this.isStale) this.refresh(session);
      }
    })();
  }

  /** The failure of a server that loses its connections again and again. */
  private endedBy(error: unknown): McpFailure {
    const { name: server, config } = this;
    const reason = error === undefined ? reasonFor("ended") : reasonOf(error, this.redact);
    if ("url" in config) return new McpFailure("mcp_server_error", { server, reason });
    return new McpFailure("mcp_process", { server, command: this.redact(config.command), reason });
  }

  private endCalls(reason: Error): void {
    for (const call of this.calls) call.abort(reason);
  }

  private setState(state: McpServerState["state"]): void {
    this.state = state;
    this.events.changed();
  }

  private problem(error: unknown): void {
    this.events.problem(this.name, this.reasonOf(error));
  }

  private reasonOf(error: unknown): string {
    const reason = reasonOf(error, this.redact);
    return typeof reason === "string" ? reason : inLocale(this.language, reason);
  }

  private get language(): Locale {
    return this.options.locale ?? "en";
  }
}

/** Takes a progress report of a call. */
export type Report = (partial: { progress: number; total?: number; message?: string }) => void;
