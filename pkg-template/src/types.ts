/** The shapes that cross the surface of the package. Positions are UTF-16 code units, times are milliseconds. */

/** A ProseMirror node as JSON. */
export interface NodeJSON {
  type: string;
  attrs?: Record<string, unknown>;
  content?: NodeJSON[];
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  text?: string;
}

/** Section 0 is everything before the first top-level h2; section i is the i-th top-level h2 and all up to the next. */
export interface Section {
  index: number;
  /** The text of the heading; for section 0 of the first top-level h1 in it, or empty. */
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

/** One textblock segment between hard breaks (or newlines of a code block), or one leaf block. */
export interface Line {
  /** Counted from 1. */
  line: number;
  from: number;
  to: number;
  /** The type of the node that holds the line. */
  type: string;
  /** Its text; what is not text, such as a mention, is U+FFFC. */
  text: string;
  /** The way to that node: an index into the children at each level, the top-level block first. */
  path: number[];
}

/** What an update of any kind may say beside what it does. */
export interface UpdateOptions {
  /** Lets go of what an error `would_drop` named. */
  confirmDrop?: boolean;
  /**
   * How `content` is written. Default: HTML where it has a tag, Markdown where it looks like that, else text. Markdown needs
   * `await loadMarkdown()` once; an agent loads the parser by itself.
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
  | { operation: "replace_lines"; edits: LineEdit[]; version?: string; instruction?: string }
  | {
      operation: "replace_text";
      /** A text as it stands in one line. */
      old: string;
      new: string;
      /** The line it is in or near, where it occurs more than once. */
      near_line?: number;
      /** Whether every occurrence is meant. */
      all?: boolean;
      version?: string;
      instruction?: string;
    };

/** Lines, counted from 1 and both included, and their new content. Without lines it is the whole new document. */
export interface LineEdit {
  start_line?: number;
  end_line?: number;
  /**
   * Plain text keeps what each line is and the marks of what stays; HTML is taken as given. Empty content deletes the
   * lines.
   */
  content: string;
  /** Default: as it looks. */
  format?: "html" | "markdown" | "text";
}

/** One difference that an edit made, in lines counted from 1. An empty side names its place: `end` is `start - 1`. */
export interface DiffRecord {
  diffId: string;
  /** The edit that it belongs to. */
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

/** What edits may do: those of the agent and those by `apply`. What the person types is never held back. */
export interface Guards {
  /** Where edits may change anything: sections, or the top-level blocks that a range of positions touches. Default: everywhere. */
  scope?: { sections: SectionRef[] } | { from: number; to: number };
  /** Sections that no edit changes, heading included. New sections may come before and after them. */
  locked?: SectionRef[];
  /**
   * What happens when an edit would drop a link, a picture, a table, a mention, a comment, a custom node, or a mark of a text
   * that stays: nothing, `dropped` in the result says so, or the edit is refused (`would_drop`) until `confirmDrop` says
   * that it is meant. Default: "off".
   */
  lossless?: "off" | "report" | "reject";
  /**
   * Where pictures may come from, and all else that a page loads by itself. What tools returned, what the person wrote and what
   * stands in the document may always be used. Default: for the agent nothing more, for `apply` anything.
   */
  images?: UrlSources;
  /** Where links may lead. Default: "any". */
  links?: UrlSources;
}

/** Hosts are names without scheme or port; `*.example.com` is every host below `example.com`. */
export type UrlSources = "any" | { hosts: string[] };

/** Something that an edit took out of the document although nobody said so. */
export interface Dropped {
  type: "link" | "image" | "mark" | "node";
  /** The name of its type in the schema. */
  name: string;
  /** Its text, or a picture's alternative text. */
  text: string;
  url?: string;
}

/** What a doc update comes to: the range `from`–`to` of the document before the update becomes `content`. */
export interface Change {
  from: number;
  to: number;
  content: NodeJSON[];
}

export interface ApplyResult {
  success: true;
  operation: DocUpdateOperation["operation"];
  /** The section that was replaced, written, inserted, deleted or given an image; left out where lines were edited. */
  sectionIndex?: number;
  /** What happened, in the locale of the document. */
  message: string;
  /** There where the content was Markdown. */
  converted?: "markdown";
  /** What the edit dropped, where the guards report it. */
  dropped?: Dropped[];
  /** In ascending order, on positions of the document before the update; none where nothing differs. */
  changes: Change[];
  /** The same line by line. */
  diffs: DiffRecord[];
  /** How content that came with lines was read: as the text of those lines, or as the whole document. */
  reading?: "range" | "document";
  /** Differences of a whole document outside the stated lines, which were not made. */
  notApplied?: { line: number; text: string; content: string | null }[];
  /** In how many places a text was replaced. */
  matches?: number;
  /** False where the text was found only with width, quotes and spaces set aside. */
  exact?: boolean;
  /** The outline after the update. */
  sections: OutlineEntry[];
  /** The tag of the document after the update. */
  version: string;
}

/** Whether the agent's edits go to the editor at once, or wait for the person's decision. */
export type Mode = "auto" | "review";

/** One difference between what the editor holds and what the agent proposes. */
export interface Hunk extends Change {
  /** Stays the same as long as the hunk lives. */
  id: string;
  /** Where it is in the proposal; `from` and `to` are positions of the editor's document. */
  proposedFrom: number;
  proposedTo: number;
  kind: "insertion" | "deletion" | "edit";
  /** Whether whole blocks come or go, rather than text and what stands among it. */
  block: boolean;
  /**
   * The user has changed the same range meanwhile: `from`–`to` is the user's version, `content` the agent's. It is decided
   * by itself (`resolveHunk`): `accept` of several hunks leaves it open.
   */
  conflict: boolean;
  /** The turns and tool calls that made it, the oldest first. */
  turnIds: string[];
  toolIds: string[];
  originalText: string;
  newText: string;
  /** Lines of the editor's document. */
  originalStartLine: number;
  originalEndLine: number;
  /** Lines of the proposal. */
  startLine: number;
  endLine: number;
  /** Why, in the model's own words. */
  instruction?: string;
  /** How the lines that the edit named were found. */
  foundBy?: DiffRecord["foundBy"];
}

/** Which version of a conflict stays: the user's, the agent's, or the user's and behind it the agent's. */
export type Version = "mine" | "theirs" | "both";

/** What accepting came to. */
export interface Accepted {
  /** The ids of the hunks that were accepted. */
  hunks: string[];
  /** How many conflicts of the selection were left open. */
  conflicts: number;
}

/** Which hunks are meant: one, those of a tool call, those of a turn, or all. */
export type Which = { hunk: string } | { toolId: string } | { turnId: string } | "all";

export interface UndoneTurn {
  /** How many top-level blocks are as they were before the turn. */
  restored: number;
  /** Blocks of the turn that somebody has changed since: they stay. Positions are of the editor's document. */
  left: { from: number; to: number; text: string; line: number }[];
}

export type Locale = "en" | "zh-CN";

/** Anything that behaves as `globalThis.fetch` does when it is given an address and an init object. */
export type FetchLike = (input: string, init?: RequestInit) => Promise<Response>;

/** How the server of a model speaks. */
export type Api = "openai-completions" | "anthropic-messages" | "openai-responses" | "google-generative-ai";

/** How much a model thinks; what a provider does not know becomes the nearest that it does. */
export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh";

export interface Model {
  api: Api;
  modelId: string;
  /** Tokens of its context window. Default: known for common models, else 128000. */
  contextWindow?: number;
  /** Prices per million tokens, in whatever currency: what the ledger counts in. */
  cost?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
  /** How a server differs from OpenAI's own. Guessed from its address where it is not said. */
  compat?: Compat;
}

/**
 * In what a server differs that speaks `openai-completions`. Each is guessed from the server's address and the model's name, and
 * only what is guessed wrong needs to be said.
 */
export interface Compat {
  /** What the most tokens of an answer are called. OpenAI's thinking models refuse the older name. */
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Whether instructions go as role `developer` instead of `system`. */
  supportsDeveloperRole?: boolean;
  /** How a model is told how much to think: as which provider has it; `"none"` is not at all. */
  thinkingFormat?: "openai" | "openrouter" | "deepseek" | "zai" | "qwen" | "none";
  /** In which field of an answer its thinking goes back, such as `reasoning_content`; empty where it must not. */
  thinkingField?: string;
  /** Whether usage may be asked for with a stream (`stream_options`). */
  supportsUsageInStreaming?: boolean;
  /** Whether it can be told not to keep the conversation (`store`). */
  supportsStore?: boolean;
  /** Whether the result of a call must name its tool. */
  requiresToolResultName?: boolean;
  /** Whether ids of calls must have nine letters and digits. */
  requiresShortToolIds?: boolean;
}

export interface LlmConfig {
  model: Model;
  streamOptions: {
    /** Sent as the format has it; may be left out for servers that need none. */
    apiKey?: string;
    /** The address of the API, such as `https://api.openai.com/v1`, `https://api.anthropic.com`. */
    baseUrl: string;
    temperature?: number;
    /** The most tokens of an answer. */
    maxTokens?: number;
    /** Sent along. Browsers ask a server for leave before they send any but the commonest. */
    headers?: Record<string, string>;
    /** For the first byte of an answer, and between two of its bytes. Default 60000. */
    timeout?: number;
  };
  thinkingLevel?: ThinkingLevel;
}

/** Where the search tools ask. A service that is left out is the free default. */
export interface Services {
  /** Default: Wikipedia in the language of the locale, which needs no key. */
  web?: { provider: "wikipedia"; baseUrl?: string } | { provider: "tavily"; apiKey: string; baseUrl?: string };
  /** Default: Openverse, which needs no key. */
  images?: { provider: "openverse"; baseUrl?: string } | { provider: "unsplash"; apiKey: string; baseUrl?: string };
}

/** Token counts as the provider reported them, summed over the turns of a run. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** The part of `inputTokens` that was read from a cache. */
  cachedTokens: number;
  /** The part of `inputTokens` that was written into one. */
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
  /** The bytes in base64. */
  data: string;
  /** Such as `image/png`. */
  mimeType: string;
}

/** A provider's token; it goes back as it came, to the same model alone. */
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
  /** The provider keeps it to itself; only the signature stands for it. */
  redacted?: boolean;
}

