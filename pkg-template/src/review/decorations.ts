/** Hunks as decorations: deleted content is struck through or hidden, inserted content is a widget. The document does
 * not change. */

import { Fragment, type Node, type Schema } from "@tiptap/pm/model";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { markTag, renderInert } from "../view/inert.js";
import type { Hunk, ReviewView } from "../types/index.js";
import { controls, type ControlsOptions } from "./controls.js";
import { formattingOf, type Formatting } from "./formatting.js";
import { formattingInWords } from "./formatting-words.js";
import { innermost, isBound, isBoundTag, tagOf, wrapped } from "./render.js";
import { signature } from "./state.js";
import { makeTypable } from "./proposed-text.js";
import { isForProposal } from "./typing.js";

export interface Drawing extends ControlsOptions {
  view: ReviewView;
  /** Returns true while a range of the page is selected. */
  isSelecting: () => boolean;
}

export function decorate(doc: Node, hunks: readonly Hunk[], current: string | null, drawing: Drawing): DecorationSet {
  if (drawing.view === "original") return DecorationSet.empty;
  if (drawing.view === "final")
    return DecorationSet.create(
      doc,
      hunks.flatMap((hunk) => applied(doc, hunk, drawing)),
    );
  const found: Decoration[] = [];
  for (const hunk of hunks) {
    const boxed = isBoxed(doc, hunk);
    const formatting = formattingOf(doc, hunk);
    if (formatting) {
      found.push(...formatted(doc, hunk, formatting, boxed, current, drawing));
      continue;
    }
    const state = [
      boxed && "copydesk-boxed",
      hunk.conflict && "copydesk-conflict",
      hunk.id === current && "copydesk-current",
    ]
      .filter(Boolean)
      .join(" ");
    // The user's version of a conflict is not struck through.
    const kind = hunk.conflict ? "copydesk-mine" : "copydesk-deletion";
    const marked = { class: `${kind} ${state}`.trim(), "data-copydesk-hunk": hunk.id };
    found.push(
      ...range(doc, hunk, marked, hunk.conflict ? "span" : "del", boxed ? `anchor-name: ${anchor(hunk, "end")}` : ""),
    );
    if (hunk.conflict) found.push(...ruleBeside(doc, hunk));
    found.push(...proposal(doc, hunk, boxed, drawing));
  }
  return DecorationSet.create(doc, found);
}

/** Returns the decorations of a hunk that changes no text: this is shown once, with what changes in words. Marks that are added
 * are shown as well. */
function formatted(
  doc: Node,
  hunk: Hunk,
  formatting: Formatting,
  boxed: boolean,
  current: string | null,
  drawing: Drawing,
): Decoration[] {
  const { from, to, id } = hunk;
  const { schema } = doc.type;
  const said = formattingInWords(formatting, drawing.words.locale);
  const { firstChild, childCount } = Fragment.fromJSON(schema, hunk.content);
  const state = [
    "copydesk-formatting",
    boxed && "copydesk-boxed",
    id === current && "copydesk-current",
    // For styles that depend on the block that it will be.
    boxed && childCount === 1 && `copydesk-to-${tagOf(firstChild)}`,
  ]
    .filter(Boolean)
    .join(" ");
  const lastStyle = boxed ? `anchor-name: ${anchor(hunk, "end")}` : "";
  const marked = range(doc, hunk, { class: state, "data-copydesk-hunk": id }, "span", lastStyle);
  const marks = formatting.added.flatMap(({ from, to, mark }) => {
    const nodeName = markTag(mark);
    return nodeName && nodeName !== "a" ? [Decoration.inline(from, to, { nodeName })] : [];
  });
  const isInline = doc.resolve(to).parent.inlineContent;
  const place = boxed ? from : isInline ? to : (endOfText(doc, from, to) ?? to);
  const isInText = doc.resolve(place).parent.inlineContent;
  const draw = () => {
    if (boxed) return box(hunk, doc, drawing, said);
    const label = wrapped("span", [said], "copydesk-label");
    return wrapped(
      isInText ? "span" : "div",
      [label, controls(hunk, doc, drawing, said)],
      "copydesk-anchor copydesk-formatted",
    );
  };
  const look = boxed ? "boxed" : isInText ? "text" : "blocks";
  const key = `formatting:${look}:${said}:${drawing.words.locale}:${signature(hunk)}`;
  const side = boxed ? HEAD : 1;
  const widget = Decoration.widget(place, () => tagged(draw(), hunk, Fragment.empty), specOf(hunk, key, side, drawing));
  return [...marked, ...marks, widget];
}

