// Each state of the elements from 320 to 1920 px, at 200 % zoom, with larger text and wider spaces between letters: nothing
// is lost, nothing lies over something else, and every control is reached with keys and shows the focus. The parts and slots
// that the states show are those that are documented.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./harness.mjs";
import { openUi } from "./ui-page.mjs";
import { looks } from "./ui-looks.mjs";
import { STATES } from "./ui-states.mjs";

/** The sizes of a window. A window of 1280 by 800 px at 200 % zoom has 640 by 400 CSS pixels. */
const WINDOWS = { "320 px": [320, 640], "200 % zoom": [640, 400], "768 px": [768, 1024], "1920 px": [1920, 1080] };

/** What a page or a reader changes. */
const CHANGES = {
  "larger text": "copydesk-assistant, copydesk-review-bar, aside > * { --copydesk-font-size: 26px; }",
  // As in WCAG 1.4.12.
  "text spacing": "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }",
  "no density": "* { --copydesk-density: 0.5; }",
};

const { modules } = JSON.parse(readFileSync(join(root, "pkg/custom-elements.json"), "utf8"));
const declared = new Map(modules.flatMap(({ declarations }) => declarations.map((one) => [one.tagName, one])));
/** The parts and slots of the elements, as the states have shown them. */
const shown = Object.fromEntries([...declared.keys()].map((name) => [name, { parts: new Set(), slots: new Set() }]));

const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
const problems = (page) => page.evaluate(() => [...misplaced(), ...lost(), ...overlapping(), ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [])]);

for (const [name, { answers = [], make, expected = [] }] of Object.entries(STATES)) {
  test(`nothing is lost, and everything is reached: ${name}`, async (t) => {
    const { page } = await openUi(t, answers, { reducedMotion: "reduce", expected, deviceScaleFactor: 2, prepare: (fresh) => fresh.addInitScript(looks) });
    await make(page);
    for (const [element, { parts, slots }] of Object.entries(await page.evaluate(() => anatomy()))) {
      parts.forEach((part) => shown[element].parts.add(part));
      slots.forEach((slot) => shown[element].slots.add(slot));
    }
    const found = {};
    for (const [window, [width, height]] of Object.entries(WINDOWS)) {
      await page.setViewportSize({ width, height });
      await settled(page);
      found[window] = await problems(page);
    }
    await page.setViewportSize({ width: 640, height: 400 });
    for (const [change, text] of Object.entries(CHANGES)) {
      // What floats is placed again as with a zoom.
      await page.evaluate((text) => ((window.restore = adopt(text)), void dispatchEvent(new Event("resize"))), text);
      await settled(page);
      found[change] = await problems(page);
      await page.evaluate(() => restore());
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await settled(page);
    found.moving = await page.evaluate(() => moving());

    // A list over the page ends with the focus in it.
    if (!(await page.evaluate(() => focusedNow() !== document.body && !!focusedNow().closest?.(":popover-open")))) await page.evaluate(() => focusedNow()?.blur());
    found.unseen = [];
    for (let stops = 0; stops < 150; stops++) {
      await page.keyboard.press("Tab");
      const { isNew, unseen, isBody } = await page.evaluate(() => visit());
      if (unseen) found.unseen.push(unseen);
      if (!isNew && !isBody) break;
    }
    found.unvisited = await page.evaluate(() => unvisited());
    assert.deepEqual(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length)), {});
  });
}

test("the parts and slots of the elements are those that are documented", () => {
  const without = (some, others) => [...some].filter((one) => !others.has(one));
  const wrong = [...declared].flatMap(([name, { cssParts = [], slots = [] }]) => {
    const [parts, given] = [cssParts, slots].map((list) => new Set(list.map((one) => one.name)));
    // Parts that an element exports of those within have their names there.
    const own = new Set([...shown[name].parts].filter((part) => parts.has(part) || !isOfOther(name, part)));
    const differences = { undocumented: without(own, parts), missing: without(parts, own), "undocumented slots": without(shown[name].slots, given), "missing slots": without(given, shown[name].slots) };
    return Object.entries(differences).flatMap(([kind, list]) => (list.length ? `${name}, ${kind}: ${list}` : []));
  });
  assert.deepEqual(wrong, []);
});

/** Returns true for a part that an element exports of another one within it. */
function isOfOther(element, part) {
  const partsOf = (name) => declared.get(`copydesk-${name}`).cssParts.map((one) => one.name);
  const within = { assistant: { conversation: "", composer: "composer-" }, conversation: { "tool-row": "row-" }, files: { versions: "versions-" } }[element.replace("copydesk-", "")] ?? {};
  return Object.entries(within).some(([name, prefix]) => part.startsWith(prefix) && (partsOf(name).includes(part.slice(prefix.length)) || isOfOther(`copydesk-${name}`, part.slice(prefix.length))));
}