/** An answer of the model. Only whole ones are kept. */
export interface AssistantMessage {
  role: "assistant";
  content: ((TextContent | ThinkingContent | ToolCall) & Signed)[];
  /** As the provider said it: `stop`, `tool_calls`, `length` … */
  stopReason: string;
  usage?: Usage;
  /** Who answered: signatures go back to the same model alone. */
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
      /** Others wrote it: the model is given it fenced, as data. */
      untrusted?: boolean;
      images?: ImageContent[];
    }
  /** Stands for older messages. */
  | { role: "summary"; content: string }
  /** Whether a call may run that needs the person's yes. `shown` says what it means when the page is loaded anew. */
  | {
      role: "approval";
      toolCallId: string;
      toolName: string;
      decision: "pending" | "approved" | "rejected";
      reason?: string;
      shown?: Record<string, unknown>;
    }
  /** The app's own: kept, and not sent unless `convertToLlm` makes something of it. */
  | { role: `custom${string}`; [field: string]: unknown };

/** How many queued messages are taken at once. */
export type QueueMode = "one-at-a-time" | "all";

/** A tool of the app. */
export interface AgentTool {
  name: string;
  description: string;
  /** A JSON Schema of the arguments. They are held against its `required`, `type` and `enum`; what is deeper is the tool's own matter. */
  parameters: object;
  /**
   * Runs a call. What it gives goes to the model: any JSON value, or `{content: [{type: "text", text}, {type: "image", data,
   * mimeType}], details, isError}`, whose details are for programs alone. Throw on failure. `signal` is raised when the run is stopped or the call takes too long;
   * `onUpdate` tells how far it has come, as `tool_update` events.
   */
  execute: (toolCallId: string, params: Record<string, unknown>, signal: AbortSignal, onUpdate: (partial: unknown) => void) => unknown;
  /** "sequential": one after another with the tools that touch the document. Default: "parallel". */
  executionMode?: "parallel" | "sequential";
  /** The longest that a call may take, in milliseconds. */
  timeout?: number;
  /** Whether a call needs the person's yes. */
  needsApproval?: boolean | ((args: Record<string, unknown>) => boolean);
  /** The model may take what it gives at its word. Default: it is fenced as data, since strangers may have written it. */
  trusted?: boolean;
}

