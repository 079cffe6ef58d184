/** Marks the matches of a search in the document. They follow what is typed until the search is done again. */

import { Extension, type Editor } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

const key = new PluginKey<DecorationSet>("find");

interface Range {
  from: number;
  to: number;
}

/** The extension that shows the matches of a search, as the classes `find-match` and `find-current`. */
export const FindMarks = Extension.create({
  name: "find",
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply: (tr, before) => (tr.getMeta(key) as DecorationSet | undefined) ?? before.map(tr.mapping, tr.doc),
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});

/** Marks ranges, and one of them as the current one. */
export function markMatches({ state, view }: Editor, ranges: readonly Range[], current: Range | null): void {
  const marks = ranges.map((range) =>
    Decoration.inline(range.from, range.to, { class: range === current ? "find-match find-current" : "find-match" }),
  );
  view.dispatch(state.tr.setMeta(key, DecorationSet.create(state.doc, marks)).setMeta("addToHistory", false));
}
