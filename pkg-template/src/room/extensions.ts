/** The extensions of an editor in a room. */

import { Extension, type Editor, type Extensions } from "@tiptap/core";
import { yCursorPlugin } from "@tiptap/y-tiptap";
import { isObject } from "../base/json.js";
import { Authorship } from "../authorship/extension.js";
import { Comments } from "../comments/extension.js";
import { AgentTexts } from "../suggestions/agent-texts.js";
import { sharedAuthorship } from "../suggestions/authorship.js";
import { sharedComments } from "../suggestions/comments.js";
import { readAuthor, readPlace } from "../suggestions/entry.js";
import { Suggestions, type SuggestionsOptions } from "../suggestions/extension.js";
import type { Author } from "../types/index.js";
import type { Room } from "./room.js";

export interface RoomExtensionsOptions extends Partial<Pick<SuggestionsOptions, "agent" | "mayDecide" | "mode">> {
  /** The person at this editor. */
  user: Omit<Author, "kind">;
  /** Draws the text of agents: the option `shown` of `Authorship`. Default: false. */
  authorshipShown?: boolean;
}

/**
 * Returns the extensions of an editor beside `Collaboration` and `Copydesk`: carets of the others, `AgentTexts`, `Suggestions`, `Comments`
 * and `Authorship`. The person is among the participants from now on.
 */
export function roomExtensions(room: Pick<Room, "document" | "awareness">, options: RoomExtensionsOptions): Extensions {
  const { user, authorshipShown = false, ...suggestions } = options;
  const { document, awareness } = room;
  awareness.setLocalStateField("user", user);
  const carets = Extension.create({
    name: "copydeskCarets",
    addProseMirrorPlugins: () => [
      yCursorPlugin(awareness, {
        awarenessStateFilter: (own: number, client: number, state: unknown) => client !== own && hasCursor(state),
        cursorBuilder: caretOf,
        selectionBuilder: selectionOf,
      } as never),
    ],
  });
  return [
    carets,
    AgentTexts.configure({ awareness, document }),
    Suggestions.configure({ document, user, ...suggestions }),
    Comments.configure({ shared: sharedComments({ document }), user }),
    Authorship.configure({ shared: sharedAuthorship({ document }), user, shown: authorshipShown }),
  ];
}

/** Changes the person at an editor: among the participants, and as the author of what follows. */
export function setRoomUser(room: Pick<Room, "awareness">, editor: Editor, user: Omit<Author, "kind">): void {
  room.awareness.setLocalStateField("user", user);
  editor.storage.suggestions?.setAuthors({ user });
  editor.storage.comments?.setUser(user);
  editor.storage.authorship?.setUser(user);
}

/** Returns true for a state with a cursor that can be drawn: Yjs throws at others, with every transaction. It gives users
 * without a color one, so they must be objects. */
function hasCursor(state: unknown): boolean {
  const { cursor, user } = (isObject(state) ? state : {}) as { cursor?: unknown; user?: unknown };
  if (user != null && !isObject(user)) return false;
  const { anchor, head } = (isObject(cursor) ? cursor : {}) as Record<string, unknown>;
  return readPlace({ from: anchor, to: head }, "default") !== undefined;
}

/** Draws the caret of a participant. Any peer may have written its name and color. */
function caretOf(user: unknown): HTMLElement {
  const { name = "", color } = readAuthor(user) ?? {};
  const caret = document.createElement("span");
  caret.className = "ProseMirror-yjs-cursor copydesk-caret";
  if (color) caret.style.setProperty("--copydesk-author", color);
  const label = document.createElement("span");
  label.className = "copydesk-caret-name";
  label.textContent = name;
  // Word joiners keep the caret on the line of its text.
  caret.append("\u2060", label, "\u2060");
  return caret;
}

function selectionOf(user: unknown): Record<string, string> {
  const { color } = readAuthor(user) ?? {};
  return { class: "copydesk-selected", ...(color && { style: `--copydesk-author: ${color}` }) };
}
