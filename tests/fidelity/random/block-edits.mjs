// Random edits of blocks. An edit changes the tree and returns `{}`, or null if the document has no place for it.
//
// The result may have `notIn`, a list of notations that cannot state the edit, and `others`, documents that notations
// which do not show a difference may give instead.
import { blocksOf, ITEMS, linesOf, LISTS, node, setUnits, textOf, unitsOf, written } from "./tree.mjs";

const BREAK = { type: "hardBreak" };

function pickBlock(random, tree, test) {
  const places = blocksOf(tree, test);
  return places.length ? random.pick(places) : null;
}

const atTop = (_, parents) => parents.length === 1;
const isHeading2 = ({ type, attrs }) => type === "heading" && attrs.level <= 2;

function deleteBlock(random, tree) {
  const place = pickBlock(random, tree, (each, parents) => atTop(each, parents) && !isHeading2(each));
  if (!place || tree.content.length < 4) return null;
  tree.content.splice(place.index, 1);
  return {};
}

function deleteItem(random, tree) {
  const place = pickBlock(random, tree, ({ type }, parents) => ITEMS.has(type) && parents.at(-1).content.length > 1);
  if (!place) return null;
  place.parent.content.splice(place.index, 1);
  return {};
}

function deleteRow(random, tree) {
  const place = pickBlock(
    random,
    tree,
    ({ type }, parents) => type === "tableRow" && parents.at(-1).content.length > 2,
  );
  if (!place || place.index === 0) return null;
  place.parent.content.splice(place.index, 1);
  return {};
}

function addParagraph(random, tree, { make }) {
  const place = pickBlock(random, tree, atTop);
  tree.content.splice(place.index + 1, 0, bare(make.paragraph()));
  return {};
}

const DEFAULTS = { target: "_blank", rel: "noopener noreferrer nofollow", title: null };
const plainMark = (mark) => (mark.type === "link" ? { ...mark, attrs: { ...mark.attrs, ...DEFAULTS } } : mark);

/** A new block has no attributes that a notation may not state, and no leaves, which would be other nodes' or text. */
function bare(block) {
  if (block.type === "paragraph") delete block.attrs;
  else block.attrs = { level: block.attrs.level };
  const letters = unitsOf(block.content).filter(({ leaf }) => !leaf);
  const units = letters.filter(({ text }, at) => text !== " " || letters[at - 1]?.text !== " ");
  setUnits(
    block,
    units.map((unit) => ({ ...unit, marks: unit.marks.map(plainMark) })),
  );
  block.fresh = true;
  return block;
}

function addToQuote(random, tree, { make }) {
  const place = pickBlock(
    random,
    tree,
    ({ type }, parents) => type === "paragraph" && parents.at(-1).type === "blockquote",
  );
  if (!place) return null;
  place.parent.content.splice(place.index + 1, 0, bare(make.paragraph()));
  return {};
}

function addItem(random, tree, { make, texts }) {
  const place = pickBlock(random, tree, ({ type }) => ITEMS.has(type));
  if (!place) return null;
  const item = node(place.node.type, place.node.type === "taskItem" ? { checked: false } : undefined, [
    bare(make.paragraph(texts.item())),
  ]);
  place.parent.content.splice(place.index + random.below(2), 0, item);
  return {};
}

function addNested(random, tree, { make, texts }) {
  const place = pickBlock(random, tree, ({ type, content }) => ITEMS.has(type) && content.length === 1);
  if (!place) return null;
  const kind = place.node.type === "taskItem" ? "taskList" : "bulletList";
  const item = node(place.node.type, kind === "taskList" ? { checked: false } : undefined, [
    bare(make.paragraph(texts.item())),
  ]);
  place.node.content.push(node(kind, undefined, [item]));
  return {};
}

function addRow(random, tree, { make, texts }) {
  const place = pickBlock(random, tree, ({ type }) => type === "tableRow");
  if (!place || place.node.content.some(({ attrs }) => attrs.colspan > 1)) return null;
  const like = place.parent.content.at(-1);
  if (like.content.length !== place.node.content.length) return null;
  const cells = like.content.map(({ type, attrs }) =>
    make.cell(type, attrs.colwidth?.[0], [bare(make.paragraph(texts.cell()))]),
  );
  place.parent.content.splice(place.index + 1, 0, node("tableRow", undefined, cells));
  return {};
}

const swapAt = (parent, index) => parent.content.splice(index, 2, parent.content[index + 1], parent.content[index]);

function swapBlocks(random, tree) {
  const place = pickBlock(random, tree, (each, parents) => atTop(each, parents) && !isHeading2(each));
  if (!place) return null;
  const next = tree.content[place.index + 1];
  if (!next || isHeading2(next)) return null;
  swapAt(tree, place.index);
  return {};
}

