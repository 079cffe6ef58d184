/** The record of a conversation, written while its runs are under way. */

import type { AgentEvent, Message } from "copydesk";
import type { AttachedContent } from "./attachment.js";
import { newId } from "./ids.js";
import { withImages, withoutImages } from "./stored-images.js";
import type { ConversationHeader, StoredConversation, StoredDecision, StoredRun } from "./stored.js";

const TITLE_LENGTH = 60;

export class ConversationRecord {
  readonly runs: StoredRun[];
  readonly id: string;
  changed: number;

  constructor(stored?: StoredConversation) {
    this.id = stored?.id ?? newId();
    // Stored values are not changed.
    this.runs = withImages((stored?.runs ?? []).map(copyOf), stored?.messages ?? []);
    this.changed = stored?.changed ?? Date.now();
  }

  /** Returns the first message of the user, shortened. */
  get title(): string {
    const text = this.runs[0]?.prompt.replace(/\s+/g, " ").trim() ?? "";
    return text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH - 1)}…` : text;
  }

  /** Adds a run after `start` messages. */
  begin(prompt: string, start?: number, attachments: readonly AttachedContent[] = []): StoredRun {
    const attached = attachments.length ? { attachments } : {};
    const run: StoredRun = { prompt, ...attached, events: [], ended: false, ...(start === undefined ? {} : { start }) };
    this.runs.push(run);
    this.changed = Date.now();
    return run;
  }

  get header(): ConversationHeader {
    const { id, title, changed } = this;
    return { id, title, changed };
  }

  stored(messages: Message[], decisions: StoredDecision[]): StoredConversation {
    const { id, title, changed, runs } = this;
    return { id, title, changed, messages, runs: withoutImages(runs, messages), decisions };
  }
}

/** Returns a run that can be continued without a change of the given one. Events are never changed, and are shared: a copy of
 * all of a long conversation would take longer than a frame. */
export function copyOf(run: StoredRun): StoredRun {
  const { events, titles, serverTools, attachedLater } = run;
  return {
    ...run,
    events: [...events],
    ...(titles ? { titles: { ...titles } } : {}),
    ...(serverTools ? { serverTools: { ...serverTools } } : {}),
    ...(attachedLater ? { attachedLater: { ...attachedLater } } : {}),
  };
}

/** Returns true if a call was made in a conversation. */
export function hasCall({ runs }: StoredConversation, toolId: string): boolean {
  return runs.some(({ events }) => events.some((event) => "toolId" in event && event.toolId === toolId));
}

const SKIPPED = new Set<AgentEvent["type"]>(["tool_args", "tool_update", "compaction"]);

/** Adds an event to a run, without what a finished view does not show: consecutive parts of a text become one. */
export function addEvent(run: StoredRun, event: AgentEvent): void {
  if (SKIPPED.has(event.type)) return;
  if (event.type === "message" && event.message.role !== "user") return;
  const last = run.events.at(-1);
  if (event.type === "agent_start") run.ended = false;
  if (event.type === "complete" || event.type === "aborted" || event.type === "error") run.ended = true;
  if (event.type === "retry") {
    // The turn is repeated.
    const turn = run.events.findLastIndex(({ type }) => type === "turn_start");
    run.events.splice(turn < 0 ? run.events.length : turn);
  } else if ((event.type === "content" || event.type === "thinking") && last?.type === event.type) {
    run.events[run.events.length - 1] = { ...last, content: last.content + event.content };
  } else if (event.type === "doc_update") {
    // The view counts edits; the document has their content.
    run.events.push({ ...event, changes: [], ...("content" in event ? { content: "" } : {}) });
  } else run.events.push(event);
}