export interface ToolCallContext {
  toolCall: ToolCall;
  args: Record<string, unknown>;
  /** The answer that the call is in. */
  readonly assistantMessage: AssistantMessage;
  /** The agent at this moment; made when it is asked for. */
  readonly context: AgentState;
}

export interface ToolResultContext extends ToolCallContext {
  result: unknown;
  isError: boolean;
}

/** With `block`, the call does not run, and the model is told why. */
export interface ToolCallVerdict {
  block?: boolean;
  reason?: string;
}

export interface ToolResultChange {
  content?: unknown;
  /** For programs: in the `tool_result` event, and not shown to the model. */
  details?: unknown;
  isError?: boolean;
}

/** Where the log of an agent goes. Nothing of a document's text is in it above `debug`, and a key nowhere. */
export interface Logger {
  debug?: LogMethod;
  info?: LogMethod;
  warning?: LogMethod;
  error?: LogMethod;
}

export type LogMethod = (message: string, fields: Record<string, unknown>) => void;

/** What was spent, and on what. Costs are in the currency of the prices; null where there are none. */
export interface Ledger {
  /** The last thousand. The shares of a turn add up to its usage and cost. */
  turns: {
    turnId: string;
    usage: Usage;
    /** The provider reported nothing: only the calls are counted, by estimates. */
    estimated: boolean;
    cost: number | null;
    shares: { toolId?: string; toolName?: string; inputTokens: number; outputTokens: number; cost?: number }[];
  }[];
  tools: {
    name: string;
    calls: number;
    errors: number;
    /** How long its calls ran together. */
    ms: number;
    /** Output spent on its arguments. */
    outputTokens: number;
    /** The length of its results, each counted once. */
    resultTokens: number;
    /** Input that its results were, in all turns that were sent them. */
    inputTokens: number;
    cost: number;
  }[];
  /** The last thousand. */
  edits: { toolId: string; turnId: string; version: string; outputTokens: number; cost: number | null }[];
  totals: { turns: number; unpricedTurns: number; calls: number; errors: number; edits: number; usage: Usage; cost: number };
}

