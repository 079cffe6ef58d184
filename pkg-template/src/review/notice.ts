/** Short notices of the review, below the text. */

import type { EditorView } from "@tiptap/pm/view";
import { reviewWords } from "./words.js";

export interface NoticeAction {
  label: string;
  run: () => void;
}

export interface NoticeOptions {
  action?: NoticeAction;
  /** Returns false when the text is no longer right. Default for a notice with an action: after any change, because the action
   * may mean something else then. */
  holds?: () => boolean;
}

export interface Notices {
  /** Shows a text as long as it holds; one without an action at most for some seconds. */
  show(text: string, options?: NoticeOptions): void;
  /** Called after something has changed. Hides a notice that no longer holds. */
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
  let isRight = () => true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    clearTimeout(timer);
    isRight = () => true;
    element.replaceChildren();
  };
  const made: Notices = {
    show(text, { action, holds = () => !action } = {}) {
      hide();
      // A live region has to exist before its content changes.
      if (element.parentElement !== view.dom.parentElement) view.dom.parentElement?.append(element);
      element.lang = reviewWords(locale).locale;
      const said = document.createElement("span");
      said.textContent = text;
      element.append(said);
      isRight = holds;
      if (action) {
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
    changed: () => isRight() || hide(),
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
