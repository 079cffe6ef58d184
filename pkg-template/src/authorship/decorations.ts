/** The text of agents as it is drawn in an editor. */

import type { Node } from "@tiptap/pm/model";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { RecordRanges } from "./ranges.js";
import type { AuthorshipRecord } from "./record.js";

/** Returns decorations of ranges in the color of their agents, with the name as the title. */
export function authoredDecorations(
  doc: Node,
  ranges: RecordRanges,
  records: ReadonlyMap<string, AuthorshipRecord>,
): DecorationSet {
  const made = ranges.flatMap(({ from, to, id }) => {
    const record = records.get(id);
    if (!record) return [];
    const { name, model = "", color } = record.agent;
    return Decoration.inline(from, to, {
      class: "copydesk-authored",
      title: name || model,
      ...(color && { style: `--copydesk-author: ${color}` }),
    });
  });
  return DecorationSet.create(doc, made);
}
