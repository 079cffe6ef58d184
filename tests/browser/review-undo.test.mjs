// Decisions that are taken back, by the package and by the editor's history.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";

const open = opener("editor");

const TEA = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

/** Opens an editor with two pending hunks. `state()` is all of a review. */
async function pending(t) {
  const page = await open(t);
  await page.evaluate((html) => {
    window.editor = edit(html);
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p><p>New.</p>" });
    boundDocument.apply({ operation: "replace", sectionIndex: 2, content: "<p>Few.</p>" });
    window.state = () => JSON.stringify([editor.getHTML(), boundDocument.toHTML(), boundDocument.hunks()]);
    window.type = (text) => editor.commands.insertContentAt(editor.state.doc.child(0).nodeSize + 1, text);
  }, TEA);
  return page;
}

for (const [name, decide] of [
  ["accepting one", () => editor.commands.acceptHunk("h1")],
  ["accepting all", () => editor.commands.acceptAll()],
  ["rejecting one", () => editor.commands.rejectHunk("h2")],
  ["rejecting all", () => editor.commands.rejectAll()],
  ["keeping both", () => editor.commands.resolveHunk("h1", "both")],
]) {
  test(`${name} is taken back: the document and all hunks are those of before`, async (t) => {
    const page = await pending(t);
    const seen = await page.evaluate((decide) => {
      const before = state();
      (0, eval)(decide)();
      const decided = state();
      let changes = 0;
      editor.on("transaction", ({ transaction }) => (changes += Number(transaction.docChanged)));
      const undone = boundDocument.undoDecision();
      return { before, decided, after: state(), undone, changes, more: boundDocument.undoDecision() };
    }, String(decide));
    assert.notEqual(seen.decided, seen.before);
    assert.equal(seen.after, seen.before);
    assert.ok(seen.undone.hunks.length > 0 && seen.changes <= 1);
    assert.deepEqual([seen.undone.left, seen.more], [[], { hunks: [], left: [] }]);
  });
}

test("what is typed after a decision stays when it is taken back", async (t) => {
  const page = await pending(t);
  const seen = await page.evaluate(() => {
    const before = editor.getHTML();
    editor.commands.acceptAll();
    type("All ");
    const shown = () => document.querySelectorAll("[data-copydesk-hunk]").length;
    const none = shown();
    const isDone = editor.commands.undoDecision();
    return { before, after: editor.getHTML(), isDone, none, shown: shown() > 0, hunks: boundDocument.hunks().map(({ id }) => id) };
  });
  assert.equal(seen.after, seen.before.replace("About", "All About"));
  assert.deepEqual([seen.isDone, seen.none, seen.shown], [true, 0, true]);
  assert.equal(seen.hunks.length, 3);
});

test("a hunk whose text the user changed since stays decided, and nothing typed is lost", async (t) => {
  const page = await pending(t);
  const seen = await page.evaluate(() => {
    boundDocument.accept({ hunk: "h1" });
    let at;
    editor.state.doc.descendants((node, position) => void (node.text === "Older." && (at = position)));
    editor.commands.insertContentAt(at + 4, "X");
    const before = state();
    const result = boundDocument.undoDecision({ hunk: "h1" });
    return { result, same: state() === before, command: editor.commands.undoDecision({ hunk: "h1" }), unknown: editor.commands.undoDecision({ hunk: "h9" }) };
  });
  assert.deepEqual(seen, { result: { hunks: [], left: ["h1"] }, same: true, command: false, unknown: false });
});

test("Ctrl+Z after an acceptance makes its hunks pending again, redo accepts them, also with typing between", async (t) => {
  const page = await pending(t);
  const seen = await page.evaluate(() => {
    const states = [state()];
    boundDocument.accept("all");
    states.push(state());
    type("All ");
    editor.commands.undo();
    states.push(state());
    editor.commands.undo();
    states.push(state());
    editor.commands.redo();
    states.push(state());
    editor.commands.undo();
    states.push(state());
    // Deleting what was accepted is no undo of it.
    boundDocument.accept("all");
    const before = boundDocument.hunks().length;
    let range;
    editor.state.doc.descendants((node, position) => void (node.isTextblock && node.textContent === "New." && (range = { from: position, to: position + node.nodeSize })));
    editor.commands.deleteRange(range);
    return { states, deleted: [before, boundDocument.hunks().length, boundDocument.toHTML() === editor.getHTML()] };
  });
  const [start, accepted] = seen.states;
  assert.deepEqual(seen.states.slice(2), [accepted, start, accepted, start]);
  assert.deepEqual(seen.deleted, [0, 0, true]);
});

test("taking a decision back is one step of the editor's history as well", async (t) => {
  const page = await pending(t);
  const seen = await page.evaluate(() => {
    const before = state();
    boundDocument.accept("all");
    const accepted = state();
    boundDocument.undoDecision();
    editor.commands.undo();
    const again = state();
    editor.commands.undo();
    return { undone: again === accepted, first: state() === before, done: editor.can().undo() };
  });
  assert.deepEqual(seen, { undone: true, first: true, done: false });
});
