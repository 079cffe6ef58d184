// Plays random edits in every notation: node tests/fidelity/random/run.mjs --cases N --seed S. README.md lists the
// options.
import { Document, init } from "copydesk";
import { schemaData } from "copydesk/tiptap";
import { soundness } from "../judge.mjs";
import { startPlayer } from "../native.mjs";
import { differing, short } from "../show.mjs";
import { schemas } from "../unseen/schema.mjs";
import { caseFrom, NOTATIONS, randomEdit } from "./cases.mjs";
import { differences } from "./differences.mjs";
import { shrinkEdit } from "./shrink.mjs";
import { linesOf, plain } from "./tree.mjs";
import { rowsOf, shownLines } from "./writers/shown.mjs";

const schema = schemas.edits;

const args = process.argv.slice(2);
const has = (name) => args.includes(name);
const option = (name, fallback) => (has(name) ? args[args.indexOf(name) + 1] : fallback);
const count = Number(option("--cases", 1000));
const seed = Number(option("--seed", Math.floor(Math.random() * 1e6)));
const only = option("--case");
const shownPerGroup = Number(option("--failures", only === undefined ? 0 : 1));
const wanted = option("--notation")?.split(",") ?? Object.keys(NOTATIONS);
const edits = option("--edit");

const player = await startPlayer(schema);
console.log(`seed ${seed}`);
const results = new Map(
  wanted.map((notation) => [notation, { exact: 0, refused: 0, wrong: 0, harmed: 0, skipped: 0, groups: new Map() }]),
);
const indexes = only === undefined ? Array.from({ length: count }, (_, at) => at) : [Number(only)];
if (has("--check-shown")) await checkShown();
for (const index of indexes) await playAll(randomEdit(seed, index), index);
for (const [notation, result] of results) await report(notation, result);
await player.close();

async function playAll(edit, index) {
  for (const [notation, result] of results) {
    const one = edits && !edit.names.includes(edits) ? null : caseFrom(edit, seed, index, notation);
    if (!one) {
      result.skipped += 1;
      continue;
    }
    const problems = soundness(schema, one);
    if (problems.length) throw new Error(`case ${one.id} is not sound: ${problems}`);
    const verdict = await player.play(one);
    result[verdict.verdict] += 1;
    if (verdict.right) {
      if (only !== undefined) console.log(`${one.id}: right\n${JSON.stringify(one.call)}`);
      continue;
    }
    const group = groupOf(one, verdict);
    result.groups.set(group, [...(result.groups.get(group) ?? []), { one, verdict, edit, index }]);
  }
}

/** Fails if the writer of shown lines shows a document otherwise than `numbered` does. */
async function checkShown() {
  await init();
  const data = schemaData(schema);
  for (const index of indexes) {
    const { before } = randomEdit(seed, index);
    const document = Document.fromJSON(plain(before), data);
    const shown = document
      .numbered({ style: "structure" })
      .split("\n")
      .slice(1)
      .map((row) => row.replace(/^\d+: /, ""));
    const written = rowsOf(shownLines(before), before, [0, linesOf(before).length]).map(({ text }) => text);
    const at = shown.findIndex((row, line) => row !== written[line]);
    if (at >= 0)
      throw new Error(`case ${index}: ${JSON.stringify(shown[at])} is written as ${JSON.stringify(written[at])}`);
  }
}

/** The kind of a failure: failures of one group are likely to have one cause. */
function groupOf(one, { verdict, code, found }) {
  if (code || !found) return `${verdict} ${code}`;
  const kinds = [...new Set(differences(found, one.expected[0]).map(({ kind }) => kind))];
  return `${verdict} ${kinds.slice(0, 3).join(" + ")}`;
}

async function report(notation, { groups, skipped, ...tally }) {
  const played = Object.values(tally).reduce((sum, each) => sum + each, 0);
  const share = played ? ((100 * tally.exact) / played).toFixed(2) : "–";
  console.log(
    `${notation.padEnd(18)} ${share.padStart(6)} % right of ${played}  refused ${tally.refused}  wrong ${tally.wrong}  ` +
      `harmed ${tally.harmed}  (skipped ${skipped})`,
  );
  const size = ({ one }) => JSON.stringify([one.call, one.document]).length;
  for (const [group, found] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    // The shortest cases are the easiest to read.
    found.sort((a, b) => size(a) - size(b));
    if (has("--groups") || shownPerGroup)
      console.log(
        `  ${String(found.length).padStart(4)} ${group}: cases ${found
          .slice(0, 8)
          .map(({ index }) => index)
          .join(" ")}`,
      );
    for (const each of found.slice(0, shownPerGroup)) show(has("--shrink") ? await shrunk(each, notation) : each);
  }
}

/** Returns the failure of a smaller edit that fails in the same way. */
async function shrunk(failure, notation) {
  const kindOf = ({ one, verdict: { verdict, code, found } }) =>
    code || !found ? `${verdict} ${code}` : `${verdict} ${differences(found, one.expected[0])[0]?.kind}`;
  let best = failure;
  await shrinkEdit(failure.edit, async (edit) => {
    try {
      const one = caseFrom(edit, seed, failure.index, notation);
      if (!one || soundness(schema, one).length || short(one.document) === short(one.expected[0])) return false;
      const verdict = await player.play(one);
      if (verdict.right || kindOf({ one, verdict }) !== kindOf(failure)) return false;
      best = { ...failure, one, verdict };
      return true;
    } catch (error) {
      // A tree that lost too much is no document, and no writer can write it.
      if (error instanceof RangeError || error instanceof TypeError) return false;
      throw error;
    }
  });
  return best;
}

function show({ one, verdict: { verdict, code, message, problems, found } }) {
  const variation = one.variation ? ` (${one.variation})` : "";
  console.log(`\n## ${one.id} ${one.edit}${variation}: ${verdict}${code ? ` (${code}: ${message})` : ""}`);
  if (has("--document")) console.log(`document  ${one.document.content.map(short).join("\n          ")}`);
  const [was, now] = differing(one.document, one.expected[0]);
  console.log(`call      ${JSON.stringify(one.call)}`);
  console.log(`before    ${was.join("\n          ")}\nexpected  ${now.join("\n          ")}`);
  if (!code && found)
    for (const each of differences(found, one.expected[0]))
      console.log(`got       ${each.got}\ninstead   ${each.wanted}`);
  for (const problem of problems) if (!problem.startsWith("lost:")) console.log(`problem   ${problem}`);
}
