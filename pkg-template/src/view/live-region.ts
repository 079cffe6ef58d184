/** The only live region beside an editor: screen readers announce its text when it changes. */

import type { EditorView } from "@tiptap/pm/view";

export interface LiveRegion {
  /** Announces a text of a language; an empty text withdraws the last announcement. */
  say(text: string, lang: string): void;
  /** Puts the region beside the view, so that it exists before its text changes. */
  place(): void;
  remove(): void;
}

interface Shared {
  readonly element: HTMLElement;
  /** The users of the region, and the one whose text is in it. */
  readonly users: Set<LiveRegion>;
  speaker?: LiveRegion;
}

const regions = new WeakMap<EditorView, Shared>();

/** Returns the live region of a view for one more user. It is visually hidden, with or without a stylesheet. */
export function liveRegion(view: EditorView): LiveRegion {
  const shared: Shared = regions.get(view) ?? { element: hidden(), users: new Set() };
  regions.set(view, shared);
  const { element, users } = shared;
  const region: LiveRegion = {
    say(text, lang) {
      region.place();
      if (text === "" && shared.speaker !== region) return;
      shared.speaker = region;
      if (element.lang !== lang) element.lang = lang;
      // The same text again is said again.
      element.textContent = text;
    },
    place() {
      if (element.parentElement !== view.dom.parentElement) view.dom.parentElement?.append(element);
    },
    remove() {
      users.delete(region);
      if (users.size > 0) return;
      element.remove();
      regions.delete(view);
    },
  };
  users.add(region);
  return region;
}

function hidden(): HTMLElement {
  const element = document.createElement("div");
  element.className = "copydesk-live";
  element.setAttribute("role", "status");
  element.setAttribute("aria-live", "polite");
  Object.assign(element.style, {
    position: "absolute",
    top: "0",
    insetInlineStart: "0",
    width: "1px",
    height: "1px",
    overflow: "hidden",
    clipPath: "inset(50%)",
    whiteSpace: "nowrap",
  });
  return element;
}
