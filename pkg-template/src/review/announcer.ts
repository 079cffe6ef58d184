/** Announces the current change to users of screen readers. */

import type { Node } from "@tiptap/pm/model";
import type { EditorView } from "@tiptap/pm/view";
import { liveRegion } from "../view/live-region.js";
import { currentNumber, hunksNow, type ReviewState } from "./state.js";
import { describe } from "./words.js";

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

/** Returns the announcement of the current hunk. */
function announcement(shown: ReviewState, doc: Node): string {
  const at = currentNumber(shown);
  const { hunks, words } = shown;
  return at ? words.announced(at, hunks.length, describe(hunksNow(shown)[at - 1]!, words, doc)) : "";
}
