/** Suggested prompts that fit the current document. */
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { Messages } from "../locale";
import { sectionsOf, type Section } from "../sections";

export function suggestions(editor: Editor, m: Messages): string[] {
  const sections = sectionsOf(editor).filter(({ number, state }) => number > 0 && state !== "deleted");
  const last = sections.at(-1);
  if (!last) return [m.suggest.write, m.suggest.writeOther, m.suggest.help];
  const longest = sections.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
  const withoutImage = sections.find(({ blocks }) => !blocks.some(hasImage));
  return [
    m.suggest.shorten(longest.number),
    m.suggest.rewrite(last.number),
    withoutImage ? m.suggest.image(withoutImage.number) : m.suggest.insert(last.number),
    m.suggest.summarize,
  ];
}

function sizeOf({ blocks }: Section): number {
  return blocks.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
}

function hasImage(node: Node): boolean {
  return node.type.name === "image" || node.children.some(hasImage);
}
