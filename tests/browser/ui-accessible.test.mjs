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

const PAGES = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "Chinese, narrow": { viewport: { width: 320, height: 800 }, lang: "zh-CN" },
  "forced colors": { forcedColors: "active" },
  "right to left, wide": { viewport: { width: 1920, height: 1000 }, dir: "rtl" },
};

for (const [name, { answers = [], make, expected = [] }] of Object.entries(STATES)) {
  for (const [look, { lang, dir, ...options }] of Object.entries(PAGES)) {
    test(`axe finds nothing: ${name}, ${look}`, async (t) => {
      const prepare = (page) =>
        page.addInitScript(
          ([lang, dir]) => document.addEventListener("DOMContentLoaded", () => Object.assign(document.documentElement, { ...(lang ? { lang } : {}), ...(dir ? { dir } : {}) })),
          [lang, dir],
        );
      const { page } = await openUi(t, answers, { reducedMotion: "reduce", expected, prepare, ...options });
      await make(page);
      await page.evaluate(axe);
      const { violations, passes } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      assert.ok(passes.length > 10, "axe has looked at the page");
      assert.deepEqual(violations.map(brief), []);
      assert.deepEqual(await misplaced(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing scrolls sideways");
      if (process.env.COPYDESK_SHOTS) await page.screenshot({ path: `${process.env.COPYDESK_SHOTS}/${name} ${look}.png`.replaceAll(" ", "-") });
    });
  }
}
