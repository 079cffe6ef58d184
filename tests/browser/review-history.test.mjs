// The editor's history in review: every decision is one step, in its order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { html, open, REWRITE, run, TEA, texts } from "./review-page.mjs";

test("undo takes a rejection back before an older acceptance, and redo makes it again", async (t) => {
  const page = await open(t);
  const hunks = () => page.evaluate(() => boundDocument.hunks().map(({ id }) => id));
  const all = await hunks();
  await run(page, "acceptHunk", all[0]);
  const accepted = await html(page);
  await run(page, "rejectHunk", all[1]);
  await page.focus(".tiptap");
  await page.keyboard.press("Control+z");
  assert.deepEqual([await html(page), await hunks()], [accepted, all.slice(1)]);
  await page.keyboard.press("Control+Shift+z");
  assert.deepEqual([await html(page), await hunks()], [accepted, all.slice(2)]);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  assert.deepEqual([await html(page), await hunks()], [TEA, all]);
});

test("rejecting more than a few shows a notice that takes it back", async (t) => {
  const page = await open(t, TEA, [REWRITE, { operation: "replace_text", old: "Many", new: "Six" }]);
  const before = await page.evaluate(() => boundDocument.hunks().length);
  assert.ok(before > 3, `${before} hunks`);
  await run(page, "rejectAll");
  assert.match((await texts(page, ".copydesk-notice"))[0], new RegExp(`${before} changes are rejected`));
  await page.click(".copydesk-notice button");
  assert.equal(await page.evaluate(() => boundDocument.hunks().length), before);
  assert.equal((await texts(page, ".copydesk-notice"))[0], "");
  // What happens next makes the notice go: its button would mean something else.
  await run(page, "rejectAll");
  await page.evaluate(() => editor.commands.insertContentAt(2, "x"));
  assert.equal((await texts(page, ".copydesk-notice"))[0], "");
});
