/**
 * The text of proposals as an editable region of its own, inside of a widget.
 *
 * Such a region has the focus and the caret, so that no key reaches another place of the document. Its first change is
 * not made there: the hunk is accepted, and the change is made in the document, at the same place of the text.
 */

import type { Fragment } from "@tiptap/pm/model";
import type { EditorView } from "@tiptap/pm/view";

/** A range in the content of a hunk. */
export interface ContentRange {
  from: number;
  to: number;
}

/** A text node of the proposed content: in the page, and its position in the content. */
interface ShownText {
  dom: Text;
  at: number;
  /** As it was drawn. */
  text: string;
}

/** A drawn proposal. */
interface Proposal {
  hunk: string;
  texts: readonly ShownText[];
}

const proposals = new WeakMap<HTMLElement, Proposal>();
const REGION = "copydesk-typable";
const NO_TEXT = ".copydesk-controls, .copydesk-placeholder-name, .copydesk-label";

/**
 * Makes the text of a widget editable. `content` is that of the hunk; the widget shows its child `index`, or all of it
 * without an index. Returns false if there is no text, or it is not the one that is shown.
 */
export function makeTypable(widget: HTMLElement, hunk: string, content: Fragment, index?: number): boolean {
  const regions = regionsOf(widget);
  const shown = textsOf(widget);
  const texts: ShownText[] = [];
  let isSame = regions.length > 0;
  content.forEach((child, offset, at) => {
    if (index !== undefined && at !== index) return;
    const add = (text: string | undefined, position: number) => {
      const dom = shown[texts.length];
      isSame &&= dom?.data === text;
      if (dom && text !== undefined) texts.push({ dom, at: position, text });
    };
    if (child.isText) add(child.text, offset);
    else child.descendants((node, position) => void (node.isText && add(node.text, offset + 1 + position)));
  });
  if (!isSame || !texts.length || texts.length !== shown.length) return false;
  proposals.set(widget, { hunk, texts });
  for (const region of regions) {
    region.classList.add(REGION);
    region.contentEditable = "true";
    region.spellcheck = false;
    // The buttons of the hunk are the way of the Tab key.
    region.tabIndex = -1;
  }
  for (const part of widget.querySelectorAll<HTMLElement>(".copydesk-anchor, .copydesk-placeholder"))
    part.contentEditable = "false";
  return true;
}

/** Sets whether the regions of an editor can be edited: they cannot while it is read-only. */
export function setTypable(view: EditorView): void {
  const value = String(view.editable);
  for (const region of view.dom.querySelectorAll<HTMLElement>(`.${REGION}`))
    if (region.contentEditable !== value) region.contentEditable = value;
}

/** Returns the elements with the text: the insertion or, in items, rows and cells, what they contain. */
function regionsOf(widget: HTMLElement): HTMLElement[] {
  const insertion = widget.querySelector<HTMLElement>(":scope > :is(ins.copydesk-insertion, .copydesk-plain)");
  if (insertion) return [insertion];
  const isInside = (element: Element): element is HTMLElement => element instanceof HTMLElement && !isButtons(element);
  return [...widget.children].filter(isInside).filter(({ localName }) => localName !== "label");
}

function isButtons(element: Element): boolean {
  return element.matches(".copydesk-anchor, .copydesk-controls");
}

function textsOf(widget: HTMLElement): Text[] {
  const walker = document.createTreeWalker(widget, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(NO_TEXT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
}

/** Returns the widget with an editable region around a node. */
function widgetOf(view: EditorView, node: Node | null): HTMLElement | null {
  const element = node instanceof Element ? node : (node?.parentElement ?? null);
  if (!element?.closest(`.${REGION}`) || !view.dom.contains(element)) return null;
  return element.closest<HTMLElement>(".ProseMirror-widget");
}

/** A selection in the text of a proposal. */
export interface ProposedSelection extends ContentRange {
  hunk: string;
  range: StaticRange | Range;
}

/** Returns the selection in proposed text; null if it is elsewhere. */
export function proposedSelection(view: EditorView): ProposedSelection | null {
  const selection = view.dom.ownerDocument.getSelection();
  if (!selection?.rangeCount || !widgetOf(view, view.dom.ownerDocument.activeElement)) return null;
  return selectionOf(view, selection.getRangeAt(0));
}

/** Returns a range of the page as one of proposed text; null if it is elsewhere. */
export function selectionOf(view: EditorView, range: StaticRange | Range): ProposedSelection | null {
  const widget = widgetOf(view, range.startContainer);
  const proposal = widget && proposals.get(widget);
  if (!proposal || !widget.contains(range.endContainer)) return null;
  const from = positionOf(proposal, range.startContainer, range.startOffset);
  const to = positionOf(proposal, range.endContainer, range.endOffset);
  return { hunk: proposal.hunk, from, to: Math.max(from, to), range };
}

/** Returns the position of a point of the page in the content. */
function positionOf({ texts }: Proposal, container: Node, offset: number): number {
  const own = texts.find(({ dom }) => dom === container);
  if (own) return own.at + Math.min(offset, own.text.length);
  const point = document.createRange();
  point.setStart(container, offset);
  const before = texts.findLast(({ dom }) => point.comparePoint(dom, dom.length) < 0);
  const after = texts.find(({ dom }) => point.comparePoint(dom, 0) > 0);
  // A point beside text of its own block is at that text.
  if (before && (!after || container.contains(before.dom) || !container.contains(after.dom)))
    return before.at + before.text.length;
  return after?.at ?? before?.at ?? 0;
}

/** Shows the text of a proposal as it was drawn: an input method has changed what cannot be accepted. */
export function restoreText(view: EditorView, target: EventTarget | null): void {
  const widget = target instanceof Element ? widgetOf(view, target) : null;
  for (const { dom, text } of (widget && proposals.get(widget)?.texts) ?? []) if (dom.data !== text) dom.data = text;
}

/** Returns true if there is no text before (or after) a selection in its proposal. */
export function isAtEdge(view: EditorView, { range, from, to }: ProposedSelection, edge: "start" | "end"): boolean {
  const widget = widgetOf(view, range.startContainer);
  const { texts = [] } = (widget && proposals.get(widget)) ?? {};
  const [first, last] = [texts[0], texts.at(-1)];
  if (!first || !last) return true;
  return edge === "start" ? from <= first.at : to >= last.at + last.text.length;
}

/**
 * Returns the change that an input method has made in the page, which cannot be prevented: the range of the content, and
 * its text now. Null if nothing differs.
 */
export function typedInPage(
  view: EditorView,
  target: EventTarget | null,
): (ContentRange & { hunk: string; text: string }) | null {
  const widget = target instanceof Element ? widgetOf(view, target) : null;
  const proposal = widget && proposals.get(widget);
  if (!proposal) return null;
  const before = proposal.texts.map(({ text }) => text).join("");
  const now = textsOf(widget)
    .map(({ data }) => data)
    .join("");
  if (before === now) return null;
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && before[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end++;
  const at = (offset: number) => {
    let left = offset;
    for (const { at: from, text } of proposal.texts) {
      if (left <= text.length) return from + left;
      left -= text.length;
    }
    const last = proposal.texts.at(-1)!;
    return last.at + last.text.length;
  };
  return {
    hunk: proposal.hunk,
    from: at(start),
    to: at(before.length - end),
    text: now.slice(start, now.length - end),
  };
}
