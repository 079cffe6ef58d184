/** Keys, input methods and the clipboard in proposed text: what they do is done in the document, once the hunk is
 * accepted. */

import { Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Hunk } from "../types/index.js";
import {
  isAtEdge,
  proposedSelection,
  restoreText,
  selectionOf,
  typedInPage,
  type ContentRange,
} from "./proposed-text.js";
import { formattingOf } from "./formatting.js";
import { hunksNow, isMarked, reviewState } from "./state.js";

export interface TypingHost {
  /** Accepts a hunk, selects a range of its content in the document, which gets the focus, and does `run` there, all as
   * one step of the history. False if it cannot. */
  enter: (hunk: string, range: ContentRange, run: () => void) => boolean;
  /** States why keys do nothing in a hunk. */
  refuse: (hunk: string) => void;
}

const WIDGET = ".ProseMirror-widget[data-copydesk-hunk]";

/** Returns true if the editor must not handle an event in a proposal. */
export function isForProposal(event: Event): boolean {
  const isInControls = event.target instanceof Element && event.target.closest(".copydesk-controls") !== null;
  if (event instanceof KeyboardEvent) {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    return isInControls ? !hasModifier : !isShortcut(event);
  }
  return isInControls || /^(?:mouse(?:down|up)|before|input|comp|copy|cut|paste|drag|drop|touch)/.test(event.type);
}

/** Returns true for keys of the review and of the history, which mean the same everywhere. */
function isShortcut({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && (altKey || /^[zy]$/i.test(key));
}

/** Handles events in the proposals of an editor. Returns the function that ends this. */
export function followTyping(view: EditorView, host: TypingHost): () => void {
  let lastKey: KeyboardEvent | undefined;
  const enter = (range: (ContentRange & { hunk: string }) | null, run: () => void): boolean =>
    range !== null && view.editable && host.enter(range.hunk, range, run);

  const handlers: {
    [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name], widget: HTMLElement) => void;
  } = {
    focusin({ target }, widget) {
      const region = widget.querySelector<HTMLElement>(".copydesk-typable[contenteditable=true]");
      if (target !== widget || !region) return;
      region.focus();
      const selection = region.ownerDocument.getSelection();
      selection?.selectAllChildren(region);
      selection?.collapseToEnd();
    },
    keydown(event, widget) {
      const hunk = widget.dataset.copydeskHunk!;
      lastKey = event;
      if (event.isComposing || event.keyCode === 229 || isShortcut(event)) return;
      const selection = proposedSelection(view);
      const edge = edgeOf(event);
      if (event.key === "Escape") leave(view, hunk, -1);
      else if (edge && isArrow(event) && (!selection || isLeaving(view, event, edge)))
        leave(view, hunk, edge === "start" ? -1 : 1);
      else if (!selection && isTyping(event)) host.refuse(hunk);
      else if (
        selection &&
        isJoining(event) &&
        selection.from === selection.to &&
        isAtEdge(view, selection, edgeOf(event)!)
      )
        enter(selection, () => press(view, event.key));
      else return;
      event.preventDefault();
    },
    beforeinput(event) {
      const { inputType } = event;
      // What an input method does cannot be prevented; it is taken over at its end.
      if (event.isComposing || /Composition/.test(inputType) || !event.cancelable) return;
      event.preventDefault();
      if (/^history|^deleteByDrag/.test(inputType)) return;
      const [target] = event.getTargetRanges();
      const selection = (target && selectionOf(view, target)) ?? proposedSelection(view);
      enter(selection, () => {
        if (inputType.startsWith("format") && lastKey) forward(view, lastKey);
        else perform(view, event);
      });
    },
    input(event) {
      if (!(event as InputEvent).isComposing) takeOver(event.target);
    },
    compositionend: ({ target }) => takeOver(target),
    paste(event, widget) {
      event.preventDefault();
      const selection = proposedSelection(view);
      if (selection) enter(selection, () => paste(view, event.clipboardData, event));
      else if (view.editable) host.refuse(widget.dataset.copydeskHunk!);
    },
    // If the middle button pastes the last selection, a click on a link would be a change.
    mousedown: withoutMiddle,
    mouseup: withoutMiddle,
    drop(event) {
      event.preventDefault();
      const range = pointOf(event);
      const { dataTransfer } = event;
      // The text is copied; the dragged text stays.
      view.dragging = null;
      enter(range && selectionOf(view, range), () => pasteDropped(view, dataTransfer));
    },
  };
  function takeOver(target: EventTarget | null): void {
    const typed = typedInPage(view, target);
    if (typed && !enter(typed, () => insert(view, typed.text))) restoreText(view, target);
  }

  const listeners = Object.entries(handlers).map(([name, handle]) => {
    const listener = (event: Event) => {
      const { target } = event;
      if (event.defaultPrevented || !(target instanceof Element) || target.closest(".copydesk-controls")) return;
      const widget = target.closest<HTMLElement>(WIDGET);
      if (widget && view.dom.contains(widget)) (handle as (event: Event, widget: HTMLElement) => void)(event, widget);
    };
    view.dom.addEventListener(name, listener);
    return () => view.dom.removeEventListener(name, listener);
  });
  return () => listeners.forEach((end) => end());
}

