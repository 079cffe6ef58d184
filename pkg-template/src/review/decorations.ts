/** Hunks as decorations: deleted content is struck through, inserted content is a widget. The document does not
 * change. */

import { Fragment, type Node, type Schema } from "@tiptap/pm/model";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { renderInert } from "../inert.js";
import type { Hunk } from "../types.js";
import { controls, type Act } from "./controls.js";
import { innermost, isBound, wrapped } from "./render.js";
import { signature } from "./state.js";
import type { ReviewWords } from "./words.js";

export interface Drawing {
  words: ReviewWords;
  act: Act;
}

export function decorate(doc: Node, hunks: readonly Hunk[], current: string | null, drawing: Drawing): DecorationSet {
  const found: Decoration[] = [];
  for (const hunk of hunks) {
    const state = [hunk.conflict && "copydesk-conflict", hunk.id === current && "copydesk-current"].filter(Boolean).join(" ");
    const marked = { class: `copydesk-deletion ${state}`.trim(), "data-copydesk-hunk": hunk.id };
    // The user's version of a conflict is not struck through.
    if (hunk.conflict) found.push(...range(doc, hunk, { ...marked, class: `copydesk-mine ${state}`.trim() }, "span"));
    else found.push(...range(doc, hunk, marked, "del"));
    found.push(...proposal(doc, hunk, drawing));
  }
  return DecorationSet.create(doc, found);
}

/** Returns decorations for a range: on the text inside a textblock, otherwise on the nodes within it. */
export function range(doc: Node, { from, to }: { from: number; to: number }, attrs: Record<string, string>, nodeName?: string): Decoration[] {
  if (from >= to) return [];
  const start = doc.resolve(from);
  const inline = nodeName ? { ...attrs, nodeName } : attrs;
  if (start.parent.inlineContent || !start.sameParent(doc.resolve(to))) return [Decoration.inline(from, to, inline)];
  const found: Decoration[] = [];
  let at = from;
  for (let index = start.index(); at < to && index < start.parent.childCount; index++) {
    const { nodeSize } = start.parent.child(index);
    found.push(Decoration.node(at, at + nodeSize, { ...attrs, class: `${attrs.class} copydesk-block` }));
    at += nodeSize;
  }
  return found;
}

/** Returns the widgets of a hunk: its content, if it has any, and its buttons at the end. */
function proposal(doc: Node, hunk: Hunk, drawing: Drawing): Decoration[] {
  const { from, to } = hunk;
  const key = (part: number) => `${part}:${drawing.words.locale}:${signature(hunk)}`;
  const widget = (at: number, part: number, make: () => HTMLElement) =>
    Decoration.widget(at, () => tagged(make(), hunk), {
      key: key(part),
      side: 1,
      ignoreSelection: true,
      stopEvent: isForControls,
      // Not the marks of the surrounding text.
      marks: [],
    });

  if (doc.resolve(to).parent.inlineContent) return [widget(to, 0, () => inline(doc.type.schema, hunk, drawing))];
  if (!hunk.content.length) {
    const end = endOfText(doc, from, to);
    const place = end ?? to;
    return [widget(place, 0, () => wrapped(end === undefined ? "div" : "span", [controls(hunk, drawing)], "copydesk-anchor"))];
  }
  const draw = () => elementsOf(doc.type.schema, hunk, drawing);
  const elements = draw();
  if (!isBound(elements)) return [widget(to, 0, () => block(draw(), hunk, drawing))];
  // Items, rows and cells are inserted at their own positions.
  return elements.map((_, index) =>
    widget(to, index, () => {
      const element = draw()[index]!;
      element.classList.add("copydesk-insertion", "copydesk-block");
      if (index === elements.length - 1) innermost(element).append(wrapped("span", [controls(hunk, drawing)], "copydesk-anchor"));
      return element;
    }),
  );
}

/** Renders the proposed content as inert DOM. Images are shown, because their URLs passed the guards when the edit
 * was proposed. */
function elementsOf(schema: Schema, { content }: Hunk, { words }: Drawing): HTMLElement[] {
  return renderInert(Fragment.fromJSON(schema, content), { locale: words.locale, images: true });
}

function inline(schema: Schema, hunk: Hunk, drawing: Drawing): HTMLElement {
  const parts: HTMLElement[] = [];
  if (hunk.content.length) parts.push(wrapped("ins", elementsOf(schema, hunk, drawing), "copydesk-insertion"));
  parts.push(wrapped("span", [controls(hunk, drawing)], "copydesk-anchor"));
  return wrapped("span", parts, "copydesk-proposal");
}

function block(elements: HTMLElement[], hunk: Hunk, drawing: Drawing): HTMLElement {
  const content = wrapped("ins", elements, "copydesk-insertion copydesk-block");
  content.style.display = "block";
  return wrapped("div", [content, controls(hunk, drawing)], "copydesk-proposal copydesk-block");
}

function tagged(element: HTMLElement, hunk: Hunk): HTMLElement {
  element.dataset.copydeskHunk = hunk.id;
  element.classList.toggle("copydesk-conflict", hunk.conflict);
  return element;
}

/** Returns the end of the last text between two positions; undefined if there is no textblock. */
function endOfText(doc: Node, from: number, to: number): number | undefined {
  let end: number | undefined;
  doc.nodesBetween(from, to, (node, position) => {
    if (node.isTextblock) end = position + node.nodeSize - 1;
  });
  return end;
}

/** Keeps the editor from handling events of a button as typing or selecting; its shortcuts still work. */
function isForControls(event: Event): boolean {
  const isShortcut = event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey || event.altKey);
  return !isShortcut && event.target instanceof Element && event.target.closest(".copydesk-controls") !== null;
}
