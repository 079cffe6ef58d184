/** Conversion of an agent's settings for the wasm. */

import { check } from "./error.js";
import { plain } from "./json.js";
import { localeOf } from "./locale.js";
import type { AgentHooks, AgentSettings } from "./options.js";

/** Returns the settings as plain data. Functions and tools are passed to the wasm separately. */
export function forWasm({ tools: _, thinkingLevel, ...settings }: AgentSettings, hasDocument: boolean): object {
  const llmConfig = thinkingLevel ? { ...settings.llmConfig, thinkingLevel } : settings.llmConfig;
  const told = { ...settings, llmConfig, locale: localeOf(settings.locale) };
  return plain(hasDocument ? told : { ...told, hasDocument, documentInPrompt: false }, "options") as object;
}

/** Splits options into hooks, which are checked to be functions, and settings. */
export function split({
  transformContext,
  convertToLlm,
  getApiKey,
  beforeToolCall,
  afterToolCall,
  ...settings
}: AgentSettings & AgentHooks): [AgentHooks, AgentSettings] {
  const hooks = { transformContext, convertToLlm, getApiKey, beforeToolCall, afterToolCall };
  for (const [name, hook] of Object.entries(hooks))
    check(hook == null || typeof hook === "function", name, hook, "a function");
  return [hooks, settings];
}
