/** The settings of an agent, on their way into the wasm. */

import type { AgentHooks, AgentSettings } from "./agent.js";
import { check } from "./error.js";
import { localeOf } from "./locale.js";

/** The settings as the wasm reads them: functions and tools go another way. */
export function forWasm({ tools: _, thinkingLevel, ...settings }: AgentSettings): object {
  const llmConfig = thinkingLevel ? { ...settings.llmConfig, thinkingLevel } : settings.llmConfig;
  return plain({ ...settings, llmConfig, locale: localeOf(settings.locale) }, "options") as object;
}

/** The hooks, and the rest. */
export function split({ transformContext, convertToLlm, getApiKey, beforeToolCall, afterToolCall, ...settings }: AgentSettings & AgentHooks): [AgentHooks, AgentSettings] {
  const hooks = { transformContext, convertToLlm, getApiKey, beforeToolCall, afterToolCall };
  for (const [name, hook] of Object.entries(hooks)) check(hook == null || typeof hook === "function", name, hook, "a function");
  return [hooks, settings];
}

/** What JSON can have of a value. What it would change or lose without a word is refused by its name. */
export function plain(value: unknown, name: string, depth = 0): unknown {
  if (typeof Headers === "function" && value instanceof Headers) return Object.fromEntries(value);
  if (typeof value === "number") check(Number.isFinite(value), name, value, "a finite number");
  // Of a Map or the like JSON has nothing.
  const isSet = isObject(value) && Symbol.iterator in value && !Array.isArray(value);
  const isData = !["function", "symbol", "bigint"].includes(typeof value) && !isSet && depth < DEEPEST;
  check(isData, name, isSet ? "a Map or the like" : `a ${typeof value}`, "plain data that is not too deep");
  if (!isObject(value) || "toJSON" in value) return value;
  if (Array.isArray(value)) return value.map((item, at) => plain(item, `${name}[${at}]`, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member, `${name}.${key}`, depth + 1)]));
}

const DEEPEST = 64;

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
