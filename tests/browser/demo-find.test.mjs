// Find and replace in the document, with the changes that are proposed in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDemo, written } from "./demo-page.mjs";

const HTML = "<h1>Green tea</h1><p>A cup of <strong>green</strong> tea, and Greenland.</p><ul><li><p>gre<em>en</em></p></li></ul><pre><code>green();</code></pre><p>End.</p>";
const html = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.getHTML());
const setUp = (page, content = HTML) =>
  page.evaluate((content) => document.querySelector(".tiptap").editor.chain().setContent(content).focus("start").run(), content);
const propose = (page, line, content) =>
  page.evaluate(
    ([line, content]) => document.querySelector(".tiptap").editor.storage.copydesk.document.apply({ operation: "replace_lines", edits: [{ start_line: line, end_line: line, content, format: "text" }] }),
    [line, content],
  );
const status = (page, expected) => page.waitForFunction((expected) => document.querySelector("copydesk-find")?.shadowRoot.querySelector(".find-status")?.textContent === expected, expected);
const selected = (page) =>
  page.evaluate(() => {
    const { state } = document.querySelector(".tiptap").editor;
    return state.doc.textBetween(state.selection.from, state.selection.to);
  });
const field = ".find-bar input >> nth=0";
const replacement = ".find-bar input >> nth=1";

async function openFind(page, keys = "ControlOrMeta+f") {
  await page.keyboard.press(keys);
  await page.waitForSelector(".find-bar:not([hidden])");
}

test("Ctrl+F finds in the document, across marks, and goes round with Enter", async (t) => {
  const page = await openDemo(t);
  await setUp(page);
  await openFind(page);
  await page.keyboard.type("green");
  await status(page, "1 of 5");
  assert.equal(await page.locator(".find-match.find-current").count(), 1);
  const seen = [];
  for (let count = 0; count < 5; count++) {
    seen.push(await selected(page));
    await page.keyboard.press("Enter");
  }
  assert.deepEqual(seen, ["Green", "green", "Green", "green", "green"]);
  await status(page, "1 of 5");
  await page.keyboard.press("Shift+Enter");
  await status(page, "5 of 5");
  await page.click(".find-toggle[aria-label='Match case']");
  await status(page, "3 of 3");
  await page.click(".find-toggle[aria-label='Match case']");
  await page.click(".find-toggle[aria-label='Whole words']");
  await page.waitForFunction(() => /of 4$/.test(document.querySelector("copydesk-find").shadowRoot.querySelector(".find-status").textContent));
  await page.fill(field, "no such words");
  await status(page, "No matches");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
  assert.equal(await page.locator(".find-match").count(), 0);
  assert.equal(await html(page), HTML);
});

test("matches follow what is typed, and the selected text is searched", async (t) => {
  const page = await openDemo(t);
  await setUp(page);
  await page.evaluate(() => document.querySelector(".tiptap").editor.commands.setTextSelection({ from: 1, to: 6 }));
  await openFind(page);
  await status(page, "1 of 5");
  assert.equal(await page.inputValue(field), "Green");
  await page.evaluate(() => document.querySelector(".tiptap").editor.commands.insertContentAt(1, "green, "));
  await status(page, "2 of 6");
});

test("replacing is one undo step each, keeps marks, and removes no block", async (t) => {
  const page = await openDemo(t);
  await setUp(page);
  const undo = () => page.evaluate(() => document.querySelector(".tiptap").editor.commands.undo());
  await openFind(page, "ControlOrMeta+h");
  await page.fill(field, "green");
  await page.fill(replacement, "$& $1");
  await page.focus(replacement);
  await page.keyboard.press("Enter");
  await status(page, "1 of 4");
  assert.match(await html(page), /<h1>\$&amp; \$1 tea<\/h1>/);
  await undo();
  assert.equal(await html(page), HTML);
  await page.fill(replacement, "red");
  await page.click(".find-bar .button >> nth=1");
  await status(page, "Replaced 5.");
  assert.equal(await html(page), "<h1>red tea</h1><p>A cup of <strong>red</strong> tea, and redland.</p><ul><li><p>red</p></li></ul><pre><code>red();</code></pre><p>End.</p>");
  await undo();
  assert.equal(await html(page), HTML);
  await page.fill(field, "End.");
  await page.fill(replacement, "");
  await page.click(".find-bar .button >> nth=1");
  await status(page, "Replaced 1.");
  assert.equal(await html(page), HTML.replace("<p>End.</p>", "<p></p>"));
});

