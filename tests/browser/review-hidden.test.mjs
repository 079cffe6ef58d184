// Input in the view `final`, beside hidden and proposed text: it is seen where the caret is, or refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomFrom } from "../oracle/random.mjs";
import { playCases } from "./budget.mjs";
import { open } from "./review-page.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const LINES = ["Last line here.", "The Last line.", "line here Last"];
/** The proposal for "Last" and, of a conflict, what the user has made of it. */
const KINDS = [
  { now: "ember" },
  { now: "Last ember" },
  { now: "ember Last" },
  { now: "" },
  { now: "ember", mine: "LaXXst" },
  { now: "ember", mine: "L" },
  { now: "", mine: "LaXXst" },
  { now: "Last ember", mine: "LastXX" },
];
/** Sequences of keys, from a caret that is put somewhere. */
const WAYS = [[], ["Home"], ["End"], ["ArrowLeft"], ["ArrowRight"], ["ArrowDown"], ["ArrowUp"], ["ArrowUp", "End"], ["ArrowDown", "Home"]];

/** Shows an editor with the change of `kind` in `line`, and the caret at a position (or a range selected). */
const show = (page, { line, kind: { now, mine }, at, to = at }) =>
  page.evaluate(
    async ({ line, now, mine, at, to }) => {
      edit(`<p>Above.</p><p>${line}</p><p>Below the line.</p>`, { copydesk: { mode: "review" } });
      boundDocument.apply({ operation: "replace_text", old: "Last", new: now });
      const start = 9 + line.indexOf("Last");
      if (mine) editor.commands.insertContentAt({ from: start, to: start + 4 }, mine);
      await drawn();
      editor.commands.setReviewView("final");
      editor.view.focus();
      editor.commands.setTextSelection({ from: at, to });
      await drawn();
    },
    { line, now, mine, at, to },
  );
const state = (page) =>
  page.evaluate(async () => {
    await drawn();
    const shown = [];
    const walker = document.createTreeWalker(editor.view.dom, NodeFilter.SHOW_ALL, (node) => {
      const isHidden = node instanceof Element && (node.matches(".copydesk-controls, .copydesk-label") || getComputedStyle(node).display === "none");
      return isHidden ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
    });
    while (walker.nextNode()) shown.push(walker.currentNode.data ?? (walker.currentNode.matches("p") ? "|" : ""));
    const hunks = boundDocument.hunks().map(({ id, originalText, conflict }) => [id, originalText, conflict]);
    return { shown: shown.join(""), kept: JSON.stringify([editor.getHTML(), hunks]), view: reviewViewOf(editor), notice: document.querySelector(".copydesk-notice").textContent };
  });

/** Returns what is wrong after "qz" was typed; undefined if it is seen, or refused. */
function problemOf(before, after) {
  if (after.kept === before.kept) return after.notice ? undefined : "nothing happens, and nothing says why";
  const [start, end, more] = after.shown.split("qz");
  if (end === undefined || more !== undefined) return "the text is not seen once";
  const isInPlace = before.shown.startsWith(start) && before.shown.endsWith(end);
  return after.view === "final" && !isInPlace ? "other text has changed" : undefined;
}

async function openLines(t) {
  const page = await open(t, "<p>x</p>", []);
  await page.evaluate(() => {
    window.drawn = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
  return page;
}

async function play(page, one) {
  await show(page, one);
  for (const key of one.keys) {
    await page.keyboard.press(key);
    await page.evaluate(() => drawn());
  }
  const before = await state(page);
  await page.keyboard.type("q");
  await page.evaluate(() => drawn());
  await page.keyboard.type("z");
  const after = await state(page);
  const problem = problemOf(before, after);
  assert.equal(problem, undefined, JSON.stringify({ ...one, before, after }, null, 1));
  return after;
}

test("in `final` nothing is typed beside a conflict, however the caret came there", async (t) => {
  const page = await openLines(t);
  for (const line of LINES) {
    const start = 9 + line.indexOf("Last");
    for (const [at, keys] of [[start, []], [start + 6, []], [9, ["Home"]], [start + 7, ["ArrowLeft"]], [Math.max(9, start - 1), ["ArrowRight"]]]) {
      const { notice, view } = await play(page, { line, kind: KINDS[4], at: Math.min(at, 9 + line.length + 2), keys });
      if (!keys.length) assert.match(notice, /hidden/);
      assert.equal(view, "final");
    }
  }
});

test("in `final` the caret at the end of a line that a proposal ends is behind that proposal", async (t) => {
  const page = await openLines(t);
  const line = LINES[2];
  for (const kind of KINDS.slice(0, 2))
    for (const [at, keys] of [[10, ["End"]], [19, ["End"]], [23, ["End"]], [25, ["ArrowLeft"]]]) {
      const what = JSON.stringify({ kind, at, keys });
      await show(page, { line, kind, at });
      for (const key of keys) await page.keyboard.press(key);
      await page.evaluate(() => drawn());
      const isDrawn = await page.evaluate(() => getSelection().getRangeAt(0).startContainer.parentElement.checkVisibility());
      assert.ok(isDrawn, `${what}: the caret is drawn`);
      await page.keyboard.type("qz");
      const { shown } = await state(page);
      assert.match(shown, /emberqz\|/, what);
    }
});

test("in `final` what is typed is seen at the caret, or nothing changes and a notice says why", async (t) => {
  const page = await openLines(t);
  await playCases(t, { variable: "COPYDESK_CASES", most: 2000, batch: 1, seed: SEED }, async (index) => {
    const random = randomFrom(SEED + index);
    const [line, kind, keys] = [LINES, KINDS, WAYS].map((all) => random.pick(all));
    const at = random.chance(0.6) ? 9 + random.below(line.length) : 1 + random.below(6);
    const to = random.chance(0.7) ? at : at + random.below(9 + line.length - at);
    await play(page, { index, line, kind, at, to, keys: to === at ? keys : [] });
  });
});
