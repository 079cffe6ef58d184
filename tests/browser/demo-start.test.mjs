// The page before copydesk's wasm is there, and without it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, editable, ended, holdWasm, offline, openDemo, saved, text, written } from "./demo-page.mjs";

const isReady = (page) => page.evaluate(() => document.documentElement.dataset.ready === "true");
const hunks = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.storage.copydesk.document.hunks().map(({ newText }) => newText));

/** Opens the demo without its wasm; `page.wasm` decides about it. */
async function openEarly(t, options) {
  let wasm;
  const prepare = async (fresh) => (wasm = await holdWasm(fresh));
  const page = await openDemo(t, { ...options, until: editable, prepare });
  page.wasm = wasm;
  return page;
}

test("what is typed and asked before the wasm is there is kept, and the request starts with it", async (t) => {
  const page = await openEarly(t, { expected: offline });
  await page.click(".tiptap");
  await page.keyboard.type("My own words.");
  assert.equal(await written(page), "My own words.");
  assert.equal(await page.textContent(".progress-text"), "Loading the assistant…");
  await ask(page, "write an article about tea with three chapters and a picture");
  await page.fill("#composer", "summarize the document");
  await page.press("#composer", "Enter");
  assert.deepEqual(await text(page, ".queue-text"), ["summarize the document"]);
  await page.click(".tiptap");
  await page.keyboard.press("End");
  await page.keyboard.type(" And more.");
  assert.equal(await isReady(page), false);
  page.wasm.release();
  await ended(page);
  await page.waitForSelector("html[data-ready]");
  assert.match(await written(page), /^My own words. And more\.\n/);
  assert.ok((await page.$$(".tiptap > h2")).length >= 2);
  assert.equal(await page.locator(".user-message").count(), 2, "the queued request was sent as well");

  // The history goes back through the edits of the run to the first key.
  await page.click(".tiptap");
  for (let step = 0; (await written(page)) && step < 60; step++) await page.keyboard.press("Control+z");
  assert.equal(await written(page), "");
  for (let step = 0; step < 60; step++) await page.keyboard.press("Control+Shift+z");
  assert.match(await written(page), /^My own words. And more\.\n/);
});

test("a request is stopped before the wasm is there", async (t) => {
  const page = await openEarly(t);
  await ask(page, "write an article about tea");
  await page.click(".send[data-mode=stop]");
  await ended(page);
  assert.deepEqual(await text(page, ".run-end"), ["Stopped. Completed edits are kept."]);
  page.wasm.release();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await written(page), "");
  await ask(page, "What can you do?");
  await ended(page, 2);
});

test("a request that waited for the wasm when the page was closed is there again, and goes on", async (t) => {
  const page = await openEarly(t, { mode: "review", expected: offline });
  await page.selectOption(".mode-select", "auto");
  await ask(page, "write an article about tea with three chapters and a picture");
  await saved(page);
  await page.reload();
  await page.waitForSelector(editable);
  // The script of this test chooses the other mode for each page.
  await page.selectOption(".mode-select", "auto");
  await page.click(".failure.interrupted button");
  page.wasm.release();
  await ended(page);
  assert.deepEqual(await text(page, ".user-message"), ["You: write an article about tea with three chapters and a picture"]);
  assert.match(await written(page), /^Tea/);
  assert.equal(await page.locator("[data-copydesk-hunk]").count(), 0, "the mode was chosen before the wasm was there");
});

test("pending changes come back beside what was typed meanwhile, also after another reload", async (t) => {
  const page = await openDemo(t, { mode: "review", expected: offline });
  await page.click(".tiptap");
  await page.keyboard.type("My own words.");
  await ask(page, "write an article about tea with three chapters and a picture");
  await ended(page);
  const before = await hunks(page);
  assert.ok(before.length > 0);
  await saved(page);

  const wasm = await holdWasm(page);
  for (const word of ["One ", "Two "]) {
    await page.reload();
    await page.waitForSelector(editable);
    await page.click(".tiptap p");
    await page.keyboard.press("Home");
    await page.keyboard.type(word);
    await saved(page);
    assert.equal(await isReady(page), false);
  }
  assert.equal(await written(page), "Two One My own words.");
  wasm.release();
  await page.waitForSelector("html[data-ready]");
  assert.deepEqual(await hunks(page), before);
  assert.equal(await page.locator("[data-notice]").count(), 0);
  await page.click(".copydesk-accept-all");
  assert.match(await written(page), /^Two One My own words\.\n[^]*Tea/);
  await page.click(".tiptap p");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await hunks(page), before, "the acceptance is undone first");
  await page.keyboard.press("Control+z");
  assert.equal(await page.textContent(".tiptap p"), "One My own words.");
  assert.deepEqual(await hunks(page), before);
});

test("changes that do not fit are reported, and the document is as it was", async (t) => {
  const page = await openDemo(t, { mode: "review", expected: offline });
  await ask(page, "write an article about tea with three chapters and a picture");
  await ended(page);
  await saved(page);
  // From another page of the site: nothing is saved over what is written here.
  const demo = page.url();
  await page.goto(new URL("mark.svg", demo).href);
  await page.evaluate(
    () =>
      new Promise((done) => {
        indexedDB.open("copydesk").onsuccess = ({ target: { result: database } }) => {
          const change = database.transaction(["documents", "changes"], "readwrite");
          for (const table of ["documents", "changes"]) {
            const store = change.objectStore(table);
            store.get("document").onsuccess = ({ target: { result: record } }) => {
              if (!record?.value.hunks.length) return;
              record.value.hunks[0].to = 9999;
              store.put(record, "document");
            };
          }
          change.oncomplete = () => (database.close(), done());
        };
      }),
  );
  await page.goto(demo);
  await page.waitForSelector("html[data-ready]");
  assert.match(await page.textContent("[data-notice=hunks]"), /^\d+ suggested changes could not be restored/);
  assert.deepEqual(await hunks(page), []);
});

test("without the wasm the editor works, says so in a sentence, and tries again", async (t) => {
  const page = await openEarly(t, { expected: [...offline, /ERR_FAILED/] });
  page.wasm.fail();
  assert.equal(await page.textContent("[data-notice=engine] p"), "The assistant could not be loaded. You can go on writing.");
  await page.click(".tiptap");
  await page.keyboard.type("My own words.");
  await page.click(".toolbar button[aria-label^=Undo]");
  assert.equal(await written(page), "");
  await page.click(".toolbar button[aria-label^=Redo]");
  await saved(page);
  await page.reload();
  await page.waitForSelector(editable);
  assert.equal(await written(page), "My own words.");
  await ask(page, "write an article about tea with three chapters and a picture");
  await page.waitForSelector(".failure");
  assert.equal(await page.textContent(".failure p"), "The assistant could not be loaded. You can go on writing.");
  page.wasm.release();
  await page.click(".failure button");
  // The button is gone, and the focus is beside it.
  await page.waitForFunction(() => focusedElement().matches(".log"));
  await ended(page);
  assert.match(await written(page), /^My own words\.\n[^]*Tea/);
  assert.equal(await page.locator("[data-notice=engine]").count(), 0);
});
