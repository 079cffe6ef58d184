// Random cases: a document, an edit of it, and the call that states the edit in a notation. The same seed gives the same
// case.
import { randomFrom } from "../../oracle/random.mjs";
import { schemas } from "../unseen/schema.mjs";
import { BLOCK_EDITS } from "./block-edits.mjs";
import { randomDocument } from "./documents.mjs";
import { MARK_EDITS, TEXT_EDITS } from "./text-edits.mjs";
import { clone, linesOf, plain, setUnits, unitsOf, walk } from "./tree.mjs";
import { NOTATIONS } from "./writers/calls.mjs";

const schema = schemas.edits;

export { NOTATIONS };
const EDITS = { ...TEXT_EDITS, ...MARK_EDITS, ...BLOCK_EDITS };
const GROUPS = [TEXT_EDITS, TEXT_EDITS, MARK_EDITS, BLOCK_EDITS, BLOCK_EDITS, BLOCK_EDITS].map(Object.keys);

/** The seed of a case: other numbers for each run and each index. */
const seedOf = (seed, index) => (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;

/**
 * Returns a random edit of a random document: `{ before, after, names, texts, loose }`. `loose` is a second acceptable tree,
 * or undefined.
 */
export function randomEdit(seed, index) {
  const random = randomFrom(seedOf(seed, index));
  for (;;) {
    const { tree, texts, make } = randomDocument(random);
    const after = clone(tree);
    const names = [];
    let other;
    for (let left = random.chance(0.15) ? 2 : 1, tries = 0; left && tries < 30; tries += 1) {
      const name = random.pick(random.pick(GROUPS));
      // An edit that finds no place leaves the tree as it is.
      const result = EDITS[name](random, after, { texts, make });
      if (!result) continue;
      if (result.other) other = { uid: result.uid, content: result.other };
      names.push(name);
      left -= 1;
    }
    if (names.length && JSON.stringify(plain(tree)) !== JSON.stringify(plain(after)))
      return { before: tree, after, names, texts, loose: other && withContent(after, other) };
  }
}

function withContent(tree, { uid, content }) {
  const made = clone(tree);
  walk(made, (node) => {
    if (node.uid === uid) node.content = content;
  });
  return made;
}

/** Returns a tree without the marks of added textblocks: of a notation that shows no marks. */
function unmarked(tree) {
  const made = clone(tree);
  walk(made, (node) => {
    if (node.fresh)
      setUnits(
        node,
        unitsOf(node.content).map((unit) => ({ ...unit, marks: [] })),
      );
  });
  return made;
}

/** Returns a tree whose added textblocks have the alignment and direction of the line before (-1) or after them (1). */
function inherited(tree, by) {
  const made = clone(tree);
  const lines = linesOf(made);
  lines.forEach(({ node }, at) => {
    if (!node.fresh) return;
    const { textAlign, dir } = lines[at + by]?.node.attrs ?? {};
    const attrs = { ...node.attrs, ...(textAlign ? { textAlign } : {}), ...(dir ? { dir } : {}) };
    if (Object.keys(attrs).length) node.attrs = attrs;
  });
  return made;
}

const full = (tree) => schema.nodeFromJSON(plain(tree)).toJSON();

/** Returns the case of an edit in a notation, or null if the notation cannot state it. The index chooses among its forms. */
export function caseFrom(edit, seed, index, notation) {
  const random = randomFrom(seedOf(seed ^ 0x5bd1e995, index));
  const written = NOTATIONS[notation](random, edit);
  if (!written) return null;
  return {
    id: `${seed}/${index}/${notation}`,
    edit: edit.names.join(" + "),
    variation: written.variation,
    document: full(edit.before),
    call: written.call,
    expected: acceptable(edit, written, notation).map(full),
  };
}

/** Returns the documents that are right: several where a notation does not show what tells them apart. */
function acceptable(edit, { loose }, notation) {
  const second = loose && edit.loose ? [edit.loose] : [];
  const stated = [edit.after, ...second].map((tree) => (loose ? unmarked(tree) : tree));
  const bare = loose || /^(markdown|shown)/.test(notation);
  const trees = bare ? stated.flatMap((tree) => [tree, inherited(tree, -1), inherited(tree, 1)]) : stated;
  return [...new Map(trees.map((tree) => [JSON.stringify(plain(tree)), tree])).values()];
}
