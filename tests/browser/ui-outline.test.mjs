// `<copydesk-outline>` beside a real editor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "./model.mjs";
import { ask, ended, openUi } from "./ui-page.mjs";

const names = (page) => page.$$eval(".outline-name", (all) => all.map(({ textContent }) => textContent));
const LONG = ["<h1>Tea</h1>", ...["History", "Kinds", "Taste"].map((title) => `<h2>${title}</h2>${"<p>Green and black.</p>".repeat(30)}`)].join("");

test("the outline follows the document: titles, numbers and words", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate(() => showPanel("outline", { editor }));
  assert.deepEqual(await names(page), ["History", "Kinds"]);
  assert.deepEqual(await page.$$eval(".outline-number", (all) => all.map(({ textContent }) => textContent)), ["1", "2"]);
  assert.equal(await page.textContent(".outline-length"), "13 words");
  await page.evaluate(() => editor.commands.setContent("<p>Alone.</p><h2></h2><h2>茶</h2>"));
  await page.waitForSelector(".outline-name >> text=Introduction");
  assert.deepEqual(await names(page), ["Introduction", "…", "茶"]);
  assert.equal(await page.getAttribute(".outline-entry >> nth=1", "lang"), "zh-CN");
  await page.evaluate(() => editor.commands.setContent(""));
  await page.waitForSelector(".outline-none:visible");
  assert.equal(await page.textContent(".outline-none"), "No sections yet.");
  assert.equal(await page.textContent(".outline-length"), "");
});

test("sections that are suggested or would be deleted are marked, in words as well", async (t) => {
  const calls = [
    call("c-1", "update_section", { operation: "append", title: "Taste", content: "<p>Bitter.</p>" }),
    call("c-2", "update_section", { operation: "delete", sectionIndex: 2 }),
  ];
  const { page } = await openUi(t, [{ calls }, { say: "Done." }]);
  await ask(page, "Improve this");
  await ended(page);
  await page.evaluate(() => showPanel("outline", { editor }));
  const shown = () => page.$$eval(".outline-entry", (all) => all.map(({ textContent }) => textContent.replace(/\s+/g, " ").trim()));
  assert.deepEqual(await shown(), ["1 History", "1 Kinds (would be deleted)", "2 Taste (suggested)"]);
  await page.evaluate(() => (panel.locale = "zh-CN"));
  await page.waitForSelector(".outline-length >> text=字");
  assert.match((await shown())[1], /Kinds \(将删除\)$/);
  await page.click(".copydesk-accept-all");
  await page.waitForFunction(() => panel.shadowRoot.querySelectorAll(".outline-entry").length === 2);
  assert.deepEqual(await names(page), ["History", "Taste"]);
});

test("a heading whose form changes is no deletion: it is there as it will be", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate(() => element.controller.load());
  await page.evaluate(() => showPanel("outline", { editor }));
  const shown = () => page.$$eval(".outline-entry", (all) => all.map(({ textContent }) => textContent.replace(/\s+/g, " ").trim()));
  const apply = (update) => page.evaluate((update) => void editor.storage.copydesk.document.apply(update), update);
  // Heading 3 is no section; a paragraph that becomes a heading is one.
  await apply({ operation: "set_attributes", edits: [{ start_line: 1, attributes: { level: 3 } }] });
  await page.waitForFunction(() => panel.shadowRoot.querySelectorAll(".outline-entry").length === 1);
  assert.deepEqual(await shown(), ["1 Kinds"]);
  await apply({ operation: "replace_lines", edits: [{ start_line: 4, end_line: 4, content: "<h2>Green and black.</h2>" }] });
  await page.waitForFunction(() => panel.shadowRoot.querySelectorAll(".outline-entry").length === 2);
  assert.deepEqual(await shown(), ["1 Kinds", "2 Green and black. (suggested)"]);
});

test("a section is scrolled to, unless the page prevents it, and the one that the reader is in is marked", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate((html) => (editor.commands.setContent(html), showPanel("outline", { editor })), LONG);
  const current = () => page.textContent(".outline-list [aria-current=location] .outline-name");
  assert.equal(await current(), "Tea");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.click(".outline-entry >> text=Kinds");
  await page.waitForSelector("[aria-current] >> text=Kinds");
  const top = () => page.$eval("main", (main) => main.scrollTop);
  const at = await top();
  assert.ok(at > 300);
  await page.evaluate(() => {
    panel.addEventListener("section-select", (event) => {
      window.chosen = event.detail;
      event.preventDefault();
    });
  });
  await page.focus(".outline-title");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => window.chosen), { number: 0, title: "Tea" });
  assert.equal(await top(), at);
});

test("the outline takes another editor, and an editor before it is in the page", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate(() => {
    const place = document.createElement("div");
    const other = edit("<h2>Coffee</h2>", { element: place });
    showPanel("outline", { editor });
    panel.editor = other;
    document.querySelector("main").append(place);
    return panel.updateComplete;
  });
  await page.waitForSelector(".outline-name >> text=Coffee");
  assert.deepEqual(await names(page), ["Coffee"]);
  await page.evaluate(() => (panel.editor = undefined));
  await page.waitForSelector("copydesk-outline [part=empty]", { state: "attached" });
});

test("an outline that the reader has scrolled stays there while somebody writes", async (t) => {
  const { page } = await openUi(t);
  const many = Array.from({ length: 60 }, (_, at) => `<h2>Part ${at}</h2><p>Tea.</p>`).join("");
  await page.evaluate((html) => (editor.commands.setContent(html), showPanel("outline", { editor })), many);
  await page.waitForSelector("[aria-current] >> text=Part 0");
  await page.$eval("aside", (aside) => (aside.scrollTop = 300));
  const words = await page.textContent(".outline-length");
  await page.evaluate(() => editor.commands.insertContentAt(editor.state.doc.content.size - 1, " More words."));
  await page.waitForFunction((before) => panel.shadowRoot.querySelector(".outline-length").textContent !== before, words);
  assert.equal(await page.$eval("aside", (aside) => aside.scrollTop), 300);
});

test("the outline of an editor that was destroyed is empty, and scrolling fails nowhere", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate((html) => {
    const place = document.querySelector("main").appendChild(document.createElement("div"));
    window.other = edit(html, { element: place });
    return showPanel("outline", { editor: other });
  }, LONG);
  await page.waitForSelector(".outline-name >> text=Kinds");
  await page.evaluate(() => other.destroy());
  await page.waitForSelector("copydesk-outline [part=empty]", { state: "attached" });
  const scrolled = () =>
    page.evaluate(() => {
      const main = document.querySelector("main");
      const isOver = new Promise((resolve) => main.addEventListener("scroll", () => requestAnimationFrame(() => requestAnimationFrame(resolve)), { once: true }));
      main.append(Object.assign(document.createElement("div"), { style: "height: 5000px" }));
      main.scrollTop += 400;
      return isOver;
    });
  await scrolled();
  assert.deepEqual(page.problems, []);
});
