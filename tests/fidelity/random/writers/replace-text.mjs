// Writes an edit of one textblock as `replace_text`: the text that changes, with as much around it as makes it unique.
import { formOf, linesOf, sameMarks, unitsOf, walk } from "../tree.mjs";
import { MARK_EDITS } from "../text-edits.mjs";

const SIGNS = { bold: "**", italic: "*", strike: "~~", code: "`" };

/** Units whose leaves are one unit of their text form, so that no form is cut. */
const lineUnits = (node) =>
  unitsOf(node.content).map((unit) => (unit.leaf && unit.text !== "\n" ? { ...unit, text: formOf(unit.leaf) } : unit));
const textOf = (units) => units.map(({ text }) => text).join("");
const sameUnit = (one, other) => one.text === other.text && sameMarks(one.marks, other.marks);

/** Returns the textblock in which two trees differ, before and after, or null if more differs. */
function changedBlock(before, after) {
  const blocks = (tree) => {
    const found = [];
    walk(tree, (node, parents) =>
      found.push({ node, key: JSON.stringify([node.type, node.uid, node.attrs, parents.at(-1)?.uid]) }),
    );
    return found;
  };
  const [a, b] = [blocks(before), blocks(after)];
  if (a.length !== b.length || a.some(({ key }, at) => key !== b[at].key)) return null;
  const inner = ({ node: { type, content } }) =>
    ["paragraph", "heading", "codeBlock"].includes(type) ? JSON.stringify(content) : "";
  const changed = a.flatMap((each, at) => (inner(each) === inner(b[at]) ? [] : [[each.node, b[at].node]]));
  return changed.length === 1 ? changed[0] : null;
}

/** Returns the call, or null if the edit is not one text that changes. */
export function writeReplaceText(random, { before, after, names, texts }) {
  if (names.length > 1) return null;
  const found = changedBlock(before, after);
  if (!found) return null;
  const [old, now] = found.map(lineUnits);
  const marks = names[0] in MARK_EDITS;
  let [from, toOld, toNew] = difference(old, now);
  const [oldWords, newWords] = [old, now].map((units) => wordEdges(units, texts.language));
  if (!marks) {
    const pure = from === toOld || from === toNew;
    if (pure) [from, toOld, toNew] = [Math.max(0, from - 1), ...next(toOld, toNew, old.length)];
    while (from > 0 && !(oldWords.has(from) && newWords.has(from))) from -= 1;
    while (toOld < old.length && !(oldWords.has(toOld) && newWords.has(toNew))) [toOld, toNew] = [toOld + 1, toNew + 1];
  }
  const all = linesOf(before)
    .map(({ text }) => text)
    .join("\n");
  const unique = (text) => text && all.indexOf(text) >= 0 && all.indexOf(text) === all.lastIndexOf(text);
  const grow = () => {
    const left = random.chance(0.5);
    if (left && from > 0) from -= 1;
    else if (toOld < old.length) [toOld, toNew] = [toOld + 1, toNew + 1];
    else if (from > 0) from -= 1;
    else return false;
    return true;
  };
  if (marks) return markCall(old.slice(from, toOld), now.slice(from, toNew), unique);
  const edges = () =>
    [old[from], old[toOld - 1]].some((unit) => unit && /\s/.test(unit.text)) ||
    !oldWords.has(from) ||
    !oldWords.has(toOld);
  while (!unique(textOf(old.slice(from, toOld))) || edges()) if (!grow()) return null;
  const [one, other] = [textOf(old.slice(from, toOld)), textOf(now.slice(from, toNew))];
  return other.trim() === other ? { call: { operation: "replace_text", old: one, new: other }, loose: true } : null;
}

const next = (toOld, toNew, end) => (toOld < end ? [toOld + 1, toNew + 1] : [toOld, toNew]);

/** Returns the indexes of units at which no word is cut. */
function wordEdges(units, language) {
  const starts = [0];
  for (const { text } of units) starts.push(starts.at(-1) + text.length);
  const edges = new Set([0, textOf(units).length]);
  for (const { index, segment } of new Intl.Segmenter(language, { granularity: "word" }).segment(textOf(units)))
    edges.add(index).add(index + segment.length);
  return new Set(starts.flatMap((start, at) => (edges.has(start) ? [at] : [])));
}

function difference(old, now) {
  let from = 0;
  while (from < old.length && from < now.length && sameUnit(old[from], now[from])) from += 1;
  let end = 0;
  while (end < old.length - from && end < now.length - from && sameUnit(old.at(-1 - end), now.at(-1 - end))) end += 1;
  return [from, old.length - end, now.length - end];
}

/** The call for one run whose marks change: only with Markdown's signs. */
function markCall(old, now, unique) {
  const [was, is] = [old, now].map((units) => signed(units));
  if (was === null || is === null || !unique(textOf(old))) return null;
  return { call: { operation: "replace_text", old: was, new: is } };
}

function signed(units) {
  const { marks } = units[0] ?? {};
  if (!marks || units.some((unit) => unit.leaf || !sameMarks(unit.marks, marks))) return null;
  return marks.reduceRight((inner, { type, attrs }) => {
    if (inner === null || (type !== "link" && !SIGNS[type])) return null;
    return type === "link" ? `[${inner}](${attrs.href})` : SIGNS[type] + inner + SIGNS[type];
  }, textOf(units));
}
