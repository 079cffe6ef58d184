/** Describes to the user the calls of tools of servers and of skills. */

import type { IconName } from "./icons.js";
import { text, type Call } from "./call-text.js";
import type { Words } from "./words/en.js";

/** A call of a tool of a server, of `activate_skill`, or one that reads a file of a skill. */
export function isPluginCall({ toolName, input, server }: Call): boolean {
  return !!server || toolName === "activate_skill" || (toolName === "read_file" && !!skillFileIn(input));
}

export function pluginCallIcon({ server }: Call): IconName {
  return server ? "tool" : "skills";
}

/** Describes the action of a call that needs approval. */
export function requestedPluginCall(call: Call, m: Words): string {
  const { server, input } = call;
  return server
    ? m.plugins.requested.tool(m.plugins.toolOf(server.server, server.tool))
    : m.plugins.requested.skill(text(input.name));
}

export function describePluginCall({ server, input, state, toolName }: Call, m: Words): string {
  const { working, done, failedTo } = m.plugins;
  const said = state === "done" ? done : state === "failed" ? failedTo : working;
  if (server) return said.tool(m.plugins.toolOf(server.server, server.tool));
  const file = toolName === "read_file" && skillFileIn(input);
  return file ? said.skillFile(file.file, file.skill) : said.skill(text(input.name));
}

function skillFileIn({ path }: Record<string, unknown>): { skill: string; file: string } | undefined {
  const [, skill, file] = /^\/?skills\/([^/]+)\/(.+)$/.exec(text(path) ?? "") ?? [];
  return skill && file ? { skill, file } : undefined;
}
