/** List prices of the providers' models, in US dollars per million tokens. */

/** The source of the prices, and their day. */
export const PRICE_SOURCE = "https://models.dev, by @earendil-works/pi-ai 0.74.2";
export const PRICE_DATE = "2026-07-12";

/** A price; that of input from a cache is lower. */
export interface ListPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** The prices by provider and model. */
export const listPrices: Readonly<Record<string, Readonly<Record<string, ListPrice>>>> = {
  openai: {
    "gpt-4.1": { input: 2, output: 8, cacheRead: 0.5 },
    "gpt-4.1-mini": { input: 0.4, output: 1.6, cacheRead: 0.1 },
    "gpt-4o": { input: 2.5, output: 10, cacheRead: 1.25 },
    "gpt-4o-mini": { input: 0.15, output: 0.6, cacheRead: 0.08 },
    "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 },
    "gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025 },
    "gpt-5.1": { input: 1.25, output: 10, cacheRead: 0.13 },
    "gpt-5.2": { input: 1.75, output: 14, cacheRead: 0.175 },
    "gpt-5.4": { input: 2.5, output: 15, cacheRead: 0.25 },
    "gpt-5.5": { input: 5, output: 30, cacheRead: 0.5 },
  },
  anthropic: {
    "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    "claude-sonnet-4-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    "claude-sonnet-4-6": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    "claude-opus-4-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    "claude-opus-4-6": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    "claude-opus-4-7": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  },
  google: {
    "gemini-2.5-flash": { input: 0.3, output: 2.5, cacheRead: 0.03 },
    "gemini-2.5-flash-lite": { input: 0.1, output: 0.4, cacheRead: 0.01 },
    "gemini-2.5-pro": { input: 1.25, output: 10, cacheRead: 0.125 },
    "gemini-3-flash-preview": { input: 0.5, output: 3, cacheRead: 0.05 },
    "gemini-3-pro-preview": { input: 2, output: 12, cacheRead: 0.2 },
  },
  deepseek: {
    "deepseek-v4-flash": { input: 0.14, output: 0.28, cacheRead: 0.0028 },
    "deepseek-v4-pro": { input: 0.435, output: 0.87, cacheRead: 0.003625 },
  },
  openrouter: {
    "openai/gpt-4.1": { input: 2, output: 8, cacheRead: 0.5 },
  },
};
