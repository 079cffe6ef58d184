// The first ten minutes of a new user, in one page and one profile: each step goes on from the one before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, offline, openDemo, openSettings, saved, text, written } from "./demo-page.mjs";

const editorHtml = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.getHTML());
const pendingChanges = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.storage.copydesk.document.hunks().length);
const count = (page, selector, expected) => page.waitForFunction(([selector, expected]) => findAll(selector).length === expected, [selector, expected]);
/** Puts the cursor somewhere; the editor takes the focus in the next frame. */
async function putCursor(page, position) {
  await page.evaluate((position) => document.querySelector(".tiptap").editor.commands.focus(position, { scrollIntoView: false }), position);
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
}
/** Waits until the last change is saved, and loads the page again. */
async function reload(page) {
  await saved(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
}

test("a new user writes, reviews, comes back and exports", async (t) => {
  const page = await openDemo(t, { mode: null, expected: offline });

  await t.test("the page says what it is, and loads one build, in two parts", async () => {
    assert.match(await page.textContent(".page-intro"), /^copydesk is an editor with an assistant/);
    assert.match(await page.textContent(".demo-notice"), /recorded runs, not an AI/);
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").flatMap(({ name }) => /(\w+)_bg[^/]*\.wasm$/.exec(name)?.[1] ?? []));
    assert.deepEqual(loaded.sort(), ["copydesk", "copydesk_later"]);
  });

  await t.test("a suggestion becomes an article, which reads as one", async () => {
    await page.click(".suggestion >> nth=0");
    await ended(page);
    await page.waitForSelector("div.copydesk-proposal h2");
    const [ink, proposed] = await page.evaluate(() => [".tiptap", "div.copydesk-proposal p"].map((selector) => getComputedStyle(document.querySelector(selector)).color));
    assert.equal(proposed, ink);
    for (const button of await page.$$(".tiptap .copydesk-controls button")) {
      const { width, height } = await button.boundingBox();
      assert.ok(width >= 24 && height >= 24, `${width} × ${height}`);
    }
    const rows = await text(page, ".row-text");
    assert.ok(rows.length > 3 && rows.every((row) => !/[{}<>]|_/.test(row)), rows.join());
  });

  await t.test("changes are decided from the keyboard, and a decision is taken back", async () => {
    const all = await pendingChanges(page);
    await page.focus("#composer");
    await page.keyboard.press("Control+Alt+ArrowDown");
    assert.equal(await page.textContent(".copydesk-count"), `1 of ${all} changes`);
    await page.keyboard.press("Control+Alt+Enter");
    await page.waitForFunction((left) => find(".copydesk-count").textContent.endsWith(`of ${left} changes`), all - 1);
    assert.equal(await page.locator('.row[data-review="accepted"]').count(), 1);
    await page.click(".tiptap > h1");
    await page.keyboard.press("Control+z");
    await count(page, '.row[data-review="accepted"]', 0);
    await page.keyboard.press("Control+Shift+z");
    await count(page, '.row[data-review="accepted"]', 1);
    await page.click(".row-review:not([hidden]) button:text-is('Reject') >> nth=0");
    await count(page, '.row[data-review="rejected"]', 1);
  });

  await t.test("everything is there after a reload, and a new conversation keeps the old one", async () => {
    const before = [await written(page), await pendingChanges(page), await text(page, ".row-verdict")];
    await reload(page);
    assert.deepEqual([await written(page), await pendingChanges(page), await text(page, ".row-verdict")], before);
    await page.click(".copydesk-accept-all");
    assert.equal(await pendingChanges(page), 0);
    await page.click(".chat-head > .tool");
    await page.waitForSelector(".welcome");
    await ask(page, "What can you do?");
    await ended(page);
    await page.click(".conversation-title");
    await count(page, ".conversations:popover-open li", 2);
    await page.keyboard.press("Escape");
  });

  await t.test("the editor takes Markdown, links and tables", async () => {
    await putCursor(page, "end");
    await page.keyboard.press("Enter");
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "## Pasted\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |");
      document.querySelector(".tiptap").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.waitForSelector(".tiptap > h2 >> text=Pasted");
    assert.match(await editorHtml(page), /<h2>Pasted<\/h2><ul>/);
    const rows = await page.locator(".tiptap tr").count();
    await page.click(".tiptap td >> nth=-1");
    await page.waitForFunction(() => document.querySelector(".tiptap").editor.isActive("tableCell"));
    await page.click(".toolbar .tool[aria-label='Rows and columns']");
    await page.click('.menu:popover-open .menu-item:has-text("row below")');
    await count(page, ".tiptap tr", rows + 1);
    await page.click(".actions .tool[aria-label=Export]");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click('.menu-item:has-text("Markdown")')]);
    assert.match(download.suggestedFilename(), /^Tea.*\.md$/);
  });

  await t.test("with hundreds of changes a key redraws none of them", async () => {
    await page.evaluate(() => {
      const lines = Array.from({ length: 300 }, (_, at) => `<p>Line ${at + 1} has leaves and is long enough to be read.</p>`).join("");
      document.querySelector(".tiptap").editor.commands.setContent(`<h1>Many</h1>${lines}`);
    });
    await ask(page, 'Replace "leaves" with "leaf tips"');
    await ended(page, 2);
    assert.equal(await pendingChanges(page), 300);
    await page.waitForFunction(() => document.querySelectorAll(".tiptap .ProseMirror-widget").length > 0);
    const drawn = await page.locator(".tiptap .ProseMirror-widget").count();
    assert.ok(drawn < 150, `${drawn} of 300 are drawn`);
    await page.evaluate(() => {
      window.redrawn = 0;
      const isWidget = (node) => node.classList?.contains("ProseMirror-widget");
      new MutationObserver((records) => (window.redrawn += records.flatMap(({ addedNodes }) => [...addedNodes]).filter(isWidget).length)).observe(document.querySelector(".tiptap"), { childList: true, subtree: true });
    });
    await putCursor(page, 2);
    await page.keyboard.type("keys");
    await page.waitForFunction(() => document.querySelector(".tiptap > h1").textContent.includes("keys"));
    assert.equal(await page.evaluate(() => window.redrawn), 0);
    await page.click(".copydesk-previous");
    await page.waitForFunction(() => document.querySelector(".copydesk-current")?.checkVisibility());
    await page.click(".copydesk-accept-all");
    assert.ok(!(await written(page)).includes("leaves"));
  });

  await t.test("settings and the other language", async () => {
    await openSettings(page);
    await page.waitForSelector("dialog[open] >> text=Test connection");
    await page.keyboard.press("Escape");
    await page.click(".language");
    assert.equal(await page.getAttribute(".chat", "aria-label"), "助手");
    await ask(page, "翻译成英文");
    await ended(page, 3);
    assert.match((await text(page, ".assistant-message")).at(-1), /^这需要模型/);
  });
});
