/** Suggested prompts that fit the current document. The demo model suggests its own. */
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { sectionsOf, type Section } from "../assistant/sections.js";
import type { Words } from "./words/en.js";

/** Returns prompts for the document, or for the files if the user has some; `files` is their number. */
export function suggestions(editor: Editor, m: Words, files: number | null): string[] {
  const { suggest } = m.files;
  if (files) return [suggest.check, suggest.setups, suggest.next(files + 1), m.suggest.summarize];
  const forDocument = suggestionsFor(editor, m);
  return files === 0 ? [suggest.first, ...forDocument.slice(1)] : forDocument;
}

function suggestionsFor(editor: Editor, m: Words): string[] {
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