/**
 * Accepts a hunk that changes only the form of a text, before input of any kind changes that text: it would be a conflict,
 * although both changes go together. Returns true if the input is done then, and the editor has nothing to do.
 */
export function acceptFormatted(view: EditorView, event: Event, { enter, mayDecide }: FormattedHost): boolean {
  if (isInWidget(event) || !view.editable || view.composing || !isMarked(view.state)) return false;
  const accept = (changed: ContentRange | null, selected = changed, run = () => {}): boolean => {
    const shown = reviewState(view.state)!;
    const { doc } = view.state;
    const isInside = (hunk: Hunk, { from, to }: ContentRange) =>
      from === to ? hunk.from < from && to < hunk.to : hunk.from <= from && to <= hunk.to;
    const hunk = changed && hunksNow(shown).find((one) => isInside(one, changed) && formattingOf(doc, one));
    if (!hunk || !selected || !mayDecide(hunk.id)) return false;
    return enter(hunk.id, { from: selected.from - hunk.from, to: selected.to - hunk.from }, run);
  };
  const { selection } = view.state;
  // A selected node, or cells, would be another selection afterwards.
  const selected = selection instanceof TextSelection ? { from: selection.from, to: selection.to } : null;
  const accepted = (done: boolean) => {
    if (done) event.preventDefault();
    return done;
  };
  if (event instanceof DragEvent) {
    // Text that is moved away is deleted here.
    if (view.dragging?.move) accept(selected);
    const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
    const { dataTransfer } = event;
    const isDone = at !== undefined && accept({ from: at, to: at }, undefined, () => pasteDropped(view, dataTransfer));
    // The text is copied; the dragged text stays.
    if (isDone) view.dragging = null;
    return accepted(isDone);
  }
  if (event instanceof InputEvent) {
    if (event.isComposing || !event.cancelable || !/^(?:insert|delete)/.test(event.inputType)) return false;
    const [target] = event.getTargetRanges();
    const range = target ? rangeOf(view, target) : null;
    return accepted(accept(range, range, () => perform(view, event)));
  }
  if (event instanceof KeyboardEvent && event.keyCode !== 229 && !isChanging(event, selection)) return false;
  if (!selected || (event instanceof ClipboardEvent && changesNothing(event, selection))) return false;
  let { from, to } = selected;
  // The character that the key deletes, or the first of them.
  if (event instanceof KeyboardEvent && from === to) {
    if (event.key === "Backspace") from--;
    if (event.key === "Delete") to++;
  }
  accept({ from, to }, selected);
  return false;
}

/**
 * Types text at the selection of the document if a hunk is beside it. The browser would type it where it shows the selection,
 * which may be on another side of text that is hidden or proposed. Returns true if that is done.
 */
export function typeBesideHunks(view: EditorView, event: InputEvent): boolean {
  const { inputType, data, isComposing, cancelable } = event;
  const { selection } = view.state;
  if (inputType !== "insertText" || !data || isComposing || !cancelable || isInWidget(event)) return false;
  const { from, to } = selection;
  const isBeside = reviewState(view.state)?.drawn.hunks.some((hunk) => hunk.from <= to && from <= hunk.to);
  if (!isBeside || !(selection instanceof TextSelection)) return false;
  event.preventDefault();
  insert(view, data);
  return true;
}

/** Returns true for a key that changes the text without further input that tells where. */
function isChanging(event: KeyboardEvent, { $from, $to }: Selection): boolean {
  const { type, key, altKey } = event;
  // The editor replaces text of several blocks by a character, also by one of a third level of the keyboard.
  if (type === "keypress") return [...key].length === 1 && !$from.sameParent($to);
  return isTyping(event) || (isDeleting(key) && !altKey);
}

