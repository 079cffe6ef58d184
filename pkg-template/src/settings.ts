/** The settings of an agent, on their way into the wasm. */

import type { AgentHooks, AgentSettings } from "./agent.js";
import { check, reading } from "./error.js";
import { localeOf } from "./locale.js";

/** The settings as the wasm reads them: functions and tools go another way. */
export function forWasm({ tools: _, thinkingLevel, ...settings }: AgentSettings): object {
  const llmConfig = thinkingLevel ? { ...settings.llmConfig, thinkingLevel } : settings.llmConfig;
  return plain({ ...settings, llmConfig, locale: localeOf(settings.locale) }, "options") as object;
}

/**
 * A value as JSON without lone surrogates, which editors may hold and Rust's strings cannot. Each becomes U+FFFD:
 * one UTF-16 unit for another, so that positions stay.
 *
 * @throws CopydeskError `invalid_parameter` for what JSON cannot have; `name` is what the error calls the value.
 */
export function jsonOf(value: unknown, name: string): string {
  const json = reading(name, () => JSON.stringify(value)) as string | undefined;
  check(json !== undefined, name, value, "plain data");
  // JSON.stringify writes surrogates as escapes only where they are alone.
  if (!json!.includes("\\ud")) return json!;
  return json!.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\ufffd");
}

/** Refuses numbers that JSON would lose without a word, however deep they stand. */
export function checkNumbers(value: unknown, name: string): void {
  reading(name, () => {
    const [left, seen] = [[value], new Set<object>()];
    while (left.length) {
      const next = left.pop();
      if (typeof next === "number") check(Number.isFinite(next), `a number in ${name}`, next, "finite");
      if (!isObject(next) || seen.has(next)) continue;
      seen.add(next);
      for (const member of Object.values(next)) left.push(member);
    }
  });
}

/** The hooks, and the rest. */
export function split({ transformContext, convertToLlm, getApiKey, beforeToolCall, afterToolCall, ...settings }: AgentSettings & AgentHooks): [AgentHooks, AgentSettings] {
  const hooks = { transformContext, convertToLlm, getApiKey, beforeToolCall, afterToolCall };
  for (const [name, hook] of Object.entries(hooks)) check(hook == null || typeof hook === "function", name, hook, "a function");
  return [hooks, settings];
}

/** What JSON can have of a value. What it would change or lose without a word is refused by its name. */
export function plain(value: unknown, name: string): unknown {
  return reading(name, () => plainIn(value, name, { path: new Set(), left: MOST }));
}

/** What is being copied: the objects around it, and how many values there may still be. One object may stand in many places. */
interface Copying {
  readonly path: Set<object>;
  left: number;
}

function plainIn(value: unknown, name: string, copying: Copying): unknown {
  if (typeof Headers === "function" && value instanceof Headers) return Object.fromEntries(value);
  if (typeof value === "number") check(Number.isFinite(value), name, value, "a finite number");
  // Of a Map or the like JSON has nothing.
  const isSet = isObject(value) && Symbol.iterator in value && !Array.isArray(value);
  const isData = !["function", "symbol", "bigint"].includes(typeof value) && !isSet && copying.path.size < DEEPEST;
  check(isData, name, isSet ? "a Map or the like" : `a ${typeof value}`, "plain data that is not too deep");
  if (!isObject(value)) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return plainIn(value.toJSON(), name, copying);
  check(!copying.path.has(value), name, "part of itself", "plain data without circles");
  check(--copying.left > 0, name, "too much", `at most ${MOST} values`);
  copying.path.add(value);
  const copy = Array.isArray(value)
    ? value.map((item, at) => plainIn(item, `${name}[${at}]`, copying))
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== undefined)
          .map(([key, member]) => [key, plainIn(member, `${name}.${key}`, copying)]),
      );
  copying.path.delete(value);
  return copy;
}

const MOST = 1_000_000;
const DEEPEST = 64;

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
