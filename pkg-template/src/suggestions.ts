/** Suggestions in shared documents: the pending changes of agents and of people, for everybody in a room. */

export { sharedAuthorship, type SharedAuthorshipOptions } from "./suggestions/authorship.js";
export { sharedComments, type SharedCommentsOptions } from "./suggestions/comments.js";
export {
  Suggestions,
  type SuggestionsOptions,
  type SuggestionsStorage,
  type TypingMode,
} from "./suggestions/extension.js";
export { AgentTexts, type AgentTextsOptions } from "./suggestions/agent-texts.js";
export type { AgentActivity } from "./suggestions/activity.js";
export { showAgent, type AgentPresenceOptions } from "./suggestions/presence.js";
export type { IgnoredReason } from "./suggestions/entry.js";
export type { Suggestion } from "./suggestions/shared-review.js";
export type { IgnoredSuggestion } from "./suggestions/stored.js";
export { compare, toBase, toProposed, type CompareOptions, type DocumentSide } from "./suggestions/sides.js";