/** The side of the head of a box: behind the content of a hunk that ends where the box begins. */
const HEAD = 2;

/** Returns the options of a widget. */
function specOf({ from, to }: Hunk, key: string, side: number, { isSelecting }: Drawing) {
  return {
    key,
    side,
    ignoreSelection: true,
    /** What is typed at an insertion is before it, so that a caret is never drawn behind it; a range may begin there. */
    get relaxedSide() {
      return from < to || isSelecting();
    },
    stopEvent: isForProposal,
    // Not the marks of the surrounding text.
    marks: [],
  };
}

/** Returns the decorations that show the document with a hunk accepted. */
function applied(doc: Node, hunk: Hunk, drawing: Drawing): Decoration[] {
  const hidden = { class: "copydesk-hidden", style: "display: none" };
  return [...range(doc, hunk, hidden, "del"), ...proposal(doc, hunk, false, drawing)];
}

/** Returns decorations for a range: on the text inside a textblock, otherwise on the nodes within it. `lastStyle` is the
 * style of the last of these nodes. */
export function range(
  doc: Node,
  { from, to }: { from: number; to: number },
  attrs: Record<string, string>,
  nodeName?: string,
  lastStyle = "",
): Decoration[] {
  if (from >= to) return [];
  const start = doc.resolve(from);
  const inline = nodeName ? { ...attrs, nodeName } : attrs;
  if (start.parent.inlineContent || !start.sameParent(doc.resolve(to))) return [Decoration.inline(from, to, inline)];
  const found: Decoration[] = [];
  let at = from;
  for (let index = start.index(); at < to && index < start.parent.childCount; index++) {
    const node = start.parent.child(index);
    const { nodeSize } = node;
    const style = lastStyle && at + nodeSize >= to ? { style: lastStyle } : {};
    found.push(
      Decoration.node(at, at + nodeSize, { ...attrs, ...style, class: `${attrs.class} copydesk-block${lookOf(node)}` }),
    );
    at += nodeSize;
  }
  return found;
}

/** Returns classes for blocks that look different when they are deleted. Selectors with `:has()` would be matched again
 * with every key. */
function lookOf(node: Node): string {
  if (node.isTextblock && !node.content.size && !node.type.spec.code) return " copydesk-empty";
  const image = node.childCount === 1 ? node.firstChild : node;
  return tagOf(image) === "img" ? " copydesk-image" : "";
}

/** Returns true if the replaced blocks of a hunk are drawn in one box, with its buttons at the top. Items, rows and cells
 * cannot be, and an empty paragraph that an article replaces needs no box. */
function isBoxed(doc: Node, { from, to, content }: Hunk): boolean {
  if (from >= to) return false;
  const start = doc.resolve(from);
  if (start.parent.inlineContent || !start.sameParent(doc.resolve(to)) || isBoundTag(start.nodeAfter)) return false;
  if (!content.length) return true;
  const { parent } = start;
  for (let at = from, index = start.index(); at < to; index++) {
    const node = parent.child(index);
    if (!node.isTextblock || node.content.size > 0) return true;
    at += node.nodeSize;
  }
  return false;
}

/** Returns the name of an edge of a hunk's box, by which CSS places the frame. */
function anchor({ id }: Hunk, edge: "start" | "end"): string {
  return `--copydesk-${id}-${edge}`;
}

/** Returns the decoration of the block in which a conflict is: the rule in the margin. */
function ruleBeside(doc: Node, { from }: Hunk): Decoration[] {
  const position = doc.resolve(from);
  if (!position.parent.isTextblock) return [];
  return [Decoration.node(position.before(), position.after(), { class: "copydesk-conflict-beside" })];
}

