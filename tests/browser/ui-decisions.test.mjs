// Decisions about the assistant's changes in the document, while the focus is in its message field, and what its rows say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "./model.mjs";
import { ask, ended, openUi } from "./ui-page.mjs";

const replace = { calls: [call("c-1", "replace_text", { old: "an old drink of the south", new: "a very old drink of the north" })] };

/** A page with a suggested change, and the focus in the message field. */
async function withChange(t, options) {
  const { page } = await openUi(t, [replace, { say: "Done." }], options);
  await ask(page, "Make the tea older");
  await ended(page);
  await page.waitForSelector(".copydesk-controls");
  return page;
}
const pending = (page) => page.evaluate(() => editor.storage.copydesk.document.hunks().length);
const isInEditor = (page) => page.evaluate(() => editor.view.hasFocus());

test("after a decision by the pointer in the document or the bar, Ctrl+Z takes it back", async (t) => {
  for (const button of ["#page .copydesk-accept", "#page .copydesk-reject", "copydesk-review-bar .copydesk-accept-all", "copydesk-review-bar .copydesk-reject-all"]) {
    const page = await withChange(t);
    const before = await pending(page);
    await page.click(`${button} >> nth=0`);
    assert.ok((await pending(page)) < before, button);
    assert.ok(await isInEditor(page), button);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((before) => editor.storage.copydesk.document.hunks().length === before, before);
  }
});

test("a decision by the pointer leaves the focus in a draft, and a tap opens no keyboard", async (t) => {
  const page = await withChange(t, { hasTouch: true });
  const composer = () => page.evaluate(() => element.shadowRoot.querySelector("copydesk-composer").shadowRoot.activeElement?.id);
  await page.tap("#page .copydesk-accept >> nth=0");
  assert.deepEqual([await isInEditor(page), await composer()], [false, "composer"]);
  await page.fill("#composer", "And now");
  await page.click("copydesk-review-bar .copydesk-accept-all");
  await page.keyboard.type(" this");
  assert.deepEqual([await pending(page), await isInEditor(page), await page.inputValue("#composer")], [0, false, "And now this"]);
});

test("a row tells a decision as long as it holds: not after undo, also when the text is changed then, and again after redo", async (t) => {
  const page = await withChange(t);
  const review = (state) => page.waitForSelector(`.row[data-review="${state}"]`);
  await page.click("copydesk-review-bar .copydesk-accept-all");
  await review("accepted");
  await page.keyboard.press("Control+z");
  await review("pending");
  await page.keyboard.press("Control+Shift+z");
  await review("accepted");
  await page.keyboard.press("Control+z");
  await review("pending");
  // Typing over the changes replaces them by one conflict.
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Z");
  await page.waitForFunction(() => editor.storage.copydesk.document.hunks().some(({ conflict }) => conflict));
  await page.waitForFunction(() => element.controller.getSnapshot().runs[0].items[0].call.pending.some(({ conflict }) => conflict));
  assert.deepEqual(await page.evaluate(() => element.controller.getSnapshot().runs[0].items[0].call.decisions), []);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !editor.storage.copydesk.document.hunks().some(({ conflict }) => conflict));
  await page.click("copydesk-review-bar .copydesk-accept-all");
  await review("accepted");
});