/** Returns the range of the document for one of the page; null if the editor has not drawn it. */
function rangeOf(view: EditorView, { startContainer, startOffset, endContainer, endOffset }: StaticRange) {
  if (!view.dom.contains(startContainer) || !view.dom.contains(endContainer)) return null;
  const [from, to] = [view.posAtDOM(startContainer, startOffset), view.posAtDOM(endContainer, endOffset)];
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

/** Returns true for a cut without a selection, and for a paste of an empty clipboard. */
function changesNothing({ type, clipboardData }: ClipboardEvent, { empty }: Selection): boolean {
  if (type === "cut") return empty;
  return clipboardData?.types.every((name) => name !== "Files" && !clipboardData.getData(name)) ?? false;
}

export interface FormattedHost extends Pick<TypingHost, "enter"> {
  mayDecide: (hunk: string) => boolean;
}

function insert(view: EditorView, text: string): void {
  const { from, to } = view.state.selection;
  const plain = () => view.state.tr.insertText(text, from, to).scrollIntoView();
  if (!view.someProp("handleTextInput", (handle) => handle(view, from, to, text, plain))) view.dispatch(plain());
}

function paste(view: EditorView, data: DataTransfer | null, event: ClipboardEvent): void {
  const html = data?.getData("text/html");
  if (html) view.pasteHTML(html, event);
  else view.pasteText(data?.getData("text/plain") ?? "", event);
}

function pasteDropped(view: EditorView, data: DataTransfer | null): void {
  paste(view, data, new ClipboardEvent("paste", { clipboardData: data }));
}

/** Applies an event of input at the selection. */
function perform(view: EditorView, { inputType, data, dataTransfer }: InputEvent): void {
  if (inputType === "insertParagraph") press(view, "Enter");
  else if (inputType === "insertLineBreak") press(view, "Enter", true);
  else if (inputType.startsWith("delete")) view.dispatch(view.state.tr.deleteSelection().scrollIntoView());
  else insert(view, data ?? dataTransfer?.getData("text/plain") ?? "");
}

/** Returns true if an event is not one of the document's text. */
export function isInWidget({ target }: Event): boolean {
  return target instanceof Element && target.closest(".ProseMirror-widget") !== null;
}

function withoutMiddle(event: MouseEvent): void {
  if (event.button === 1) event.preventDefault();
}

function isTyping({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && ([...key].length === 1 || key === "Enter" || isDeleting(key));
}

function isJoining({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && isDeleting(key);
}

const isDeleting = (key: string): boolean => key === "Backspace" || key === "Delete";

/** Returns the end of a text to which a key moves the cursor. */
function edgeOf({ key }: KeyboardEvent): "start" | "end" | null {
  if (/^(?:ArrowLeft|ArrowUp|Backspace)$/.test(key)) return "start";
  return /^(?:ArrowRight|ArrowDown|Delete)$/.test(key) ? "end" : null;
}

function isArrow({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.startsWith("Arrow") && !shiftKey && !ctrlKey && !metaKey && !altKey;
}

/** Returns true if an arrow key leads out of the proposal. */
function isLeaving(view: EditorView, event: KeyboardEvent, edge: "start" | "end"): boolean {
  const { key } = event;
  const selection = proposedSelection(view);
  if (!selection || selection.from !== selection.to) return false;
  if (/Left|Right/.test(key)) return isAtEdge(view, selection, edge);
  const region = (event.target as Element).closest(".copydesk-typable");
  const caret = (selection.range as Range).getClientRects()[0];
  if (!region || !caret) return isAtEdge(view, selection, edge);
  const whole = document.createRange();
  whole.selectNodeContents(region);
  const lines = [...whole.getClientRects()].filter(({ height }) => height > 0);
  return edge === "start"
    ? lines.every(({ bottom }) => bottom > caret.top + 1)
    : lines.every(({ top }) => top < caret.bottom - 1);
}

/** Puts the cursor into the document, before or behind a hunk. */
function leave(view: EditorView, id: string, side: 1 | -1): void {
  const shown = reviewState(view.state);
  const hunk: Hunk | undefined = shown && hunksNow(shown).find((one) => one.id === id);
  if (!hunk) return;
  const { doc, tr } = view.state;
  const at = Math.min(side < 0 ? hunk.from : hunk.to, doc.content.size);
  view.dispatch(tr.setSelection(Selection.near(doc.resolve(at), side)).scrollIntoView());
  view.focus();
}

/** Applies a key in the document. */
function press(view: EditorView, key: string, shiftKey = false): void {
  forward(view, new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
}

function forward(view: EditorView, event: KeyboardEvent): void {
  view.someProp("handleKeyDown", (handle) => handle(view, event));
}

/** Returns the point of the page at which something is dropped. */
function pointOf({ clientX, clientY }: MouseEvent): Range | null {
  const page = document as Document & {
    caretPositionFromPoint?: (x: number, y: number) => { offsetNode: Node; offset: number } | null;
  };
  const point = page.caretPositionFromPoint?.(clientX, clientY);
  if (!point) return page.caretRangeFromPoint?.(clientX, clientY) ?? null;
  const range = page.createRange();
  range.setStart(point.offsetNode, point.offset);
  return range;
}