/**
 * How an agent is just now: a snapshot in the words of pi-agent-core. Assigning to it changes nothing, so it is read-only: for
 * that are `agent.messages = …` and `agent.configure(…)`.
 */
export interface AgentState {
  readonly systemPrompt?: string;
  readonly model: Model;
  readonly thinkingLevel?: ThinkingLevel;
  /** The app's own. */
  readonly tools: readonly AgentTool[];
  readonly messages: readonly Message[];
  readonly isStreaming: boolean;
  /** The answer under way: as much of its text as has arrived. */
  readonly streamingMessage?: AssistantMessage;
  /** The calls under way. */
  readonly pendingToolCalls: ReadonlySet<string>;
  /** The calls that wait for the person's yes. */
  readonly waitingForApproval: readonly string[];
  /** Why the last run failed. */
  readonly errorMessage?: string;
}

/** What an error says, in events and in tool results. */
export interface ErrorInfo {
  /** Stable; the table of codes is in the README. */
  code: string;
  /** A sentence for the person or the model, in the locale. */
  message: string;
  details: Record<string, unknown>;
}

/** What an agent reports. `seq` grows by one from event to event. */
export type AgentEvent = { seq: number } & (
  | { type: "agent_start" }
  | { type: "turn_start"; turnId: string }
  | { type: "thinking_start" }
  | { type: "thinking"; content: string }
  | { type: "thinking_end" }
  | { type: "content"; content: string }
  /** The arguments that have arrived so far, as far as they can be read. */
  | { type: "tool_args"; toolId: string; toolName: string; partial: Record<string, unknown> }
  /** A call whose arguments are whole starts to run. */
  | { type: "tool_use"; toolId: string; toolName: string; toolInput: Record<string, unknown> }
  /** A call waits for the person's yes: `agent.approve(toolId, …)`. */
  | { type: "approval_request"; toolId: string; toolName: string; toolInput: Record<string, unknown> }
  /** How far a call has come, in the tool's own shape. */
  | { type: "tool_update"; toolId: string; toolName: string; partial: unknown }
  /** `content` is the tool's result, or `{ error: ErrorInfo }` where `isError`. */
  | { type: "tool_result"; toolId: string; toolName: string; content: unknown; images?: ImageContent[]; details?: unknown; isError: boolean }
  | ({ type: "doc_update"; toolId: string } & ApplyResult)
  /** A message that was queued is now part of the conversation. */
  | { type: "message"; message: Message }
  /** A request failed and is sent again; what the turn has shown so far is void. */
  | { type: "retry"; attempt: number; delayMs: number; reason: string; message: string }
  /** The oldest messages were replaced by a summary; tokens as estimated. */
  | { type: "compaction"; before: number; after: number }
  | { type: "notice"; code: string; message: string }
  | { type: "turn_end"; usage: Usage }
  | { type: "complete"; usage: Usage }
  | { type: "aborted" }
  | { type: "error"; error: string; code: string; details: Record<string, unknown> }
);

/** How a run ended; `error` says why where it failed. */
export interface RunResult {
  status: "complete" | "aborted" | "error";
  /** The text of the last answer. */
  text: string;
  usage: Usage;
  error?: ErrorInfo;
}
