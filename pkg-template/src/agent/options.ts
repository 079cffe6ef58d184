/** The options of an agent. */

import type { Document } from "../document/document.js";
import type {
  AgentPlugin,
  AgentTool,
  FetchLike,
  LlmConfig,
  Locale,
  Logger,
  Message,
  PositionRange,
  QueueMode,
  Rule,
  Services,
  Skill,
  ThinkingLevel,
  ToolCallContext,
  ToolCallVerdict,
  ToolResultChange,
  ToolResultContext,
  WorkspaceHost,
} from "../types/index.js";

/** The settings of an agent. A change applies from the next request of the model on. */
export interface AgentSettings {
  llmConfig: LlmConfig;
  /** The services of the search tools. Default: Wikipedia and Openverse, which need no key. */
  services?: Services;
  /** The language of prompts, tools, results and errors. Default: the page's. */
  locale?: Locale;
  /** The system prompt. Default: copydesk's own. */
  systemPrompt?: string;
  /** Rules that the model has to follow. The enabled ones are numbered in the system prompt. */
  rules?: Rule[];
  /** The number of rounds of tool calls after which the model is reminded of the rules; 0: never. Default: 1. */
  reminderInterval?: number;
  /** True if `AGENTS.md` and `.rules/*.md` of the workspace are rules, which the model cannot change. A function is asked
   * for each file before each request, and returns true if the user has agreed to its text. Set when the agent is
   * created. Default: true. */
  ruleFiles?: boolean | ((file: { path: string; text: string }) => boolean | Promise<boolean>);
  /** Skills of the app, besides those of plugins. */
  skills?: Skill[];
  /** The most tokens of the skills whose text is in the system prompt; the others are loaded by `activate_skill`.
   * Default: a twentieth of the context window, at most 8000. */
  skillTokens?: number;
  /** The effort that the model spends on thinking. Default: the server's own. */
  thinkingLevel?: ThinkingLevel;
  /** Tools of the app. A tool with the name of a built-in tool replaces it. */
  tools?: AgentTool[];
  /** False for an agent with no other tools than `tools` and those of plugins. Default: true. */
  builtInTools?: boolean;
  /** The names of the tools whose calls need the user's approval; `"*"` means all. */
  needsApproval?: string[];
  /**
   * The execution of the calls of one answer. Calls that touch the document are always sequential. Default: "parallel".
   */
  toolExecution?: "parallel" | "sequential";
  /**
   * The form of arguments that are still arriving, in `tool_args` events: what was added to their JSON text, or all that
   * can be read so far, which together is much more than the arguments. Default: "delta".
   */
  toolArgs?: "delta" | "partial";
  /** The number of messages queued by `steer` that a turn takes. Default: "one-at-a-time". */
  steeringMode?: QueueMode;
  /** The number of messages queued by `followUp` that are taken when the model is done. Default: "one-at-a-time". */
  followUpMode?: QueueMode;
  /** The maximum number of turns of a run. Default: 40. */
  maxTurns?: number;
  /** The maximum duration of a run in milliseconds, without the time it waits for the user. A change applies from the
   * next run on. Default: 300000. */
  runTimeout?: number;
  /**
   * The maximum duration of a call of the app's tools in milliseconds, unless the tool has its own. Default: that of
   * the run.
   */
  toolTimeout?: number;
  /** The maximum number of retries of a failed request. Default: 3. */
  maxRetries?: number;
  /** The number of times that a call may return the same result before it is refused. Default: 3. */
  maxRepeats?: number;
  /**
   * True if requests show the document as it is, with line numbers, and what is selected in the editor. What is shown
   * there the model may edit without reading it first. Default: true.
   */
  documentInPrompt?: boolean;
  /** The path of the file of the workspace that is open as the document: the model is told that it is that file. */
  documentPath?: string;
  /**
   * The maximum length of a message that shows the document, in tokens. Of a longer document the outline is shown, the
   * lines around the selection and those that changed. Default: a tenth of the context window.
   */
  documentTokens?: number;
  /**
   * The maximum length of a result that the model is shown at once, in bytes; it reads on with `read_more`. Default:
   * 50000, less for a small context window.
   */
  resultBytes?: number;
}

/** Options of one run. */
export interface RunOptions {
  /**
   * The range that the run may change, in positions of the editor's document: a selection, or a cursor. It follows the
   * document. An edit that changes anything else fails with `out_of_scope`. Default: the whole document.
   */
  scope?: PositionRange;
}

/** Functions of the app that a run calls. A change applies from the next run on. An exception is an error of the run, or of the call. */
export interface AgentHooks {
  /** Returns the messages to send in place of the given ones. The conversation itself stays as it is. */
  transformContext?: (messages: Message[], signal: AbortSignal) => Message[] | Promise<Message[]>;
  /** Converts messages with roles of the app's own to messages for the model. Default: they are left out. */
  convertToLlm?: (messages: Message[]) => Message[] | Promise<Message[]>;
  /** Returns the key for the next request to a host; `undefined` means the key of the settings. */
  getApiKey?: (provider: string) => string | undefined | Promise<string | undefined>;
  /** Is called before a call runs, and may block it. */
  beforeToolCall?: (
    context: ToolCallContext,
    signal: AbortSignal,
  ) => ToolCallVerdict | void | Promise<ToolCallVerdict | void>;
  /** Is called with the result of a call, and may replace it before the model sees it. */
  afterToolCall?: (
    context: ToolResultContext,
    signal: AbortSignal,
  ) => ToolResultChange | void | Promise<ToolResultChange | void>;
}

export interface AgentOptions extends AgentSettings, AgentHooks {
  /** The document to work on, or an editor with the `Copydesk` extension. Optional with a workspace. */
  document?: Document | EditorWithCopydesk | undefined;
  /** The files to work on. With it the agent has the tools for files. */
  workspace?: WorkspaceHost | undefined;
  /** Plugins that add tools, skills and rules: of `copydesk/skills`, `copydesk/mcp`, or the app's own. */
  plugins?: AgentPlugin[];
  /** Replaces `globalThis.fetch`: for tests, proxies, models in the page. */
  fetch?: FetchLike;
  /** Receives log entries with ids and durations. Default: none. */
  logger?: Logger;
  /**
   * Records everything for `agent.recording`, in up to 64 MiB of memory. Needs the full build: `init(undefined, full)`
   * with `full` of `copydesk/full`. Default: false.
   */
  record?: boolean;
}

/** The part of a TipTap editor that an agent needs: `storage.copydesk.document`, which TipTap 2 has without a type. */
export interface EditorWithCopydesk {
  storage: Record<string, any>;
}
