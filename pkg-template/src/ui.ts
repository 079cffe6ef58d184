/** `copydesk/ui`: the assistant, the review, the menus and the panels as custom elements. Importing it defines all of them. */

export { CopydeskApproval } from "./ui/approval.js";
export { CopydeskAssistant } from "./ui/assistant.js";
export { CopydeskAuthorship } from "./ui/authorship.js";
export { CopydeskChecks } from "./ui/checks.js";
export { CopydeskComments } from "./ui/comments.js";
export { CopydeskComposer } from "./ui/composer.js";
export { CopydeskConversation } from "./ui/conversation.js";
export { CopydeskDiff } from "./ui/diff.js";
export { CopydeskFiles } from "./ui/files.js";
export { CopydeskFind } from "./ui/find.js";
export { CopydeskOutline } from "./ui/outline.js";
export { CopydeskReviewBar } from "./ui/review-bar.js";
export { CopydeskRoom } from "./ui/room.js";
export { CopydeskRules } from "./ui/rules.js";
export { CopydeskSearch } from "./ui/search.js";
export { CopydeskSelectionMenu } from "./ui/selection-menu.js";
export { CopydeskServers } from "./ui/servers.js";
export { CopydeskSettings } from "./ui/settings.js";
export { CopydeskSkills } from "./ui/skills.js";
export { CopydeskToolRow } from "./ui/tool-row.js";
export { CopydeskVersions } from "./ui/versions.js";
export type { RuleFile } from "./additions/rule-file.js";
export type { ChangeDetail, CopydeskEvents, Servers } from "./ui/events.js";
export { suggestions } from "./ui/suggestions.js";
export { LocalizedError, words, wordsFor, type PartialWords, type Words, type WordTables } from "./ui/words/all.js";
