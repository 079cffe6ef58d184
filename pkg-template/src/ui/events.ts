/** The events of the elements. They bubble, and leave shadow trees. */

import type { RuleFile } from "../additions/rule-file.js";
import type { Attachment } from "../assistant/attachment.js";
import type { EditMode } from "../assistant/edit-mode.js";
import type { ModelSettings } from "../model-settings/settings.js";
import type { McpHttpServer } from "../types/mcp.js";
import type { Rule } from "../types/plugins.js";
import type { SkillSource } from "../types/skills.js";

/** A change that the user has made. It counts when the promises resolve; the panel shows the message of a rejection. */
export interface ChangeDetail<T> {
  value: T;
  waitUntil: (applied: Promise<unknown>) => void;
}

/** Servers by their names. */
export type Servers = Readonly<Record<string, McpHttpServer>>;

export interface CopydeskEvents {
  /** A message is about to be sent; after `preventDefault()` it is not. */
  message: CustomEvent<{ text: string; attachments?: readonly Attachment[] }>;
  /** The user has allowed or denied a call; after `preventDefault()` it waits still. */
  approval: CustomEvent<{ toolId: string; approved: boolean }>;
  /** The user has chosen an edit mode. */
  "mode-change": CustomEvent<{ mode: EditMode }>;
  /** The user has entered another name, which the app keeps and applies by `setRoomUser`. */
  "name-change": CustomEvent<{ name: string }>;
  /** Another conversation is shown. */
  "conversation-change": CustomEvent<{ id: string }>;
  /** The user wants the settings of the model, which are the page's own. */
  "open-settings": CustomEvent<Record<string, never>>;
  /** The user has chosen a section of the outline; after `preventDefault()` the document does not scroll to it. */
  "section-select": CustomEvent<{ number: number; title: string }>;
  /** The user has saved settings, which are valid. */
  "settings-save": CustomEvent<{ settings: ModelSettings }>;
  /** The user has given up the settings that were entered. */
  "settings-cancel": CustomEvent<Record<string, never>>;
  /** The user has changed where skills come from; after `preventDefault()` the plugin does not get it. */
  "sources-change": CustomEvent<ChangeDetail<readonly SkillSource[]>>;
  /** The user wants what is newer in a source; after `preventDefault()` the plugin does not look for it. */
  "source-refresh": CustomEvent<{ id: string }>;
  /** The user has changed servers; after `preventDefault()` the plugin does not get it. */
  "servers-change": CustomEvent<ChangeDetail<Servers>>;
  /** The user wants a server to be connected again; after `preventDefault()` the plugin does not do it. */
  "server-reconnect": CustomEvent<{ name: string }>;
  /** The user has changed rules. */
  "rules-change": CustomEvent<ChangeDetail<readonly Rule[]>>;
  /** The user has decided about a file with the text that was shown. */
  "rule-file-change": CustomEvent<{ file: RuleFile; isUsed: boolean }>;
  /** The user wants to see a file, at a line, from 1. */
  "open-file": CustomEvent<{ path: string; line?: number }>;
  /** The user has closed find and replace; after `preventDefault()` the focus does not go to the document. */
  "find-close": CustomEvent<Record<string, never>>;
  /** The user wants to go back from the versions of a file. */
  "versions-close": CustomEvent<Record<string, never>>;
}
