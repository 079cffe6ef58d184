/**
 * Where on the page each edit of the desk stands. A place is a range that is carried along while the text
 * around it changes; one of them can be lit. Nothing of this is part of the document.
 */
import { Extension, type Editor } from "@tiptap/core";
import { Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

export interface Place {
  from: number;
  to: number;
  /** Whether what is put at its edges belongs to it. */
  grows?: boolean;
}

interface Places {
  all: Map<string, Place>;
  lit: string | null;
  decorations: DecorationSet;
}

type Meta = { add: [string, Place] } | { light: string | null } | { clear: true };

const key = new PluginKey<Places>("places");

function draw(state: EditorState, place: Place | undefined): DecorationSet {
  if (!place) return DecorationSet.empty;
  if (place.from === place.to) {
    // What would come there is drawn by the review.
    if (place.grows) return DecorationSet.empty;
    const gap = () => Object.assign(document.createElement("div"), { className: "lit-gap" });
    return DecorationSet.create(state.doc, [Decoration.widget(place.from, gap, { side: -1, key: "gap" })]);
  }
  const found: Decoration[] = [];
  state.doc.forEach((node, offset) => {
    if (offset < place.to && offset + node.nodeSize > place.from) {
      found.push(Decoration.node(offset, offset + node.nodeSize, { class: "lit" }));
    }
  });
  return DecorationSet.create(state.doc, found);
}

export const PlacesExtension = Extension.create({
  name: "places",
  addProseMirrorPlugins() {
    return [
      new Plugin<Places>({
        key,
        state: {
          init: () => ({ all: new Map(), lit: null, decorations: DecorationSet.empty }),
          apply(tr, before, _old, state) {
            const meta = tr.getMeta(key) as Meta | undefined;
            if (!meta && !tr.docChanged) return before;
            let { all, lit } = before;
            if (tr.docChanged) {
              all = new Map(
                [...all].map(([id, { from, to, grows }]) => {
                  const start = tr.mapping.map(from, from === to || grows ? -1 : 1);
                  return [id, { from: start, to: Math.max(start, tr.mapping.map(to, grows ? 1 : -1)), grows }];
                }),
              );
            }
            if (meta && "add" in meta) all = new Map(all).set(...meta.add);
            if (meta && "light" in meta) lit = meta.light;
            if (meta && "clear" in meta) [all, lit] = [new Map(), null];
            return { all, lit, decorations: draw(state, lit === null ? undefined : all.get(lit)) };
          },
        },
        props: { decorations: (state) => key.getState(state)?.decorations },
      }),
    ];
  },
});

function send(editor: Editor, meta: Meta): void {
  if (editor.isDestroyed) return;
  editor.view.dispatch(editor.state.tr.setMeta(key, meta).setMeta("addToHistory", false));
}

export const addPlace = (editor: Editor, id: string, place: Place): void => send(editor, { add: [id, place] });
export const clearPlaces = (editor: Editor): void => send(editor, { clear: true });

export function light(editor: Editor, id: string | null): void {
  if (key.getState(editor.state)?.lit !== id) send(editor, { light: id });
}

/** Puts the light out, if it is this place that is lit. */
export function darken(editor: Editor, id: string): void {
  if (key.getState(editor.state)?.lit === id) send(editor, { light: null });
}

export function placeOf(editor: Editor, id: string): Place | undefined {
  return key.getState(editor.state)?.all.get(id);
}

/** The newest edit that stands at a position. */
export function editAt(editor: Editor, position: number): string | null {
  const all = key.getState(editor.state)?.all ?? new Map<string, Place>();
  return [...all].reverse().find(([, { from, to }]) => from <= position && position < to)?.[0] ?? null;
}
