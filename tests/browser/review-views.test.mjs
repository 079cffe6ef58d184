// The views of a review: the document without the changes, with them marked, or as if all were accepted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf } from "./budget.mjs";
import { opener } from "./harness.mjs";
import { html, open, REWRITE, run, struck, TEA } from "./review-page.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Date.now() % 1_000_000);
const RUNS = countOf("COPYDESK_INTERLEAVINGS", 60, 20);

const openEdits = opener("edits");
/** The pictures of the random edits are not there. */
const IMAGES = [/^outside: GET https:\/\/images\.example\//, /^console: Failed to load resource: net::ERR_NAME_NOT_RESOLVED/];

test("`original` and `final` show what the exports without and with the changes contain, and change nothing", async (t) => {
  t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another`);
  const page = await openEdits(t, { expected: IMAGES });
  const { wrong, said } = await page.evaluate(([seed, runs]) => views(seed, runs), [SEED, RUNS]);
  assert.equal(wrong, null, JSON.stringify(wrong, null, 1));
  assert.ok(said.hunks > RUNS && said.conflicts > 0, JSON.stringify(said));
});

/** Tea is an old drink of the south. "an old " and the paragraph "Many." are deleted, "south" becomes "north". */
const CHANGES = [
  { operation: "replace_text", old: "an old ", new: "" },
  { operation: "replace_text", old: "south", new: "north" },
  { operation: "replace", sectionIndex: 2, content: "<ul><li><p>A few.</p></li></ul>" },
];
const shown = (page) => page.evaluate(() => document.querySelector(".ProseMirror").innerText.replace(/\n+/g, "|"));
const notice = (page) => page.textContent(".copydesk-notice");
const hunks = (page) => page.evaluate(() => boundDocument.hunks().map(({ originalText, newText, conflict }) => [originalText, newText, conflict]));
const position = (page, text, offset = 0) =>
  page.evaluate(
    ([text, offset]) => {
      let found;
      editor.state.doc.descendants((node, at) => void (found ??= node.isText && node.text.includes(text) ? at + node.text.indexOf(text) + offset : undefined));
      return found;
    },
    [text, offset],
  );
const select = (page, from, to) =>
  page.evaluate(
    (range) => {
      editor.view.focus();
      editor.commands.setTextSelection(range);
    },
    { from, to },
  );
/** Puts the caret into the document: `offset` characters behind the start of a text. */
async function caret(page, text, offset = 0) {
  const at = await position(page, text, offset);
  await select(page, at, at);
}

test("in `final` nothing is typed into hidden text, and the notice says so; elsewhere typing works", async (t) => {
  const page = await open(t, TEA, CHANGES);
  await run(page, "setReviewView", "final");
  assert.equal(await shown(page), "Tea|About tea.|History|Tea is drink of the north.|Kinds|A few.");
  const before = await hunks(page);
  for (const [text, offset] of [["an old", 3], ["Many", 2]]) {
    for (const key of ["x", "Backspace", "Delete", "Enter", "Control+Backspace"]) {
      await page.evaluate(() => document.querySelector(".copydesk-notice").replaceChildren());
      await caret(page, text, offset);
      await page.keyboard.press(key);
      assert.match(await notice(page), /hidden/, `${key} in ${text}`);
    }
    const at = await position(page, text);
    await select(page, at, at + 4);
    await page.keyboard.press("x");
  }
  assert.deepEqual([await html(page), await hunks(page)], [TEA, before]);

  await caret(page, "About", 5);
  await page.keyboard.type(" green");
  await caret(page, "drink", 5);
  await page.keyboard.type("s");
  await caret(page, "of the", 0);
  await page.keyboard.press("Delete");
  assert.equal(await html(page), TEA.replace("About", "About green").replace("drink of", "drinks f"));
  assert.equal(await shown(page), "Tea|About green tea.|History|Tea is drinks f the north.|Kinds|A few.");
  assert.deepEqual(await hunks(page), before);
});

test("in `final` a deletion beside hidden text takes what is shown, and stops before hidden blocks", async (t) => {
  const page = await open(t, TEA, CHANGES);
  await run(page, "setReviewView", "final");
  const before = await hunks(page);
  await caret(page, "drink");
  await page.keyboard.press("Backspace");
  assert.equal(await html(page), TEA.replace("is an", "isan"));
  await page.evaluate(() => editor.commands.undo());
  await caret(page, "is an", 3);
  await page.keyboard.press("Delete");
  assert.equal(await html(page), TEA.replace("drink", "rink"));
  await page.evaluate(() => editor.commands.undo());
  // "Many." is hidden below this heading.
  await caret(page, "Kinds", 5);
  await page.keyboard.press("Delete");
  assert.match(await notice(page), /hidden/);
  assert.deepEqual([await html(page), await hunks(page)], [TEA, before]);
  // Proposed text is entered as where the changes are marked.
  await page.locator(".copydesk-typable", { hasText: "north" }).click();
  await page.keyboard.type("!");
  const entered = await html(page);
  assert.match(entered, /the n?[orth]*![orth]*\./);
  assert.equal(entered.replace("!", ""), TEA.replace("south", "north"));
});

test("in `original` all text can be edited; a change of the same text becomes a conflict", async (t) => {
  const page = await open(t, TEA, CHANGES);
  await run(page, "setReviewView", "original");
  assert.equal(await shown(page), "Tea|About tea.|History|Tea is an old drink of the south.|Kinds|Many.");
  await caret(page, "south", 2);
  await page.keyboard.type("XY");
  assert.equal(await html(page), TEA.replace("south", "soXYuth"));
  assert.deepEqual((await hunks(page)).filter(([, , conflict]) => conflict), [["soXYuth", "north", true]]);
  assert.equal(await shown(page), "Tea|About tea.|History|Tea is an old drink of the soXYuth.|Kinds|Many.");
});

test("a copy is what the view shows", async (t) => {
  const page = await open(t, TEA, CHANGES, { permissions: ["clipboard-read", "clipboard-write"] });
  const copied = async () => {
    await page.keyboard.press("Control+c");
    return (await page.evaluate(() => navigator.clipboard.readText())).split(/\n+/);
  };
  await page.evaluate(() => (editor.view.focus(), editor.commands.selectAll()));
  const [original, final] = [["Tea is an old drink of the south.", "Many."], ["Tea is drink of the north.", "A few."]];
  for (const [view, [sentence, end]] of [["original", original], ["final", final], ["marked", final]]) {
    await run(page, "setReviewView", view);
    const [, , , one, , two] = await copied();
    assert.deepEqual([one, two], [sentence, end], view);
  }
  await run(page, "setReviewView", "final");
  const at = await position(page, "an old");
  await select(page, at, at + 6);
  assert.equal((await copied())[3], "Tea is drink of the north.", "the clipboard stays");
  assert.match(await notice(page), /hidden/);
});

test("a new proposal and the navigation show the changes again; restored changes and the history do not", async (t) => {
  const page = await open(t, TEA, [REWRITE]);
  const view = () => page.evaluate(() => reviewViewOf(editor));
  for (const name of ["original", "final"]) {
    await run(page, "setReviewView", name);
    assert.equal((await struck(page)).length, 0);
    // Nothing is decided that is not seen.
    assert.deepEqual([await run(page, "acceptHunk"), await run(page, "rejectHunk"), await view()], [false, false, name]);
    assert.match(await notice(page), /Show the changes/);
    await run(page, "nextHunk");
    assert.equal(await view(), "marked");
  }
  await run(page, "setReviewView", "final");
  await run(page, "acceptAll");
  await run(page, "undo");
  assert.deepEqual([(await hunks(page)).length > 0, await view()], [true, "final"]);
  await page.evaluate(() => boundDocument.apply({ operation: "replace_text", old: "Many", new: "Few" }));
  assert.equal(await view(), "marked");
  assert.match(await notice(page), /again/);
  assert.ok((await struck(page)).length);

  await page.evaluate(() => {
    const stored = boundDocument.hunks();
    boundDocument.reject("all");
    editor.commands.setReviewView("original");
    boundDocument.restoreHunks(stored);
  });
  assert.deepEqual([(await hunks(page)).length > 0, await view()], [true, "original"]);
  assert.equal(await run(page, "setReviewView", "both"), false);
});

test("changes of the task that chooses a view are not new in it, and later ones are", async (t) => {
  const page = await open(t, TEA, []);
  const viewsOf = (view, order) =>
    page.evaluate(
      async ([html, view, order]) => {
        edit(html, { copydesk: { mode: "review" } });
        const acts = { apply: () => boundDocument.apply({ operation: "replace_text", old: "south", new: "north" }), choose: () => editor.commands.setReviewView(view) };
        for (const act of order) acts[act]();
        const now = reviewViewOf(editor);
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        return [now, reviewViewOf(editor), document.querySelector(".copydesk-notice").textContent !== ""];
      },
      [TEA, view, order],
    );
  for (const view of ["final", "original"]) {
    assert.deepEqual(await viewsOf(view, ["apply", "choose"]), [view, view, false]);
    assert.deepEqual(await viewsOf(view, ["choose", "apply"]), [view, "marked", true]);
    assert.deepEqual(await viewsOf(view, ["choose", "apply", "choose"]), [view, view, false]);
  }
});

test("restored changes leave the view, whatever is set in the task that binds the document", async (t) => {
  const page = await open(t, TEA, [REWRITE]);
  const views = await page.evaluate(async () => {
    const stored = { content: editor.getJSON(), pending: editor.storage.copydesk.pending };
    const views = {};
    for (const [name, set] of Object.entries({
      nothing: () => {},
      mode: (document) => ((document.mode = "auto"), (document.mode = "review")),
      guards: (document) => document.setGuards({ images: "any" }),
    })) {
      const other = edit(stored.content, { copydesk: { mode: "review", reviewView: "final", pending: stored.pending } });
      set(other.storage.copydesk.document);
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      views[name] = [reviewViewOf(other), other.storage.copydesk.document.hunks().length > 0];
    }
    return views;
  });
  for (const [name, view] of Object.entries(views)) assert.deepEqual(view, ["final", true], name);
});

test("the bar has a choice of the view that the keyboard reaches, and says nothing of a current change without marks", async (t) => {
  const page = await open(t, TEA, [REWRITE]);
  await page.evaluate(() => reviewBar(editor, document.body));
  const choice = page.getByRole("combobox", { name: "View" });
  assert.equal(await choice.inputValue(), "marked");
  await run(page, "nextHunk");
  assert.match(await page.textContent(".copydesk-count"), /^1 of/);
  await choice.focus();
  await page.keyboard.press("ArrowDown");
  assert.deepEqual([await choice.inputValue(), await page.evaluate(() => reviewViewOf(editor))], ["final", "final"]);
  assert.match(await page.textContent(".copydesk-count"), /^\d+ changes$/);
  assert.equal(await page.getAttribute(".copydesk-bar .copydesk-accept", "aria-disabled"), "true");
  await run(page, "setReviewView", "original");
  assert.equal(await choice.inputValue(), "original");
});
