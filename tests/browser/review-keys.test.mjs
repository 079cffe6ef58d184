// The keys of the buttons of hunks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { html, open, TEA } from "./review-page.mjs";

const label = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
const current = (page) => page.evaluate(() => document.querySelector(".ProseMirror-widget.copydesk-current")?.dataset.copydeskHunk);
const focused = (page) => page.evaluate(() => document.activeElement.closest("[data-copydesk-hunk]")?.dataset.copydeskHunk);
const AN = "“an” becomes “a very”";
const SOUTH = "“south” becomes “north”";
const SEA = "insertion of “It came by sea.”";

test("Tab reaches the buttons of one hunk, and the arrows, Home and End those of all others", async (t) => {
  const page = await open(t);
  await page.focus(".tiptap");
  await page.keyboard.press("Tab");
  const pressed = [];
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp", "Home", "ArrowLeft", "End"]) {
    await page.keyboard.press(key);
    pressed.push(await label(page));
    assert.equal(await current(page), await focused(page), `the hunk with the focus is the current one after ${key}`);
  }
  assert.deepEqual(pressed, [`Accept: ${SOUTH}`, `Reject: ${SOUTH}`, `Reject: ${SOUTH}`, `Reject: ${SEA}`, `Reject: ${AN}`, `Reject: ${SEA}`, `Reject: ${AN}`, `Accept: ${AN}`, `Accept: ${SEA}`]);
  assert.equal(await html(page), TEA, "nothing is decided");
  // Tab and Shift+Tab leave the buttons of the current hunk, which keep the place.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.notEqual(await focused(page), await current(page));
  await page.keyboard.press("Shift+Tab");
  assert.equal(await label(page), `Reject: ${SEA}`);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => boundDocument.hunks().length), 2);
});

test("the focus at a button follows the keys and commands for the next hunk, and no other focus does", async (t) => {
  const page = await open(t);
  await page.focus(".tiptap");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.equal(await label(page), `Accept: ${SOUTH}`);
  await page.evaluate(() => editor.commands.previousHunk());
  assert.equal(await label(page), `Accept: ${AN}`);
  await page.focus(".tiptap");
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.ok(await page.evaluate(() => document.activeElement === editor.view.dom));
});

test("of many hunks, those that are not drawn are reached as well", async (t) => {
  const many = Array.from({ length: 150 }, (_, at) => `<p>line ${at}</p>`).join("");
  const page = await open(t, many, [{ operation: "replace", sectionIndex: 0, content: many.replaceAll("line", "row") }]);
  assert.equal(await page.evaluate(() => boundDocument.hunks().length), 150);
  await page.focus(".tiptap");
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  assert.equal(await focused(page), await page.evaluate(() => boundDocument.hunks().at(-1).id));
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(page), await page.evaluate(() => boundDocument.hunks()[0].id));
});

test("in a document from right to left the left arrow goes to the next button", async (t) => {
  const page = await open(t);
  await page.evaluate(() => (editor.view.dom.dir = "rtl"));
  await page.focus(".tiptap");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await label(page), `Reject: ${AN}`);
});
