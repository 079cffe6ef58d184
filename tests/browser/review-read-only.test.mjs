// A read-only editor: neither the user nor an agent changes its document, or decides what is pending.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, model, pageWith } from "./model.mjs";
import { html, open, run, TEA } from "./review-page.mjs";

const disabled = (page) => page.$$eval(".copydesk-controls button", (all) => all.map((button) => button.disabled));
const barDisabled = (page) => page.$$eval(".copydesk-one button, .copydesk-every button", (all) => all.map((button) => button.getAttribute("aria-disabled")));

test("commands, keys and buttons decide nothing while the editor is read-only, and again when it is not", async (t) => {
  const page = await open(t);
  await page.evaluate(() => reviewBar(editor, document.body));
  await page.waitForSelector(".copydesk-controls button");
  await run(page, "nextHunk");
  assert.deepEqual(new Set(await disabled(page)), new Set([false]));
  assert.deepEqual(await barDisabled(page), ["false", "false", "false", "false"]);
  await run(page, "acceptHunk");
  const before = [await html(page), await page.evaluate(() => boundDocument.hunks())];

  await page.evaluate(() => editor.setEditable(false, false));
  await page.waitForFunction(() => [...document.querySelectorAll(".copydesk-controls button")].every((button) => button.disabled));
  assert.deepEqual(await barDisabled(page), ["true", "true", "true", "true"]);
  const id = before[1][0].id;
  const commands = [["acceptHunk", id], ["rejectHunk", id], ["resolveHunk", id, "theirs"], ["acceptAll"], ["rejectAll"], ["undoDecision"], ["undoTurn", "t"]];
  for (const [name, ...args] of commands) {
    assert.equal(await run(page, name, ...args), false, name);
    assert.equal(await page.evaluate(([name, args]) => editor.can()[name](...args), [name, args]), false, `can ${name}`);
  }
  // Presses reach the listeners although the buttons are disabled.
  await page.$$eval(".copydesk-controls button, .copydesk-bar button", (all) => all.forEach((button) => button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }))));
  for (const key of ["Control+Alt+Enter", "Control+Alt+Backspace"]) await page.keyboard.press(key);
  assert.deepEqual([await html(page), await page.evaluate(() => boundDocument.hunks())], before);
  assert.ok(await run(page, "nextHunk"), "the changes can be looked at");

  await page.evaluate(() => editor.setEditable(true));
  await page.waitForFunction(() => [...document.querySelectorAll(".copydesk-controls button")].every((button) => !button.disabled));
  assert.deepEqual(await barDisabled(page), ["false", "false", "false", "false"]);
  assert.ok(await run(page, "acceptAll"));
});

test("buttons are disabled from the start in an editor that is created read-only", async (t) => {
  const page = await open(t, TEA, []);
  await page.evaluate((html) => {
    edit(html, { copydesk: { mode: "review" }, editable: false });
    boundDocument.apply({ operation: "replace", sectionIndex: 0, content: "<p>About green tea.</p>" });
    reviewBar(editor, document.body);
  }, TEA);
  await page.waitForSelector(".copydesk-controls button");
  assert.deepEqual(new Set(await disabled(page)), new Set([true]));
});

const EDIT = call("c-1", "replace_text", { old: "About tea", new: "About green tea" });

for (const mode of ["auto", "review"]) {
  test(`edits of an agent are refused while the editor is read-only, in mode ${mode}; reading and calls of the app are not`, async (t) => {
    const server = await model(t, [{ calls: [call("c-0", "get_document"), EDIT] }, { say: "I cannot." }, { calls: [{ ...EDIT, id: "c-2" }] }, { say: "Done." }]);
    const page = await pageWith(t, server.baseUrl, TEA);
    const seen = await page.evaluate(async (mode) => {
      boundDocument.mode = mode;
      agentWith({ locale: "en" });
      editor.setEditable(false);
      const before = editor.getHTML();
      const first = await agent.prompt("Change it");
      const unchanged = [editor.getHTML() === before, boundDocument.hunks().length];
      boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>By the app.</p>" });
      const byApp = editor.getHTML() !== before || boundDocument.hunks().length > 0;
      editor.setEditable(true);
      const second = await agent.prompt("Now?");
      return { errors: [first.error, second.error], unchanged, byApp, changed: JSON.stringify([editor.getHTML(), boundDocument.hunks()]).includes("green") };
    }, mode);
    assert.deepEqual(seen.errors, [undefined, undefined]);
    assert.deepEqual(seen.unchanged, [true, 0]);
    assert.match(server.tool(1)["c-1"], /"code":"read_only"/);
    assert.doesNotMatch(server.tool(1)["c-0"], /read_only/);
    assert.ok(seen.byApp && seen.changed);
  });
}

test("an editor that becomes read-only while a call waits for approval is not changed by it", async (t) => {
  const server = await model(t, [{ calls: [EDIT] }, { say: "I cannot." }]);
  const page = await pageWith(t, server.baseUrl, TEA);
  const seen = await page.evaluate(async () => {
    agentWith({ locale: "en", needsApproval: ["replace_text"] });
    const before = editor.getHTML();
    const ended = agent.prompt("Change it");
    await until(() => saw("approval_request").length);
    editor.setEditable(false);
    agent.approve("c-1", true);
    await ended;
    return editor.getHTML() === before;
  });
  assert.ok(seen);
  assert.match(server.tool(1)["c-1"], /"code":"read_only"/);
});
