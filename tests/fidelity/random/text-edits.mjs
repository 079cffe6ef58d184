// Random edits of text and marks. An edit changes the tree and returns `{ uid, other? }`, or null if the document has no
// place for it.
//
// `uid` is the textblock; `other` is a second acceptable state of its content for notations without marks.
import { blocksOf, commonMarks, contentOf, sameMarks, setUnits, textOf, unitsOf, wordsOf, written } from "./tree.mjs";

const PROSE = new Set(["paragraph", "heading"]);
const BOLD = { type: "bold" };

function someProse(random, tree, texts, least = 1) {
  const places = blocksOf(tree, ({ type, content }) => PROSE.has(type) && content);
  if (!places.length) return null;
  const { node } = random.pick(places);
  const units = unitsOf(node.content);
  const words = wordsOf(units, texts.language);
  return words.length >= least ? { node, units, words } : null;
}

function newWord(random, texts, units) {
  const word = texts.word();
  return textOf(units).toLowerCase().includes(word.toLowerCase()) ? null : word;
}

function finish(node, units, other) {
  setUnits(node, units);
  return { uid: node.uid, ...(other ? { other: contentOf(other) } : {}) };
}

function changeWord(random, tree, { texts }) {
  const place = someProse(random, tree, texts);
  const word = place && newWord(random, texts, place.units);
  if (!word) return null;
  const { from, to, marks } = random.pick(place.words);
  return finish(place.node, place.units.toSpliced(from, to - from, ...written(word, marks)));
}

/** Replaces up to three words that have the same marks, with what is between them. */
function changePhrase(random, tree, { texts }) {
  const place = someProse(random, tree, texts, 3);
  const first = place && newWord(random, texts, place.units);
  const second = texts.word();
  if (!first || first === second) return null;
  const { units, words } = place;
  const at = random.below(words.length - 1);
  const [from, to] = [words[at].from, words[Math.min(words.length - 1, at + 1 + random.below(2))].to];
  const range = units.slice(from, to);
  if (!range.every(({ leaf, marks }) => !leaf && sameMarks(marks, range[0].marks))) return null;
  return finish(
    place.node,
    units.toSpliced(from, to - from, ...written(`${first}${texts.gap}${second}`, range[0].marks)),
  );
}

function insertWord(random, tree, { texts }) {
  const place = someProse(random, tree, texts, 2);
  const word = place && newWord(random, texts, place.units);
  if (!word) return null;
  const { units, words } = place;
  const at = random.below(words.length - 1);
  const [{ to, marks }, next] = [words[at], words[at + 1]];
  const between = units.slice(to, next.from);
  // Which of the neighbours counts is clear only where nothing but one space is between them.
  if (textOf(between) !== texts.gap) return null;
  const both = commonMarks(marks, next.marks);
  if (between.some((unit) => !sameMarks(unit.marks, both)) || sameAcrossGap(marks, next.marks, both)) return null;
  const added = texts.gap ? [...written(word, both), ...between] : written(word, both);
  return finish(place.node, units.toSpliced(next.from, 0, ...added));
}

/** Marks that both neighbours have and that are links of two runs. */
const sameAcrossGap = (one, other, both) => both.some(({ type }) => type === "link") && !sameMarks(one, other);

function deleteWord(random, tree, { texts }) {
  const place = someProse(random, tree, texts, 3);
  if (!place) return null;
  const { units, words } = place;
  const { from, to } = random.pick(words.slice(1));
  if (!texts.gap) {
    const spaced = units[from - 1].text === " " && (!units[to] || units[to].text === " ");
    return spaced ? null : finish(place.node, units.toSpliced(from, to - from));
  }
  if (units[from - 1].text !== " " || (units[to] && !/[\s.,;!?]/.test(units[to].text))) return null;
  const before = units.toSpliced(from - 1, to - from + 1);
  if (units[to]?.text !== " ") return finish(place.node, before);
  const after = units.toSpliced(from, to - from + 1);
  const bare = units[from - 1].marks.length <= units[to].marks.length ? after : before;
  const same = sameMarks(units[from - 1].marks, units[to].marks);
  return finish(place.node, bare, same ? undefined : bare === after ? before : after);
}

