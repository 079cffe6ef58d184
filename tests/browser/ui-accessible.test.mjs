// axe finds nothing in the states of the elements, in both themes, languages and directions; nothing overflows from 320 px
// on, and targets are large enough.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { openUi } from "./ui-page.mjs";
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
