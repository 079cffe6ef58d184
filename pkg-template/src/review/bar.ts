/** A toolbar that counts the changes and navigates between them. */

import type { Editor } from "@tiptap/core";
import type { ReviewView } from "../types/index.js";
import { returnFocus } from "./focus.js";
import { ignoreHeld, onPress } from "./presses.js";
import { wrapped } from "./render.js";
import { currentNumber, reviewState, type ReviewState } from "./state.js";

/**
 * Adds a toolbar to `element` that states how many changes wait, and has buttons for the previous and the next one,
 * for the current one, and for all. It is hidden while there is nothing to review. Returns the function that removes
 * it.
 */
export function reviewBar(editor: Editor, element: HTMLElement | ShadowRoot): () => void {
  const bar = wrapped("div", [], "copydesk-bar");
  bar.setAttribute("role", "toolbar");
  const count = wrapped("span", [], "copydesk-count");
  const open = wrapped("span", [], "copydesk-open");
  open.setAttribute("role", "status");
  const button = (name: string, face: string, run: () => void, decides = false) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `copydesk-${name}`;
    made.textContent = face;
    // Keeps the selection in the page.
    made.addEventListener("mousedown", (event) => event.preventDefault());
    const decide = (event: MouseEvent) => {
      run();
      // With the keyboard, the next decision is here.
      if (event.detail > 0) returnFocus(editor.view, event);
    };
    made.addEventListener("click", decides ? onPress(decide) : run);
    if (decides) made.addEventListener("keydown", ignoreHeld);
    return made;
  };
  const { commands } = editor;
  const previous = button("previous", "↑", () => commands.previousHunk());
  const next = button("next", "↓", () => commands.nextHunk());
  const accept = button("accept", "✓", () => commands.acceptHunk(), true);
  const reject = button("reject", "✕", () => commands.rejectHunk(), true);
  const acceptAll = button("accept-all", "", () => commands.acceptAll(), true);
  const rejectAll = button("reject-all", "", () => commands.rejectAll(), true);
  const steps = wrapped("span", [previous, count, next], "copydesk-steps");
  const view = viewSelect(editor);
  bar.append(
    steps,
    view,
    open,
    wrapped("span", [accept, reject], "copydesk-one"),
    wrapped("span", [acceptAll, rejectAll], "copydesk-every"),
  );

  let drawn: ReviewState | undefined;
  let wasEditable = true;
  const draw = () => {
    const shown = editor.isDestroyed ? undefined : reviewState(editor.state);
    const isSame = (name: "hunks" | "current" | "words" | "view") => drawn?.[name] === shown?.[name];
    const isEditable = !editor.isDestroyed && editor.isEditable;
    const isSameReview = isSame("hunks") && isSame("current") && isSame("words") && isSame("view");
    if (drawn && shown && isSameReview && wasEditable === isEditable) return;
    drawn = shown;
    wasEditable = isEditable;
    const isEmpty = !shown?.hunks.length;
    // A hidden button would drop the keyboard focus.
    if (
      isEmpty &&
      !bar.hidden &&
      bar.contains((bar.getRootNode() as Document | ShadowRoot).activeElement) &&
      !editor.isDestroyed
    )
      editor.view.focus();
    bar.hidden = isEmpty;
    if (!shown || bar.hidden) return;
    const { words, hunks } = shown;
    const at = shown.view === "marked" ? currentNumber(shown) : 0;
    const labels: [HTMLElement, string][] = [
      [previous, words.previous],
      [next, words.next],
      [accept, words.accept],
      [reject, words.reject],
    ];
    for (const [one, label] of labels) {
      one.title = label;
      one.setAttribute("aria-label", label);
    }
    showView(view, shown);
    acceptAll.textContent = words.acceptAll;
    rejectAll.textContent = words.rejectAll;
    count.textContent = words.count(at, hunks.length);
    const conflicts = hunks.filter(({ conflict }) => conflict).length;
    open.hidden = conflicts === 0;
    // Announced only if the number has changed.
    const said = conflicts ? words.open(conflicts) : "";
    if (open.textContent !== said) open.textContent = said;
    // If only conflicts are left, there is nothing to accept at once.
    acceptAll.setAttribute("aria-disabled", String(!isEditable || conflicts === hunks.length));
    // A disabled button would lose the keyboard focus.
    for (const one of [accept, reject]) one.setAttribute("aria-disabled", String(!isEditable || at === 0));
    rejectAll.setAttribute("aria-disabled", String(!isEditable));
    bar.setAttribute("aria-label", words.changes);
    bar.lang = words.locale;
  };
  draw();
  editor.on("transaction", draw);
  element.append(bar);
  const remove = () => {
    editor.off("transaction", draw);
    editor.off("destroy", remove);
    bar.remove();
  };
  editor.on("destroy", remove);
  return remove;
}

/** Returns the choice of the version that is shown. */
function viewSelect({ commands }: Editor): HTMLSelectElement {
  const select = document.createElement("select");
  select.className = "copydesk-view";
  for (const name of ["original", "marked", "final"]) select.add(new Option(name, name));
  select.addEventListener("change", () => commands.setReviewView(select.value as ReviewView));
  return select;
}

function showView(select: HTMLSelectElement, { view, words }: ReviewState): void {
  select.setAttribute("aria-label", words.view);
  select.title = words.view;
  for (const option of select.options) option.text = words.views[option.value as ReviewView];
  select.value = view;
}
