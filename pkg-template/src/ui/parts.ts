/** The names of the parts of elements, which elements around them export: `exportparts` reaches one level only. */

export const ROW_PARTS = [
  "head",
  "icon",
  "text",
  "body",
  "show",
  "changes",
  "review",
  "accept",
  "reject",
  "decided",
  "take-back",
  "allow",
  "deny",
];

export const CONVERSATION_PARTS = [
  "log",
  "welcome",
  "suggestion",
  "run",
  "setup",
  "message",
  "message-attachments",
  "edit",
  "edit-field",
  "answer",
  "thinking",
  "timeline",
  "row",
  "notice",
  "failure",
  "end",
  "copy",
  "undo",
];

export const COMPOSER_PARTS = [
  "progress",
  "queue",
  "form",
  "box",
  "attachments",
  "attachment",
  "attachment-error",
  "attach",
  "attachables",
  "field",
  "send",
  "foot",
  "model",
  "mode",
];

export const VERSIONS_PARTS = [
  "back",
  "heading",
  "status",
  "list",
  "version",
  "time",
  "author",
  "more",
  "diff",
  "restore",
];

/** Returns the value of `exportparts` that exports parts with a prefix. */
export function exported(parts: readonly string[], prefix = ""): string {
  return parts.map((part) => (prefix ? `${part}: ${prefix}-${part}` : part)).join(", ");
}

/** The parts that `<copydesk-conversation>` exports of its rows. */
export const EXPORTED_OF_ROWS = exported(ROW_PARTS, "row");
/** The parts that `<copydesk-assistant>` exports of its conversation, and of its composer. */
export const EXPORTED_OF_CONVERSATION = exported([...CONVERSATION_PARTS, ...ROW_PARTS.map((part) => `row-${part}`)]);
export const EXPORTED_OF_COMPOSER = exported(COMPOSER_PARTS, "composer");
/** The parts of the versions that `<copydesk-files>` exports. */
export const EXPORTED_OF_VERSIONS = exported(VERSIONS_PARTS, "versions");
