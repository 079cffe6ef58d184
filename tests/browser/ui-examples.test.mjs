// The live examples of docs/ui.md: each element is shown beside its code.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { startExample } from "./example.mjs";
import { openPage, root } from "./harness.mjs";
import { ELEMENTS } from "./ui-states.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("each element has a live example, in which it does what it is for", async (t) => {
  assert.deepEqual(readdirSync(join(root, "examples/elements/elements")).map((name) => name.replace(".js", "")).sort(), [...ELEMENTS].sort());
  const page = await openPage(t, await startExample(t, "elements", "start", { BROWSER: "none" }));
  const warnings = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  await page.waitForSelector("html[data-ready]");
  const stage = (name) => page.locator(`#${name} .stage > copydesk-${name}`);
  for (const name of ELEMENTS) await stage(name).waitFor({ state: "attached" });
  // Both runs have ended or wait: nothing else is drawn later.
  await stage("approval").getByText("Allow").waitFor();
  await stage("tool-row").getByText("Replaced").waitFor();
  await stage("conversation").locator("p >> text=I made it").waitFor();
  await stage("comments").getByText("How old?").waitFor();
  await stage("review-bar").getByText("1 change").waitFor();
  assert.deepEqual(await page.$$eval(".stage > *", (all) => all.filter((one) => one.shadowRoot.querySelector("[part=empty]")).map(({ localName }) => localName)), []);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"], rules: { "landmark-unique": { enabled: false } } }));
  // Several elements of one kind are on this page, which have the same names.
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120))}`), []);
  await stage("approval").getByText("Allow").click();
  await stage("approval").getByText("Allow").waitFor({ state: "hidden" });
  await page.setViewportSize({ width: 320, height: 640 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing scrolls sideways");
  assert.deepEqual(warnings, []);
});
