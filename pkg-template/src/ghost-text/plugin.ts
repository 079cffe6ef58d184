/** The plugin that shows a completion as a decoration, and its keys. */

import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import { Plugin, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { liveRegion } from "../view/live-region.js";
import { localeOf } from "../base/locale.js";
import { completionWords } from "./words.js";
import type { Locale } from "../types/index.js";
import type { GhostTextAsker } from "./asker.js";
import { ACCEPTED, ghostKey, type Ghost } from "./state.js";

/** Keys that change nothing by themselves. */
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock", "Fn"]);

const isApple = () => /Mac|iP(?:hone|[oa]d)/.test(globalThis.navigator?.platform ?? "");

export function ghostPlugin(
  editor: Editor,
  asker: GhostTextAsker,
  locale: () => Locale | undefined,
): Plugin<Ghost | null> {
  const shown = (state: EditorState) => {
    const ghost = ghostKey.getState(state);
    return ghost && asker.mayShow() ? ghost : null;
  };
  /** The document at the beginning of a composition. */
  let uncomposed: Node | null = null;
  return new Plugin<Ghost | null>({
    key: ghostKey,
    state: { init: () => null, apply: next },
    props: {
      decorations(state) {
        const ghost = shown(state);
        if (!ghost) return null;
        const widget = () => element(ghost.text, () => editor.commands.acceptGhostText());
        const key = `ghost ${ghost.text}`;
        return DecorationSet.create(state.doc, [
          Decoration.widget(ghost.at, widget, { side: 1, key, ignoreSelection: true, marks: [] }),
        ]);
      },
      handleKeyDown(view, event) {
        if (MODIFIERS.has(event.key)) return false;
        if (event.isComposing || view.composing || event.keyCode === 229) {
          asker.dismiss();
          return false;
        }
        asker.cancel();
        return shown(view.state) ? handleKey(editor, view, event) : false;
      },
      handleDOMEvents: {
        compositionstart() {
          uncomposed = editor.state.doc;
          asker.dismiss();
        },
        compositionend() {
          // Its text was written while nothing may be asked. The editor ends the composition after this handler.
          setTimeout(() => {
            if (uncomposed && !uncomposed.eq(editor.state.doc)) typed(editor, asker);
            uncomposed = null;
          });
        },
        blur: () => void asker.dismiss(),
      },
    },
    view(view) {
      const live = liveRegion(view);
      live.place();
      return {
        update(_, before) {
          const [was, now] = [ghostKey.getState(before), ghostKey.getState(view.state)];
          if (was !== now) {
            asker.showed(now ?? null);
            const language = localeOf(locale());
            live.say(now && !was ? completionWords(language).suggestion(now.text.trim()) : "", language);
          }
          // A proposal of the agent, or another state of the editor: not within its update.
          if (now && !asker.mayShow()) queueMicrotask(() => !editor.isDestroyed && asker.dismiss());
        },
        destroy() {
          asker.destroy();
          live.remove();
        },
      };
    },
    // Called once for all transactions of an update.
    appendTransaction(transactions, before, state) {
      if (transactions.some(isTyped) && !before.doc.eq(state.doc)) queueMicrotask(() => typed(editor, asker));
      else if (!before.selection.eq(state.selection) || !before.doc.eq(state.doc)) asker.cancel();
      return transactions.some((tr) => tr.getMeta(ACCEPTED)) ? closeHistory(state.tr) : null;
    },
  });
}

function typed(editor: Editor, asker: GhostTextAsker): void {
  if (editor.isDestroyed) return;
  if (ghostKey.getState(editor.state)) asker.cancel();
  else asker.typed();
}

/** Returns true if this user has written in front of the cursor: no undo, no deletion, and no edit of others. */
function isTyped(tr: Transaction): boolean {
  const { docChanged, mapping, selection } = tr;
  if (!docChanged || tr.getMeta("addToHistory") === false) return false;
  if (tr.getMeta("history$") || tr.getMeta("y-sync$")) return false;
  return mapping.maps.some((map, index) => {
    let isBefore = false;
    map.forEach((_oldStart, _oldEnd, start, end) => {
      if (end > start && mapping.slice(index + 1).map(end) === selection.from) isBefore = true;
    });
    return isBefore;
  });
}

/** Returns the completion after a transaction: the rest, if the user has typed its beginning. */
function next(tr: Transaction, ghost: Ghost | null): Ghost | null {
  const set = tr.getMeta(ghostKey) as Ghost | null | undefined;
  if (set !== undefined) return set;
  if (!ghost || (!tr.docChanged && !tr.selectionSet)) return ghost;
  const { selection, mapping, doc } = tr;
  if (isTouched(tr, ghost.at)) return null;
  const [from, at] = [mapping.map(ghost.at, -1), mapping.map(ghost.at, 1)];
  if (!selection.empty || selection.from !== at) return null;
  const text = doc.textBetween(from, at, "\n", "\n");
  if (text.length !== at - from || !ghost.text.startsWith(text)) return null;
  const rest = ghost.text.slice(text.length);
  return rest ? { at, text: rest } : null;
}

/** Returns true if a transaction replaces content next to a position. */
function isTouched({ mapping }: Transaction, position: number): boolean {
  let [at, isIt] = [position, false];
  for (const map of mapping.maps) {
    map.forEach((start, end) => {
      if (start !== end && start <= at && end >= at) isIt = true;
    });
    at = map.map(at, 1);
  }
  return isIt;
}

function handleKey(editor: Editor, view: EditorView, event: KeyboardEvent): boolean {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (shiftKey || altKey) return false;
  if (key === "Tab" && !ctrlKey && !metaKey) return editor.commands.acceptGhostText();
  if (key === "Escape") return editor.commands.dismissGhostText();
  const forward = getComputedStyle(view.dom).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const isWord = isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return key === forward && isWord && editor.commands.acceptGhostText("word");
}

function element(text: string, accept: () => void): HTMLElement {
  const ghost = document.createElement("span");
  ghost.className = "copydesk-ghost";
  ghost.textContent = text;
  // Screen readers get it from the live region: here they would take it for the text.
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, {
    color: "var(--copydesk-ghost, color-mix(in srgb, currentcolor 64%, transparent))",
    textDecoration: "var(--copydesk-ghost-decoration, underline dotted 1px)",
    textUnderlineOffset: "4px",
  });
  // Touch screens have no Tab.
  ghost.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    event.preventDefault();
    accept();
  });
  return ghost;
}
