// The marks of the review in the page, its buttons, and the way from one change to the next.
import assert from "node:assert/strict";
import { test } from "node:test";
import { announced, coming, html, open, REWRITE, run, TEA } from "./review-page.mjs";

test("the next change is the first below the cursor, wherever that was put since the last one", async (t) => {
  const page = await open(t, TEA, [{ operation: "replace_text", old: "ea", new: "EA", all: true }]);
  const currentAt = () => page.evaluate(() => [...document.querySelectorAll("del")].findIndex((one) => one.matches(".copydesk-current")));
  assert.equal(await page.locator("del").count(), 3, "in the title, below it, and in the section");
  await run(page, "nextHunk");
  assert.equal(await currentAt(), 0, "the cursor has not been put anywhere");
  // The editor reads the selection a moment after the browser has changed it.
  const cursorIn = (text, atStart = false) =>
    page.waitForFunction(([text, atStart]) => {
      const { $head } = editor.state.selection;
      return $head.parent.textContent === text && (!atStart || $head.parentOffset === 0);
    }, [text, atStart]);
  await page.click("#page p >> text=Many.");
  await cursorIn("Many.");
  await run(page, "previousHunk");
  assert.equal(await currentAt(), 2);
  await page.click("#page h2 >> text=History");
  await cursorIn("History");
  await run(page, "nextHunk");
  assert.equal(await currentAt(), 2);
  await run(page, "nextHunk");
  assert.equal(await currentAt(), 0, "after the last one the first");
  await page.click("#page h1");
  await page.keyboard.press("Home");
  await cursorIn("Tea", true);
  await run(page, "nextHunk");
  assert.equal(await currentAt(), 0, "a change in the line of the cursor counts");
});

test("in an empty document the first proposed block is next, also with the cursor in it", async (t) => {
  const page = await open(t, "", []);
  await page.click(".tiptap");
  await page.evaluate(() => {
    editor.commands.setTextSelection(1);
    for (const title of ["One", "Two"]) boundDocument.apply({ operation: "append", title, content: "<p>x</p>" });
  });
  await page.waitForSelector(".copydesk-insertion >> nth=1");
  await run(page, "nextHunk");
  assert.match(await announced(page), /^Change 1 of/);
});

test("shortcuts work wherever the focus is, but keys belong to a field that contains text", async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", '<button id="elsewhere">x</button><textarea id="field"></textarea><dialog id="modal"><input></dialog>');
    window.keys = [];
    document.addEventListener("keydown", (event) => keys.push(event.defaultPrevented));
  });
  await page.focus("#elsewhere");
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.match(await announced(page), /^Change 1 of 3/);
  await page.keyboard.press("Control+Alt+Enter");
  assert.equal(await html(page), TEA.replace("an old", "a very old"));
  assert.ok(await page.$eval("#elsewhere", (button) => button === document.activeElement));
  await page.focus("#field");
  await page.keyboard.press("Control+Alt+Backspace");
  assert.deepEqual(await coming(page), ["It came by sea."], "an empty field has no use for it");
  await page.keyboard.type("words");
  await page.keyboard.press("Control+Alt+Backspace");
  await page.keyboard.press("Control+Alt+Enter");
  assert.deepEqual(await coming(page), ["It came by sea."]);
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.match(await announced(page), /^Change 1 of 1/);
  await page.evaluate(() => modal.showModal());
  await page.keyboard.press("Control+Alt+Enter");
  assert.deepEqual(await coming(page), ["It came by sea."], "not behind a dialog");
  await page.evaluate(() => (modal.close(), editor.destroy(), (keys.length = 0), document.querySelector("#elsewhere").focus()));
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.ok(!(await page.evaluate(() => keys)).includes(true), "a destroyed editor takes no keys");
});

