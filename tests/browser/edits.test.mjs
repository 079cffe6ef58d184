// Several hundred edits of real editors, each with the exact resulting document.
//
// The tables are in edits/, one file per subject: name, document, update, document (or the reason of a refusal). Beyond the
// outcome, the page checks each case for: one transaction, one undo step, identical objects outside the edit, the selection
// and decorations beside it, and the same document without an editor and through the agent's tools.
import assert from "node:assert/strict";
import { test } from "node:test";
import blocks from "./edits/blocks.mjs";
import lists from "./edits/lists.mjs";
import refusals from "./edits/refusals.mjs";
import sections from "./edits/sections.mjs";
import tables from "./edits/tables.mjs";
import texts from "./edits/texts.mjs";
import wholes from "./edits/wholes.mjs";
import words from "./edits/words.mjs";
import { opener } from "./harness.mjs";

const THEMES = { words, lists, tables, blocks, wholes, texts, sections };

const openEditor = opener("edits");

async function play(t, cases) {
  // The images do not exist.
  const page = await openEditor(t, { expected: [/pictures\.example/] });
  const names = cases.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, "a name for each case");
  const wrong = await page.evaluate((cases) => playAll(cases), cases);
  if (wrong.length) assert.fail(wrong.map(([name, problems]) => `${name}\n   ${problems.join("\n   ")}`).join("\n"));
}

for (const [theme, table] of Object.entries(THEMES)) {
  test(`${table.length} edits have the expected results: ${theme}`, async (t) => {
    await play(t, table.map(([name, before, update, after, more]) => ({ name, before, update, after, ...more })));
  });
}

test(`${refusals.length} edits are refused and change nothing`, async (t) => {
  await play(t, refusals.map(([name, before, update, more]) => ({ name, before, update, ...more })));
});

test("the tables have the expected lengths", () => {
  const count = Object.values(THEMES).reduce((sum, table) => sum + table.length, 0);
  assert.ok(count >= 150, `${count} edits`);
});
