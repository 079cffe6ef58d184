/** The preview of what an agent is writing, shown in its place. Nothing of it is in the document. */

import type { Editor } from "@tiptap/core";
import { DOMParser, Fragment, type Node, type Schema } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { Document } from "./document.js";
import { follow, type Place, type Placer } from "./follower.js";
import { parseInert } from "./inert-html.js";
import { renderInert } from "./inert.js";
import { range } from "./review/decorations.js";

export interface Preview {
  /** Ends it for good. */
  end(): void;
}

/** Where it stands, and the element that holds it. */
interface Shown {
  from: number;
  to: number;
  element: HTMLElement;
}

interface PreviewState {
  shown: Shown | null;
  decorations: DecorationSet;
}

const key = new PluginKey<PreviewState>("copydeskPreview");
const NONE: PreviewState = { shown: null, decorations: DecorationSet.empty };

export function previewPlugin(): Plugin<PreviewState> {
  return new Plugin<PreviewState>({
    key,
    state: {
      init: () => NONE,
      apply(tr, before, _old, { doc }) {
        const shown = tr.getMeta(key) as Shown | null | undefined;
        if (shown !== undefined) return shown ? { shown, decorations: draw(doc, shown) } : NONE;
        if (!before.shown || !tr.docChanged) return before;
        const from = tr.mapping.map(before.shown.from, 1);
        const to = Math.max(from, tr.mapping.map(before.shown.to, -1));
        return { shown: { ...before.shown, from, to }, decorations: before.decorations.map(tr.mapping, tr.doc) };
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  });
}

function draw(doc: Node, { from, to, element }: Shown): DecorationSet {
  const widget = Decoration.widget(isInline(doc, from) ? to : from, element, { key: "copydesk-preview", side: 1, ignoreSelection: true, marks: [] });
  return DecorationSet.create(doc, [...range(doc, { from, to }, { class: "copydesk-replaced" }), widget]);
}

function isInline(doc: Node, position: number): boolean {
  return doc.resolve(position).parent.inlineContent;
}

/** Shows in the editor what agents write into its document; labels are in the language of `locale`. */
export function preview(editor: Editor, document: Document, locale: string | undefined): Preview {
  /** The call whose arguments arrive. It is drawn once a frame, from what has arrived by then. */
  let call: { toolId: string; placer: Placer } | null = null;
  let frame = 0;
  /** What the element shows. */
  let drawn = Fragment.empty;

  const drop = () => {
    call = null;
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    drawn = Fragment.empty;
    if (!editor.isDestroyed && key.getState(editor.state)?.shown) send(editor, null);
  };

  const show = () => {
    frame = 0;
    // What is drawn in the middle of a composition could end it.
    if (!call || editor.isDestroyed || editor.view.composing) return;
    const place = placed(call.placer, call.toolId, editor);
    if (!place) return;
    const { doc, schema } = editor.state;
    const inline = isInline(doc, place.from);
    const content = parsed(schema, place, inline);
    if (!content) return;
    let shown = key.getState(editor.state)?.shown ?? null;
    if (!shown && !content.size && place.from === place.to) return;
    const tag = inline ? "span" : "div";
    if (!shown || shown.from !== place.from || shown.to !== place.to || shown.element.localName !== tag) {
      const element = shown?.element.localName === tag ? shown.element : container(tag);
      if (element !== shown?.element) drawn = Fragment.empty;
      shown = { from: place.from, to: place.to, element };
      send(editor, shown);
    }
    patch(shown.element, drawn, content, locale);
    drawn = content;
  };

  const end = follow(document, (event, placer) => {
    switch (event.type) {
      case "tool_args":
        if (call?.toolId !== event.toolId) drop();
        call = { toolId: event.toolId, placer };
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
      // Without a page there are no frames.
      if (frame) cancelAnimationFrame(frame);
    },
  };
}

/** Returns the place of a call, or null where the editor's current document has none: then it is not shown. */
function placed(placer: Placer, toolId: string, editor: Editor): Place | null {
  try {
    const place = placer(toolId);
    return place && place.from <= place.to && place.to <= editor.state.doc.content.size ? place : null;
  } catch {
    return null;
  }
}

/**
 * Content that may break off anywhere, as what the editor's schema makes of it. Null where a rule of the schema throws: what is
 * not whole may be nothing that the rule expects, and when it is whole the edit itself says what is wrong.
 */
function parsed(schema: Schema, place: Place, inline: boolean): Fragment | null {
  try {
    return place.format === "text" ? lines(schema, place.content, inline) : blocks(schema, place.content, inline);
  } catch {
    return null;
  }
}

function lines(schema: Schema, content: string, inline: boolean): Fragment {
  const text = (line: string) => (line ? schema.text(line) : null);
  const { paragraph } = schema.nodes;
  if (inline || !paragraph) return Fragment.from(text(content));
  return Fragment.from(content ? content.split("\n").map((line) => paragraph.create(null, text(line))) : null);
}

function blocks(schema: Schema, content: string, inline: boolean): Fragment {
  // A tag or an entity that has not come to its end is not shown yet.
  const open = content.indexOf("<", content.lastIndexOf(">") + 1);
  const whole = (open < 0 ? content : content.slice(0, open)).replace(/&[#\w]*$/, "");
  if (!whole.trim()) return Fragment.empty;
  const parser = DOMParser.fromSchema(schema);
  const dom = parseInert(whole);
  if (!inline) return parser.parse(dom).content;
  const { content: found } = parser.parseSlice(dom);
  return found.childCount === 1 && found.firstChild?.isTextblock ? found.firstChild.content : found;
}

/** Draws `content` into the element, from the first node on that differs from what stands there. */
function patch(element: HTMLElement, drawn: Fragment, content: Fragment, locale: string | undefined): void {
  // Inline nodes may share an element by their marks; then no element is one node's, and all are drawn anew.
  const isEach = element.childNodes.length === drawn.childCount;
  let same = 0;
  while (isEach && same < drawn.childCount && same < content.childCount && drawn.child(same).eq(content.child(same))) same++;
  if (content.eq(drawn)) return;
  while (element.childNodes.length > same) element.lastChild?.remove();
  let rest = Fragment.empty;
  for (let index = same; index < content.childCount; index++) rest = rest.addToEnd(content.child(index));
  // Nothing of it has met the guards, so no picture is shown.
  element.append(...renderInert(rest, { locale, pictures: false }));
}

function container(tag: string): HTMLElement {
  const element = window.document.createElement(tag);
  element.className = "copydesk-preview";
  // It changes with every frame; what comes of it is told when it is there.
  element.setAttribute("aria-hidden", "true");
  return element;
}

function send(editor: Editor, shown: Shown | null): void {
  editor.view.dispatch(editor.state.tr.setMeta(key, shown).setMeta("addToHistory", false));
}
