// Each decision has a press of its own: a double click, or a key that is held down, decides nothing that came after it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, call, chunk } from "./model.mjs";
import { open } from "./review-page.mjs";
import { ask, ended, openUi } from "./ui-page.mjs";

const WORDS = ["one", "two", "three", "four", "five"];
const BEFORE = `<h1>Tea</h1><p>${WORDS.join(" ")}</p><p>six</p>`;
/** Changes of the same width in one line: after a decision, the buttons of the next one move under the pointer. */
const UPDATES = [...WORDS, "six"].map((old) => ({ operation: "replace_text", old, new: `${old}s` }));

const working = (response) => void begin(response).write(chunk({ content: "I am reading" }));
const pending = (page) => page.evaluate(() => boundDocument.hunks().length);
const bar = (page) => page.evaluate(() => void (window.removeBar = reviewBar(editor, document.body)));

test("a double click decides one change, wherever the next one is then", async (t) => {
  for (const name of ["accept", "reject"]) {
    const page = await open(t, BEFORE, UPDATES);
    for (let left = UPDATES.length; left > 0; left--) {
      assert.equal(await pending(page), left, name);
      await page.dblclick(`#page .copydesk-${name} >> nth=0`);
    }
    assert.equal(await pending(page), 0);
  }
});

test("a double click in the toolbar decides one change; what only moves on is done twice", async (t) => {
  const page = await open(t, BEFORE, UPDATES);
  await bar(page);
  await page.dblclick(".copydesk-bar .copydesk-next");
  assert.match(await page.textContent(".copydesk-count"), /^2 of 6/);
  await page.dblclick(".copydesk-bar .copydesk-accept");
  await page.dblclick(".copydesk-bar .copydesk-reject");
  assert.equal(await pending(page), 4);
});

test("a key that is held down decides one change: on a button, and as a shortcut in the text and outside of it", async (t) => {
  const page = await open(t, BEFORE, UPDATES);
  await bar(page);
  let left = UPDATES.length;
  // Playwright repeats a key that is pressed already.
  const hold = async (...keys) => {
    for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
    for (let times = 0; times < 3; times++) await page.keyboard.down(keys.at(-1));
    for (const key of keys.toReversed()) await page.keyboard.up(key);
    assert.equal(await pending(page), --left, keys.join("+"));
  };
  await page.focus("#page .copydesk-accept >> nth=0");
  await hold("Enter");
  await page.evaluate(() => editor.commands.nextHunk());
  await page.focus(".copydesk-bar .copydesk-accept");
  await hold("Enter");
  await page.evaluate(() => editor.commands.focus("end") && editor.commands.nextHunk());
  await hold("Control", "Alt", "Enter");
  await page.focus(".copydesk-bar .copydesk-next");
  await hold("Control", "Alt", "Backspace");
});

test("a deciding key that is held down keeps its meaning for others while nothing is pending", async (t) => {
  const isPrevented = (page) =>
    page.evaluate(() => {
      const event = new KeyboardEvent("keydown", { key: "Backspace", ctrlKey: true, altKey: true, repeat: true, bubbles: true, cancelable: true });
      return !editor.view.dom.dispatchEvent(event);
    });
  for (const [updates, expected] of [[UPDATES, true], [[], false]]) assert.equal(await isPrevented(await open(t, BEFORE, updates)), expected);
});

test("a double click in a row neither decides the next one nor takes its decision back", async (t) => {
  const calls = ["old", "south", "black"].map((old, at) => call(`c-${at}`, "replace_text", { old, new: `${old}er` }));
  const { page } = await openUi(t, [{ calls }, { say: "Done." }]);
  await ask(page, "Change three words");
  await ended(page);
  const review = () => page.locator(".row").evaluateAll((rows) => rows.map(({ dataset }) => dataset.review));
  assert.deepEqual(await review(), ["pending", "pending", "pending"]);
  await page.dblclick(".row-accept >> nth=0");
  await page.waitForSelector('.row[data-review="accepted"]');
  assert.deepEqual(await review(), ["accepted", "pending", "pending"]);
  await page.dblclick(".row-reject >> nth=0");
  await page.waitForSelector('.row[data-review="rejected"]');
  assert.deepEqual(await review(), ["accepted", "rejected", "pending"]);
  await page.dblclick(".row-decided button >> nth=0");
  await page.waitForFunction(() => element.controller.getSnapshot().runs[0].items[0].call.pending.length === 1);
  assert.deepEqual(await page.evaluate(() => editor.storage.copydesk.document.hunks().length), 2);
});

test("a double click on Send sends, and one on Stop stops: neither does the other", async (t) => {
  const { page } = await openUi(t, [working, { say: "Yes." }], { expected: [/ERR_INCOMPLETE_CHUNKED_ENCODING/] });
  await page.fill("#composer", "Improve this");
  await page.dblclick(".send");
  await page.waitForSelector(".assistant-message");
  assert.deepEqual(await page.evaluate(() => [element.controller.getSnapshot().isWorking, element.controller.getSnapshot().runs[0].items.map(({ type }) => type)]), [true, ["text"]]);
  await page.fill("#composer", "A draft");
  await page.dblclick(".send[data-mode=stop]");
  await page.waitForSelector(".run-end.stopped");
  assert.deepEqual([await page.evaluate(() => element.controller.getSnapshot().runs.length), await page.inputValue("#composer")], [1, "A draft"]);
});
