/** Types of the public interface. Positions are UTF-16 code units, times are milliseconds. */

/** A ProseMirror node as JSON. */
export interface NodeJSON {
  type: string;
  attrs?: Record<string, unknown>;
  content?: NodeJSON[];
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  text?: string;
}

/**
 * Section 0 is everything before the first top-level h2; section i is the i-th top-level h2 and everything up to the
 * next.
 */
export interface Section {
  index: number;
  /** Text of the heading; for section 0 of the first top-level h1 in it, or empty. */
  title: string;
  /** HTML of the section without the heading itself. */
  content: string;
  /** Positions around the section, heading included. */
  from: number;
  to: number;
}

/** An entry of the outline. */
export interface OutlineEntry {
  index: number;
  title: string;
}

/** One textblock segment between hard breaks (in a code block: newlines), or one leaf block. */
export interface Line {
  /** Counted from 1. */
  line: number;
  from: number;
  to: number;
  /** Name of the type of the node that holds the line. */
  type: string;
  /** The text, with a readable form of each inline leaf that is not text, such as `@Ann Lee` for a mention. */
  text: string;
  /** Indexes that lead to that node, the top-level block first. */
  path: number[];
  /**
   * The parts of `text` that are such forms, where there are any. Each stands for one position of the document, however
   * long it is; everything else in `text` is as wide as its characters.
   */
  atoms?: { offset: number; length: number }[];
}

/** Options of every update. */
export interface UpdateOptions {
  /** True to apply an update that failed with `would_drop`. */
  confirmDrop?: boolean;
  /**
   * How `content` is written. Default: HTML if it has a tag, Markdown if it looks like Markdown, else text. Markdown
   * needs `await loadMarkdown()` once; an agent loads the parser by itself.
   */
  format?: "html" | "markdown" | "text";
}

/** One edit of a document, as a model or a server states it. */
export type DocUpdate = UpdateOptions & DocUpdateOperation;

export type DocUpdateOperation =
  | { operation: "replace"; sectionIndex: number; content: string; title?: string }
  | { operation: "append"; title: string; content: string }
  | { operation: "insert"; sectionIndex: number; title: string; content: string }
  | { operation: "delete"; sectionIndex: number }
  | {
      operation: "insert_image";
      sectionIndex: number;
      imageUrl: string;
      imageDescription: string;
      position?: "after_section" | "before_section";
    }
  | {
      operation: "move_section";
      sectionIndex: number;
      /** The index that the section has afterwards. */
      toIndex: number;
    }
  | { operation: "replace_lines"; edits: LineEdit[]; version?: string; instruction?: string }
  | {
      operation: "replace_text";
      /** The text to replace, as it is in the document; a newline for the end of each line that it goes over. */
      old: string;
      /** The text in its place. Inline Markdown or HTML makes marks. */
      new: string;
      /** Line that chooses the nearest occurrence, where there are several. */
      near_line?: number;
      /** True to replace every occurrence. */
      all?: boolean;
      version?: string;
      instruction?: string;
    };

/**
 * A range of lines, counted from 1, both ends included, and its new content. Without lines, `content` is the whole new
 * document.
 */
export interface LineEdit {
  start_line?: number;
  end_line?: number;
  /**
   * Plain text keeps what each line is and the marks of the characters that stay; HTML is inserted as it is. Empty
   * content deletes the lines.
   */
  content: string;
  /** Default: recognized from the content. */
  format?: "html" | "markdown" | "text";
}

/** One difference that an edit made, in lines counted from 1. An empty side has `end` equal to `start - 1`. */
export interface DiffRecord {
  diffId: string;
  /** Id of the edit that it belongs to. */
  diffAreaId: string;
  diffType: "insertion" | "deletion" | "edit";
  originalCode: string;
  originalStartLine: number;
  originalEndLine: number;
  newCode: string;
  startLine: number;
  endLine: number;
  contextBefore?: string;
  contextAfter?: string;
  /** The lines as they were given. */
  aiSpecifiedStartLine?: number;
  aiSpecifiedEndLine?: number;
  instruction?: string;
  /** How the lines were found. */
  foundBy?: "lines" | "diff" | "context" | "text";
}

/** A section by its index or its title. */
export type SectionRef = number | string;

