/** Models: wire formats, servers, usage. */

/** A function that behaves as `globalThis.fetch` does with a URL and an init object. */
export type FetchLike = (input: string, init?: RequestInit) => Promise<Response>;

/** The wire format of a model's server. */
export type Api = "openai-completions" | "anthropic-messages" | "openai-responses" | "google-generative-ai";

/** The amount of thinking of a model. A level that a provider does not have becomes the nearest one. */
export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh";

export interface Model {
  api: Api;
  modelId: string;
  /** Size of the context window, in tokens. Default: known for common models, else 128000. */
  contextWindow?: number;
  /** Prices per million tokens. The ledger is in the same currency. */
  cost?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
  /** Differences of the server from OpenAI's. Default: guessed from its URL. */
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
  /** True to run calls that the model writes as text, because the server does not read them. Applies to every `api`. */
  textToolCalls?: boolean;
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
    /**
     * Further fields of the request's body, such as `{ tool_choice: "required", seed: 7 }`: objects are merged, other
     * values replace, `null` removes. The model, messages, tools and `stream` cannot be set.
     */
    body?: Record<string, unknown>;
    /** Time for the first byte of an answer, and between two bytes. Default: 60000. */
    timeout?: number;
    /** Time for a whole answer, from the request to its last byte. Default: that of the run. */
    totalTimeout?: number;
  };
  thinkingLevel?: ThinkingLevel;
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
