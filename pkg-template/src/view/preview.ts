/** The preview of unfinished calls in the editor. It is a decoration and never part of the document. */

import type { Editor } from "@tiptap/core";
import { DOMParser, Fragment, type Node, type Schema } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { Document } from "../document/document.js";
import { subscribePreview, type PreviewTarget, type TargetResolver } from "../agent/preview-channel.js";
import { parseInert } from "./inert-html.js";
import { renderInert } from "./inert.js";
import { previewKey, type PreviewState, type Shown } from "./preview-state.js";
import { range } from "../review/decorations.js";

export interface Preview {
  /** Ends the preview permanently. */
  end(): void;
}

const NONE: PreviewState = { shown: null, decorations: DecorationSet.empty };

export function previewPlugin(): Plugin<PreviewState> {
  return new Plugin<PreviewState>({
    key: previewKey,
    state: {
      init: () => NONE,
      apply(tr, before, _old, { doc }) {
        const shown = tr.getMeta(previewKey) as Shown | null | undefined;
        if (shown !== undefined) return shown ? { shown, decorations: draw(doc, shown) } : NONE;
        if (!before.shown || !tr.docChanged) return before;
        const from = tr.mapping.map(before.shown.from, 1);
        const to = Math.max(from, tr.mapping.map(before.shown.to, -1));
        return { shown: { ...before.shown, from, to }, decorations: before.decorations.map(tr.mapping, tr.doc) };
      },
    },
    props: { decorations: (state) => previewKey.getState(state)?.decorations },
  });
}

function draw(doc: Node, { from, to, element }: Shown): DecorationSet {
  const widget = Decoration.widget(isInline(doc, from) ? to : from, element, {
    key: "copydesk-preview",
    side: 1,
    ignoreSelection: true,
    marks: [],
  });
  return DecorationSet.create(doc, [...range(doc, { from, to }, { class: "copydesk-replaced" }), widget]);
}

function isInline(doc: Node, position: number): boolean {
  return doc.resolve(position).parent.inlineContent;
}

/** Shows in the editor what agents write into its document; `locale` is the language of labels. */
export function preview(editor: Editor, document: Document, locale: string | undefined): Preview {
  /** The call whose arguments are arriving, or that waits for approval. It is drawn once per frame with the latest arguments. */
  let call: { toolId: string; resolveTarget: TargetResolver } | null = null;
  let frame = 0;
  /** The content of the element. */
  let drawn = Fragment.empty;
  let parser: GrowingContent | null = null;

  const drop = () => {
    call = null;
    parser = null;
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    drawn = Fragment.empty;
    if (!editor.isDestroyed && previewKey.getState(editor.state)?.shown) send(editor, null);
  };

  const show = () => {
    frame = 0;
    // Drawing during an IME composition could end it.
    if (!call || editor.isDestroyed || editor.view.composing) return;
    const target = targetOf(call.resolveTarget, call.toolId, editor);
    if (!target) return;
    const { doc, schema } = editor.state;
    const inline = isInline(doc, target.from);
    parser ??= new GrowingContent();
    const content = parser.parse(schema, target, inline);
    if (!content) return;
    let shown = previewKey.getState(editor.state)?.shown ?? null;
    if (!shown && !content.size && target.from === target.to) return;
    const tag = inline ? "span" : "div";
    if (!shown || shown.from !== target.from || shown.to !== target.to || shown.element.localName !== tag) {
      const element = shown?.element.localName === tag ? shown.element : container(tag);
      if (element !== shown?.element) drawn = Fragment.empty;
      shown = { from: target.from, to: target.to, element };
      send(editor, shown);
    }
    patch(shown.element, drawn, content, locale);
    drawn = content;
  };

  const end = subscribePreview(document, (event, resolveTarget) => {
    switch (event.type) {
      case "tool_args":
      case "approval_request":
        if (call?.toolId !== event.toolId) drop();
        call = { toolId: event.toolId, resolveTarget };
        frame ||= requestAnimationFrame(show);
        break;
      case "tool_result":
        if (event.toolId === call?.toolId) drop();
        break;
      case "turn_start":
      case "retry":
      case "complete":
      case "aborted":
      case "error":
        drop();
    }
  });

  return {
    end() {
      end();
      call = null;
      // `cancelAnimationFrame` is missing without a page.
      if (frame) cancelAnimationFrame(frame);
    },
  };
}