/** Limits of what edits may do: those of the agent and those of `apply`, not what the user types. */
export interface Guards {
  /**
   * Where edits may change anything: sections, or the top-level blocks that a range of positions touches. Default:
   * everywhere.
   */
  scope?: { sections: SectionRef[] } | { from: number; to: number };
  /** Sections that no edit changes, heading included. New sections may come before and after them. */
  locked?: SectionRef[];
  /**
   * What happens when an edit would drop a link, an image, a table, a mention, a comment, a custom node, or a mark of
   * text that stays. "report": the result lists it as `dropped`. "reject": the edit fails with `would_drop` unless
   * `confirmDrop` is true. Default: "off".
   */
  lossless?: "off" | "report" | "reject";
  /**
   * Hosts of images and of everything else that a page loads by itself, whatever the attribute is called. URLs that the
   * user wrote in a message, that a tool returned in a field that it declares (`urlFields`), and of images in the
   * document are always allowed. Default: for the agent no others, for `apply` any.
   */
  images?: UrlSources;
  /** Hosts of links. Default: "any". */
  links?: UrlSources;
}

/** Hosts are names without scheme and port; `*.example.com` is every host below `example.com`. */
export type UrlSources = "any" | { hosts: string[] };

/** Something that an edit removed from the document although the update does not say so. */
export interface Dropped {
  type: "link" | "image" | "mark" | "node";
  /** Name of its type in the schema. */
  name: string;
  /** Its text, or an image's alternative text. */
  text: string;
  url?: string;
}

/** A change of a doc update: the range `from`–`to` of the document before the update becomes `content`. */
export interface Change {
  from: number;
  to: number;
  content: NodeJSON[];
}

export interface ApplyResult {
  success: true;
  operation: DocUpdateOperation["operation"];
  /** The section that was replaced, appended, inserted, deleted or given an image. Not set if lines were edited. */
  sectionIndex?: number;
  /** What happened, in the locale of the document. */
  message: string;
  /** True if the edit is a proposal that waits for the user's decision. */
  pending?: true;
  /** Set if the content was Markdown. */
  converted?: "markdown";
  /** What the edit dropped, if the guards report it. */
  dropped?: Dropped[];
  /** In ascending order, in positions of the document before the update. Empty if nothing differs. */
  changes: Change[];
  /** The same changes, line by line. */
  diffs: DiffRecord[];
  /** How content for a range of lines was read: as the text of those lines, or as the whole document. */
  reading?: "range" | "document";
  /** Differences of a whole document outside the given lines, which were not applied. */
  notApplied?: { line: number; text: string; content: string | null }[];
  /** Number of occurrences that were replaced. */
  matches?: number;
  /** False if the text was found only with differences of width, quotes, dashes and spaces ignored. */
  exact?: boolean;
  /** The outline after the update. */
  sections: OutlineEntry[];
  /** Version of the document after the update. */
  version: string;
}

/** "auto": edits go to the editor at once. "review": they wait for the user's decision. */
export type Mode = "auto" | "review";

/** One difference between what the editor holds and what the agent proposes. */
export interface Hunk extends Change {
  /** Stays the same as long as the hunk exists. */
  id: string;
  /** Positions in the proposal; `from` and `to` are positions in the editor's document. */
  proposedFrom: number;
  proposedTo: number;
  kind: "insertion" | "deletion" | "edit";
  /** True if whole blocks are inserted or deleted, false for inline content. */
  block: boolean;
  /**
   * True if the user has changed the same range meanwhile: `from`–`to` is the user's version, `content` the agent's. It
   * is decided by itself (`resolveHunk`): accepting several hunks leaves it open.
   */
  conflict: boolean;
  /** The turns and tool calls that made it, oldest first. */
  turnIds: string[];
  toolIds: string[];
  originalText: string;
  newText: string;
  /** Lines in the editor's document. */
  originalStartLine: number;
  originalEndLine: number;
  /** Lines in the proposal. */
  startLine: number;
  endLine: number;
  /** The reason, in the model's words. */
  instruction?: string;
  /** How the lines of the edit were found. */
  foundBy?: DiffRecord["foundBy"];
}

/** Which version of a conflict stays: the user's, the agent's, or the user's followed by the agent's. */
export type Version = "mine" | "theirs" | "both";

