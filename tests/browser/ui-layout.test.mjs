// Each state of the elements from 320 to 1920 px, at 200 % zoom, with larger text and wider spaces between letters: nothing
// is lost, nothing lies over something else, and every control is reached with keys and shows the focus.
import assert from "node:assert/strict";
import { test } from "node:test";
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

const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
const problems = (page) => page.evaluate(() => [...misplaced(), ...lost(), ...overlapping(), ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [])]);

for (const [name, { answers = [], make, expected = [] }] of Object.entries(STATES)) {
  test(`nothing is lost, and everything is reached: ${name}`, async (t) => {
    const { page } = await openUi(t, answers, { reducedMotion: "reduce", expected, deviceScaleFactor: 2, prepare: (fresh) => fresh.addInitScript(looks) });
    await make(page);
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
