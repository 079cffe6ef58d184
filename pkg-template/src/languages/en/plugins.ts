/** Notices about plugins, and about files with rules. */

export const plugins = {
  failed: (name: string, reason: string) =>
    `The plugin ${name} failed: ${reason}. The agent goes on with what the plugin added before.`,
  leadsOut: "it leaves the folder of the skill, or contains a control character",
  rulesNotRead: (path: string, reason: string) => `Rules in ${path} were not read, and do not apply: ${reason}`,
  rulesRefused: (paths: string) =>
    `The rules in ${paths} do not apply: the user has not agreed to them. Read them, and agree if you trust their author.`,
};
