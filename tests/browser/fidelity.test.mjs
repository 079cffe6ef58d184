// A sample of the fidelity benchmark in a real editor. `cargo xtask fidelity` plays all cases with all engines.
//
// A case must be right unless tests/fidelity/failures.txt lists it: those are the cases of the last full run, the one
// of docs/FIDELITY.md, that were not right. A listed case must not have a worse verdict. COPYDESK_SEED sets the seed,
// COPYDESK_FIDELITY the number of cases, COPYDESK_UNSEEN that of each unseen suite.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { cases, sampleOf } from "../fidelity/cases.mjs";
import { UNSEEN, readFailures, worse } from "../fidelity/failures.mjs";
import { openEngines, unsound } from "../fidelity/runner.mjs";
import { play as playUnseen, unseen } from "../fidelity/unseen.mjs";
import { countOf } from "./budget.mjs";
import { closeAll } from "./serving.mjs";

after(closeAll);

const SEED = Number(process.env.COPYDESK_SEED ?? Date.now() % 100_000);
const COUNT = countOf("COPYDESK_FIDELITY", 120, 30);
/** The edits of each suite. `tests/fidelity/score.mjs` plays all of them, natively. */
const UNSEEN_COUNT = countOf("COPYDESK_UNSEEN", 50, 8);

test("the cases of the fidelity benchmark are sound, and its list of failures names existing cases", () => {
  assert.deepEqual(unsound(cases), []);
  const ids = new Set(cases.map(({ id }) => id));
  assert.deepEqual([...readFailures().keys()].filter((id) => !ids.has(id)), []);
});

test(`a sample of ${COUNT} edits has the verdicts of the last full run or better`, async (t) => {
  t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another`);
  const sample = sampleOf(cases, COUNT, SEED);
  const { verdicts } = await (await openEngines()).play("copydesk", sample);
  assert.equal(verdicts.length, sample.length);
  const known = readFailures();
  t.diagnostic(`${verdicts.filter(({ right }) => right).length} of ${verdicts.length} right`);
  const regressions = verdicts.filter((one) => worse(one, known.get(one.id)));
  assert.deepEqual(regressions.map(({ id, verdict, code, problems }) => ({ id, verdict, code, problems })), []);
});

for (const suite of unseen()) {
  test(`a sample of the edits of people who had not read the code has the verdicts of the last full run or better: ${suite.name}`, async (t) => {
    t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another`);
    const sample = suite.cases.length > UNSEEN_COUNT ? sampleOf(suite.cases, UNSEEN_COUNT, SEED) : suite.cases;
    const verdicts = await playUnseen({ ...suite, cases: sample });
    assert.equal(verdicts.length, sample.length);
    t.diagnostic(`${verdicts.filter(({ right }) => right).length} of ${verdicts.length} right`);
    const known = readFailures(UNSEEN);
    const regressions = verdicts.filter((one) => worse(one, known.get(`${suite.name} / ${one.id}`)));
    assert.deepEqual(regressions.map(({ id, verdict, code }) => ({ id, verdict, code })), []);
  });
}
