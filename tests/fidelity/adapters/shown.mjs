// Fills in what an engine shows a model for inline atoms.
import { atomsOf, linesOf } from "../tree.mjs";

const MARKER = /\uE000(\d+)\uE001/g;
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const FIELDS = ["content", "old", "new", "title"];

/** Returns the call with each marker replaced by `form(index)`. */
export function withShown(call, form) {
  const filled = { ...call };
  for (const field of FIELDS) {
    if (typeof call[field] === "string") filled[field] = call[field].replace(MARKER, (_, index) => form(Number(index)));
  }
  if (call.edits) filled.edits = call.edits.map((edit) => withShown(edit, form));
  return filled;
}

/** Returns a function from the index of an atom to what `textOf(line)` has in its place. */
export function shownIn(document, textOf) {
  return (index) => {
    let seen = 0;
    for (const [at, { text }] of linesOf(document).entries()) {
      const inLine = text.split("\uFFFC").length - 1;
      if (index >= seen + inLine) {
        seen += inLine;
        continue;
      }
      const pattern = new RegExp(`^${text.split("\uFFFC").map(escaped).join("(.+?)")}$`, "s");
      return pattern.exec(textOf(at + 1))?.[index - seen + 1] ?? htmlOf(atomsOf(document)[index]);
    }
    throw new Error(`there is no inline atom ${index}`);
  };
}

/** The HTML of an atom in the benchmark's schema. */
export function htmlOf({ type, attrs }) {
  if (type === "mention") return `<span data-mention="${attrs.id}">@${attrs.label}</span>`;
  return `<span data-latex="${attrs.latex.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></span>`;
}
