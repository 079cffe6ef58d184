// The demo's menus for the selection, with a scripted model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDemo, text } from "./demo-page.mjs";
import { call, model } from "./model.mjs";

const TEA = "<h1>Tea</h1><p>Tea is a drink. Leaves make it. Some add milk.</p><h2>History</h2><p>Long ago.</p><p></p>";

/** Runs `body` with the editor. */
const withEditor = (page, body) => page.evaluate((body) => new Function("editor", body)(document.querySelector(".tiptap").editor), body);
const ended = (page) => page.waitForFunction(() => !["idle", "running"].includes(document.querySelector(".tiptap").editor.storage.copydesk.ask.status));

for (const [locale, menu, shorten, said, option] of [
  ["en-US", 8, "Shorten", "Shorten: “Tea is a drink. Leaves make it. Some add milk.”", "Continue writing"],
  ["zh-CN", 8, "缩短", "缩短：“Tea is a drink. Leaves make it. Some add milk.”", "续写"],
]) {
  test(`in ${locale} the selection is shortened in place, and the assistant writes after a slash`, async (t) => {
    const server = await model(t, [
      { calls: [call("c-1", "replace_text", { old: " Some add milk.", new: "" })] },
      { say: "Shorter now." },
      { calls: [call("c-2", "edit_current_editor_document", { edits: [{ start_line: 5, end_line: 5, content: "Nobody knows when." }] })] },
      { say: "It goes on." },
    ]);
    const page = await openDemo(t, { locale, mode: "review", search: `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m` });
    await withEditor(page, `editor.commands.setContent(${JSON.stringify(TEA)}); editor.view.focus(); editor.commands.setTextSelection({ from: 6, to: 52 })`);
    await page.waitForSelector(".copydesk-menu");
    assert.equal(await page.locator(".copydesk-menu [role=menuitem]").count(), menu);
    await page.click(`.copydesk-menu >> text=${shorten}`);
    await ended(page);
    assert.deepEqual(await page.locator(".copydesk-deletion").allTextContents(), [" Some add milk."]);
    // The conversation shows the run, with what it was about.
    assert.ok((await text(page, ".run"))[0].includes(said), (await text(page, ".run"))[0]);
    await withEditor(page, "editor.commands.acceptAll(); editor.view.focus(); editor.commands.setTextSelection(editor.state.doc.content.size - 1)");
    await page.keyboard.type("/");
    assert.equal(await page.textContent(".copydesk-slash [aria-selected=true]"), option);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".run:nth-of-type(2)");
    await page.waitForFunction(() => document.querySelector(".tiptap").editor.storage.copydesk.ask.status === "done");
    assert.equal(await page.locator(".copydesk-insertion").count(), 1);
  });
}

test("on a narrow screen the menus fit beside the conversation", async (t) => {
  const page = await openDemo(t, { viewport: { width: 390, height: 780 } });
  await withEditor(page, `editor.commands.setContent(${JSON.stringify(TEA)}); editor.view.focus(); editor.commands.setTextSelection({ from: 6, to: 52 })`);
  await page.waitForSelector(".copydesk-menu");
  const box = await page.locator(".copydesk-actions:not([hidden])").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y >= 0, JSON.stringify(box));
});
