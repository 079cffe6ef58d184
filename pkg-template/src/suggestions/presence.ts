/** Presence of an agent in a room: its name, its cursor and its activity. */

import type { Editor } from "@tiptap/core";
import { applyAwarenessUpdate, Awareness, encodeAwarenessUpdate } from "y-protocols/awareness";
import { Doc, type XmlFragment } from "yjs";
import type { Agent } from "../agent/agent.js";
import { check } from "../base/error.js";
import { isObject } from "../base/json.js";
import { hunksOf } from "../review/hunks.js";
import { writtenIn } from "../view/preview-state.js";
import type { AgentEvent, Author } from "../types/index.js";
import type { AgentActivity } from "./activity.js";
import { ownAgentsOf, shownEnd } from "./agents.js";
import { Anchors } from "./anchors.js";

/** Milliseconds between two texts that the others see. */
const BETWEEN_TEXTS = 100;

export interface AgentPresenceOptions {
  agent: Pick<Agent, "subscribe">;
  /** The awareness of the provider. */
  awareness: Awareness;
  /** The editor with the agent's document. */
  editor: Editor;
  /** The Yjs document of Collaboration, or the fragment. */
  document: Doc | XmlFragment;
  /** The name of the fragment. Default: `default`. */
  field?: string;
  /** The name and the color of the agent, as carets show them. Default: those of the author of its suggestions. */
  user?: Omit<Author, "kind">;
}

/**
 * Shows an agent to the participants of a room while it runs: as one more client in the awareness, with the fields
 * `user` and `cursor` that CollaborationCaret draws, and `agent: {activity, text?}`, the text that it is writing, which
 * `AgentTexts` draws. Returns the function that ends this.
 */
export function showAgent(options: AgentPresenceOptions): () => void {
  const { agent, awareness, editor, document, field = "default" } = options;
  check(typeof awareness?.getStates === "function", "awareness", awareness, "the awareness of the provider");
  check(typeof agent?.subscribe === "function", "agent", agent, "an Agent");
  const fragment = document instanceof Doc ? document.getXmlFragment(field) : document;
  // A client of its own, because an awareness has one state for its own client, which is the user's.
  const own = new Awareness(new Doc());
  own.setLocalState(null);
  ownAgentsOf(awareness).add(own.clientID);
  const tell = () => applyAwarenessUpdate(awareness, encodeAwarenessUpdate(own, [own.clientID]), "copydesk");
  own.on("update", tell);

  let shown: { activity: AgentActivity; at: number; text: string | undefined } | undefined;
  const show = (activity: AgentActivity, at?: number, text?: string) => {
    const isSame = shown?.activity === activity && shown.text === text;
    if (isSame && (at === undefined || shown!.at === at)) return;
    shown = { activity, at: at ?? shown?.at ?? 0, text };
    const anchors = editor.isDestroyed ? undefined : new Anchors(fragment, editor.state.doc);
    const anchor = anchors?.anchor(Math.min(shown.at, anchors.size), 0) ?? null;
    const { name, id, color } = options.user ?? editor.storage.suggestions?.agentAuthor ?? { name: "" };
    const user = { name, ...(id !== undefined && { id }), ...(color !== undefined && { color }) };
    const state = { activity, ...(text !== undefined && { text }) };
    own.setLocalState({ user, cursor: anchor && { anchor, head: anchor }, agent: state });
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Shows soon what is being written: the editor draws it in its next frame. */
  const showText = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const written = editor.isDestroyed ? null : writtenIn(editor);
      if (written?.text) show("writing", written.to, shownEnd(written.text));
    }, BETWEEN_TEXTS);
  };
  const endText = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const hide = () => {
    endText();
    shown = undefined;
    if (own.getLocalState()) own.setLocalState(null);
  };
  const end = agent.subscribe((event: AgentEvent) => {
    if (event.type === "tool_args") return showText();
    endText();
    if (event.type === "agent_start") show("thinking");
    else if (event.type === "turn_start" || event.type === "thinking_start") show("thinking");
    else if (event.type === "tool_use") show("reading", placeRead(editor, event.toolInput));
    else if (event.type === "doc_update") show("writing", positionOf(editor, event));
    else if (["complete", "aborted", "error"].includes(event.type)) hide();
  });
  let hasEnded = false;
  return () => {
    if (hasEnded) return;
    hasEnded = true;
    end();
    hide();
    ownAgentsOf(awareness).delete(own.clientID);
    own.destroy();
  };
}

/** Returns the position of an edit, or of its suggestion, in the editor's document. */
function positionOf(
  editor: Editor,
  { toolId, changes }: Extract<AgentEvent, { type: "doc_update" }>,
): number | undefined {
  return hunksOf(editor).find(({ toolIds }) => toolIds.includes(toolId))?.from ?? changes[0]?.from;
}

/** Returns the position that a call reads; `undefined` if it names no line or section. */
function placeRead(editor: Editor, input: unknown): number | undefined {
  const { start_line: line, sectionIndex } = (isObject(input) ? input : {}) as Record<string, unknown>;
  if (editor.isDestroyed || (typeof line !== "number" && typeof sectionIndex !== "number")) return undefined;
  const { document } = editor.storage.copydesk;
  const place = typeof line === "number" ? document.lines()[line - 1] : document.outline()[sectionIndex as number];
  if (!place) return undefined;
  // Lines and sections are those of the proposal.
  const before = hunksOf(editor).findLast(({ proposedFrom }) => proposedFrom <= place.from);
  if (!before) return place.from;
  return before.proposedTo >= place.from ? before.from : place.from - before.proposedTo + before.to;
}
