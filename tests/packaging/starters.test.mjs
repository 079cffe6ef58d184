// The starters with the assistant, the review and the menu at a selection, as their reader installs, builds and starts them.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { long } from "../browser/budget.mjs";
import { openPage, root } from "../browser/harness.mjs";
import { startExample } from "../browser/example.mjs";
import { call, model } from "../browser/model.mjs";
import { npmInstall, packed } from "./environments/environment.mjs";

/** The starters, each with the files of an app's own code. */
const STARTERS = { assistant: ["main.js"], "assistant-react": ["main.jsx"], "assistant-vue": ["main.js", "App.vue"] };

for (const [name, files] of Object.entries(STARTERS)) {
  const example = join(root, "examples", name);

  test(`the starter ${name} has at most 25 lines of its own`, () => {
    const lines = files.map((file) => readFileSync(join(example, file), "utf8").trimEnd().split("\n").length);
    assert.ok(lines.reduce((sum, count) => sum + count) <= 25, `${lines}`);
  });

  test(`the starter ${name} edits its document, with review and a menu at the selection`, long, async (t) => {
    const dir = mkdtempSync(join(tmpdir(), "copydesk-starter-"));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    cpSync(example, dir, { recursive: true, filter: (path) => !/[\\/](?:node_modules|dist)$/.test(path) });
    // Exact versions, so that the test is the same tomorrow.
    const manifest = JSON.parse(readFileSync(join(example, "package.json"), "utf8"));
    for (const list of [manifest.dependencies, manifest.devDependencies])
      for (const [one, range] of Object.entries(list)) list[one] = range.replace(/[~^]/, "");
    manifest.dependencies.copydesk = `file:${packed(dir)}`;
    writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
    npmInstall(dir);

    const server = await model(t, [
      { calls: [call("a", "replace_text", { old: "old drink", new: "very old drink" })] },
      { say: "Done." },
      { calls: [call("b", "replace_text", { old: "of the south", new: "of the warm south" })] },
      { say: "Better." },
    ]);
    const prepare = async (page) => {
      page.on("dialog", (dialog) => dialog.accept("sk-from-the-user"));
      await page.route("https://api.openai.com/v1/**", async (route) => {
        const answer = await fetch(`${server.baseUrl}/chat/completions`, { method: "POST", body: route.request().postData() });
        const headers = { "access-control-allow-origin": "*", "content-type": answer.headers.get("content-type") };
        await route.fulfill({ status: answer.status, headers, body: await answer.text() });
      });
    };
    const url = await startExample(t, name, "start", { BROWSER: "none" }, dir);
    const page = await openPage(t, url, { prepare, viewport: { width: 1280, height: 720 } });
    await page.waitForSelector(".tiptap");
    await page.fill("#composer", "Make the tea older");
    await page.press("#composer", "Enter");
    await page.waitForSelector(".run-end");
    assert.equal(await page.textContent(".row-text"), "Replaced “old drink” with “very old drink”");
    assert.equal(await page.textContent(".copydesk-count"), "1 change");
    if (process.env.COPYDESK_SCREENSHOTS) await page.screenshot({ path: join(process.env.COPYDESK_SCREENSHOTS, `${name}.png`) });
    await page.click(".copydesk-accept-all");
    assert.match(await page.innerHTML(".tiptap"), /very old drink/);
    await page.click(".tiptap p", { clickCount: 3 });
    await page.click("copydesk-selection-menu .copydesk-action >> text=Improve");
    await page.waitForSelector(".run >> nth=1 >> .run-end");
    assert.equal(await page.textContent(".copydesk-count"), "1 change");
    await page.reload();
    await page.waitForSelector(".run >> nth=1");
    assert.match(await page.textContent(".run >> nth=1"), /Better\./, "the conversation is kept");
    // On a phone the assistant is below the document, and both can be used.
    await page.setViewportSize({ width: 390, height: 800 });
    const [text, assistant] = await Promise.all([".tiptap", "copydesk-assistant"].map((one) => page.locator(one).boundingBox()));
    assert.ok(text.width > 300 && assistant.width === 390 && assistant.height > 250 && assistant.y > text.y, JSON.stringify([text, assistant]));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing scrolls sideways");
    assert.ok(await page.locator("#composer").isVisible());
    // The page may still load what it needs; its server is stopped first.
    await page.close();
  });
}
