/** `copydesk/assistant`: the assistant of an editor as state and commands, for views of any kind. */

export {
  createAssistant,
  Assistant,
  type Activity,
  type AssistantAgentOptions,
  type AssistantModel,
  type AssistantOptions,
  type AssistantState,
  type EditMode,
} from "./assistant/controller.js";
export type { ShownDecision } from "./assistant/decisions.js";
export type { Run, RunItem, RunUsage, ToolCallState, UndoState } from "./assistant/run.js";
export {
  indexedDBStorage,
  memoryStorage,
  StorageError,
  type AssistantStorage,
  type StorageProblem,
} from "./assistant/storage.js";
export type {
  ConversationHeader,
  RunSetup,
  StoredConversation,
  StoredDecision,
  StoredRun,
} from "./assistant/stored.js";
export { inWords, serverToolOf, type ServerTool } from "./assistant/tool-names.js";
export {
  addEditRange,
  clearEditRanges,
  editRange,
  highlight,
  removeHighlight,
  type EditRange,
} from "./assistant/edit-ranges.js";
export { isBlank, scrollTo, scrollToElement } from "./assistant/ranges.js";
export { showChange } from "./assistant/changes.js";
export { sectionsOf, type Section } from "./assistant/sections.js";
export { watchOf, wordsOf, type DocumentChange, type DocumentWatch } from "./assistant/document-watch.js";
