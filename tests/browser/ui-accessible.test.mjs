// axe finds nothing in the states of the elements, in both themes, languages and directions; nothing overflows from 320 px
// on, and targets are large enough.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { call } from "./model.mjs";
import { ask, ended, openUi } from "./ui-page.mjs";
import { STATES } from "./ui-states.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const brief = ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary.replace(/\s+/g, " ")}`).join("\n")}`;

/** Returns the buttons and fields, in all shadow trees, that are smaller than 24 px or out of the window. */
const misplaced = (page) =>
  page.evaluate(() => {
    const found = [];
    const look = (root) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) look(element.shadowRoot);
        if (!element.matches("button, select, textarea, summary, input:not([type=radio], [type=checkbox])") || !element.checkVisibility({ visibilityProperty: true })) continue;
        const { width, height, left, right } = element.getBoundingClientRect();
        // A menu scrolls.
        if (element.closest(".copydesk-menu")) continue;
        if (width < 24 || height < 24 || left < 0 || right > innerWidth) found.push(`${element.className} ${Math.round(width)}×${Math.round(height)} at ${Math.round(left)}–${Math.round(right)}`);
      }
    };
    look(document);
    return found;
  });

/** Which rules of axe a look can break: those for colors, all, or none, since the elements are the same. */
const [ALL, NONE] = [undefined, null];
const COLORS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** The pages, each with its looks, one after the other. */
const PAGES = {
  English: {
    light: { media: { colorScheme: "light" }, rules: ALL },
    dark: { media: { colorScheme: "dark" }, rules: COLORS },
    "forced colors": { media: { colorScheme: "light", forcedColors: "active" }, rules: COLORS },
    "right to left, wide": { media: { forcedColors: "none" }, viewport: { width: 1920, height: 1000 }, dir: "rtl", rules: NONE },
  },
  Chinese: { narrow: { viewport: { width: 320, height: 800 }, rules: ALL } },
};
const LANGUAGES = { English: "en", Chinese: "zh-CN" };

/** Returns what axe finds, and the number of checks that hold. */
const checked = async (page, runOnly) => {
  const { violations, passes } = await page.evaluate((runOnly) => axe.run(document, { resultTypes: ["violations"], ...(runOnly && { runOnly }) }), runOnly);
  return { violations: violations.map(brief), passes: passes.length };
};

for (const [name, { answers = [], make, expected = [] }] of Object.entries(STATES)) {
  for (const [language, looks] of Object.entries(PAGES)) {
    test(`axe finds nothing: ${name}, ${language}`, async (t) => {
      const prepare = (page) => page.addInitScript((lang) => document.addEventListener("DOMContentLoaded", () => (document.documentElement.lang = lang)), LANGUAGES[language]);
      const [{ viewport }] = Object.values(looks);
      const { page } = await openUi(t, answers, { reducedMotion: "reduce", expected, prepare, ...(viewport && { viewport }) });
      await make(page);
      await page.evaluate(axe);
      for (const [look, { media, viewport, dir, rules }] of Object.entries(looks)) {
        if (media) await page.emulateMedia(media);
        if (viewport) await page.setViewportSize(viewport);
        if (dir) await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
        if (rules !== NONE) {
          const { violations, passes } = await checked(page, rules);
          assert.ok(passes > (rules === ALL ? 10 : 0), "axe has looked at the page");
          assert.deepEqual(violations, [], look);
        }
        assert.deepEqual(await misplaced(page), [], look);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `nothing scrolls sideways: ${look}`);
        if (process.env.COPYDESK_SHOTS) await page.screenshot({ path: `${process.env.COPYDESK_SHOTS}/${name} ${language} ${look}.png`.replaceAll(" ", "-") });
      }
    });
  }
}

/** Returns the number of colors within an element, without its border. */
const colorsOf = async (page, selector) => {
  const picture = (await page.locator(selector).screenshot()).toString("base64");
  return page.evaluate(async (picture) => {
    const image = Object.assign(document.createElement("img"), { src: `data:image/png;base64,${picture}` });
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(6, 6, image.width - 12, image.height - 12);
    return new Set(new Uint32Array(data.buffer)).size;
  }, picture);
};

test("forced colors show the symbol of Stop, the focus of the field, and text with comments", async (t) => {
  const { page } = await openUi(t, STATES.working.answers, { forcedColors: "active", reducedMotion: "reduce", expected: STATES.working.expected });
  const ring = () => page.$eval(".composer-box", (box) => getComputedStyle(box).outlineStyle);
  await page.focus(".ProseMirror");
  assert.equal(await ring(), "none");
  await page.focus("#composer");
  assert.equal(await ring(), "solid");
  await STATES.working.make(page);
  assert.ok((await colorsOf(page, ".send[data-mode=stop]")) > 1);
  await page.evaluate(() => editor.storage.comments.create({ from: 14, to: 24 }, { text: "Which?" }));
  assert.equal(await page.$eval(".copydesk-comment", (text) => getComputedStyle(text).textDecorationLine), "underline");
});

test("every line of a code block begins at the same place", async (t) => {
  const { page } = await openUi(t, [{ say: "```\nab\nab\n```" }]);
  await ask(page, "Write");
  await ended(page);
  const [first, second] = await page.$eval(".assistant-message pre code", (code) => {
    const text = code.firstChild.nodeType === 3 ? code.firstChild : document.createTreeWalker(code, NodeFilter.SHOW_TEXT).nextNode();
    return [0, 3].map((at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    });
  });
  assert.equal(first, second);
});

test("text that a call would replace is struck, and has enough contrast", async (t) => {
  const { page } = await openUi(t, [{ calls: [call("c-1", "replace_text", { old: "old drink", new: "very old drink" })] }]);
  await page.selectOption(".mode-select", "ask");
  await ask(page, "Improve this");
  await page.waitForSelector(".copydesk-replaced");
  await page.evaluate(axe);
  const { violations, passes } = await checked(page, COLORS);
  assert.ok(passes > 0);
  assert.deepEqual(violations, []);
  assert.equal(await page.$eval(".copydesk-replaced", (text) => getComputedStyle(text).textDecorationLine), "line-through");
});

test("English words in a page from right to left keep their order, and point to the right", async (t) => {
  const { page } = await openUi(t, [{ calls: [call("c-1", "replace_text", { old: "old drink", new: "very old drink" })] }, { say: "Done." }], { reducedMotion: "reduce" });
  await page.evaluate(() => Object.assign(document.documentElement, { lang: "ar", dir: "rtl" }));
  await ask(page, "Improve this");
  await ended(page);
  const look = (selector, name) => page.$eval(selector, (element, name) => getComputedStyle(element)[name], name);
  assert.equal(await look(".run-end", "direction"), "ltr");
  assert.equal(await look(".conversation-title > span", "direction"), "ltr");
  assert.equal(await look(".copydesk-count", "direction"), "ltr");
  assert.equal(await look(".row-head > .icon", "rotate"), "0deg");
  await page.evaluate(() => (element.words = { ar: { summary: () => "\u062a\u0645" } }));
  await page.waitForSelector("copydesk-tool-row [lang=ar]");
  assert.equal(await look(".row-head > .icon", "rotate"), "180deg");
});
