// The demo saves recordings and replays them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { ask, ended, lowContrasts, openDemo, text, written } from "./demo-page.mjs";
import { call, model, status } from "./model.mjs";

const KEY = "sk-of-the-demo-0123456789";
const append = (title) => call(`c-${title}`, "update_section", { operation: "append", title, content: `<p>About ${title}.</p>` });

/** Clicks an item of the menu. */
async function choose(page, name) {
  await page.click(".chat .menu-anchor .tool");
  await page.click(`.menu-item:has-text("${name}")`);
}

async function save(page, name = "Save recording") {
  const [download] = await Promise.all([page.waitForEvent("download"), choose(page, name)]);
  assert.match(download.suggestedFilename(), /^copydesk-recording-\d{4}-\d\d-\d\d-\d{4}\.json$/);
  return readFile(await download.path(), "utf8");
}

async function open(page, json, name = "Open recording") {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), choose(page, name)]);
  await chooser.setFiles({ name: "recording.json", mimeType: "application/json", buffer: Buffer.from(json) });
}

async function recorded(t, options) {
  const server = await model(t, [{ calls: [append("History")] }, { say: "The history is **there**." }, status(400), { say: "Here I am again." }]);
  const kept = { settings: { preset: "custom", api: "openai-completions", baseUrl: server.baseUrl, modelId: "m" }, keys: { custom: KEY } };
  // Recordings are off unless the user turns them on.
  const keep = (kept) => Object.entries({ ...kept, record: 1 }).forEach(([name, value]) => localStorage.setItem(`copydesk.${name}`, JSON.stringify(value)));
  const page = await openDemo(t, { expected: [/400/], prepare: (page) => page.addInitScript(keep, kept), ...options });
  await page.click(".tiptap");
  await page.keyboard.type("My own words.");
  await ask(page, "Write the history");
  await ended(page);
  await ask(page, "And now?");
  await page.waitForSelector(".failure");
  assert.equal(server.requests[0].headers.authorization, `Bearer ${KEY}`);
  return page;
}

test("a conversation is saved, and replayed on another page with its document", async (t) => {
  const page = await recorded(t);
  const shown = { page: await written(page), asked: await text(page, ".user-message"), said: await text(page, ".assistant-message"), rows: await text(page, ".row-text"), failures: await text(page, ".failure p") };
  assert.match(shown.page, /My own words\.\nHistory\nAbout History\./);
  const json = await save(page);
  assert.ok(!json.includes(KEY));

  const other = await openDemo(t, {});
  await other.click(".tiptap");
  await other.keyboard.type("Another page.");
  await open(other, json);
  await other.waitForSelector(".replayed");
  assert.equal(await other.textContent(".replayed"), "Replay of a recording. The result is the same as in the original run.");
  const again = { page: await written(other), asked: await text(other, ".user-message"), said: await text(other, ".assistant-message"), rows: await text(other, ".row-text"), failures: await text(other, ".failure p") };
  assert.deepEqual(again, shown);
  assert.equal((await other.$$(".undo-run, .failure button")).length, 0, "a replayed run cannot be undone");
  assert.deepEqual(await lowContrasts(other), []);

  await other.click(".tiptap");
  await other.keyboard.press("ControlOrMeta+z");
  assert.equal(await written(other), "Another page.", "one undo restores the document");
  await ask(other, "What can you do?");
  await ended(other, 3);
});

test("an invalid file is refused, and a replay that differs says where; in Chinese", async (t) => {
  const page = await recorded(t, { locale: "zh-CN" });
  const json = await save(page, "保存录制");
  await open(page, "<html>", "打开录制");
  await page.waitForSelector('.failure[data-code="invalid_recording"]');
  assert.match(await page.textContent('.failure[data-code="invalid_recording"]'), /请打开由 copydesk 保存的文件/);

  const other = JSON.parse(json);
  other.inputs.find(({ name }) => name === "prompt").value[0].content = "Write something else";
  await open(page, JSON.stringify(other), "打开录制");
  await page.waitForSelector(".replayed[data-differs=body]");
  assert.match(await page.textContent(".replayed"), /结果与原来不同。从第 1 个请求起/);
});

test("the menu works with the keyboard, and fits a small screen", async (t) => {
  const page = await openDemo(t, { viewport: { width: 360, height: 640 } });
  await page.focus(".chat .menu-anchor .tool");
  await page.keyboard.press("Enter");
  // Set when the menu has its place and the focus.
  await page.waitForSelector(".chat .menu-anchor .tool[aria-expanded=true]");
  const box = await page.locator(".menu:popover-open").boundingBox();
  assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 360 && box.y + box.height <= 640, JSON.stringify(box));
  assert.deepEqual(await lowContrasts(page), []);
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), "Open recording");
  await page.keyboard.press("ArrowDown");
  assert.match(await focused(), /^Record conversations/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".menu:popover-open").count(), 0);
});
