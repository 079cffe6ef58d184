// Plays every suite of edits natively and prints a table: node tests/fidelity/score.mjs
// [--only TEXT] [--listed] [--failures] [--save FILE] [--against FILE] [--write]. `--listed` plays what unseen/failures.txt
// lists, `--save` writes the verdicts, `--against` compares with them, `--write` writes unseen/failures.txt. Build the player first: cargo build -p copydesk-edit --example play
import { readFileSync, writeFileSync } from "node:fs";
import headless from "./adapters/headless.mjs";
import { cases } from "./cases.mjs";
import { readFailures, UNSEEN, writeFailures } from "./failures.mjs";
import { startPlayer } from "./native.mjs";
import { schema } from "./schema.mjs";
import { differing } from "./show.mjs";
import { unseen } from "./unseen.mjs";

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const only = option("--only") ?? "";
const listed = args.includes("--listed") ? readFailures(UNSEEN) : undefined;
const isPlayed = (id) => id.includes(only) && (!listed || listed.has(id));

const suites = [
  { name: "own", schema, cases: cases.filter(headless.plays) },
  ...unseen(),
];

const verdicts = {};
const failed = [];
for (const suite of suites) {
  const player = await startPlayer(suite.schema);
  for (const one of suite.cases.filter(({ id }) => isPlayed(`${suite.name} / ${id}`))) {
    const verdict = await player.play(one);
    verdicts[`${suite.name} / ${one.id}`] = {
      group: `${suite.name} ${one.class}`,
      is: verdict.right ? "right" : verdict.verdict,
    };
    if (!verdict.right) failed.push([one, suite, verdict]);
  }
  await player.close();
}

const file = option("--against");
const before = file ? JSON.parse(readFileSync(file, "utf8")) : undefined;
if (args.includes("--failures")) failed.forEach(([one, suite, verdict]) => show(one, suite, verdict));
if (args.includes("--write")) {
  const unread = failed.filter(([, suite]) => suite.name !== "own");
  writeFailures(unread.map(([one, suite, verdict]) => ({ ...verdict, id: `${suite.name} / ${one.id}` })), UNSEEN);
}
if (option("--save")) writeFileSync(option("--save"), JSON.stringify(verdicts));

/** Returns the counts of each group: `{ all, right, harmed }`. */
const counted = (verdicts) => {
  const groups = new Map();
  for (const { group, is } of Object.values(verdicts)) {
    const counts = groups.get(group) ?? { all: 0, right: 0, harmed: 0 };
    counts.all += 1;
    if (is in counts) counts[is] += 1;
    groups.set(group, counts);
  }
  return groups;
};
const [then, now] = [counted(before ?? {}), counted(verdicts)];
const sum = (groups, name) =>
  [...groups]
    .filter(([group]) => group.startsWith(name))
    .reduce(
      (sum, [, one]) => ({ all: sum.all + one.all, right: sum.right + one.right, harmed: sum.harmed + one.harmed }),
      { all: 0, right: 0, harmed: 0 },
    );
const column = ({ right, harmed }) => `${right}${harmed ? ` (${harmed} harmed)` : ""}`.padStart(18);
for (const group of [...now.keys(), ...suites.map(({ name }) => name)]) {
  const counts = sum(now, group);
  console.log(group.padEnd(28), String(counts.all).padStart(5), before ? column(sum(then, group)) : "", column(counts));
}
for (const [id, { is }] of Object.entries(before ? verdicts : {})) {
  const was = before[id]?.is;
  if (was && was !== is) console.log(`${was} → ${is}: ${id}`);
}

function show(one, suite, { verdict, code, message, problems, found }) {
  console.log(`\n## ${suite.name} / ${one.id}: ${verdict}${code ? ` (${code}: ${message})` : ""}`);
  console.log(`call      ${one.call.edits?.map((edit) => `${edit.start_line}–${edit.end_line} ${edit.format ?? ""} ${JSON.stringify(edit.content)}`).join("\n          ") ?? JSON.stringify(one.call)}`);
  if (one.shown) console.log(`shown     ${one.shown.replaceAll("\n", "\n          ")}`);
  const expected = one.expected.refused ? one.document : [one.expected].flat()[0];
  const [was] = differing(one.document, expected);
  console.log(`before    ${was.join("\n          ")}`);
  if (one.expected.refused) console.log("expected  refused");
  if (found && !code) {
    const [got, wanted] = differing(found, expected);
    console.log(`got       ${got.join("\n          ")}\nexpected  ${wanted.join("\n          ")}`);
  } else if (!one.expected.refused) {
    console.log(`expected  ${differing(one.document, expected)[1].join("\n          ")}`);
  }
  for (const problem of problems) if (!problem.startsWith("lost:")) console.log(`problem   ${problem}`);
}
