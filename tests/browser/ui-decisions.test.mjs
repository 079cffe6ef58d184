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
  for (const button of [".row-accept", ".row-reject", "#page .copydesk-accept", "#page .copydesk-reject", "copydesk-review-bar .copydesk-accept-all", "copydesk-review-bar .copydesk-reject-all"]) {
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
  await page.evaluate(() => editor.commands.undoDecision());
  await page.tap(".row-reject");
  assert.deepEqual([await pending(page), await isInEditor(page), await composer()], [0, false, "composer"]);
  await page.evaluate(() => editor.commands.undoDecision());
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

test("by keyboard, the focus goes from a row to the next decision: the next row, then a change elsewhere, then the text", async (t) => {
  const calls = ["an old", "south", "black"].map((old, at) => call(`c-${at}`, "replace_text", { old, new: `${old}er` }));
  const { page } = await openUi(t, [{ calls }, { say: "Done." }]);
  await ask(page, "Change three words");
  await ended(page);
  const focused = () => page.evaluate(() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const row = at.getRootNode().host;
    return [at.classList[1] ?? at.className, row?.call?.toolId ?? null];
  });
  await page.focus(".row-accept >> nth=1");
  await page.keyboard.press("Enter");
  assert.deepEqual(await focused(), ["row-accept", "c-2"]);
  await page.keyboard.press("Enter");
  assert.deepEqual(await focused(), ["row-accept", "c-0"], "from the last row to the first one that waits");
  // A change that no row has.
  await page.evaluate(() => editor.storage.copydesk.document.apply({ operation: "replace_text", old: "Kinds", new: "Sorts" }));
  await page.keyboard.press("Enter");
  assert.equal((await focused())[0], "copydesk-accept");
  await page.keyboard.press("Enter");
  assert.equal(await pending(page), 0);
  assert.ok(await isInEditor(page));
});

test("where a row has conflicts only, its button leads to them", async (t) => {
  const page = await withChange(t);
  await page.evaluate(() => editor.commands.selectAll());
  await page.evaluate(() => editor.view.focus());
  await page.keyboard.type("Z");
  await page.waitForFunction(() => element.controller.getSnapshot().runs[0].items[0].call.pending.some(({ conflict }) => conflict));
  for (const press of [() => page.click(".row-accept"), () => page.focus(".row-accept").then(() => page.keyboard.press("Enter"))]) {
    await page.focus("#composer");
    await press();
    assert.equal(await pending(page), 1);
    assert.ok(await page.evaluate(() => document.activeElement.closest(".copydesk-conflict .copydesk-controls") !== null));
  }
});

test("a row names what has no words: formatting, a divider, and nodes of the app by their label", async (t) => {
  const calls = [
    call("c-1", "set_attributes", { edits: [{ start_line: 1, attributes: { level: 3 } }] }),
    call("c-2", "edit_current_editor_document", { edits: [{ start_line: 2, end_line: 2, content: "<p>Tea is an old drink of the south.</p><hr>" }] }),
  ];
  for (const [locale, formatting, divider] of [
    ["en", "History · Formatting", "Divider"],
    ["zh-CN", "History · 格式", "分隔线"],
  ]) {
    const { page } = await openUi(t, [{ calls }, { say: "Done." }]);
    await page.evaluate((locale) => (document.documentElement.lang = locale), locale);
    await ask(page, "Change the form");
    await ended(page);
    for (const head of await page.locator(".row-head").all()) await head.click();
    await page.waitForSelector(".change >> nth=1");
    const changes = () => page.locator(".change").evaluateAll((all) => all.map(({ textContent }) => textContent.replace(/\s+/g, " ").trim()));
    assert.deepEqual(await changes(), [formatting, divider]);
    await page.click("copydesk-review-bar .copydesk-accept-all");
    await page.waitForSelector('.row[data-review="accepted"] >> nth=1');
    assert.deepEqual((await page.locator(".change :is(del, ins)").allTextContents()), [divider]);
  }
});
