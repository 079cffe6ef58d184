/** Announces the current change to users of screen readers. */

import type { EditorView } from "@tiptap/pm/view";
import { liveRegion } from "../view/live-region.js";
import { announcement, type ReviewState } from "./state.js";

export function announcer(view: EditorView) {
  const live = liveRegion(view);
  return {
    follow(was: ReviewState, now: ReviewState): void {
      const { words } = now;
      live.place();
      if (was.current !== now.current && now.current) live.say(announcement(now, view.state.doc), words.locale);
      else if (was.hunks.length && !now.hunks.length) live.say(words.none, words.locale);
    },
    remove: () => live.remove(),
  };
}