/** Returns the widgets of a hunk: its content, if it has any, and its buttons. */
function proposal(doc: Node, hunk: Hunk, boxed: boolean, drawing: Drawing): Decoration[] {
  const { from, to } = hunk;
  const { schema } = doc.type;
  const isPlain = drawing.view === "final";
  const look = [boxed && "boxed", isPlain && "plain", drawing.words.locale].filter(Boolean).join(":");
  const key = (part: number | string) => `${part}:${look}:${signature(hunk)}`;
  const content = Fragment.fromJSON(schema, hunk.content);
  const widget = (at: number, part: number | string, make: () => HTMLElement, side = 1, child?: number) =>
    Decoration.widget(at, () => tagged(make(), hunk, content, child), specOf(hunk, key(part), side, drawing));

  if (isPlain && !hunk.content.length) return [];
  if (doc.resolve(to).parent.inlineContent) return [widget(to, 0, () => inline(doc, hunk, drawing))];
  const head = boxed ? [widget(from, "box", () => box(hunk, doc, drawing), HEAD)] : [];
  if (!hunk.content.length) {
    if (boxed) return head;
    const end = endOfText(doc, from, to);
    const place = end ?? to;
    return [
      widget(place, 0, () =>
        wrapped(end === undefined ? "div" : "span", [controls(hunk, doc, drawing)], "copydesk-anchor"),
      ),
    ];
  }
  const draw = () => elementsOf(schema, hunk, drawing);
  const elements = draw();
  if (!isBound(elements)) return [...head, widget(to, 0, () => block(draw(), hunk, doc, boxed, drawing))];
  // Items, rows and cells are inserted at their own positions.
  return elements.map((_, index) => {
    const make = () => {
      const element = draw()[index]!;
      if (isPlain) return element;
      element.classList.add("copydesk-insertion", "copydesk-block");
      if (index === elements.length - 1)
        innermost(element).append(wrapped("span", [controls(hunk, doc, drawing)], "copydesk-anchor"));
      return element;
    };
    return widget(to, index, make, 1, index);
  });
}

/** Draws the head of the box around replaced blocks, with the buttons, and the frame, which reaches to the last block. `said` is
 * the change in words, if no text is replaced. */
function box(hunk: Hunk, doc: Node, drawing: Drawing, said?: string): HTMLElement {
  const { words } = drawing;
  const what = said ?? (hunk.content.length ? words.replaceThis : words.deleteThis);
  const frame = wrapped("span", [], "copydesk-frame");
  const [start, end] = [anchor(hunk, "start"), anchor(hunk, "end")];
  frame.style.cssText = `top: anchor(${start} top); inset-inline: anchor(${start} start) anchor(${start} end); bottom: anchor(${end} bottom)`;
  const label = hunk.conflict ? [] : [wrapped("span", [what], "copydesk-label")];
  const look = said === undefined ? "copydesk-box" : "copydesk-box copydesk-formatted";
  const head = wrapped("div", [...label, controls(hunk, doc, drawing, said), frame], look);
  head.style.cssText = `anchor-name: ${start}`;
  return head;
}

/** Renders the proposed content as inert DOM. Images are shown, because their URLs passed the guards when the edit
 * was proposed. */
function elementsOf(schema: Schema, { content }: Hunk, { words }: Drawing): HTMLElement[] {
  return renderInert(Fragment.fromJSON(schema, content), { locale: words.locale, images: true, selectable: true });
}

function inline(doc: Node, hunk: Hunk, drawing: Drawing): HTMLElement {
  if (drawing.view === "final") return wrapped("span", [plain("span", elementsOf(doc.type.schema, hunk, drawing))]);
  const parts: HTMLElement[] = [];
  if (hunk.content.length) parts.push(wrapped("ins", elementsOf(doc.type.schema, hunk, drawing), "copydesk-insertion"));
  parts.push(wrapped("span", [controls(hunk, doc, drawing)], "copydesk-anchor"));
  return wrapped("span", parts, "copydesk-proposal");
}

function block(elements: HTMLElement[], hunk: Hunk, doc: Node, boxed: boolean, drawing: Drawing): HTMLElement {
  if (drawing.view === "final") return withFirst(wrapped("div", [plain("div", elements)], "copydesk-block"), elements);
  const content = wrapped("ins", elements, "copydesk-insertion copydesk-block");
  content.style.display = "block";
  // The buttons are beside the first line; the head of a box has them already.
  const proposal = wrapped(
    "div",
    [...(boxed ? [] : [controls(hunk, doc, drawing)]), content],
    "copydesk-proposal copydesk-block",
  );
  return withFirst(proposal, elements);
}

/** Adds a class for styles that depend on the first block. */
function withFirst(proposal: HTMLElement, [first]: readonly HTMLElement[]): HTMLElement {
  if (first) proposal.classList.add(`copydesk-first-${first.localName}`);
  return proposal;
}

/** Returns the element around content that looks like that of the document. */
function plain(tag: string, elements: readonly HTMLElement[]): HTMLElement {
  return wrapped(tag, elements, "copydesk-plain");
}

function tagged(element: HTMLElement, hunk: Hunk, content: Fragment, child?: number): HTMLElement {
  element.dataset.copydeskHunk = hunk.id;
  // Takes the focus from the cursor in the text: a key in a proposal must not reach another place.
  element.tabIndex = -1;
  if (!hunk.conflict) makeTypable(element, hunk.id, content, child);
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
