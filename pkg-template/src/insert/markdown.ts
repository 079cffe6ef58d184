/** Markdown that the user pastes. */

import type { Editor } from "@tiptap/core";

/** Matches lines that make a block in Markdown: a heading, an item, a quote, a fence, a row of a table. */
const BLOCK = /^ {0,3}(?:#{1,6} \S|[-*+] \S|\d{1,3}[.)] \S|> |```|~~~|\|.+\|\s*$|(?:-{3,}|\*{3,})\s*$)/m;
const INLINE = /\*\*\S[^*]*\*\*|\[[^\]]+\]\(https?:[^)]+\)/;

/** Returns true for text that has the form of Markdown blocks, or several paragraphs with emphasis or links. */
export function looksLikeMarkdown(text: string): boolean {
  return BLOCK.test(text) || (text.includes("\n\n") && INLINE.test(text));
}

/** Inserts Markdown as blocks; as text if it cannot be read, or the part that reads it cannot be loaded. */
export async function insertMarkdown(editor: Editor, text: string): Promise<void> {
  const content = await import("../markdown-document/read-once.js")
    .then(async ({ readOnce }) => (await readOnce(text, editor.schema)).content ?? [])
    .catch((error: unknown) => void console.warn(error));
  if (editor.isDestroyed || !editor.isEditable) return;
  if (!content || !editor.chain().focus().insertContent(content).run()) editor.view.pasteText(text);
}
