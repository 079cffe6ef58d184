/** Announces the current change to users of screen readers. */

import type { EditorView } from "@tiptap/pm/view";
import { announcement, type ReviewState } from "./state.js";

export function announcer(view: EditorView) {
  const live = document.createElement("div");
  live.className = "copydesk-live";
  live.setAttribute("role", "status");
  live.setAttribute("aria-live", "polite");
  // Visually hidden, with or without the stylesheet.
  Object.assign(live.style, {
    position: "absolute",
    top: "0",
    insetInlineStart: "0",
    width: "1px",
    height: "1px",
    overflow: "hidden",
    clipPath: "inset(50%)",
    whiteSpace: "nowrap",
  });

  return {
    follow(was: ReviewState, now: ReviewState): void {
      // A live region has to exist before its content changes.
      if (live.parentElement !== view.dom.parentElement) view.dom.parentElement?.append(live);
      if (live.lang !== now.words.locale) live.lang = now.words.locale;
      if (was.current !== now.current && now.current) live.textContent = announcement(now);
      else if (was.hunks.length && !now.hunks.length) live.textContent = now.words.none;
    },
    remove: () => live.remove(),
  };
}
