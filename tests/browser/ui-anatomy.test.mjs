// What a page can change of the elements: their custom properties are those that are documented, and each of them has an
// effect. Sizes, spaces and colors are nowhere written as such. ui-layout.test.mjs has the parts and slots.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./harness.mjs";
import { openUi } from "./ui-page.mjs";
import { looks } from "./ui-looks.mjs";
import { ELEMENTS, STATES } from "./ui-states.mjs";

/** A color that nothing has by itself. */
const COLOR = "rgb(1, 2, 3)";
/** A combinator of siblings before a selector without a name. */
const BESIDE_ANY = /[+~]\s*[*:]/;
const { modules } = JSON.parse(readFileSync(join(root, "pkg/custom-elements.json"), "utf8"));
const declared = new Map(modules.flatMap(({ declarations }) => declarations.map((one) => [one.tagName, one])));
const source = join(root, "pkg-template/src/ui");
const styles = readdirSync(source).filter((name) => name.endsWith(".ts")).map((name) => [name, readFileSync(join(source, name), "utf8")]);

test("sizes of text, spaces, corners and colors of the elements are multiples of custom properties", () => {
  for (const [name, text] of styles) {
    // Those that all elements share have the values of the properties; those of the stylesheets are checked below.
    const css = text.match(/css`[^`]*`/g)?.join("\n") ?? "";
    const rules = name === "shared-styles.ts" ? css.replace(/:where\([^)]*\) \{[^}]*\}/g, "") : css;
    for (const line of rules.split("\n")) {
      const [, property, value] = /^\s*([\w-]+):\s*(.*);$/.exec(line) ?? [];
      if (!property) continue;
      const isSpace = /^(?:padding|margin|gap|row-gap|column-gap)/.test(property);
      if (isSpace && /\b[1-9][\d.]*px/.test(value)) assert.match(value, /--_density|--copydesk-density|^40px$|^-?\d+px auto$|^-8px$/, `${name}: ${line}`);
      if (/^font(?:-size)?$/.test(property) && /\dpx/.test(value)) assert.match(value, /^max\(16px, |var\(--/, `${name}: ${line}`);
      if (/radius$/.test(property) && /\dpx/.test(value)) assert.match(value, /^999px$|var\(--/, `${name}: ${line}`);
      if (name !== "styles.ts" && /#[0-9a-f]{3,8}\b|\brgb|\bhsl/i.test(value)) assert.match(line, /copydesk-scope|box-shadow|color-mix/, `${name}: ${line}`);
    }
  }
});

test("no rule of the elements is about any element beside another: all siblings would be styled again for each one that is added", () => {
  assert.match("a > * + * {", BESIDE_ANY);
  for (const [name, text] of styles) assert.doesNotMatch(text.match(/css`[^`]*`/g)?.join("\n") ?? "", BESIDE_ANY, name);
});

test("each custom property that is documented has an effect, and no other is read", async (t) => {
  const listed = declared.get("copydesk-assistant").cssProperties.map(({ name }) => name).sort();
  const read = new Set(styles.filter(([name]) => name !== "shared-styles.ts").flatMap(([, text]) => [...text.matchAll(/var\((--copydesk-[\w-]+)/g)].map(([, name]) => name)));
  assert.deepEqual([...read].sort(), listed);
  for (const name of ELEMENTS) assert.deepEqual(declared.get(`copydesk-${name}`).cssProperties.map((one) => one.name).sort(), listed, name);
  /** The values that a page gives; colors have `COLOR`. */
  const values = { "font-size": "31px", "heading-font": "fantasy", mono: "fantasy", radius: "31px", space: "31px", density: "3", shadow: `0 0 1px ${COLOR}` };
  const effective = new Set();
  for (const name of ["no conversation", "reviewing", "failure", "list of conversations", "disabled, offline, without storage"])
    await t.test(name, async (t) => {
      const { answers = [], make, expected = [] } = STATES[name];
      const { page } = await openUi(t, answers, { expected, prepare: (fresh) => fresh.addInitScript(looks) });
      await make(page);
      if (name === "failure") await page.hover(".failure button");
      const before = new Set(await page.evaluate(() => painted()));
      for (const property of listed) {
        const value = values[property.replace("--copydesk-", "")] ?? COLOR;
        await page.evaluate(([property, value]) => document.documentElement.style.setProperty(property, value), [property, value]);
        if ((await page.evaluate(() => painted())).some((one) => !before.has(one))) effective.add(property);
        await page.evaluate((property) => document.documentElement.style.removeProperty(property), property);
      }
    });
  assert.deepEqual([...effective].sort(), listed);
});