function swapItems(random, tree) {
  const place = pickBlock(random, tree, ({ type }, parents) => ITEMS.has(type) && parents.at(-1).content.length > 1);
  if (!place || place.index === place.parent.content.length - 1) return null;
  swapAt(place.parent, place.index);
  return {};
}

function swapRows(random, tree) {
  const place = pickBlock(
    random,
    tree,
    ({ type }, parents) => type === "tableRow" && parents.at(-1).content.length > 2,
  );
  if (!place || place.index === 0 || place.index === place.parent.content.length - 1) return null;
  swapAt(place.parent, place.index);
  return {};
}

function moveBlock(random, tree) {
  const place = pickBlock(random, tree, (each, parents) => atTop(each, parents) && !isHeading2(each));
  if (!place) return null;
  const to = 1 + random.below(tree.content.length - 1);
  if (Math.abs(to - place.index) < 2) return null;
  const [moved] = tree.content.splice(place.index, 1);
  tree.content.splice(to, 0, moved);
  return {};
}

function joinParagraphs(random, tree, { texts }) {
  const place = pickBlock(random, tree, ({ type, attrs, content }) => type === "paragraph" && !attrs && content);
  const next = place?.parent.content[place.index + 1];
  if (next?.type !== "paragraph" || next.attrs || !next.content) return null;
  setUnits(place.node, [...unitsOf(place.node.content), ...written(texts.gap), ...unitsOf(next.content)]);
  place.parent.content.splice(place.index + 1, 1);
  return {};
}

/** Splits a paragraph between two sentences. */
function splitParagraph(random, tree, { texts }) {
  const place = pickBlock(
    random,
    tree,
    ({ type, attrs, content }, parents) =>
      type === "paragraph" &&
      !attrs &&
      content &&
      !ITEMS.has(parents.at(-1).type) &&
      !parents.at(-1).type.startsWith("table"),
  );
  if (!place) return null;
  const units = unitsOf(place.node.content);
  const end = textOf(units).search(texts.gap ? /\. / : /。/) + 1;
  if (end < 1 || end >= units.length - 1 || textOf(units).includes("\n")) return null;
  const rest = node("paragraph");
  setUnits(rest, units.slice(end + texts.gap.length));
  setUnits(place.node, units.slice(0, end));
  place.parent.content.splice(place.index + 1, 0, rest);
  return {};
}

function tick(random, tree) {
  const place = pickBlock(random, tree, ({ type }) => type === "taskItem");
  if (!place) return null;
  place.node.attrs = { checked: !place.node.attrs.checked };
  return {};
}

function headingLevel(random, tree) {
  const place = pickBlock(random, tree, ({ type }) => type === "heading");
  if (!place) return null;
  const level = random.pick([1, 2, 3, 4].filter((each) => each !== place.node.attrs.level));
  place.node.attrs = { ...place.node.attrs, level };
  return {};
}

function toHeading(random, tree) {
  const place = pickBlock(
    random,
    tree,
    ({ type, content }, parents) =>
      type === "paragraph" && content && atTop(null, parents) && !content.some((part) => part.type === "hardBreak"),
  );
  if (!place) return null;
  tree.content[place.index] = {
    ...place.node,
    type: "heading",
    attrs: { ...place.node.attrs, level: 2 + random.below(2) },
  };
  return {};
}

function toParagraph(random, tree) {
  const place = pickBlock(random, tree, ({ type, attrs }) => type === "heading" && attrs.level > 1);
  if (!place) return null;
  const { level: _, ...attrs } = place.node.attrs;
  const { attrs: __, ...rest } = place.node;
  place.parent.content[place.index] = { ...rest, type: "paragraph", ...(Object.keys(attrs).length ? { attrs } : {}) };
  return {};
}

const oneLine = ({ type, content }) =>
  type === "paragraph" && content && !content.some((part) => part.type === BREAK.type);

function toQuote(random, tree) {
  const place = pickBlock(random, tree, (each, parents) => atTop(each, parents) && oneLine(each));
  if (!place || [-1, 1].some((by) => tree.content[place.index + by]?.type === "blockquote")) return null;
  tree.content[place.index] = node("blockquote", undefined, [place.node]);
  return {};
}