/** The result of accepting hunks. */
export interface Accepted {
  /** Ids of the hunks that were accepted. */
  hunks: string[];
  /** Number of conflicts in the selection that were left open. */
  conflicts: number;
}

/** A selection of hunks: one, those of a tool call, those of a turn, or all. */
export type Which = { hunk: string } | { toolId: string } | { turnId: string } | "all";

export interface UndoneTurn {
  /** Number of top-level blocks that are as they were before the turn. */
  restored: number;
  /** Blocks of the turn that somebody has changed since, which stay. Positions are in the editor's document. */
  left: { from: number; to: number; text: string; line: number }[];
}

export type Locale = "en" | "zh-CN";

/** A function that behaves as `globalThis.fetch` does with a URL and an init object. */
export type FetchLike = (input: string, init?: RequestInit) => Promise<Response>;

/** The wire format of a model's server. */
export type Api = "openai-completions" | "anthropic-messages" | "openai-responses" | "google-generative-ai";

/** How much a model thinks. A level that a provider does not have becomes the nearest one. */
export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh";

export interface Model {
  api: Api;
  modelId: string;
  /** Size of the context window, in tokens. Default: known for common models, else 128000. */
  contextWindow?: number;
  /** Prices per million tokens. The ledger is in the same currency. */
  cost?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
  /** How the server differs from OpenAI's. Default: guessed from its URL. */
  compat?: Compat;
}

/**
 * Differences of servers that speak `openai-completions`. Each is guessed from the server's URL and the model's name;
 * only what is guessed wrong needs to be set.
 */
export interface Compat {
  /** Name of the field for the token limit of an answer. OpenAI's thinking models refuse the older name. */
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** True to send instructions with the role `developer` instead of `system`. */
  supportsDeveloperRole?: boolean;
  /** The provider whose format states how much to think; `"none"` sends nothing. */
  thinkingFormat?: "openai" | "openrouter" | "deepseek" | "zai" | "qwen" | "none";
  /** Field in which thinking is sent back, such as `reasoning_content`; empty for none. */
  thinkingField?: string;
  /** True to ask for usage with a stream (`stream_options`). */
  supportsUsageInStreaming?: boolean;
  /** True to ask the server not to keep the conversation (`store`). */
  supportsStore?: boolean;
  /** True if the result of a call must name its tool. */
  requiresToolResultName?: boolean;
  /** True if ids of calls must have nine letters and digits. */
  requiresShortToolIds?: boolean;
}

export interface LlmConfig {
  model: Model;
  streamOptions: {
    /** Sent as the format demands. Not needed for servers without keys. */
    apiKey?: string;
    /** URL of the API, such as `https://api.openai.com/v1` or `https://api.anthropic.com`. */
    baseUrl: string;
    temperature?: number;
    /** Token limit of an answer. */
    maxTokens?: number;
    /** Further headers. Browsers ask the server for permission first (preflight). */
    headers?: Record<string, string>;
    /** Time for the first byte of an answer, and between two bytes. Default: 60000. */
    timeout?: number;
  };
  thinkingLevel?: ThinkingLevel;
}

/** Services that the search tools ask. A service that is left out is the free default. */
export interface Services {
  /** Default: Wikipedia in the language of the locale, which needs no key. */
  web?:
    | { provider: "wikipedia"; baseUrl?: string }
    | { provider: "tavily"; apiKey: string; baseUrl?: string }
    | { provider: "searxng"; baseUrl: string };
  /** Default: Openverse, which needs no key. */
  images?: { provider: "openverse"; baseUrl?: string } | { provider: "unsplash"; apiKey: string; baseUrl?: string };
}

/** Token counts as the provider reported them, summed over turns. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** The part of `inputTokens` that was read from a cache. */
  cachedTokens: number;
  /** The part of `inputTokens` that was written into a cache. */
  cacheWriteTokens: number;
  /** The part of `outputTokens` that was spent on thinking. */
  reasoningTokens: number;
  totalTokens: number;
}

