// Documents as trees in ProseMirror JSON. Every block and inline leaf has a `uid`, so that an edited tree says
// which of its nodes are nodes of the old one.

export const TEXTBLOCKS = new Set(["paragraph", "heading", "codeBlock", "detailsSummary"]);
export const LISTS = new Set(["bulletList", "orderedList", "taskList"]);
export const ITEMS = new Set(["listItem", "taskItem"]);
export const LEAVES = new Set(["horizontalRule", "image", "blockMath"]);

let last = 0;

/** Returns a new node: `attrs` without those that are undefined. */
export function node(type, attrs, content) {
  const given = Object.entries(attrs ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return {
    type,
    uid: (last += 1),
    ...(given.length ? { attrs: Object.fromEntries(given) } : {}),
    ...(content?.length ? { content } : {}),
  };
}

export const clone = (tree) => structuredClone(tree);

/** Returns a tree as ProseMirror JSON: without uids, and without what says that a block is an added one. */
export function plain({ uid: _, fresh: __, content, ...rest }) {
  return content?.length ? { ...rest, content: content.map(plain) } : rest;
}

/** Calls `visit(node, parents)` for every block, `parents` with the document first. */
export function walk(tree, visit, parents = []) {
  visit(tree, parents);
  if (TEXTBLOCKS.has(tree.type)) return;
  for (const child of tree.content ?? []) walk(child, visit, [...parents, tree]);
}

/** Returns the blocks for which `test(node, parents)` holds, as `{ node, parents, parent, index }`. */
export function blocksOf(tree, test) {
  const found = [];
  walk(tree, (each, parents) => {
    const parent = parents.at(-1);
    if (parent && test(each, parents)) found.push({ node: each, parents, parent, index: parent.content.indexOf(each) });
  });
  return found;
}

// Inline content as a list of characters and leaves

const key = (marks) => JSON.stringify(marks ?? []);

/**
 * Returns inline content as units `{ text, marks }` of one code unit, or `{ text, leaf, marks }`. The text of a leaf is
 * U+FFFC, that of a hard break a newline.
 */
export function unitsOf(content = []) {
  return content.flatMap((part) =>
    part.type === "text"
      ? part.text.split("").map((text) => ({ text, marks: part.marks ?? [] }))
      : [{ text: part.type === "hardBreak" ? "\n" : "\uFFFC", leaf: part, marks: part.marks ?? [] }],
  );
}

/** Returns units as inline content. */
export function contentOf(units) {
  const content = [];
  for (const { text, leaf, marks } of units) {
    const before = content.at(-1);
    if (leaf) content.push(leaf);
    else if (before?.type === "text" && key(before.marks) === key(marks)) before.text += text;
    else content.push({ type: "text", text, ...(marks.length ? { marks } : {}) });
  }
  return content;
}

export const sameMarks = (one, other) => key(one) === key(other);
export const commonMarks = (one, other) => one.filter((mark) => other.some((each) => key(each) === key(mark)));
export const textOf = (units) => units.map(({ text }) => text).join("");

/** Sets the inline content of a textblock. */
export function setUnits(block, units) {
  const content = contentOf(units);
  if (content.length) block.content = content;
  else delete block.content;
}

/** Units of a text with marks. */
export const written = (text, marks = []) => text.split("").map((each) => ({ text: each, marks }));

/** Returns the words of units as `{ from, to, text, marks }`; words in several marks are left out. */
export function wordsOf(units, language) {
  const words = [];
  for (const { segment, index, isWordLike } of SEGMENTERS[language].segment(textOf(units))) {
    const marks = units[index].marks;
    const whole = units.slice(index, index + segment.length).every((unit) => sameMarks(unit.marks, marks));
    if (isWordLike && whole) words.push({ from: index, to: index + segment.length, text: segment, marks });
  }
  return words;
}
const SEGMENTERS = Object.fromEntries(
  ["en", "de", "zh"].map((language) => [language, new Intl.Segmenter(language, { granularity: "word" })]),
);

/** The readable form of an inline leaf. */
export function formOf({ type, attrs }) {
  if (type === "mention") return `${attrs.mentionSuggestionChar ?? "@"}${attrs.label}`;
  return `$${attrs.latex}$`;
}

/** Returns the text of a textblock with the forms of leaves and "\n" for breaks. */
export const shownText = (block) =>
  unitsOf(block.content)
    .map(({ leaf, text }) => (leaf && text !== "\n" ? formOf(leaf) : text))
    .join("");

/** Returns the lines of a tree: `{ text, node, segment, parents }`. */
export function linesOf(tree) {
  const lines = [];
  walk(tree, (each, parents) => {
    if (TEXTBLOCKS.has(each.type))
      shownText(each)
        .split("\n")
        .forEach((text, segment) => lines.push({ text, node: each, segment, parents }));
    else if (LEAVES.has(each.type)) lines.push({ text: "", node: each, segment: 0, parents });
  });
  return lines;
}
