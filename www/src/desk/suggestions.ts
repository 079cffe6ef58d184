/** What one could ask next, chosen by what stands on the page. */
import type { Editor } from "@tiptap/core";
import type { Section } from "copydesk";
import { documentOf } from "../editor";
import type { Words } from "../words";

export function suggestions(editor: Editor, w: Words): string[] {
  const chapters = documentOf(editor).sections().filter((section) => section.index > 0);
  if (!chapters.length) return [w.suggest.write, w.suggest.writeOther, w.suggest.help];
  const longest = chapters.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
  const bare = chapters.find((chapter) => !hasPicture(chapter));
  const last = chapters[chapters.length - 1]!;
  return [
    w.suggest.shorten(longest.index),
    w.suggest.rewrite(last.index),
    bare ? w.suggest.picture(bare.index) : w.suggest.insert(last.index),
    w.suggest.summarise,
  ];
}

function hasPicture({ content }: Section): boolean {
  return content.includes("<img");
}