export interface ToolCall {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

export interface TextContent {
  type: "text";
  text: string;
}

export interface ImageContent {
  type: "image";
  /** Bytes in base64. */
  data: string;
  /** MIME type, such as `image/png`. */
  mimeType: string;
}

/** A provider's signature; it is sent back unchanged, to the same model only. */
interface Signed {
  signature?: string;
}

export interface UserMessage {
  role: "user";
  content: string | (TextContent | ImageContent)[];
}

export interface ThinkingContent {
  type: "thinking";
  thinking: string;
  /** True if the provider hides the text and gives only the signature. */
  redacted?: boolean;
}

/** An answer of the model. Only complete answers are kept. */
export interface AssistantMessage {
  role: "assistant";
  content: ((TextContent | ThinkingContent | ToolCall) & Signed)[];
  /** As the provider reported it: `stop`, `tool_calls`, `length` … */
  stopReason: string;
  usage?: Usage;
  /** The model that answered: signatures are sent back to the same model only. */
  api?: Api;
  modelId?: string;
}

/** One message of the conversation. */
export type Message =
  | UserMessage
  | AssistantMessage
  | {
      role: "toolResult";
      toolCallId: string;
      toolName: string;
      content: unknown;
      isError: boolean;
      /** True if others may have written it: the model reads it fenced, as data. */
      untrusted?: boolean;
      images?: ImageContent[];
    }
  /** Replaces older messages. */
  | { role: "summary"; content: string }
  /** The decision about a call that needs approval. `shown` is what the call refers to, for after a reload. */
  | {
      role: "approval";
      toolCallId: string;
      toolName: string;
      decision: "pending" | "approved" | "rejected";
      reason?: string;
      shown?: Record<string, unknown>;
    }
  /** A message of the app: kept, and not sent unless `convertToLlm` converts it. */
  | { role: `custom${string}`; [field: string]: unknown };

/** How many queued messages the model reads at once. */
export type QueueMode = "one-at-a-time" | "all";

/** A tool of the app. */
export interface AgentTool {
  name: string;
  description: string;
  /**
   * JSON Schema of the arguments. `required`, and `type` and `enum` of each property, are validated; what is deeper is
   * up to the tool.
   */
  parameters: object;
  /**
   * Runs a call and returns its result for the model: any JSON value, or `{content: [{type: "text", text}, {type:
   * "image", data, mimeType}], details, isError}`, whose `details` are for the app only. Throws on failure. `signal`
   * aborts when the run is stopped or the call takes too long; `onUpdate` reports progress, as `tool_update` events.
   */
  execute: (toolCallId: string, params: Record<string, unknown>, signal: AbortSignal, onUpdate: (partial: unknown) => void) => unknown;
  /** "sequential": one after another, together with the tools that touch the document. Default: "parallel". */
  executionMode?: "parallel" | "sequential";
  /** Duration that a call may take, in milliseconds. Default: the agent's `toolTimeout`. */
  timeout?: number;
  /** True, or a function that returns true, if a call needs approval. */
  needsApproval?: boolean | ((args: Record<string, unknown>) => boolean);
  /**
   * True if the model may trust the result. Default: the result is fenced as data, since strangers may have written it.
   */
  trusted?: boolean;
  /**
   * Fields of the result whose URLs the model may use as images, and as links if `links.hosts` is set: paths such as
   * `"url"`, `"photos[].url"`, `"[].src"`; `"."` is the result itself. A result that is JSON text is parsed. Default:
   * none, also for a trusted tool. URLs that the model wrote before, or that the tool assembled from its arguments, do
   * not count.
   */
  urlFields?: string[];
}

export interface ToolCallContext {
  toolCall: ToolCall;
  args: Record<string, unknown>;
  /** The answer that contains the call. */
  readonly assistantMessage: AssistantMessage;
  /** State of the agent at this moment, computed on access. */
  readonly context: AgentState;
}

export interface ToolResultContext extends ToolCallContext {
  result: unknown;
  isError: boolean;
}

/** With `block`, the call does not run, and the model reads the reason. */
export interface ToolCallVerdict {
  block?: boolean;
  reason?: string;
}

export interface ToolResultChange {
  content?: unknown;
  /** For the app: in the `tool_result` event, not shown to the model. */
  details?: unknown;
  isError?: boolean;
}

/** Receives log entries. Entries above `debug` contain no text of the document; no entry contains a key. */
export interface Logger {
  debug?: LogMethod;
  info?: LogMethod;
  warning?: LogMethod;
  error?: LogMethod;
}

export type LogMethod = (message: string, fields: Record<string, unknown>) => void;

/** Tokens and costs by turn, tool and edit. Costs are in the currency of the prices, null without prices. */
export interface Ledger {
  /** The last 1,000. The shares of a turn add up to its usage and cost. */
  turns: {
    turnId: string;
    usage: Usage;
    /** True if the provider reported nothing: then only the calls are counted, by estimates. */
    estimated: boolean;
    cost: number | null;
    shares: { toolId?: string; toolName?: string; inputTokens: number; outputTokens: number; cost?: number }[];
  }[];
  tools: {
    name: string;
    calls: number;
    errors: number;
    /** Sum of the durations of its calls. */
    ms: number;
    /** Output tokens of its arguments. */
    outputTokens: number;
    /** Tokens of its results, each counted once. */
    resultTokens: number;
    /** Input tokens of its results, in all turns that included them. */
    inputTokens: number;
    cost: number;
  }[];
  /** The last 1,000. */
  edits: { toolId: string; turnId: string; version: string; outputTokens: number; cost: number | null }[];
  totals: { turns: number; unpricedTurns: number; calls: number; errors: number; edits: number; usage: Usage; cost: number };
}

/**
 * A snapshot of an agent, with the names of pi-agent-core. It is read-only; to change the agent, use `agent.messages =
 * …` and `agent.configure(…)`.
 */
export interface AgentState {
  readonly systemPrompt?: string;
  readonly model: Model;
  readonly thinkingLevel?: ThinkingLevel;
  /** Tools of the app. */
  readonly tools: readonly AgentTool[];
  readonly messages: readonly Message[];
  readonly isStreaming: boolean;
  /** The answer in progress: the text that has arrived so far. */
  readonly streamingMessage?: AssistantMessage;
  /** Ids of running calls. */
  readonly pendingToolCalls: ReadonlySet<string>;
  /** Ids of calls that wait for approval. */
  readonly waitingForApproval: readonly string[];
  /** Message of the error that ended the last run. */
  readonly errorMessage?: string;
}

/** An error, in events and in tool results. */
export interface ErrorInfo {
  /** Stable; docs/errors.md lists the codes. */
  code: string;
  /** A sentence for the user or the model, in the locale. */
  message: string;
  details: Record<string, unknown>;
}

/** An event of an agent. `seq` grows by one from event to event. */
export type AgentEvent = { seq: number } & (
  | { type: "agent_start" }
  | { type: "turn_start"; turnId: string }
  | { type: "thinking_start" }
  | { type: "thinking"; content: string }
  | { type: "thinking_end" }
  | { type: "content"; content: string }
  /** Arguments that have arrived so far, as far as they can be read. */
  | { type: "tool_args"; toolId: string; toolName: string; partial: Record<string, unknown> }
  /** A call begins to run. */
  | { type: "tool_use"; toolId: string; toolName: string; toolInput: Record<string, unknown> }
  /** A call waits for approval: `agent.approve(toolId, …)`. */
  | { type: "approval_request"; toolId: string; toolName: string; toolInput: Record<string, unknown> }
  /** Progress of a call, as the tool reported it. */
  | { type: "tool_update"; toolId: string; toolName: string; partial: unknown }
  /** `content` is the result of the tool, or `{ error: ErrorInfo }` if `isError`. */
  | { type: "tool_result"; toolId: string; toolName: string; content: unknown; images?: ImageContent[]; details?: unknown; isError: boolean }
  | ({ type: "doc_update"; toolId: string } & ApplyResult)
  /** A queued message is now part of the conversation. */
  | { type: "message"; message: Message }
  /** A request failed and is sent again. What the turn has shown so far is void. */
  | { type: "retry"; attempt: number; delayMs: number; reason: string; message: string }
  /** The oldest messages were replaced by a summary. Estimated tokens. */
  | { type: "compaction"; before: number; after: number }
  | { type: "notice"; code: string; message: string }
  | { type: "turn_end"; usage: Usage }
  | { type: "complete"; usage: Usage }
  | { type: "aborted" }
  | { type: "error"; error: string; code: string; details: Record<string, unknown> }
);

/** The result of a run; `error` is set if it failed. */
export interface RunResult {
  status: "complete" | "aborted" | "error";
  /** The text of the last answer. */
  text: string;
  usage: Usage;
  error?: ErrorInfo;
}