/** Makes a list of paragraphs that follow each other. */
function toList(random, tree) {
  const place = pickBlock(random, tree, (each, parents) => atTop(each, parents) && oneLine(each));
  if (!place) return null;
  let to = place.index + 1;
  while (to < tree.content.length && oneLine(tree.content[to]) && random.chance(0.7)) to += 1;
  if ([tree.content[place.index - 1], tree.content[to]].some((each) => each && LISTS.has(each.type))) return null;
  const kind = random.pick(["bulletList", "orderedList", "taskList"]);
  const items = tree.content
    .slice(place.index, to)
    .map((each) =>
      node(kind === "taskList" ? "taskItem" : "listItem", kind === "taskList" ? { checked: false } : undefined, [each]),
    );
  tree.content.splice(place.index, to - place.index, node(kind, undefined, items));
  return {};
}

function listKind(random, tree) {
  const place = pickBlock(
    random,
    tree,
    ({ type, attrs, content }) =>
      LISTS.has(type) && !attrs && content.length > 1 && content.every((item) => item.content.length === 1),
  );
  if (!place) return null;
  const neighbours = [-1, 1].map((by) => place.parent.content[place.index + by]?.type);
  if (neighbours.some((type) => LISTS.has(type))) return null;
  const kind = random.pick([...LISTS].filter((each) => each !== place.node.type));
  place.parent.content[place.index] = {
    ...place.node,
    type: kind,
    content: place.node.content.map(({ uid, content }) =>
      kind === "taskList"
        ? { type: "taskItem", uid, attrs: { checked: false }, content }
        : { type: "listItem", uid, content },
    ),
  };
  return {};
}

/** Makes an item without a list in it the last item of the list in the item before. */
function indent(random, tree) {
  const place = pickBlock(random, tree, ({ type, content }) => ITEMS.has(type) && content.length === 1);
  if (!place || place.index === 0) return null;
  const before = place.parent.content[place.index - 1];
  const inner = before.content.at(-1);
  if (inner.type !== "paragraph" && inner.type !== place.parent.type) return null;
  place.parent.content.splice(place.index, 1);
  if (inner.type === place.parent.type) inner.content.push(place.node);
  else before.content.push(node(place.parent.type, undefined, [place.node]));
  return {};
}

/** Makes the last item of a list in an item the item behind that item. */
function outdent(random, tree) {
  const place = pickBlock(
    random,
    tree,
    ({ type, content }, parents) =>
      ITEMS.has(type) &&
      content.length === 1 &&
      parents.length > 3 &&
      parents.at(-3)?.type === parents.at(-1).type &&
      ITEMS.has(parents.at(-2).type),
  );
  if (!place || place.index !== place.parent.content.length - 1) return null;
  const [list, item] = [place.parents.at(-3), place.parents.at(-2)];
  if (item.content.at(-1) !== place.parent) return null;
  place.parent.content.pop();
  if (!place.parent.content.length) item.content.pop();
  list.content.splice(list.content.indexOf(item) + 1, 0, place.node);
  return {};
}

const regular = ({ type, content }) =>
  type === "table" && content.every((row) => row.content.length === content[0].content.length);

function addColumn(random, tree, { make, texts }) {
  const place = pickBlock(random, tree, regular);
  if (!place || place.node.content.some(({ content }) => content.some(({ attrs }) => attrs.colwidth))) return null;
  place.node.content.forEach((row) => {
    const { type } = row.content.at(-1);
    row.content.push(make.cell(type, undefined, [bare(make.paragraph(texts.item()))]));
  });
  return {};
}

function removeColumn(random, tree) {
  const place = pickBlock(random, tree, regular);
  if (!place || place.node.content[0].content.length < 3) return null;
  const at = 1 + random.below(place.node.content[0].content.length - 1);
  for (const row of place.node.content) row.content.splice(at, 1);
  return {};
}

function codeLanguage(random, tree) {
  const place = pickBlock(random, tree, ({ type }) => type === "codeBlock");
  if (!place) return null;
  place.node.attrs = { language: random.pick(["rust", "bash", "json"]) };
  return {};
}

function addSection(random, tree, { make }) {
  const at = 1 + random.below(tree.content.length);
  tree.content.splice(at, 0, bare(make.heading(2)), bare(make.paragraph()));
  return {};
}

export const BLOCK_EDITS = {
  deleteBlock,
  deleteItem,
  deleteRow,
  addParagraph,
  addToQuote,
  addItem,
  addNested,
  addRow,
  swapBlocks,
  swapItems,
  swapRows,
  moveBlock,
  joinParagraphs,
  splitParagraph,
  tick,
  headingLevel,
  toHeading,
  toParagraph,
  toQuote,
  toList,
  listKind,
  indent,
  outdent,
  addColumn,
  removeColumn,
  codeLanguage,
  addSection,
};

/** Number of lines of a document, which an edit must leave. */
export const lineCount = (tree) => linesOf(tree).length;
