// Judges what an engine made of a case. Works on ProseMirror nodes, in a page and in Node.
import { Fragment } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { fixTables } from "@tiptap/pm/tables";
import { Transform } from "@tiptap/pm/transform";

/** Returns the acceptable documents of a case as nodes; of a case that must be refused, the document as it was. */
export function acceptable(schema, one) {
  const { expected } = one;
  const documents = expected.refused ? [one.document] : [expected].flat();
  return documents.map((json) => schema.nodeFromJSON(json));
}

/**
 * Returns the verdict on a case with what it was reached from. `play` returns the outcome; an exception is a wrong one.
 */
export async function verdictOf(schema, one, play) {
  try {
    const outcome = await play();
    return {
      id: one.id,
      ...judge(schema, one, outcome),
      code: outcome.refused,
      message: outcome.message,
      found: outcome.doc.toJSON(),
    };
  } catch (error) {
    return { id: one.id, verdict: "wrong", right: false, problems: [`thrown: ${error.stack}`], found: null };
  }
}

/** Checks that a case is sound: valid documents, distinct from each other where the edit has an effect. */
export function soundness(schema, one) {
  const problems = [];
  const before = schema.nodeFromJSON(one.document);
  for (const node of [before, ...acceptable(schema, one)]) {
    try {
      node.check();
      // An editor repairs tables by itself; the repair would count as the engine's.
      if (fixTables(EditorState.create({ doc: node }))) problems.push("a table needs repair");
    } catch (error) {
      problems.push(error.message);
    }
  }
  return problems;
}

/**
 * Returns the textblocks and leaf blocks of a document, each as a key: its JSON and those of its ancestors without
 * their content, so that a paragraph that leaves its list is another.
 */
function units(doc) {
  const keys = [];
  const visit = (node, above) => {
    node.forEach((child) => {
      if (child.isTextblock || child.isLeaf) keys.push(above + JSON.stringify(child.toJSON()));
      else visit(child, `${above}${child.type.name}${JSON.stringify(child.attrs)}/`);
    });
  };
  visit(doc, "");
  return keys;
}

function counted(keys) {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Returns the units of `before` that `expected` keeps and `found` has lost. */
function lost(before, expected, found) {
  const [was, wanted, is] = [before, expected, found].map((doc) => counted(units(doc)));
  const missing = [];
  for (const [key, count] of was) {
    const kept = Math.min(count, wanted.get(key) ?? 0);
    if ((is.get(key) ?? 0) < kept) missing.push(key);
  }
  return missing;
}

/** Returns the units inside of a range that stay as they are: replacing them was needless. */
function needless(before, after, ranges) {
  const kept = counted(units(after));
  const texts = [];
  const visit = (node, start, above) => {
    node.forEach((child, offset) => {
      const from = start + offset;
      if (!child.isTextblock && !child.isLeaf)
        return visit(child, from + 1, `${above}${child.type.name}${JSON.stringify(child.attrs)}/`);
      const key = above + JSON.stringify(child.toJSON());
      const left = kept.get(key) ?? 0;
      if (!left) return;
      kept.set(key, left - 1);
      if (ranges.some((range) => range.from <= from && range.to >= from + child.nodeSize))
        texts.push(child.textContent || child.type.name);
    });
  };
  visit(before, 0, "");
  return texts;
}

/** Returns the size of a change as a minimal replacement: positions removed and inserted. */
export function minimalSize(before, after) {
  const start = before.content.findDiffStart(after.content);
  if (start === null) return 0;
  let { a, b } = before.content.findDiffEnd(after.content);
  const overlap = start - Math.min(a, b);
  if (overlap > 0) [a, b] = [a + overlap, b + overlap];
  return a - start + (b - start);
}

/** Returns what the steps of an engine replaced: their size, and the ranges in the document before. */
export function stepRanges(before, steps) {
  const transform = new Transform(before);
  let size = 0;
  const ranges = [];
  for (const step of steps) {
    const back = transform.mapping.invert();
    step.getMap().forEach((from, to, newFrom, newTo) => {
      size += to - from + (newTo - newFrom);
      ranges.push({ from: back.map(from, 1), to: back.map(to, -1) });
    });
    transform.step(step);
  }
  return { size, ranges };
}

/** Returns what an engine replaced, as far as it says so. */
function rangesOf(schema, before, { steps, changes }) {
  if (steps) return stepRanges(before, steps);
  if (!changes) return {};
  const sizeOf = ({ from, to, content }) => to - from + Fragment.fromJSON(schema, content).size;
  return { size: changes.reduce((sum, change) => sum + sizeOf(change), 0), ranges: changes };
}

/**
 * Returns the verdict: `exact`, `refused`, `wrong` or `harmed`, whether it counts as right, and why not.
 *
 * `outcome`: `{ doc, refused?: code, steps?, changes?, undone?, problems? }`; `doc` is the document afterwards, and
 * `changes` are `{ from, to, content }` in the document before, of engines without steps.
 */
export function judge(schema, one, outcome) {
  const before = schema.nodeFromJSON(one.document);
  const wanted = acceptable(schema, one);
  const found = outcome.doc;
  const problems = [...(outcome.problems ?? [])];
  try {
    found.check();
  } catch (error) {
    problems.push(`invalid document: ${error.message}`);
  }
  if (outcome.undone && !outcome.undone.eq(before)) problems.push("undo does not return the document");
  const { size, ranges } = rangesOf(schema, before, outcome);
  const measured = { size, least: minimalSize(before, found), changes: ranges?.length };

  if (outcome.refused) {
    if (!found.eq(before)) problems.push("refused, yet changed");
    const { refused, codes } = one.expected;
    const right = Boolean(refused || one.refusalOk) && problems.length === 0;
    if (refused && codes && !codes.includes(outcome.refused))
      problems.push(`code ${outcome.refused} instead of ${codes.join(" or ")}`);
    if (!right) problems.unshift(`refused: ${outcome.refused}`);
    return { verdict: "refused", right, problems, ...measured };
  }
  const hit = wanted.some((node) => node.eq(found));
  if (hit && !one.expected.refused) {
    const touched = one.careful && ranges ? needless(before, found, ranges) : [];
    if (touched.length) problems.push(`replaced without need: ${touched.join(" | ")}`);
    if (one.hunks && ranges && ranges.length < one.hunks)
      problems.push(`${ranges.length} changes instead of ${one.hunks}`);
    if (!problems.length) return { verdict: "exact", right: true, problems, ...measured };
    return { verdict: "wrong", right: false, problems, ...measured };
  }
  const harm = wanted.map((node) => lost(before, node, found)).sort((a, b) => a.length - b.length)[0];
  if (one.expected.refused && hit) problems.push("accepted, and nothing changed");
  if (harm.length)
    return {
      verdict: "harmed",
      right: false,
      problems: [...harm.map((key) => `lost: ${key}`), ...problems],
      ...measured,
    };
  return { verdict: "wrong", right: false, problems, ...measured };
}
