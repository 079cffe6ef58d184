// Search and replace on the HTML: the model repeats the HTML of the lines and writes the new one; the text must occur once.
import { linesOf } from "../tree.mjs";
import { changeHtml } from "./naive.mjs";

/** Returns the old and the new text of the smallest run of whole tags and words that differs. */
function replacement(before, after) {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1;
  // A model repeats whole elements.
  while (start > 0 && before[start] !== "<") start -= 1;
  while (end > 0 && before[before.length - end - 1] !== ">") end -= 1;
  return { old: before.slice(start, before.length - end), text: after.slice(start, after.length - end) };
}

export default {
  name: "search and replace on HTML",
  available: () => true,
  run(one, editor) {
    const html = editor.getHTML();
    const lines = linesOf(one.document);
    if (one.call.edits?.some(({ start_line: start }) => start > lines.length)) return { refused: "not_found" };
    const changed = changeHtml(html, one);
    if (changed.refused) return changed;
    const { old, text } = replacement(html, changed.html);
    if (old && html.split(old).length > 2) return { refused: "ambiguous" };
    editor.commands.setContent(html.replace(old, () => text));
    return {};
  },
};
