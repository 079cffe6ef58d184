/** The buttons of a hunk. */

import type { Node } from "@tiptap/pm/model";
import type { Hunk } from "../types/index.js";
import { ignoreHeld, onPress } from "./presses.js";
import { wrapped } from "./render.js";
import { describe, versionsOf, type ReviewWords } from "./words.js";

/** The decision of a button: take the proposal, keep the current text, or keep both. */
export type Decision = "accept" | "reject" | "both";
/** Called when a button was pressed; `detail` of the event is 0 if without a pointer. */
export type Act = (what: Decision, id: string, event: MouseEvent) => void;

export interface ControlsOptions {
  words: ReviewWords;
  act: Act;
  /** Returns true if the user may decide a hunk. */
  mayDecide: (id: string) => boolean;
  /** Returns true if the editor can be edited. */
  isEditable: () => boolean;
}

/** Returns the buttons; `formatting` is the change of the hunk in words if it changes no text. */
export function controls(
  hunk: Hunk,
  doc: Node,
  { words, act, mayDecide, isEditable }: ControlsOptions,
  formatting?: string,
): HTMLElement {
  const what = describe(hunk, words, doc, formatting);
  const group = wrapped("span", [], "copydesk-controls");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", what);
  const make = (kind: Decision, face: string, label: string) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `copydesk-${kind}`;
    button.textContent = face;
    button.title = label;
    button.setAttribute("aria-label", label);
    button.disabled = !isEditable();
    // Only one hunk is reachable by Tab; the plugin chooses it.
    button.tabIndex = -1;
    // Keeps the selection.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener(
      "click",
      onPress((event) => act(kind, hunk.id, event)),
    );
    button.addEventListener("keydown", ignoreHeld);
    return button;
  };
  const author = authorOf(hunk);
  if (author) group.append(author);
  if (!mayDecide(hunk.id)) return group;
  if (hunk.conflict) {
    const [mine, theirs] = versionsOf(hunk, words, doc);
    group.append(
      wrapped("span", [words.bothChanged], "copydesk-why"),
      make("reject", words.keepMine, words.labelled(words.keepMine, mine)),
      make("accept", words.takeProposal, words.labelled(words.takeProposal, theirs)),
      make("both", words.keepBoth, words.labelled(words.keepBoth, words.and(mine, theirs))),
    );
  } else {
    group.append(
      make("accept", "✓", words.labelled(words.accept, what)),
      make("reject", "✕", words.labelled(words.reject, what)),
    );
  }
  return group;
}

/** Returns the name of the author, in their color. */
function authorOf({ author }: Hunk): HTMLElement | undefined {
  // It may come from another page.
  const { name, color } = author ?? {};
  if (typeof name !== "string" || !name) return undefined;
  const tag = wrapped("span", [name.slice(0, LONGEST_NAME)], "copydesk-author");
  tag.title = name.slice(0, 200);
  if (typeof color === "string" && CSS.supports("color", color)) tag.style.setProperty("--copydesk-author", color);
  return tag;
}

const LONGEST_NAME = 24;
