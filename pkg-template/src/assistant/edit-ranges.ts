/**
 * The ranges of the assistant's edits in the document. Ranges are mapped through changes of the text around them, and one
 * of them can be highlighted. None of this is part of the document.
 */
import type { Editor } from "@tiptap/core";
import { Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

export interface EditRange {
  from: number;
  to: number;
  /** Content inserted at the edges extends the range. */
  grows?: boolean;
}

interface EditRanges {
  all: Map<string, EditRange>;
  highlighted: string | null;
  decorations: DecorationSet;
}

type Meta = { add: [string, EditRange] } | { highlight: string | null } | { clear: true };

const key = new PluginKey<EditRanges>("editRanges");

function draw(state: EditorState, range: EditRange | undefined): DecorationSet {
  if (!range) return DecorationSet.empty;
  if (range.from === range.to) {
    // The review draws pending insertions.
    if (range.grows) return DecorationSet.empty;
    const gap = () => Object.assign(document.createElement("div"), { className: "highlight-gap" });
    return DecorationSet.create(state.doc, [Decoration.widget(range.from, gap, { side: -1, key: "gap" })]);
  }
  const found: Decoration[] = [];
  state.doc.forEach((node, offset) => {
    if (offset < range.to && offset + node.nodeSize > range.from) {
      found.push(Decoration.node(offset, offset + node.nodeSize, { class: "highlighted" }));
    }
  });
  return DecorationSet.create(state.doc, found);
}

function editRangesPlugin(): Plugin<EditRanges> {
  return new Plugin<EditRanges>({
    key,
    state: {
      init: () => ({ all: new Map(), highlighted: null, decorations: DecorationSet.empty }),
      apply(tr, before, _old, state) {
        const meta = tr.getMeta(key) as Meta | undefined;
        if (!meta && !tr.docChanged) return before;
        let { all, highlighted } = before;
        if (tr.docChanged) {
          all = new Map(
            [...all].map(([id, { from, to, grows }]) => {
              const start = tr.mapping.map(from, from === to || grows ? -1 : 1);
              return [id, { from: start, to: Math.max(start, tr.mapping.map(to, grows ? 1 : -1)), grows }];
            }),
          );
        }
        if (meta && "add" in meta) all = new Map(all).set(...meta.add);
        if (meta && "highlight" in meta) highlighted = meta.highlight;
        if (meta && "clear" in meta) [all, highlighted] = [new Map(), null];
        return { all, highlighted, decorations: draw(state, highlighted === null ? undefined : all.get(highlighted)) };
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  });
}

/** Lets an editor follow ranges of edits. Without it the functions below do nothing. */
export function followEdits(editor: Editor): void {
  if (!key.getState(editor.state)) editor.registerPlugin(editRangesPlugin());
}

function dispatch(editor: Editor, meta: Meta): void {
  if (editor.isDestroyed || !key.getState(editor.state)) return;
  editor.view.dispatch(editor.state.tr.setMeta(key, meta).setMeta("addToHistory", false));
}

export const addEditRange = (editor: Editor, id: string, range: EditRange): void =>
  dispatch(editor, { add: [id, range] });
export const clearEditRanges = (editor: Editor): void => dispatch(editor, { clear: true });

/** Highlights a range instead of the current one. */
export function highlight(editor: Editor, id: string): void {
  if (key.getState(editor.state)?.highlighted !== id) dispatch(editor, { highlight: id });
}

/** Removes the highlight, if it is on this range. */
export function removeHighlight(editor: Editor, id: string): void {
  if (key.getState(editor.state)?.highlighted === id) dispatch(editor, { highlight: null });
}

export function editRange(editor: Editor, id: string): EditRange | undefined {
  return key.getState(editor.state)?.all.get(id);
}

/** Returns the id of the newest edit whose range contains a position. */
export function editAt(editor: Editor, position: number): string | null {
  const all = key.getState(editor.state)?.all ?? new Map<string, EditRange>();
  return [...all].reverse().find(([, { from, to }]) => from <= position && position < to)?.[0] ?? null;
}
