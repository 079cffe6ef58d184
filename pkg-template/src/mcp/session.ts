/** A connection to a server through the official client. */

import type { Client, Transport, Tool } from "@modelcontextprotocol/client";
import type { McpHttpServer, McpOptions, McpServerConfig, McpServerState } from "../types/mcp.js";
import { boundedFetch } from "./bounded-fetch.js";
import { isForeign, isNetworkError, statusOf } from "./failure.js";
import { CLOSE_MS, FIRST_PAUSE_MS, LARGEST_MESSAGE, LAST_PAUSE_MS, MOST_PAGES, MOST_TOOLS } from "./limits.js";
import { loadLibrary, loadProcessLibrary, type Library } from "./library.js";
import { McpFailure } from "./messages.js";
import type { Questions } from "./questions.js";
import { REDACTED, redactMessage, type Redact } from "./redact.js";
import { unlessAborted } from "./slots.js";

/** The least pause between two streams of notifications, whatever the server asks for, in milliseconds. */
const LEAST_PAUSE_MS = 100;
/** Statuses that an older server gives to a request of Streamable HTTP. */
const OLDER = [400, 404, 405];

/** Events of a connection. */
export interface SessionEvents {
  /** The connection is over: the program has ended, or the server has forgotten the session. */
  closed(error?: unknown): void;
  toolsChanged(): void;
  /** A message was too large: the calls that wait for it would wait on. */
  tooLarge(): void;
  /** A failure after which the client continues. */
  problem(error: unknown): void;
}

export interface Connecting {
  server: string;
  config: McpServerConfig;
  options: McpOptions;
  events: SessionEvents;
  redact: Redact;
  /** Missing if the app does not ask questions. */
  questions: Questions | undefined;
  signal: AbortSignal;
  ms: number;
  /** Called with each response over HTTP that may be an answer of the protocol. */
  spoken(response: Response): void;
}

/** The list of tools of a server. */
export interface ListedTools {
  tools: Tool[];
  /** The number of all tools, valid or not. */
  total: number;
  /** True if there are more pages. */
  isCut: boolean;
}

/** An open connection. */
export class Session {
  private isOpen = true;
  private pause?: ReturnType<typeof setTimeout>;

  private constructor(
    readonly client: Client,
    readonly transport: NonNullable<McpServerState["transport"]>,
    private readonly channel: Transport & { terminateSession?(): Promise<void> },
    private readonly events: SessionEvents,
  ) {
    client.onclose = () => this.isOpen && events.closed();
    void this.listenAgain();
  }

  /** Connects. On failure everything is closed. */
  static async open(given: Connecting): Promise<Session> {
    const { config } = given;
    return "url" in config ? openHttp(given, config) : openProcess(given, config);
  }

  /** Opens a connection over a transport. `mode` is "auto" for both eras of the protocol. */
  static async over(
    library: Library,
    { events, redact, questions, signal, ms }: Connecting,
    kind: Session["transport"],
    channel: Transport,
    mode: "auto" | "legacy",
  ): Promise<Session> {
    const client = new library.Client(
      { name: "copydesk", version: "1" },
      {
        versionNegotiation: { mode },
        capabilities: questions ? { elicitation: { form: { applyDefaults: true } } } : {},
        listMaxPages: MOST_PAGES,
        // At once: a change that is announced before a result counts from the next request on.
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => events.toolsChanged() } },
        // Patterns of strangers can take for ever, and the model reads results as what they are: text of strangers.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    client.onerror = (error) => events.problem(error);
    // The client calls it first. Everything that the server sends passes here, except bodies that are not messages.
    channel.onmessage = (message) => redactMessage(message, redact);
    if (questions) {
      client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
        if (!("requestedSchema" in params)) return { action: "decline" };
        return { ...(await questions.ask(params.message, params.requestedSchema, mcpReq.signal)) };
      });
    }
    try {
      await unlessAborted(signal, client.connect(channel, { timeout: ms, signal }));
      return new Session(client, kind, channel, events);
    } catch (error) {
      // Not awaited: a program may take seconds to end.
      channel.close().catch(events.problem);
      throw error;
    }
  }

  /** Lists the tools. One that is not a valid tool is left out. */
  async tools(signal: AbortSignal, ms: number): Promise<ListedTools> {
    try {
      const listing = this.client.listTools(undefined, { cacheMode: "refresh", signal, timeout: ms });
      const { tools } = await unlessAborted(signal, listing);
      return { tools: tools.filter(hasUsableName), total: tools.length, isCut: false };
    } catch (error) {
      const { code } = error as { code?: unknown };
      const isInvalid = code === "INVALID_RESULT" || code === "LIST_PAGINATION_EXCEEDED";
      // The client may also fail itself: a deep schema exhausts the stack.
      const isException = error instanceof RangeError || error instanceof TypeError;
      if (signal.aborted || isNetworkError(error) || !(isInvalid || isException)) throw error;
      return this.validTools(signal, ms);
    }
  }

  /** Ends the connection, and the session on the server. */
  async close(): Promise<void> {
    this.isOpen = false;
    clearTimeout(this.pause);
    try {
      const goodbye = this.channel.terminateSession?.();
      if (goodbye) await unlessAborted(AbortSignal.timeout(CLOSE_MS), goodbye);
    } catch (error) {
      // The server may be gone.
      this.events.problem(error);
    }
    await this.client.close();
  }

  /** Lists page by page, for servers whose list is partly invalid or does not end. */
  private async validTools(signal: AbortSignal, ms: number): Promise<ListedTools> {
    const anything = {
      "~standard": { version: 1 as const, vendor: "copydesk", validate: (value: unknown) => ({ value }) },
    };
    const tools: Tool[] = [];
    let total = 0;
    let cursor: unknown;
    let isCut = true;
    for (let page = 0; page < MOST_PAGES && tools.length <= MOST_TOOLS; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const asked = this.client.request({ method: "tools/list", params }, anything, { signal, timeout: ms });
      const given = ((await unlessAborted(signal, asked)) ?? {}) as { tools?: unknown; nextCursor?: unknown };
      const listed = Array.isArray(given.tools) ? given.tools : [];
      total += listed.length;
      tools.push(...listed.map(readTool).filter((tool) => tool !== undefined));
      cursor = given.nextCursor;
      isCut = typeof cursor === "string" && listed.length > 0;
      if (!isCut) break;
    }
    return { tools, total, isCut };
  }

  /** In the newer era a stream brings the notifications. The client does not open it again when it breaks. */
  private async listenAgain(): Promise<void> {
    let subscription = this.client.autoOpenedSubscription;
    let pause = FIRST_PAUSE_MS;
    while (subscription) {
      const how = await subscription.closed;
      if (how === "local" || !this.isOpen) return;
      await new Promise((resolve) => (this.pause = setTimeout(resolve, pause)));
      pause = Math.min(pause * 2, LAST_PAUSE_MS);
      if (!this.isOpen) return;
      try {
        subscription = await this.client.listen({ toolsListChanged: true });
        this.events.toolsChanged();
      } catch (error) {
        this.events.problem(error);
      }
    }
  }
}

