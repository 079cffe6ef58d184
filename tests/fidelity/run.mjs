// Plays the benchmark: node tests/fidelity/run.mjs [--engine NAME] [--only TEXT] [--failures] [--write]
import { closeAll } from "../browser/serving.mjs";
import headless from "./adapters/headless.mjs";
import { cases as all } from "./cases.mjs";
import { openEngines, playHeadless, unsound } from "./runner.mjs";

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const only = option("--only");
const cases = only ? all.filter(({ id }) => id.includes(only)) : all;

const bad = unsound(all);
for (const [id, problems] of bad) console.error(`not sound: ${id}: ${problems.join("; ")}`);
if (bad.length) process.exit(1);

const engines = option("--engine")?.split(",") ?? ["copydesk", "headless", "naive", "search", "ranges"];
const results = {};
try {
  const page = engines.some((name) => name !== "headless") ? await openEngines() : undefined;
  for (const name of engines) results[name] = name === "headless" ? await playHeadless(headless, cases) : await page.play(name, cases);
} finally {
  await closeAll();
}

for (const [name, { verdicts, reason }] of Object.entries(results)) {
  if (reason) console.log(`${name}: not available: ${reason}`);
  else console.log(name, tally(verdicts));
}
if (args.includes("--classes")) {
  const verdicts = results[engines[0]].verdicts;
  for (const group of new Set(cases.map((one) => one.class))) {
    const ids = new Set(cases.filter((one) => one.class === group).map(({ id }) => id));
    console.log(group.padEnd(8), tally(verdicts.filter(({ id }) => ids.has(id))));
  }
}
if (args.includes("--failures")) {
  const { showFailure } = await import("./show.mjs");
  const byId = new Map(cases.map((one) => [one.id, one]));
  for (const verdict of results[engines[0]].verdicts) if (!verdict.right) console.log(showFailure(byId.get(verdict.id), verdict));
}

function tally(verdicts) {
  const count = (test) => verdicts.filter(test).length;
  const named = (name, right) => count((one) => one.verdict === name && one.right === right);
  return `${verdicts.length} cases: ${named("exact", true)} exact, ${named("refused", true)} rightly refused, ${named("refused", false)} wrongly refused, ${count((one) => one.verdict === "wrong")} wrong, ${count((one) => one.verdict === "harmed")} harmed`;
}