/** Returns the target of a call, or null if it does not fit the editor's current document. */
function targetOf(resolveTarget: TargetResolver, toolId: string, editor: Editor): PreviewTarget | null {
  try {
    const target = resolveTarget(toolId);
    return target && target.from <= target.to && target.to <= editor.state.doc.content.size ? target : null;
  } catch {
    return null;
  }
}

/** The length of content that is parsed again with each frame, in UTF-16 code units: a few milliseconds. */
const LONGEST_TAIL = 8_000;
/** The end of a block before another one. */
const BETWEEN_BLOCKS =
  /<\/(?:p|h[1-6]|ul|ol|table|blockquote|pre)>\s*(?=<(?:p|h[1-6]|ul|ol|table|blockquote|pre|hr)\b)/g;

/**
 * The parser of one call's content. It grows at its end, so blocks far from the end are parsed once. Where they are cut
 * is a guess: inside of a nested block the preview shows its levels wrong, until the edit itself is made.
 */
class GrowingContent {
  #head = "";
  #blocks = Fragment.empty;

  /**
   * Parses unfinished content with the editor's schema. Returns null if a rule of the schema throws, which it may for
   * incomplete content; the edit itself reports the error later.
   */
  parse(schema: Schema, { content, format }: PreviewTarget, inline: boolean): Fragment | null {
    try {
      if (format === "text") return lines(schema, content, inline);
      return inline ? blocks(schema, content, true) : this.#grown(schema, content);
    } catch {
      return null;
    }
  }

  #grown(schema: Schema, content: string): Fragment {
    if (!content.startsWith(this.#head)) [this.#head, this.#blocks] = ["", Fragment.empty];
    const tail = content.slice(this.#head.length);
    if (tail.length > 2 * LONGEST_TAIL) {
      const cuts = [...tail.slice(0, -LONGEST_TAIL).matchAll(BETWEEN_BLOCKS)];
      const last = cuts.at(-1);
      if (last) {
        const parsed = tail.slice(0, last.index + last[0].length);
        this.#blocks = this.#blocks.append(blocks(schema, parsed, false));
        this.#head += parsed;
        return this.#blocks.append(blocks(schema, tail.slice(parsed.length), false));
      }
    }
    return this.#blocks.append(blocks(schema, tail, false));
  }
}

function lines(schema: Schema, content: string, inline: boolean): Fragment {
  const text = (line: string) => (line ? schema.text(line) : null);
  const { paragraph } = schema.nodes;
  if (inline || !paragraph) return Fragment.from(text(content));
  return Fragment.from(content ? content.split("\n").map((line) => paragraph.create(null, text(line))) : null);
}

function blocks(schema: Schema, content: string, inline: boolean): Fragment {
  // Omits an incomplete tag or entity.
  const open = content.indexOf("<", content.lastIndexOf(">") + 1);
  const whole = (open < 0 ? content : content.slice(0, open)).replace(/&[#\w]*$/, "");
  if (!whole.trim()) return Fragment.empty;
  const parser = DOMParser.fromSchema(schema);
  const dom = parseInert(whole);
  if (!inline) return parser.parse(dom).content;
  const { content: found } = parser.parseSlice(dom);
  return found.childCount === 1 && found.firstChild?.isTextblock ? found.firstChild.content : found;
}

/** Updates the element from the first node that differs. */
function patch(element: HTMLElement, drawn: Fragment, content: Fragment, locale: string | undefined): void {
  // Inline nodes may share elements through their marks; then all nodes are drawn again.
  const isEach = element.childNodes.length === drawn.childCount;
  let same = 0;
  while (isEach && same < drawn.childCount && same < content.childCount && drawn.child(same).eq(content.child(same)))
    same++;
  if (content.eq(drawn)) return;
  while (element.childNodes.length > same) element.lastChild?.remove();
  let rest = Fragment.empty;
  for (let index = same; index < content.childCount; index++) rest = rest.addToEnd(content.child(index));
  // The content has not passed the guards, so images are not shown.
  element.append(...renderInert(rest, { locale, images: false }));
  // For styles that depend on the first block.
  const first = element.firstElementChild ? ` copydesk-first-${element.firstElementChild.localName}` : "";
  element.className = element.className.replace(/ copydesk-first-\S+/, "") + first;
}

function container(tag: string): HTMLElement {
  const element = window.document.createElement(tag);
  element.className = "copydesk-preview";
  // It changes with every frame; the finished edit is announced instead.
  element.setAttribute("aria-hidden", "true");
  return element;
}

function send(editor: Editor, shown: Shown | null): void {
  editor.view.dispatch(editor.state.tr.setMeta(previewKey, shown).setMeta("addToHistory", false));
}