async function openHttp(given: Connecting, config: McpHttpServer): Promise<Session> {
  const library = await loadLibrary();
  const { events, options } = given;
  let hasSpoken = false;
  const send = boundedFetch(options.fetch ?? globalThis.fetch.bind(globalThis), {
    tooLarge: () => events.tooLarge(),
    sessionLost: () => events.closed(),
    responded(response) {
      if (!isAnswer(response)) return;
      hasSpoken = true;
      given.spoken(response);
    },
  });
  const url = new URL(config.url);
  const transport = { fetch: send, requestInit: { headers: config.headers ?? {} } };
  const streamable = () =>
    new library.StreamableHTTPClientTransport(url, {
      ...transport,
      reconnectionOptions: {
        initialReconnectionDelay: FIRST_PAUSE_MS,
        maxReconnectionDelay: LAST_PAUSE_MS,
        reconnectionDelayGrowFactor: 2,
        maxRetries: Infinity,
      },
      reconnectionScheduler(reconnect, delay) {
        const timer = setTimeout(reconnect, Math.max(delay, LEAST_PAUSE_MS));
        return () => clearTimeout(timer);
      },
    });
  const open = (kind: "streamable-http" | "sse", channel: Transport, mode: "auto" | "legacy") =>
    Session.over(library, given, kind, channel, mode);
  try {
    return await open("streamable-http", streamable(), "auto");
  } catch (error) {
    if (given.signal.aborted) throw error;
    // An older server may not allow the headers of the newer era. In a page the client tries this itself.
    const isWorker = globalThis.document === undefined && isForeign(config.url);
    if (isWorker && isNetworkError(error)) return open("streamable-http", streamable(), "legacy");
    // One that has answered has this transport.
    if (hasSpoken || !OLDER.includes(statusOf(error) ?? 0)) throw error;
    try {
      return await open("sse", new library.SSEClientTransport(url, transport), "legacy");
    } catch (older) {
      events.problem(older);
      throw given.signal.aborted ? older : error;
    }
  }
}

async function openProcess(given: Connecting, config: Exclude<McpServerConfig, McpHttpServer>): Promise<Session> {
  const { command, args, env, cwd } = config;
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  if (!process?.versions?.node) throw new McpFailure("mcp_no_processes", { server: given.server, command });
  const [library, { StdioClientTransport, getDefaultEnvironment }] = await Promise.all([
    loadLibrary(),
    loadProcessLibrary(),
  ]);
  const channel = new StdioClientTransport({
    command,
    ...(args && { args }),
    ...(cwd !== undefined && { cwd }),
    env: { ...getDefaultEnvironment(), ...env },
    stderr: "ignore",
    maxBufferSize: LARGEST_MESSAGE,
  });
  return Session.over(library, given, "stdio", channel, "auto");
}

/** Returns true if a response may be an answer of the protocol, by its headers. */
function isAnswer({ ok, headers }: Response): boolean {
  return ok && /^(?:application\/json|text\/event-stream)\b/.test(headers.get("content-type") ?? "");
}

/** Returns a tool of a list that the client refuses; undefined if it cannot be used. */
function readTool(given: unknown): Tool | undefined {
  try {
    const { name, title, description, inputSchema, annotations } = given as Record<string, unknown>;
    if (typeof name !== "string" || !isObject(inputSchema)) return undefined;
    if (annotations !== undefined && !isObject(annotations)) return undefined;
    // Parameters that the client would have to send as headers are its matter. Throws if it is too deep to be sent.
    if (JSON.stringify(inputSchema).includes("x-mcp-header")) return undefined;
    const tool = {
      name,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      ...(annotations !== undefined && { annotations }),
      inputSchema: inputSchema as Tool["inputSchema"],
    };
    return hasUsableName(tool) ? tool : undefined;
  } catch {
    // Whatever is wrong with a tool, the others can be used.
    return undefined;
  }
}

function isObject(given: unknown): given is object {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

/** Returns false if the name had a key in it: the server would not know the tool by what is left. */
function hasUsableName({ name }: Tool): boolean {
  return !name.includes(REDACTED);
}
