// The editor's history in review: every decision is one step, in its order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { html, open, REWRITE, run, TEA, texts } from "./review-page.mjs";

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const ROUNDS = 25;

test("after n undos everything is as it was n steps ago, and after n redos as before", async (t) => {
  console.log(`SEED=${SEED}`);
  const page = await open(t, TEA, []);
  const failed = await page.evaluate(
    ([html, seed, rounds]) => {
      let state = seed;
      const random = (below) => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const everything = () =>
        JSON.stringify([
          editor.getJSON(),
          boundDocument.toJSON(),
          boundDocument.hunks().map(({ from, to, content, conflict }) => [from, to, content, conflict]),
        ]);
      const proposals = [
        { operation: "replace", sectionIndex: 1, content: "<p>Tea is a very old drink of the north.</p><p>It came by sea.</p>" },
        { operation: "replace_text", old: "Many", new: "Six" },
        { operation: "append", title: "Taste", content: "<ul><li><p>sweet</p></li><li><p>bitter</p></li></ul>" },
        { operation: "replace_text", old: "About tea.", new: "" },
      ];
      const type = () => {
        const places = [];
        editor.state.doc.descendants((node, at) => void (node.isTextblock && places.push([at + 1, random(node.content.size + 1)])));
        const [start, offset] = places[random(places.length)];
        const at = start + offset;
        const { tr } = editor.state;
        if (random(3) === 0 && offset > 0) tr.delete(at - 1, at);
        else tr.insertText("xyz"[random(3)], at);
        // Typing at different places is not one step.
        editor.view.dispatch(tr.setTime(Date.now() + 1000 * clock++));
      };
      let clock = 1;
      const decide = () => {
        const hunks = boundDocument.hunks();
        if (!hunks.length) return type();
        const { id } = hunks[random(hunks.length)];
        const decisions = [
          () => editor.commands.acceptHunk(id),
          () => editor.commands.rejectHunk(id),
          () => editor.commands.rejectAll(),
          () => editor.commands.acceptAll(),
          () => boundDocument.reject({ hunks: hunks.slice(0, 2).map(({ id }) => id) }),
          () => editor.commands.undoDecision(),
        ];
        decisions[random(decisions.length)]();
      };
      for (let round = 0; round < rounds; round++) {
        edit(html, { copydesk: { mode: "review" } });
        for (const update of proposals) boundDocument.apply(update);
        const [done, undone, log] = [[], [], []];
        for (let step = 0; step < 14; step++) {
          const before = everything();
          const way = random(10);
          const name = way < 3 ? "undo" : way < 5 ? "redo" : way < 7 ? "type" : "decide";
          let expected;
          if (name === "undo" || name === "redo") {
            const [from, to] = name === "undo" ? [done, undone] : [undone, done];
            if (!from.length) continue;
            expected = from.pop();
            to.push(before);
            editor.commands[name]();
          } else {
            (name === "type" ? type : decide)();
            if (everything() === before) continue;
            done.push(before);
            undone.length = 0;
          }
          log.push(name);
          const now = everything();
          if (expected !== undefined && now !== expected) return { round, log, now, expected };
        }
      }
      return null;
    },
    [TEA, SEED, ROUNDS],
  );
  assert.equal(failed, null, `SEED=${SEED} ${JSON.stringify(failed)}`);
});

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
