// Workspaces in Chromium: in IndexedDB, and in a folder (OPFS, whose handles are those of chosen folders). Node has no other
// workspace in memory: tests/packaging/workspace.test.mjs tests it.
import { test } from "node:test";
import { cases } from "../workspace/cases.mjs";
import { searchCases } from "../workspace/search-cases.mjs";
import { countOf } from "./budget.mjs";
import { opener } from "./harness.mjs";

const open = opener("workspace");
/** The random operations. */
const OPERATIONS = { IndexedDB: countOf("COPYDESK_OPERATIONS", 1000, 300), folder: countOf("COPYDESK_OPERATIONS", 150, 50) };
const seed = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));

for (const kind of ["IndexedDB", "folder"]) {
  test(`all workspaces: ${kind}`, async (t) => {
    const page = await open(t);
    for (const name of [...Object.keys(cases), ...Object.keys(searchCases)]) {
      await t.test(name, () => page.evaluate(([kind, name]) => runCase(kind, name), [kind, name]));
    }
    await t.test(`random operations do what a naive workspace does (COPYDESK_SEED=${seed})`, () =>
      page.evaluate(([kind, seed, count]) => runRandom(kind, seed, count), [kind, seed, OPERATIONS[kind]]),
    );
  });
}
