/** Conversion of an agent's settings for the wasm. */

import { check, readInput } from "../base/error.js";
import { plain } from "../base/json.js";
import { localeOf } from "../base/locale.js";
import type { AgentHooks, AgentSettings } from "./options.js";
import { firstByName, type Plugins } from "./plugins.js";

/** The parts that an agent works on. */
export interface Subjects {
  hasDocument: boolean;
  hasWorkspace: boolean;
}

/** Returns the settings as plain data, with what plugins add. Functions and tools are passed to the wasm separately. */
export function forWasm(
  { tools: _, ruleFiles: __, thinkingLevel, ...settings }: AgentSettings,
  { hasDocument, hasWorkspace }: Subjects,
  plugins: Plugins,
): object {
  const llmConfig = thinkingLevel ? { ...settings.llmConfig, thinkingLevel } : settings.llmConfig;
  const { rules = [], skills = [] } = settings;
  check(Array.isArray(rules), "rules", rules, "an array of rules");
  check(Array.isArray(skills), "skills", skills, "an array of skills");
  const allSkills = readInput("skills", () => firstByName([...skills, ...plugins.skills]));
  const added = { rules: [...rules, ...plugins.rules], skills: allSkills };
  const told = { ...settings, ...added, llmConfig, locale: localeOf(settings.locale), hasWorkspace };
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
