/** Suggested prompts that fit the current document. */
import type { Editor } from "@tiptap/core";
import { documentOf } from "../editor";
import type { Messages } from "../locale";

export function suggestions(editor: Editor, m: Messages): string[] {
  const sections = documentOf(editor)
    .outline()
    .filter((section) => section.index > 0);
  if (!sections.length) return [m.suggest.write, m.suggest.writeOther, m.suggest.help];
  const longest = sections.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
  const withoutImage = sections.find((section) => !hasImage(editor, section));
  const last = sections[sections.length - 1]!;
  return [
    m.suggest.shorten(longest.index),
    m.suggest.rewrite(last.index),
    withoutImage ? m.suggest.image(withoutImage.index) : m.suggest.insert(last.index),
    m.suggest.summarize,
  ];
}

function hasImage({ state: { doc } }: Editor, { from, to }: { from: number; to: number }): boolean {
  let found = false;
  // Pending changes may have moved the section; for a suggestion that does not matter.
  doc.nodesBetween(Math.min(from, doc.content.size), Math.min(to, doc.content.size), (node) => {
    found ||= node.type.name === "image";
    return !found;
  });
  return found;
}
