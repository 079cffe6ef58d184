/** Shows a line of the open file in the editor. */

import type { Editor } from "@tiptap/core";
import type { Node, Schema } from "@tiptap/pm/model";
import { addEditRange, editRange, highlight, removeHighlight, type EditRange } from "../assistant/edit-ranges.js";
import { scrollTo } from "../assistant/ranges.js";
import type { NodeJSON } from "../types/index.js";
import { workerOf } from "./markdown-files.js";

const RANGE = "place";

/**
 * Puts the cursor at a line of the source, counted from 1, and highlights its block until the user moves the cursor or
 * writes.
 */
export async function goToLine(editor: Editor, source: string, line: number): Promise<void> {
  const lines = source.split(/\r?\n/);
  const files = workerOf(editor);
  // The last block of the text up to the line is the one that contains it.
  const [before, own] = await Promise.all([
    files.read(lines.slice(0, line).join("\n")),
    files.read(lines[line - 1] ?? ""),
  ]);
  if (editor.isDestroyed) return;
  const wanted = lastText(before.json, editor.schema) ?? "";
  const length = lastText(own.json, editor.schema)?.length ?? 0;
  const found = find(editor.state.doc, (before.json.content?.length ?? 0) - 1, wanted);
  if (found === null) return;
  const at = found + 1 + Math.max(0, wanted.length - length);
  editor.commands.setTextSelection(at);
  editor.view.focus();
  scrollTo(editor, at);
  const block = editor.state.doc.resolve(at);
  highlightUntilAction(editor, { from: block.before(1), to: block.after(1) });
}

/** The actions of a user in the editor. Selections do not count: browsers set some themselves, as with the focus. */
const ACTIONS = ["keydown", "pointerdown", "beforeinput", "paste", "drop"];

/** Ends the wait for the user's next action. */
let waiting: AbortController | undefined;

/** Highlights a range until the next action of the user, or until its text is removed. */
function highlightUntilAction(editor: Editor, range: EditRange): void {
  waiting?.abort();
  const own = new AbortController();
  waiting = own;
  addEditRange(editor, RANGE, range);
  highlight(editor, RANGE);
  const end = () => {
    own.abort();
    removeHighlight(editor, RANGE);
  };
  const endIfGone = () => {
    const now = editRange(editor, RANGE);
    if (!now || now.from === now.to) end();
  };
  for (const action of ACTIONS) editor.view.dom.addEventListener(action, end, { signal: own.signal });
  editor.on("transaction", endIfGone);
  own.signal.addEventListener("abort", () => editor.off("transaction", endIfGone));
}

/** Returns the text of the last textblock in a document; undefined if there is none. */
function lastText({ type, content = [] }: NodeJSON, schema: Schema): string | undefined {
  if (schema.nodes[type]?.isTextblock) return content.map(({ text = "" }) => text).join("");
  for (let at = content.length - 1; at >= 0; at -= 1) {
    const found = lastText(content[at] as NodeJSON, schema);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the position of the textblock that begins with a text: in the block of this index, or the first one. */
function find(doc: Node, index: number, text: string): number | null {
  let inBlock: number | null = null;
  let first: number | null = null;
  let fallback: number | null = null;
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    const isHere = doc.resolve(position).index(0) === index;
    if (isHere) fallback ??= position;
    if (text && node.textContent.startsWith(text)) {
      first ??= position;
      if (isHere) inBlock ??= position;
    }
    return false;
  });
  return inBlock ?? first ?? fallback;
}