test("Enter on a button of the bar that disappears leaves the focus in the text", async (t) => {
  for (const name of ["accept-all", "reject-all", "accept"]) {
    const page = await open(t, TEA, [{ operation: "replace_text", old: "Many", new: "Six" }]);
    await page.evaluate(() => reviewBar(editor, document.body));
    await run(page, "nextHunk");
    await page.focus(`.copydesk-bar .copydesk-${name}`);
    await page.keyboard.press("Enter");
    assert.ok(await page.isHidden(".copydesk-bar"));
    assert.ok(await page.evaluate(() => document.activeElement === editor.view.dom), name);
  }
});

test("whole blocks are in ink with a rule beside them, changes in a line are blue and underlined", async (t) => {
  const page = await open(t);
  const looks = (selector) => page.$eval(selector, (element) => {
    const { color, textDecorationLine } = getComputedStyle(element);
    return [color, textDecorationLine];
  });
  const [ink] = await looks("#page h1");
  assert.deepEqual(await looks("div.copydesk-proposal p"), [ink, "none"]);
  const [color, line] = await looks("p .copydesk-insertion");
  assert.equal(await page.$eval("div.copydesk-proposal", (block) => getComputedStyle(block, "::before").borderInlineStart), `2px solid ${color}`);
  const [red, green, blue] = color.match(/[\d.]+/g).map(Number);
  assert.ok(blue > 1.5 * green && blue > 3 * red, color);
  assert.equal(line, "underline");
});

test("a deletion of several blocks is one box, with its buttons once", async (t) => {
  const blocks = "<h2>Gone</h2><p>a</p><ul><li><p>b</p></li></ul><hr><blockquote><p>c</p></blockquote>";
  const page = await open(t, `${TEA}${blocks}<h2>Stays</h2><p>End.</p>`, [{ operation: "delete", sectionIndex: 3 }]);
  assert.equal(await page.locator(".copydesk-box").count(), 1);
  assert.equal(await page.locator(".copydesk-controls").count(), 1);
  const [frame, deleted, others] = await page.evaluate(() => {
    const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().toJSON());
    return [boxes(".copydesk-frame")[0], boxes(".copydesk-deletion.copydesk-block, .copydesk-box button"), boxes("#page h1, #page h2:not(.copydesk-deletion)")];
  });
  assert.equal(deleted.length, 7);
  for (const box of deleted) assert.ok(box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left && box.right <= frame.right, JSON.stringify([box, frame]));
  for (const box of others) assert.ok(box.bottom <= frame.top || box.top >= frame.bottom, JSON.stringify([box, frame]));
  await page.click(".copydesk-box .copydesk-accept");
  assert.equal(await html(page), `${TEA}<h2>Stays</h2><p>End.</p>`);
});

test("the buttons of every change are there without a pointer, at least 24 px, and nothing covers or cuts them", async (t) => {
  const table = "<h2>Table</h2><table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr></tbody></table><h2>Code</h2><pre><code>let x;</code></pre>";
  for (const width of [320, 390, 820, 1024]) {
    const updates = [
      REWRITE,
      { operation: "replace", sectionIndex: 3, content: "<table><tbody><tr><td><p>a c</p></td><td><p>b</p></td></tr><tr><td><p>d</p></td><td><p>e</p></td></tr></tbody></table>" },
      { operation: "replace", sectionIndex: 4, content: "<pre><code>let y;</code></pre>" },
      { operation: "delete", sectionIndex: 2 },
    ];
    const page = await open(t, TEA + table, updates, { viewport: { width, height: 1400 } });
    const problems = await page.$$eval(".copydesk-controls button", (buttons) => buttons.flatMap((button) => {
      const { x, y, width, height, right } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return width >= 24 && height >= 24 && x >= 0 && right <= innerWidth && hit === button ? [] : [`${button.ariaLabel}: ${x},${y} ${width}×${height} ${hit?.outerHTML.slice(0, 60)}`];
    }));
    assert.deepEqual(problems, []);
    assert.equal(await page.locator(".copydesk-controls").count(), await page.evaluate(() => boundDocument.hunks().length));
  }
});
