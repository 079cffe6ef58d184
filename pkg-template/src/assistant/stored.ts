/** The stored data of conversations. */

import type { AgentEvent, Message } from "copydesk";
import type { AttachedContent } from "./attachment.js";
import type { ServerTool } from "./tool-names.js";
import type { WayBack } from "./way-back.js";

/** The additions with which a run begins, beside the assistant's own abilities. */
export interface RunSetup {
  skills: string[];
  servers: { name: string; tools: number }[];
  rules: string[];
}

/** An attachment of a message. Its image is stored in the message: as the number of the image among those of all messages. */
export interface StoredAttachment extends AttachedContent {
  readonly imageAt?: number;
}

/** A run: the user's message and the events that its view is made of. */
export interface StoredRun {
  prompt: string;
  /** The attachments of the message. */
  attachments?: readonly StoredAttachment[];
  /** The attachments of messages that were sent while the run was under way, by their index. */
  attachedLater?: { [index: number]: readonly StoredAttachment[] };
  events: AgentEvent[];
  ended: boolean;
  /** The number of messages of the conversation before it; absent if they were summarized since. */
  start?: number;
  /** The titles of the sections before each call, by its id. */
  titles?: { [toolId: string]: string[] };
  /** The tools of servers that it called, by their names for the model. */
  serverTools?: { [toolName: string]: ServerTool };
  setup?: RunSetup;
}

/** The user's decision about a change, which stays in the row of the call that made it. */
export interface StoredDecision {
  toolId: string;
  accepted: boolean;
  originalText: string;
  newText: string;
  /** Its position in the proposal, for the order of a call's changes. */
  at: number;
  /** Absent if the change cannot be made pending again, and in what older versions have saved. */
  back?: WayBack;
}

/** A conversation in a list. */
export interface ConversationHeader {
  id: string;
  title: string;
  /** The time of its last change, in milliseconds since 1970. */
  changed: number;
}

/** A conversation as it is stored, as JSON. Another version may have stored it: `isConversation` checks its outline. */
export interface StoredConversation extends ConversationHeader {
  messages: Message[];
  runs: StoredRun[];
  /** Absent in what earlier versions have saved. */
  decisions?: StoredDecision[];
}

/** Returns true for a value with what every version of a conversation has. */
export function isConversation(value: unknown): value is StoredConversation {
  const { id, title, changed, messages, runs, decisions = [] } = (value ?? {}) as Record<string, unknown>;
  const areTexts = (...values: unknown[]) => values.every((one) => typeof one === "string");
  const isEvent = (event: unknown) => {
    const { type, toolId, toolName } = (event ?? {}) as Record<string, unknown>;
    return areTexts(type) && (!/^(?:tool|approval)_/.test(type as string) || areTexts(toolId, toolName));
  };
  const isRun = (run: unknown) => {
    const { prompt, events } = (run ?? {}) as Record<string, unknown>;
    return areTexts(prompt) && Array.isArray(events) && events.every(isEvent);
  };
  return (
    areTexts(id, title) &&
    Number.isFinite(changed) &&
    [messages, runs, decisions].every(Array.isArray) &&
    (runs as unknown[]).every(isRun)
  );
}