test("matches in suggested changes are counted and shown, and replacing leaves them with a sentence", async (t) => {
  const page = await openDemo(t, { mode: "review" });
  await setUp(page, "<p>The old leaf.</p><p>A leaf in the cup.</p><p>Another leaf.</p>");
  await propose(page, 1, "The new leaf, a green leaf.");
  await propose(page, 3, "Nothing.");
  const hunks = () => page.evaluate(() => document.querySelector(".tiptap").editor.storage.copydesk.document.hunks().map(({ originalText, newText }) => [originalText, newText]));
  const pending = await hunks();
  await openFind(page, "ControlOrMeta+h");
  await page.fill(field, "green leaf");
  await status(page, "1 of 1, 1 in suggestions");
  await page.fill(replacement, "herb");
  await page.click(".find-bar .button >> nth=0");
  await status(page, "This match is in a suggested change. Accept or reject the change first.");
  await page.click(".find-bar .button >> nth=1");
  await status(page, "Replaced 0. 1 match in suggested changes stays: accept or reject them first.");
  await page.fill(field, "leaf");
  await page.waitForFunction(() => /^\d of \d, \d in suggestions$/.test(document.querySelector("copydesk-find").shadowRoot.querySelector(".find-status").textContent));
  const [, total, proposed] = /of (\d), (\d)/.exec(await page.textContent(".find-status")).map(Number);
  assert.ok(proposed >= 1 && total - proposed === 3, await page.textContent(".find-status"));
  await page.click(".find-bar .button >> nth=1");
  await page.waitForFunction(() => document.querySelector("copydesk-find").shadowRoot.querySelector(".find-status").textContent.startsWith("Replaced "));
  assert.deepEqual(await hunks(), pending, "the changes are as they were");
  assert.match(await written(page), /A herb in the cup\./);
  // What is in the changes was left, what is in no change was replaced: nothing else is found now.
  await page.fill(field, "leaf,");
  await status(page, "1 of 1, 1 in suggestions");
  const marks = await page.evaluate(() => [...CSS.highlights.keys()].sort());
  assert.deepEqual(marks, ["find-proposed", "find-proposed-current"]);
});

test("random texts: the matches are those of the text of each block, and all are replaced", async (t) => {
  const page = await openDemo(t);
  const seed = Number(process.env.COPYDESK_SEED ?? Date.now() % 1e6);
  t.diagnostic(`COPYDESK_SEED=${seed}`);
  let state = seed;
  const below = (n) => Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
  const pick = (list) => list[below(list.length)];
  const run = () => Array.from({ length: 1 + below(12) }, () => pick(["a", "b", "ab", " ", "茶", "🍵", "<b>a</b>", "<i>b</i>"])).join("");
  const block = () => pick([(x) => `<p>${x}</p>`, (x) => `<h2>${x}</h2>`, (x) => `<ul><li><p>${x}</p></li></ul>`, (x) => `<blockquote><p>${x}</p></blockquote>`])(run());
  await setUp(page, "<p></p>");
  await openFind(page, "ControlOrMeta+h");
  for (let round = 0; round < 8; round++) {
    await setUp(page, Array.from({ length: 1 + below(8) }, block).join(""));
    const wanted = pick(["a", "ab", "茶", "🍵", "b a", "aa"]);
    await page.fill(replacement, pick(["", "x", "ab"]));
    const blocks = await page.$$eval(".tiptap :is(p, h2)", (all) => all.map((one) => one.textContent));
    const naive = blocks.reduce((sum, text) => sum + text.split(wanted).length - 1, 0);
    await page.fill(field, "");
    await page.fill(field, wanted);
    await page.waitForFunction((naive) => document.querySelector("copydesk-find").shadowRoot.querySelector(".find-status").textContent.endsWith(naive ? ` of ${naive}` : "No matches"), naive);
    await page.click(".find-bar .button >> nth=1");
    const to = await page.inputValue(replacement);
    const replaced = await page.$$eval(".tiptap :is(p, h2)", (all) => all.map((one) => one.textContent));
    assert.deepEqual(replaced, blocks.map((text) => text.split(wanted).join(to)));
  }
});

test("a read-only tab is searched, and has no replacing", async (t) => {
  const page = await openDemo(t);
  await setUp(page);
  await page.evaluate(() => document.querySelector(".tiptap").editor.setEditable(false));
  await openFind(page, "ControlOrMeta+h");
  await page.fill(field, "green");
  await status(page, "1 of 5");
  assert.equal(await page.isVisible(replacement), false);
  await page.keyboard.press("Enter");
  await status(page, "2 of 5");
  assert.equal(await html(page), HTML);
});
