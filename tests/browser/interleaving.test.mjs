// A user types while the agent edits: nothing that was typed is ever lost.
//
// Every letter that the user types is unique in a run, so that each can be traced. Runs apply edits directly, or with review;
// COPYDESK_INTERLEAVINGS and COPYDESK_REVIEWS set their numbers, COPYDESK_SEED another seed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { playCases } from "./budget.mjs";
import { opener } from "./harness.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? 1);
/** The most runs, and runs per page: enough to be fast, few enough that the page's memory does not matter. */
const [MOST, BATCH] = [4500, 50];

const open = opener("edits");

test("in runs of an agent nothing that the user types meanwhile is lost", async (t) => {
  const said = {};
  const runs = await playCases(t, { variable: "COPYDESK_INTERLEAVINGS", most: MOST, batch: BATCH, seed: SEED }, async (first, count) => {
    const page = await open(t);
    const result = await page.evaluate(([seed, count]) => interleave(seed, count), [SEED + first, count]);
    assert.equal(result.wrong, null, JSON.stringify(result.wrong, null, 1));
    for (const [code, count] of Object.entries(result.said)) said[code] = (said[code] ?? 0) + count;
    await page.close();
  });
  t.diagnostic(JSON.stringify(said));
  const { applied = 0, stale = 0, ...others } = said;
  assert.ok(runs < 100 || (applied > runs / 2 && stale > runs / 10), "edits must be made, and must meet what was typed");
  const known = ["text_not_found", "text_ambiguous", "section_out_of_range", "not_in_schema", "lines_not_shown", "section_not_shown", "unknown_version", "would_drop", "wrong_line"];
  assert.deepEqual(Object.keys(others).filter((code) => !known.includes(code)), []);
});

test("in runs with review nothing that the user types is lost, and a decision affects only its hunk", async (t) => {
  const said = {};
  // An image that is proposed and accepted is loaded, and its host does not exist.
  const expected = [/^outside: GET https:\/\/images\.example\/a\.png$/, /ERR_NAME_NOT_RESOLVED \(https:\/\/images\.example\//];
  const runs = await playCases(t, { variable: "COPYDESK_REVIEWS", most: MOST, batch: BATCH, seed: SEED }, async (first, count) => {
    const page = await open(t, { expected });
    const result = await page.evaluate(([seed, count]) => review(seed, count), [SEED + first, count]);
    assert.equal(result.wrong, null, JSON.stringify(result.wrong, null, 1));
    for (const [what, count] of Object.entries(result.said)) said[what] = (said[what] ?? 0) + count;
    await page.close();
  });
  t.diagnostic(JSON.stringify(said));
  assert.ok(runs < 100 || (said.proposed > runs && said.accept > runs / 8 && said.reject > runs / 16), "much is proposed and decided");
  const known = ["text_not_found", "text_ambiguous", "section_out_of_range", "not_in_schema", "would_drop", "wrong_line"];
  assert.deepEqual(Object.keys(said).filter((code) => code.includes("_") && !known.includes(code)), []);
});

test("keys that are really pressed meet edits of the same and of other lines", async (t) => {
  const page = await open(t);
  const line = (start_line, content) => ["edit_current_editor_document", { start_line, end_line: start_line, content, format: "text" }];
  const calls = [
    [line(1, "Tea is very old.")],
    [line(3, "A cup of it.")],
    [["replace_text", { old: "leaf", new: "leaves" }], line(2, "")],
    [["update_section", { operation: "delete", sectionIndex: 1 }]],
  ];
  const content = "<p>Tea is old.</p><p>One leaf.</p><p>A cup.</p><h2>More</h2><p>of it</p>";
  await page.evaluate(([content, calls]) => typedBeside(content, calls), [content, calls]);
  const go = () => page.evaluate(() => beside.go());
  const text = () => page.evaluate(() => beside.editor.getText({ blockSeparator: "|" }));
  await go();
  await page.click("#page p >> text=Tea is old");
  await page.keyboard.press("Home");
  await page.keyboard.type("My ");
  await go();
  assert.equal(await text(), "My Tea is old.|One leaf.|A cup.|More|of it", "the line was changed: stale");
  await page.keyboard.type("own ");
  await go();
  assert.equal(await text(), "My own Tea is old.|One leaf.|A cup of it.|More|of it");
  await page.keyboard.type("green ");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await go();
  await page.keyboard.type("And ");
  assert.equal(await text(), "My own green|And Tea is old.|One leaves.|A cup of it.|More|of it", "the text was found, its line is not as it was");
  await page.click("#page p >> text=of it >> nth=-1");
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await go();
  await page.evaluate(() => beside.go());
  const codes = await page.evaluate(async () => (await beside.run, beside.codes));
  assert.deepEqual(codes, ["applied", "applied", "stale", "applied", "applied", "stale", "stale"]);
  assert.equal(await text(), "My own green|And Tea is old.|One leaves.|A cup of it.|More|of it!");
  await page.evaluate(() => { while (beside.editor.can().undo()) beside.editor.commands.undo(); });
  assert.equal(await page.evaluate(() => beside.editor.getHTML()), content);
});
