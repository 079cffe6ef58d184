// Hundreds of pending changes: what is near the view is drawn, and a key does nothing for each of the others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { announced, open, run } from "./review-page.mjs";

const paragraphs = (count) => Array.from({ length: count }, (_, at) => `<p>Line ${at + 1} is old and long enough to be read.</p>`).join("");
const RENEW = { operation: "replace_text", old: "old", new: "new", all: true };
const drawn = (page) => page.$$eval(".ProseMirror-widget[data-copydesk-hunk]", (widgets) => widgets.map(({ dataset }) => dataset.copydeskHunk));
/** Waits until the changes in view are drawn. */
const followed = (page) =>
  page.waitForFunction(() => {
    const ids = new Set([...document.querySelectorAll(".ProseMirror-widget[data-copydesk-hunk]")].map(({ dataset }) => dataset.copydeskHunk));
    const inView = boundDocument.hunks().filter(({ from, to }) => editor.view.coordsAtPos(to).bottom > 0 && editor.view.coordsAtPos(from).top < innerHeight);
    return inView.length > 0 && inView.every(({ id }) => ids.has(id));
  });

test("a hundred changes are all drawn; of more, those near the view", async (t) => {
  const few = await open(t, paragraphs(100), [RENEW]);
  assert.equal((await drawn(few)).length, 100);
  const many = await open(t, paragraphs(600), [RENEW]);
  await followed(many);
  const atTop = await drawn(many);
  assert.ok(atTop.length < 150, `${atTop.length} of 600`);
  await many.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await followed(many);
  const inMiddle = await drawn(many);
  assert.ok(inMiddle.length < 250 && inMiddle.every((id) => !atTop.includes(id)), `${inMiddle.length} of 600`);
  await run(many, "acceptAll");
  assert.ok(!(await many.evaluate(() => editor.getText())).includes("old"), "decisions concern all of them");
  assert.deepEqual(await drawn(many), []);
});

test("a key beside hundreds of changes reads and redraws only those that are drawn", async (t) => {
  const page = await open(t, paragraphs(600), [RENEW]);
  await followed(page);
  const seen = await page.evaluate(async () => {
    let [whole, placesRead, redrawn, kept] = [0, 0, 0, 0];
    const [hunks, hunkPlaces] = [boundDocument.hunks, boundDocument.hunkPlaces];
    boundDocument.hunks = () => (whole++, hunks.call(boundDocument));
    boundDocument.hunkPlaces = (...range) => {
      const places = hunkPlaces.apply(boundDocument, range);
      placesRead += (places.length - 1) / 8;
      return places;
    };
    const widgets = [...document.querySelectorAll(".ProseMirror-widget[data-copydesk-hunk]")];
    const observer = new MutationObserver((records) => (redrawn += records.filter(({ addedNodes }) => [...addedNodes].some((node) => node.dataset?.copydeskHunk)).length));
    observer.observe(editor.view.dom, { childList: true, subtree: true });
    const KEYS = 10;
    for (let key = 0; key < KEYS; key++) {
      editor.view.dispatch(editor.state.tr.insertText("x", 3));
      await new Promise((done) => setTimeout(done));
    }
    kept = widgets.filter((widget) => widget.isConnected).length;
    return { whole, perKey: placesRead / KEYS, redrawn, lost: widgets.length - kept, drawn: widgets.length };
  });
  assert.deepEqual({ ...seen, perKey: seen.perKey <= seen.drawn }, { whole: 0, perKey: true, redrawn: 0, lost: 0, drawn: seen.drawn }, JSON.stringify(seen));
});

test("positions of changes that are not drawn follow the typing", async (t) => {
  const page = await open(t, paragraphs(300), [RENEW]);
  await followed(page);
  await page.evaluate(() => {
    for (const letter of "Typed before all of them. ") editor.view.dispatch(editor.state.tr.insertText(letter, 1));
    editor.commands.focus(editor.state.doc.content.size - 2, { scrollIntoView: false });
  });
  await run(page, "previousHunk");
  assert.match(await announced(page), /^Change 300 of 300/);
  assert.equal(await page.$eval("del.copydesk-current", (del) => del.parentElement.textContent.slice(0, 8)), "Line 300");
  await page.evaluate(() => editor.commands.setTextSelection(editor.storage.copydesk.document.hunks()[200].from + 1));
  assert.match(await announced(page), /^Change 201 of 300/, "the cursor in a change that is not drawn");
});

test("the next change is drawn and in view, wherever it is", async (t) => {
  const page = await open(t, paragraphs(600), [RENEW]);
  await followed(page);
  for (const [command, number] of [["previousHunk", 600], ["nextHunk", 1], ["nextHunk", 2], ["previousHunk", 1], ["previousHunk", 600]]) {
    await run(page, command);
    assert.match(await announced(page), new RegExp(`^Change ${number} of 600`));
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector("del.copydesk-current").getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  }
  await page.evaluate(() => scrollTo(0, 0));
  await followed(page);
  assert.ok((await drawn(page)).includes(await page.$eval("del.copydesk-current", ({ dataset }) => dataset.copydeskHunk)), "the current one stays drawn");
});

test("everything is drawn for printing, and no longer after it", async (t) => {
  const page = await open(t, paragraphs(300), [RENEW]);
  await followed(page);
  assert.ok((await drawn(page)).length < 300);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal((await drawn(page)).length, 300);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.waitForFunction(() => document.querySelectorAll(".ProseMirror-widget[data-copydesk-hunk]").length < 300);
  await followed(page);
});

test("a long proposed article among many changes stays drawn while it is read", async (t) => {
  const article = `<h2>New</h2>${Array.from({ length: 200 }, (_, at) => `<p>Paragraph ${at} of the proposed section.</p>`).join("")}`;
  const page = await open(t, paragraphs(150), [RENEW, { operation: "append", title: "New", content: article.slice("<h2>New</h2>".length) }]);
  await followed(page);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForSelector("div.copydesk-proposal");
  await page.evaluate(() => document.querySelectorAll("div.copydesk-proposal p")[150].scrollIntoView());
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok(await page.locator("div.copydesk-proposal p >> nth=150").isVisible());
});
