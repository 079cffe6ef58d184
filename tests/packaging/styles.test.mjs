// The stylesheets of the package after a build: bundlers lower what the browsers that they build for do not support.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { openPage, serve } from "../browser/harness.mjs";

const root = fileURLToPath(new URL("./styles-page/", import.meta.url));
const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Builds the page with the targets that Vite has by default. Returns its URL. */
async function built(cssMinify) {
  const outDir = mkdtempSync(join(tmpdir(), "copydesk-styles-"));
  folders.push(outDir);
  await build({ root, configFile: false, base: "./", logLevel: "error", build: { outDir, cssMinify, chunkSizeWarningLimit: 5000 } });
  return (await serve(outDir)).url;
}

const PARTS = {
  insertion: "ins.copydesk-insertion",
  deletion: "del.copydesk-deletion",
  "accept button": ".copydesk-every .copydesk-accept-all",
  "reject button": ".copydesk-every .copydesk-reject-all",
  bar: ".copydesk-bar",
  menu: ".copydesk-actions",
  "action of the menu": ".copydesk-actions .copydesk-ask",
};

/** The color of each part, and its contrast with what is painted behind it. */
const painted = (page) =>
  page.evaluate((parts) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    /** What is seen of colors on top of each other, as bytes. */
    const seen = (colors) => {
      for (const color of colors) {
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
      }
      return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (color) =>
      color.map((byte) => byte / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)).reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
    const ground = document.body.appendChild(document.createElement("p"));
    ground.style.backgroundColor = "Canvas";
    const base = getComputedStyle(ground).backgroundColor;
    ground.remove();
    return Object.fromEntries(
      Object.entries(parts).map(([name, selector]) => {
        const element = document.querySelector(selector);
        const behind = [base];
        for (let at = element; at; at = at.parentElement) behind.splice(1, 0, getComputedStyle(at).backgroundColor);
        const { color, backgroundColor } = getComputedStyle(element);
        const [text, back] = [seen([...behind, color]), seen(behind)].map(luminance);
        const contrast = (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
        return [name, { color, backgroundColor, contrast }];
      }),
    );
  }, PARTS);

/** How a page says its color scheme, by script, so that no bundler sees it; and if it is dark with a dark preference. */
const PAGES = {
  "says nothing": [() => {}, false],
  "has inline light": [() => (document.documentElement.style.colorScheme = "light"), false],
  "has inline dark": [() => (document.documentElement.style.colorScheme = "dark"), true],
  "has inline light dark": [() => (document.documentElement.style.colorScheme = "light dark"), true],
  "has a meta element": [() => document.head.append(Object.assign(document.createElement("meta"), { name: "color-scheme", content: "light dark" })), true],
};

for (const minifier of ["lightningcss", false]) {
  test(`the review has its colors after a build with cssMinify ${minifier}, in whatever scheme the page has`, async (t) => {
    const url = await built(minifier);
    const palettes = {};
    for (const [says, [prepare, isDark]] of Object.entries(PAGES)) {
      const page = await openPage(t, url, { colorScheme: "dark" });
      await page.waitForFunction("window.ready");
      await page.evaluate(prepare);
      await page.waitForSelector(PARTS.insertion);
      const parts = await painted(page);
      for (const [name, { contrast }] of Object.entries(parts)) assert.ok(contrast >= 4.5, `${name}, page ${says}: ${JSON.stringify(parts[name])}`);
      const colors = Object.fromEntries(Object.entries(parts).map(([name, { color, backgroundColor }]) => [name, [color, backgroundColor]]));
      assert.notEqual(colors.insertion[0], colors.deletion[0], says);
      for (const name of ["insertion", "deletion", "bar", "menu"]) assert.notEqual(colors[name][1], "rgba(0, 0, 0, 0)", `${name}, page ${says}`);
      // All pages of a scheme look the same, and the two schemes do not.
      assert.deepEqual(colors, (palettes[isDark] ??= colors), says);
    }
    for (const name of ["insertion", "deletion", "bar"]) assert.notDeepEqual(palettes.true[name], palettes.false[name], name);
  });
}

test("a color that the page sets is that of the parts below, wherever it is set", async (t) => {
  const url = await built("lightningcss");
  const color = "rgb(1, 2, 3)";
  const names = { insert: ["insertion", "accept button"], delete: ["deletion", "reject button"], ink: ["bar", "menu"], accent: ["action of the menu"] };
  for (const place of [":root", "body", ".ProseMirror, .copydesk-bar, .copydesk-actions"]) {
    const page = await openPage(t, url);
    await page.waitForFunction("window.ready");
    await page.waitForSelector(PARTS.insertion);
    const content = `${place} { ${Object.keys(names).map((name) => `--copydesk-${name}: ${color};`).join(" ")} }`;
    await page.addStyleTag({ content });
    const parts = await painted(page);
    for (const name of Object.values(names).flat()) assert.equal(parts[name].color, color, `${name}, set on ${place}`);
  }
});
