/** Ranges of edits, and scrolling the document to them. */

import type { Editor } from "@tiptap/core";
import type { Change, DocUpdateEvent } from "copydesk";
import type { EditRange } from "./edit-ranges.js";

/** Returns true if the document is a single empty paragraph. */
export function isBlank(editor: Editor): boolean {
  const { doc } = editor.state;
  return doc.childCount === 1 && doc.firstChild!.type.name === "paragraph" && doc.firstChild!.content.size === 0;
}

/** Returns the range of a call's pending changes. It grows with the changes that are accepted. */
export function rangeOfChanges(editor: Editor, toolId: string): EditRange | null {
  const hunks = editor.storage.copydesk.document.hunks().filter(({ toolIds }) => toolIds.includes(toolId));
  if (!hunks.length) return null;
  return { from: Math.min(...hunks.map(({ from }) => from)), to: Math.max(...hunks.map(({ to }) => to)), grows: true };
}

/** Returns the range of an edit right after it: its section, the inserted image, or the position of a deletion. */
export function rangeOfUpdate(editor: Editor, event: DocUpdateEvent): EditRange | null {
  const index = sectionAfter(event);
  if (index === undefined) return rangeAfter(editor, event.changes);
  const { doc } = editor.state;
  const section = editor.storage.copydesk.document.outline()[index];
  if (event.operation === "delete") {
    const at = section ? section.from : doc.content.size;
    return { from: at, to: at };
  }
  if (event.operation === "insert_image") {
    let found: EditRange | null = null;
    doc.descendants((node, position) => {
      if (node.type.name === "image" && node.attrs.src === event.imageUrl)
        found = { from: position, to: position + node.nodeSize };
      return true;
    });
    if (found) return found;
  }
  return section ? { from: section.from, to: section.to } : null;
}

/** Returns the index that the section of an edit has after it; the event names the one that it had before. */
function sectionAfter(event: DocUpdateEvent): number | undefined {
  if (event.operation === "move_section") return event.toIndex;
  return event.operation === "insert" ? Math.max(event.sectionIndex, 1) : event.sectionIndex;
}

/** Returns the range of changes after they were applied; their positions refer to the document before. */
function rangeAfter({ schema }: Editor, changes: readonly Change[]): EditRange | null {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return null;
  const size = (content: Change["content"]) =>
    content.reduce((sum, node) => sum + schema.nodeFromJSON(node).nodeSize, 0);
  const growth = changes.reduce((sum, { from, to, content }) => sum + size(content) - (to - from), 0);
  return { from: first.from, to: last.to + growth };
}

/** Scrolls the document to a position; with `onlyIfHidden`, only if it is not in view. */
export function scrollTo(editor: Editor, position: number, onlyIfHidden = false): void {
  const { doc } = editor.state;
  const at = Math.min(Math.max(position, 0), doc.content.size);
  const place = doc.resolve(at);
  const start = place.parent.inlineContent
    ? place.before()
    : place.nodeAfter
      ? at
      : doc.content.size - (doc.lastChild?.nodeSize ?? 0);
  const dom = editor.view.nodeDOM(start);
  if (dom instanceof HTMLElement) scrollToElement(editor, dom, onlyIfHidden);
}

/** Scrolls the element that scrolls the document to one of its elements. */
export function scrollToElement(editor: Editor, dom: HTMLElement, onlyIfHidden = false): void {
  const scroller = scrollerOf(editor.view.dom);
  const isPage = scroller === document.scrollingElement;
  const box = dom.getBoundingClientRect();
  const frame = isPage ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
  const hiddenBelow = Number.parseFloat(getComputedStyle(scroller).scrollPaddingBottom) || 0;
  if (onlyIfHidden && box.top >= frame.top && box.top < frame.bottom - hiddenBelow - 80) return;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scroller.scrollTo({
    top: scroller.scrollTop + box.top - frame.top - 24,
    behavior: isCalm ? "auto" : "smooth",
  });
}

/** Returns the element that scrolls an element, also across the borders of shadow trees. */
export function scrollerOf(element: Element): Element {
  for (let at = parentOf(element); at; at = parentOf(at)) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.scrollingElement ?? document.documentElement;
}

function parentOf(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  const { parentNode } = element;
  return parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement;
}
