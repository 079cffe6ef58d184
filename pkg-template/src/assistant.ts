/** `copydesk/assistant`: the assistant of an editor as state and commands, for views of any kind. */

export { createAssistant, Assistant } from "./assistant/controller.js";
export type { AssistantAgentOptions } from "./assistant/agent-options.js";
export type { EditMode } from "./assistant/edit-mode.js";
export type { Activity, AssistantModel, AssistantOptions, AssistantState } from "./assistant/state.js";
export type {
  AttachedContent,
  Attachment,
  AttachmentError,
  AttachmentKind,
  AttachmentReader,
  AttachmentSource,
  AttachmentTarget,
} from "./assistant/attachment.js";
export { replayedRuns, type ReplayedRun } from "./assistant/replayed-runs.js";
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
  StoredAttachment,
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
export { testConnection, type Connection, type Endpoint } from "./model-settings/connection.js";
export { PRICE_DATE, PRICE_SOURCE, listPrices, type ListPrice } from "./model-settings/list-prices.js";
export { formats, presetOf, presets, services, type Preset, type PresetId } from "./model-settings/presets.js";
export { isApi } from "./agent/wire-formats.js";
export { listPrice } from "./model-settings/prices.js";
export {
  isEstimated,
  keyOf,
  lacksKey,
  llmConfigOf,
  modelNameOf,
  servicesOf,
  settingsOf,
  thinkingLevels,
  type KeyOwner,
  type ModelSettings,
} from "./model-settings/settings.js";
export {
  forgottenKeys,
  keepsKeys,
  linkedSettings,
  loadSettings,
  saveSettings,
} from "./model-settings/stored-settings.js";
export { localItems, type Items } from "./base/items.js";
export { watchOf, wordsOf, type DocumentChange, type DocumentWatch } from "./assistant/document-watch.js";
