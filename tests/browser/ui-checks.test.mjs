// `<copydesk-checks>` and `<copydesk-search>` on a workspace in memory, whose index is a real worker.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openUi } from "./ui-page.mjs";

async function open(t, name) {
  const { page } = await openUi(t, []);
  await page.evaluate(async (name) => {
    window.opened = [];
    addEventListener("open-file", ({ detail }) => opened.push(detail));
    window.workspace = await createWorkspace();
    await showPanel(name, { workspace });
  }, name);
  return page;
}
const status = (page) => page.textContent("[part=status]");
const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(panel.shadowRoot.querySelector("[part=status]").textContent), pattern.source);
const write = (page, path, text) => page.evaluate(([path, text]) => workspace.write(path, text), [path, text]);

test("the checks list what they find; a finding opens its file at the line, and changes are told", async (t) => {
  const page = await open(t, "checks");
  assert.equal(await status(page), "");
  await page.click("[part=run]");
  await page.waitForSelector(".finding");
  assert.match(await status(page), /^\d+ errors?, \d+ notes?$/);
  assert.deepEqual(await page.$$eval("[part=heading]", (all) => all.map(({ textContent }) => textContent)), ["Days and dates", "Setups and references"]);
  const unused = page.locator('.finding[data-severity="warning"]', { hasText: "tin-whistle" });
  assert.match(await unused.textContent(), /Note[^]*chapters\/ch001\.md, line 3[^]*On Day 1 she found/);
  await unused.click();
  assert.deepEqual(await page.evaluate(() => opened), [{ path: "chapters/ch001.md", line: 3 }]);
  await write(page, "notes/plan.md", "Other.\n");
  await says(page, /^The files have changed since\.$/);
});

test("findings are told in the language of the panel, also after it has changed, and those of another workspace are gone", async (t) => {
  const page = await open(t, "checks");
  await page.evaluate(() => panel.check());
  const english = await page.textContent(".finding-message");
  await page.evaluate(() => (panel.locale = "zh-CN"));
  await page.waitForFunction((before) => panel.shadowRoot.querySelector(".finding-message")?.textContent !== before, english);
  assert.match(await page.textContent(".finding-message"), /\p{Script=Han}/u);
  await page.evaluate(async () => (panel.workspace = await createWorkspace({ "a.md": "Nothing.\n" })));
  await page.waitForFunction(() => !panel.shadowRoot.querySelector(".finding"));
  assert.equal(await status(page), "");
  await page.click("[part=run]");
  await page.waitForFunction(() => panel.shadowRoot.querySelectorAll(".hint").length === 3);
});

test("a search marks its matches, and a result opens its file at the line", async (t) => {
  const page = await open(t, "search");
  await page.evaluate(() => panel.focus());
  await page.keyboard.type("TIN whistle");
  await page.keyboard.press("Enter");
  await says(page, /^3 matches in 2 files$/);
  assert.deepEqual(await page.$$eval("[part=file]", (all) => all.map(({ textContent }) => textContent)), ["chapters/ch001.md", "notes/plan.md"]);
  assert.equal(await page.textContent("mark >> nth=0"), "tin whistle");
  await page.click(".result >> nth=2");
  assert.deepEqual(await page.evaluate(() => opened), [{ path: "notes/plan.md", line: 1 }]);
  await page.check("[name=caseSensitive]");
  await page.press("#pattern", "Enter");
  await says(page, /^Nothing was found\.$/);
  await page.check("[name=regex]");
  await page.fill("#pattern", "^On Day \\d");
  await page.fill("#glob", "ch00{1,2}.md");
  await page.press("#glob", "Enter");
  await says(page, /^2 matches in 2 files$/);
  await page.fill("#glob", "./notes/*.md");
  await page.press("#glob", "Enter");
  await says(page, /^Nothing was found\.$/);
  await page.fill("#glob", "none/*.md");
  await page.press("#glob", "Enter");
  await says(page, /^Nothing was found\.$/);
});

test("a search that fails says why, in the language it was told in; changes of files are told", async (t) => {
  const page = await open(t, "search");
  await page.check("[name=regex]");
  await page.fill("#pattern", "(");
  await page.press("#pattern", "Enter");
  await says(page, /^(?!Searching)\S/);
  await page.evaluate(() => (panel.locale = "zh-CN"));
  await says(page, /^$/);
  await page.evaluate(() => (panel.locale = "en"));
  await page.uncheck("[name=regex]");
  await page.fill("#pattern", "lamp");
  await page.press("#pattern", "Enter");
  await says(page, /^1 match in 1 file$/);
  await write(page, "notes/plan.md", "A lamp.\n");
  await says(page, /^1 match in 1 file The files have changed since\.$/);
  await page.evaluate(() => panel.refresh());
  await says(page, /^$/);
});

test("the progress of reading is shown, and the files that could not be read are named", async (t) => {
  const page = await open(t, "search");
  await page.evaluate(() => {
    const skipped = { count: 2, files: [{ path: "a.png", code: "not_text", message: "m" }, { path: "b", code: "odd", message: "m" }] };
    const search = ({ progress }) =>
      new Promise((resolve) => {
        progress(1, 4);
        window.go = () => resolve({ matches: [], isCut: false, skipped });
      });
    panel.workspace = { ...workspace, search, list: async () => [], watch: () => () => {} };
  });
  await page.fill("#pattern", "x");
  await page.press("#pattern", "Enter");
  await page.waitForSelector("progress[value='1'][max='4'][title='1 of 4 files read']");
  await page.evaluate(() => go());
  await page.waitForSelector("[part=skipped]");
  assert.equal(await page.locator("progress").count(), 0);
  await page.click("summary >> text=2 files were not searched");
  assert.deepEqual(await page.locator("[part=skipped] li").allTextContents(), ["a.png: is not a text.", "b: failed (odd)."]);
});

test("a search shows its own progress alone, and is old if files change while it runs", async (t) => {
  const page = await open(t, "search");
  await page.evaluate(() => {
    window.runs = [];
    workspace.search = ({ progress }) => new Promise((resolve) => runs.push({ progress, go: () => resolve({ matches: [], isCut: false }) }));
  });
  await page.fill("#pattern", "x");
  await page.press("#pattern", "Enter");
  await page.press("#pattern", "Enter");
  await page.waitForFunction(() => runs.length === 2);
  await page.evaluate(() => (runs[0].progress(1, 4), panel.updateComplete));
  assert.equal(await page.locator("progress").count(), 0);
  await page.evaluate(() => (runs[1].progress(2, 4), panel.updateComplete));
  assert.equal(await page.locator("progress").count(), 1);
  await write(page, "notes/plan.md", "x\n");
  await page.evaluate(() => runs[1].go());
  await says(page, /The files have changed since\.$/);
});
