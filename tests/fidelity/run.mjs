// Plays the benchmark: node tests/fidelity/run.mjs [--engine NAME] [--only TEXT] [--failures] [--write]
import { closeAll } from "../browser/serving.mjs";
import headless from "./adapters/headless.mjs";
import { playBlockNote } from "./blocknote/play.mjs";
import { cases as all, sampleOf } from "./cases.mjs";
import { writeFailures } from "./failures.mjs";
import { openEngines, playHeadless, unsound } from "./runner.mjs";
import { tally } from "./tally.mjs";
import { ENGINES, writePage } from "./table.mjs";

/** Engines that are not in the common page. */
const OWN = { headless: (some) => playHeadless(headless, some), blocknote: playBlockNote };

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const only = option("--only");
const chosen = only ? all.filter(({ id }) => id.includes(only)) : all;
const sample = Number(option("--sample") ?? 0);
const seed = Number(option("--seed") ?? Date.now() % 100_000);
const cases = sample ? sampleOf(chosen, sample, seed) : chosen;
if (sample) console.log(`${cases.length} cases from seed ${seed}`);

const bad = unsound(all);
for (const [id, problems] of bad) console.error(`not sound: ${id}: ${problems.join("; ")}`);
if (bad.length) process.exit(1);

const engines = option("--engine")?.split(",") ?? Object.keys(ENGINES);
const results = {};
try {
  const page = engines.some((name) => !OWN[name]) ? await openEngines() : undefined;
  for (const name of engines) results[name] = await (OWN[name] ? OWN[name](cases) : page.play(name, cases));
} finally {
  await closeAll();
}

for (const [name, { verdicts, reason }] of Object.entries(results)) {
  if (reason) console.log(`${name}: not available: ${reason}`);
  else console.log(name, tally(verdicts));
  if (!verdicts?.length) process.exitCode = 1;
}
if (args.includes("--classes")) {
  const verdicts = results[engines[0]].verdicts;
  for (const group of new Set(cases.map((one) => one.class))) {
    const ids = new Set(cases.filter((one) => one.class === group).map(({ id }) => id));
    console.log(group.padEnd(8), tally(verdicts.filter(({ id }) => ids.has(id))));
  }
}
if (args.includes("--failures")) {
  // One example of each rule, and the names of its other failures.
  const { showFailure } = await import("./show.mjs");
  const byId = new Map(cases.map((one) => [one.id, one]));
  for (const verdicts of grouped(results[engines[0]].verdicts, ({ id }) =>
    id.split(" / ").slice(0, 2).join(" / "),
  ).values()) {
    const failed = verdicts.filter(({ right }) => !right);
    if (!failed.length) continue;
    const others = failed.slice(1).map(({ id }) => id.split(" / ").slice(2).join(" / "));
    console.log(showFailure(byId.get(failed[0].id), failed[0]));
    console.log(`${failed.length} of ${verdicts.length} fail${others.length ? `; also: ${others.join(" | ")}` : ""}`);
  }
}
if (results.copydesk?.verdicts && results.headless?.verdicts) {
  const headless = new Map(results.headless.verdicts.map((verdict) => [verdict.id, verdict]));
  for (const { id, found, code } of results.copydesk.verdicts) {
    const other = headless.get(id);
    const same = !other || (other.code === code && (code || JSON.stringify(other.found) === JSON.stringify(found)));
    if (same) continue;
    console.log(`the editor and the headless document disagree: ${id}`);
    process.exitCode = 1;
  }
}

if (args.includes("--write")) {
  if (only || sample || !results.copydesk) throw new Error("--write takes all cases, and the engine copydesk");
  if (!option("--engine")) writePage(all, results);
  writeFailures(results.copydesk.verdicts);
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
