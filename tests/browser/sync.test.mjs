// Whatever happens in an editor, the wasm's document equals the editor's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf } from "./budget.mjs";
import { opener } from "./harness.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? 1);

const openEditor = opener("oracle");

async function open(t) {
  const page = await openEditor(t, { expected: [/outside: /, /Failed to load resource/] });
  t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another`);
  return page;
}

test("random edits by users, plugins and the agent are mirrored", async (t) => {
  const page = await open(t);
  const { failure, seen } = await page.evaluate(([seed, rounds]) => followEdits(seed, rounds, 30), [SEED, countOf("COPYDESK_ROUNDS", 60, 20)]);
  assert.equal(failure, null);
  assert.ok(seen.length > 30, `of the acts only these did anything: ${seen}`);
});

test("attributes that are no numbers to JSON are null in the mirror, and stay in the editor", async (t) => {
  const page = await open(t);
  const { wrong, count } = await page.evaluate(() => followNumbers());
  assert.deepEqual(wrong, []);
  assert.ok(count >= 5, `only ${count} attributes were such numbers`);
});

test("sections with proposals are those of a document that is read afresh", async (t) => {
  const page = await open(t);
  const { failure, most } = await page.evaluate(([seed, rounds]) => followProposals(seed, rounds, 25), [SEED, countOf("COPYDESK_ROUNDS", 40, 15)]);
  assert.equal(failure, null);
  assert.ok(most > 3, `only ${most} changes were pending at once`);
});

test("edits that arrive from another editor are mirrored", async (t) => {
  const page = await open(t);
  const rounds = countOf("COPYDESK_ROUNDS", 25, 10);
  const { failure, whole } = await page.evaluate(([seed, rounds]) => followCollaboration(seed, rounds, 25), [SEED, rounds]);
  assert.equal(failure, null);
  assert.ok(whole > rounds / 5, `only ${whole} of ${rounds} sequences came to their end`);
});

test("typing that is reported later leads to what it leads to at once", async (t) => {
  const page = await open(t);
  const { failure, late } = await page.evaluate((seed) => followLate(seed, 60, 40), SEED);
  assert.equal(failure, null);
  assert.ok(late > 100, `only ${late} times changes were reported later`);
});

test("typing is reported when nobody reads, and before an editor is gone", async (t) => {
  const page = await open(t);
  const reports = await page.evaluate(async () => {
    const editor = customEditor("<p>One</p><p>Two</p>");
    const { document } = editor.storage.copydesk;
    const { binding } = editor.storage.copydesk;
    editor.view.dispatch(editor.state.tr.insertText("x", 1));
    const atFirst = binding.isLate;
    await new Promise((done) => {
      const look = () => (binding.isLate ? setTimeout(look, 10) : done());
      look();
    });
    editor.view.dispatch(editor.state.tr.insertText("y", 1));
    const read = [binding.isLate, document.lines()[0].text, binding.isLate];
    editor.view.dispatch(editor.state.tr.insertText("z", 1));
    editor.destroy();
    return { atFirst, read, gone: binding.isLate };
  });
  assert.deepEqual(reports, { atFirst: true, read: [true, "yxOne", false], gone: false });
});