/** Replaces the text of a line without marks and leaves. */
function replaceText(random, tree, { texts }) {
  const place = someProse(random, tree, texts);
  if (!place || place.units.some(({ leaf, marks }) => leaf || marks.length)) return null;
  return finish(place.node, written(place.node.type === "heading" ? texts.title() : texts.sentence()));
}

/** Adds a sentence behind a text whose last word has no marks. */
function addSentence(random, tree, { texts }) {
  const place = someProse(random, tree, texts);
  if (!place || place.node.type === "heading") return null;
  const { units, words } = place;
  if (units.slice(words.at(-1).from).some(({ marks }) => marks.length)) return null;
  return finish(place.node, [...units, ...written(texts.gap + texts.sentence())]);
}

function editCode(random, tree, { texts }) {
  const places = blocksOf(tree, ({ type }) => type === "codeBlock");
  if (!places.length) return null;
  const { node } = random.pick(places);
  const lines = node.content[0].text.split("\n");
  const at = random.below(lines.length);
  const [line] = texts.code(node.attrs?.language);
  const edit = random.pick([
    () => lines.splice(at, 1, line),
    () => lines.splice(at, 0, line),
    () => lines.splice(at, 1),
    () => lines.splice(at, 1, `${lines[at]} + 1`),
  ]);
  edit();
  if (!lines.length || lines.join("\n") === node.content[0].text) return null;
  node.content = [{ type: "text", text: lines.join("\n") }];
  return { uid: node.uid };
}

// Marks

function onWords(random, tree, texts, marks, test) {
  const place = someProse(random, tree, texts, 2);
  if (!place) return null;
  const { node, units, words } = place;
  const candidates = words.filter((word) => test(word.marks) && word.text.length > 1);
  if (!candidates.length) return null;
  const { from, to } = random.pick(candidates);
  return finish(
    node,
    units.map((unit, at) => (at >= from && at < to ? { ...unit, marks } : unit)),
  );
}

const boldWord = (random, tree, { texts }) => onWords(random, tree, texts, [BOLD], (marks) => !marks.length);

function linkWord(random, tree, { texts }) {
  const attrs = {
    href: "https://example.com/new",
    target: "_blank",
    rel: "noopener noreferrer nofollow",
    class: null,
    title: null,
  };
  return onWords(random, tree, texts, [{ type: "link", attrs }], (marks) => !marks.length);
}

/** Calls `change(marks)` for the units of one run that has a mark for which `test` holds. */
function onRun(random, tree, texts, test, change) {
  const place = someProse(random, tree, texts);
  if (!place) return null;
  const { node, units } = place;
  const starts = units.flatMap(({ marks }, at) =>
    marks.some(test) && (at === 0 || !sameMarks(marks, units[at - 1].marks)) ? [at] : [],
  );
  if (!starts.length) return null;
  const from = random.pick(starts);
  let to = from;
  while (to < units.length && sameMarks(units[to].marks, units[from].marks)) to += 1;
  return finish(
    node,
    units.map((unit, at) => (at >= from && at < to ? { ...unit, marks: change(unit.marks) } : unit)),
  );
}

const removeMark = (random, tree, { texts }) =>
  onRun(
    random,
    tree,
    texts,
    () => true,
    () => [],
  );

const changeHref = (random, tree, { texts }) =>
  onRun(
    random,
    tree,
    texts,
    ({ type, attrs }) => type === "link" && !attrs.title && attrs.target === "_blank" && attrs.rel !== "nofollow",
    (marks) =>
      marks.map((mark) =>
        mark.type === "link" ? { ...mark, attrs: { ...mark.attrs, href: "https://example.com/moved" } } : mark,
      ),
  );

/** Edits that every notation can state. */
export const TEXT_EDITS = { changeWord, changePhrase, insertWord, deleteWord, replaceText, addSentence, editCode };
/** Edits that only notations with marks can state. */
export const MARK_EDITS = { boldWord, linkWord, removeMark, changeHref };
