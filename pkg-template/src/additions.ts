/** `copydesk/additions`: the skills, servers and rules that users add to the assistant, kept across visits. */

export { Additions, type AdditionsOptions, type AdditionsState, type DecideRuleFiles } from "./additions/additions.js";
export type { RuleFile } from "./additions/rule-file.js";
export { LocalizedError } from "./base/localized-error.js";
export { localItems, type Items } from "./base/items.js";
