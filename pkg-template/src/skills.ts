/** `copydesk/skills`: instructions for kinds of tasks, from repositories, web servers and the workspace. */

import { members } from "./base/error.js";
import { Skills } from "./skills/plugin.js";
import type { SkillsOptions, SkillSource, SkillsPlugin } from "./types/index.js";

export { indexedDBCache, memoryCache } from "./skills/cache.js";
export type * from "./types/skills.js";
export type { AgentPlugin, Skill } from "./types/plugins.js";

/**
 * Creates a plugin that gives agents the skills of these sources. It begins to load them at once; what was loaded before
 * comes from the cache, without a request.
 *
 * @throws a CopydeskError with the code `invalid_parameter`.
 */
export function skills(list: SkillSource[], options: SkillsOptions = {}): SkillsPlugin {
  return new Skills(list, members(options, "options"));
}
