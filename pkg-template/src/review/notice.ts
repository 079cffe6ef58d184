/** Short notices of the review, below the text. */

import type { EditorView } from "@tiptap/pm/view";
import { reviewWords } from "./words.js";

export interface NoticeAction {
  label: string;
  run: () => void;
}

export interface Notices {
  /** Shows a text; one with an action stays until it is no longer right, others for some seconds. */
  show(text: string, action?: NoticeAction): void;
  /** Hides a notice with an action after something has changed: the action may mean something else now. */
  changed(): void;
  remove(): void;
}

/** Milliseconds for which a notice without an action is shown. */
const SHOWN_FOR = 6_000;
const shown = new WeakMap<EditorView, Notices>();

/** Returns the notices of an editor. */
export function noticesOf(view: EditorView): Notices | undefined {
  return shown.get(view);
}

export function notices(view: EditorView, locale: string | undefined): Notices {
  const element = document.createElement("div");
  element.className = "copydesk-notice";
  element.setAttribute("role", "status");
  let hasAction = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    clearTimeout(timer);
    hasAction = false;
    element.replaceChildren();
  };
  const made: Notices = {
    show(text, action) {
      hide();
      // A live region has to exist before its content changes.
      if (element.parentElement !== view.dom.parentElement) view.dom.parentElement?.append(element);
      element.lang = reviewWords(locale).locale;
      const said = document.createElement("span");
      said.textContent = text;
      element.append(said);
      if (action) {
        hasAction = true;
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = action.label;
        button.addEventListener("click", () => {
          hide();
          action.run();
        });
        element.append(button);
      } else timer = setTimeout(hide, SHOWN_FOR);
    },
    changed: () => hasAction && hide(),
    remove() {
      hide();
      element.remove();
      shown.delete(view);
    },
  };
  shown.set(view, made);
  view.dom.parentElement?.append(element);
  return made;
}
