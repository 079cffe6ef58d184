// What a new user finds again: after a reload, in a second tab, and where storage does not work.
import assert from "node:assert/strict";
import { test } from "node:test";
import { article } from "../bench/article.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { ask, ended, html, offline, openDemo, openSettings, saved, text, written } from "./demo-page.mjs";
import { begin, call, chunk, model, status } from "./model.mjs";

const at = (server) => `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m`;
const append = (title) => call(`c-${title}`, "update_section", { operation: "append", title, content: `<p>About ${title}.</p>` });
const hunks = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.storage.copydesk.document.hunks().map(({ toolIds, newText }) => [toolIds, newText]));

async function reload(page) {
  await page.reload();
  await page.waitForSelector("html[data-ready]");
}

test("document, conversation and pending changes are there after a reload", async (t) => {
  const page = await openDemo(t, { mode: "review", expected: offline });
  await page.click(".tiptap");
  await page.keyboard.type("My own words.");
  await ask(page, "write an article about tea with three chapters and a picture");
  await ended(page);
  await page.click(".row[data-tool=update_section] .row-review button >> nth=0");
  const before = { page: await written(page), hunks: await hunks(page), rows: await text(page, ".row-text"), counts: await text(page, ".row-count"), said: await text(page, ".assistant-message") };
  assert.ok(before.hunks.length > 0);
  await saved(page);
  await reload(page);
  assert.deepEqual({ page: await written(page), hunks: await hunks(page), rows: await text(page, ".row-text"), counts: await text(page, ".row-count"), said: await text(page, ".assistant-message") }, before);
  assert.equal((await page.$$(".undo-run")).length, 0, "the turns of an earlier page cannot be undone");

  // A row still decides about its changes, and the model continues the conversation.
  const left = (await hunks(page)).length;
  await page.click(".row[data-tool=update_section] .row-review:not([hidden]) button:text-is('Accept')");
  assert.equal((await hunks(page)).length, left - 1);
  await ask(page, "What can you do?");
  await ended(page, 2);
  assert.match((await text(page, ".assistant-message")).at(-1), /I play recorded runs/);
});

test("a document is there after a reload, however it was changed since it was written as a whole", async (t) => {
  const seed = Number(process.env.COPYDESK_SEED ?? Date.now() % 1e6);
  t.diagnostic(`COPYDESK_SEED=${seed}`);
  const random = randomFrom(seed);
  const page = await openDemo(t, { expected: offline });
  const states = { whole: 0, changes: 0 };
  await page.evaluate((html) => document.querySelector(".tiptap").editor.commands.setContent(html), article(5000, { seed }).replace(/<img[^>]*>/g, "<hr>"));
  for (let round = 0; round < 4; round++) {
    for (const save of random.times(2, 5, () => random.times(1, 6, () => [random.below(6), random.below(1e6), random.below(1e6)]))) {
      await page.evaluate((changes) => {
        const { editor } = document.querySelector(".tiptap");
        for (const [kind, one, other] of changes) {
          const { doc } = editor.state;
          const starts = [];
          doc.forEach((block, offset) => starts.push(offset));
          const index = one % starts.length;
          const [block, from, to] = [doc.child(index), starts[index], starts[other % starts.length]];
          const { tr } = editor.state;
          if (kind === 0) tr.delete(from, from + block.nodeSize);
          else if (kind === 1) tr.insert(to, block);
          else if (kind === 2) tr.delete(from, from + block.nodeSize).insert(tr.mapping.map(to), block);
          else if (kind === 3) editor.commands.undo();
          else if (block.isTextblock) tr.insertText(`new ${other} `, from + 1 + (other % (block.content.size + 1)));
          if (tr.docChanged) editor.view.dispatch(tr);
        }
      }, save);
      await saved(page);
      states[(await hasChanges(page)) ? "changes" : "whole"]++;
    }
    const before = await html(page);
    await reload(page);
    assert.equal(await html(page), before);
  }
  assert.ok(states.whole > 0 && states.changes > 0, JSON.stringify(states));
});

/** Returns true if the document was last saved as changes of what was written before. */
const hasChanges = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const opening = indexedDB.open("copydesk");
        opening.onsuccess = () => {
          const { result: database } = opening;
          const counting = database.transaction("changes").objectStore("changes").count("document");
          counting.onsuccess = () => (database.close(), done(counting.result > 0));
        };
      }),
  );

test("conversations are a list with titles, and a new one keeps the old ones", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await ask(page, "What can you do?");
  await ended(page);
  assert.equal(await page.textContent(".conversation-title span"), "What can you do?");
  await page.click(".chat-head > .tool");
  await page.waitForSelector(".welcome");
  await ask(page, "Summarize the document");
  await ended(page);
  await saved(page);
  await reload(page);
  assert.equal(await page.textContent(".conversation-title span"), "Summarize the document");
  await page.click(".conversation-title");
  assert.deepEqual(await text(page, ".conversations .menu-text > span:first-child"), ["Summarize the document", "What can you do?"]);
  await page.click(".conversations .menu-item >> nth=1");
  await page.waitForFunction(() => find(".user-message").textContent.includes("What can you do?"));
  // Another model starts another conversation.
  await openSettings(page);
  await page.click(".settings label:has(input[value=ollama])");
  await page.click(".settings button[type=submit]");
  await page.waitForSelector(".welcome");
  await page.click(".conversation-title");
  assert.equal((await page.$$(".conversations li")).length, 2);
  await page.click(".conversations li:nth-child(2) .tool");
  await page.click(".conversation-title");
  assert.equal((await page.$$(".conversations li")).length, 1);
});

test("a reload while the assistant works says that it stopped, and it can continue", async (t) => {
  const server = await model(t, [
    { calls: [append("History")] },
    (response) => void begin(response).write(chunk({ content: "And the taste" })),
    { calls: [append("Taste")] },
    { say: "Both are there." },
  ]);
  const page = await openDemo(t, { search: at(server), mode: "review" });
  await ask(page, "Write about tea");
  await page.waitForSelector(".row[data-state=done]");
  await page.waitForSelector(".assistant-message");
  await saved(page);
  await reload(page);
  assert.match(await page.textContent(".interrupted"), /The assistant was interrupted while it was working/);
  assert.equal((await hunks(page)).length, 1);
  await page.click(".interrupted button");
  await ended(page);
  assert.equal(await page.locator(".interrupted").count(), 0);
  assert.equal((await text(page, ".assistant-message")).at(-1), "Both are there.");
  assert.deepEqual(await text(page, ".row-text"), ["Wrote section 1 “History”", "Wrote section 2 “Taste”"]);
  const sent = JSON.stringify(server.requests.at(-1).body.messages);
  assert.equal(sent.split("Write about tea").length, 2, "the request is sent once");
});

test("what was accepted and rejected is there after a reload, and follows undo and redo", async (t) => {
  const server = await model(t, [{ calls: [append("History"), append("Taste"), append("Trade")] }, { say: "Three sections." }]);
  const page = await openDemo(t, { search: at(server), mode: "review" });
  await ask(page, "Write about tea");
  await ended(page);
  const row = (title) => page.locator(`.row[data-call="c-${title}"]`);
  const verdicts = (...expected) =>
    page.waitForFunction((expected) => JSON.stringify(findAll(".row").map(({ dataset }) => dataset.review)) === expected, JSON.stringify(expected));
  await row("History").locator(".row-review button >> text=Accept").click();
  await row("Taste").locator(".row-review button >> text=Reject").click();
  await verdicts("accepted", "rejected", "pending");
  await row("Trade").locator(".row-review button >> text=Accept").click();
  await verdicts("accepted", "rejected", "accepted");
  await page.click(".tiptap > h2 >> nth=0");
  await page.keyboard.press("Control+z");
  await verdicts("accepted", "rejected", "pending");
  await page.keyboard.press("Control+Shift+z");
  await verdicts("accepted", "rejected", "accepted");
  await page.keyboard.press("Control+z");
  await verdicts("accepted", "rejected", "pending");
  // After another change it cannot be made again, and stays pending.
  await page.keyboard.type("Own words. ");
  await page.waitForFunction(() => document.querySelector(".tiptap").textContent.includes("Own words."));
  await verdicts("accepted", "rejected", "pending");
  await saved(page);
  await reload(page);
  await verdicts("accepted", "rejected", "pending");
  await row("History").locator(".row-head").click();
  assert.deepEqual(await text(page, ".row .change-verdict"), ["Accepted"]);
  assert.match(await row("History").locator(".change ins").textContent(), /About History/);
});

test("a run that had failed is tried again after a reload", async (t) => {
  const server = await model(t, [{ calls: [append("History")] }, status(429, { "retry-after": "600" }), { say: "There it is." }]);
  const page = await openDemo(t, { search: at(server), expected: [/429/] });
  await ask(page, "Write about porcelain");
  await page.waitForSelector(".failure button");
  await saved(page);
  await reload(page);
  await page.click(".failure button >> text=Try again");
  await ended(page);
  assert.deepEqual(await text(page, ".assistant-message"), ["There it is."]);
  assert.equal(await page.locator(".failure").count(), 0);
  const { messages } = server.requests.at(-1).body;
  assert.equal(JSON.stringify(messages).split("Write about porcelain").length, 2, "the request is sent once");
  assert.equal(messages.filter(({ role }) => role === "tool").length, 1, "nothing is done twice");
  // It is over now, also after another reload.
  await saved(page);
  await reload(page);
  assert.deepEqual(await text(page, ".assistant-message"), ["There it is."]);
  assert.equal(await page.locator(".failure, .interrupted, .undo-run").count(), 0);
});

/** Checks that a tab can be read as a whole, and that nothing in it changes the document. */
async function readsOnly(page) {
  for (const part of [".tiptap", ".log"]) assert.equal(await page.$eval(part, (element) => element.closest("[inert], [aria-hidden]")), null, part);
  assert.deepEqual(await page.$eval(".tiptap", (element) => [element.isContentEditable, element.getAttribute("aria-readonly")]), [false, "true"]);
  const before = await html(page);
  await page.evaluate(() => {
    const { editor } = document.querySelector(".tiptap");
    editor.commands.setTextSelection(3);
    const transfer = new DataTransfer();
    transfer.items.add(new File(["x"], "x.md"));
    for (const type of ["drop", "dragover"]) editor.view.dom.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.keyboard.type("typed");
  await page.keyboard.press("ControlOrMeta+Alt+Enter");
  assert.ok(await page.isDisabled("#composer"));
  const usable = await page.$$eval(".log button, .tiptap button, .dock button, .toolbar button", (all) =>
    all.filter((button) => button.checkVisibility() && !button.matches(":disabled") && !isInert(button)).map((button) => button.textContent),
  );
  assert.deepEqual(usable, []);
  assert.equal(await html(page), before);
}

test("a second tab is told, can take the document over, and the first is told then", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await page.click(".tiptap");
  await page.keyboard.type("From the first tab.");
  await saved(page);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.waitForSelector("html[data-ready]");
  assert.equal(await second.textContent('[data-notice="elsewhere"] p'), "This document is open in another tab. You can read it here, but not change it.");
  assert.match(await written(second), /From the first tab/);
  await second.click(".tiptap > p", { clickCount: 3, position: { x: 20, y: 10 } });
  assert.match(await second.evaluate(() => String(getSelection())), /From the first tab/, "it can be selected");
  await readsOnly(second);

  // Unsaved words of the first tab are not lost.
  await page.click(".tiptap");
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" And more.");
  await Promise.all([second.waitForNavigation(), second.click('[data-notice="elsewhere"] button')]);
  await second.waitForSelector("html[data-ready]");
  assert.equal(await written(second), "From the first tab. And more.");
  assert.equal(await second.locator('[data-notice="elsewhere"]').count(), 0);
  await page.waitForSelector('[data-notice="elsewhere"]');
  await readsOnly(page);
});

test("pending changes are shown in a second tab, which has no way to decide them", async (t) => {
  const page = await openDemo(t, { mode: "review" });
  const apply = (target) =>
    target.evaluate(() => {
      const { editor } = document.querySelector(".tiptap");
      editor.commands.setContent("<p>The old words.</p>");
      editor.storage.copydesk.document.apply({ operation: "replace_lines", edits: [{ start_line: 1, end_line: 1, content: "The new words.", format: "text" }] });
    });
  await apply(page);
  await saved(page);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.waitForSelector("html[data-ready]");
  const hunks = () => second.evaluate(() => document.querySelector(".tiptap").editor.storage.copydesk.document.hunks().length);
  assert.equal(await hunks(), 1);
  await second.focus(".scroller");
  await readsOnly(second);
  await second.keyboard.press("ControlOrMeta+Alt+Backspace");
  assert.equal(await hunks(), 1);
});

test("a file that is not a recording changes nothing", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await page.click(".tiptap");
  await page.keyboard.type("My text.");
  await ask(page, "What can you do?");
  await ended(page);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.click(".chat .menu-anchor .tool").then(() => page.click('.menu-item:has-text("Open recording")')),
  ]);
  await chooser.setFiles({ name: "recording.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await page.waitForSelector(".failure[data-code=invalid_recording]");
  assert.equal(await written(page), "My text.");
  assert.equal((await page.$$(".run")).length, 1);
});

const notice = (page) => page.textContent('[data-notice="storage"] p');

test("the page says when storage is off or full, and works all the same", async (t) => {
  const off = await openDemo(t, {
    prepare: (fresh) => fresh.addInitScript(() => (IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); })),
  });
  assert.match(await notice(off), /does not save data/);
  await ask(off, "What can you do?");
  await ended(off);

  const full = await openDemo(t, {
    locale: "zh-CN",
    prepare: (fresh) =>
      fresh.addInitScript(() => {
        const { put } = IDBObjectStore.prototype;
        window.room = false;
        IDBObjectStore.prototype.put = function (...given) {
          if (!window.room) throw new DOMException("no", "QuotaExceededError");
          return put.apply(this, given);
        };
      }),
  });
  await full.click(".tiptap");
  await full.keyboard.type("x");
  await full.waitForSelector('[data-notice="storage"]');
  assert.match(await notice(full), /存储空间已满/);
  await full.evaluate(() => (window.room = true));
  await full.keyboard.type("y");
  await full.waitForSelector('[data-notice="storage"]', { state: "detached" });
});

test("what another version of the page has saved stays as it is, and the page says so", async (t) => {
  const page = await openDemo(t, {});
  const put = async (record) => {
    await saved(page);
    await page.evaluate(
      (value) =>
        new Promise((done) => {
          const opening = indexedDB.open("copydesk");
          opening.onsuccess = () => {
            const change = opening.result.transaction("documents", "readwrite");
            change.objectStore("documents").put(value, "document");
            change.oncomplete = () => (opening.result.close(), done());
          };
        }),
      record,
    );
  };
  const all = () =>
    page.evaluate(
      () =>
        new Promise((done) => {
          const opening = indexedDB.open("copydesk");
          opening.onsuccess = () => {
            // What was typed since the document was written is among the changes.
            const tables = ["documents", "changes"];
            const transaction = opening.result.transaction(tables);
            const readings = tables.map((table) => transaction.objectStore(table).getAll());
            transaction.oncomplete = () => (opening.result.close(), done(JSON.stringify(readings.map(({ result }) => result))));
          };
        }),
    );
  for (const record of [{ format: 0, html: "<p>Old words.</p>" }, { format: 1, value: { json: { type: "doc", content: [{ type: "video", words: "Old words." }] }, hunks: [], conversation: null } }]) {
    await put(record);
    await reload(page);
    assert.match(await notice(page), /^The saved document cannot be read/);
    await page.click(".tiptap");
    await page.keyboard.type("New words.");
    await saved(page);
    const kept = await all();
    for (const words of [/Old words/, /New words/]) assert.match(kept, words);
  }
  const json = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Mine." }] }] };
  await put({ format: 1, value: { json, hunks: [{ from: 90, to: 91, content: [] }], conversation: null } });
  await reload(page);
  assert.match(await page.textContent('[data-notice="hunks"] p'), /^1 suggested change could not be restored/);
  assert.equal(await written(page), "Mine.");

  await page.evaluate(() => new Promise((done) => {
    const opening = indexedDB.open("copydesk", 99);
    opening.onsuccess = () => (opening.result.close(), done());
  }));
  await page.waitForSelector('[data-notice="storage"]');
  assert.match(await notice(page), /A newer version of this page is open/);
  // Saving fails from now on, for the same reason.
  await page.click(".tiptap");
  await page.keyboard.type("More words.");
  await saved(page);
  assert.match(await notice(page), /A newer version of this page is open/);
  await reload(page);
  assert.match(await notice(page), /newer version of this page/);
});

test("a decision about a change of another conversation is kept in that conversation", async (t) => {
  const page = await openDemo(t, { mode: "review", expected: offline });
  await ask(page, "Write an article about bicycles with four sections");
  await ended(page);
  const open = async (title) => {
    await page.click(".conversation-title");
    await page.click(`.conversations .menu-item:has-text("${title}")`);
    await page.waitForFunction((text) => find(".user-message")?.textContent.includes(text), title);
  };
  const verdicts = () => page.$$eval(".row[data-tool=update_section] .row-verdict", (all) => all.filter((each) => each.checkVisibility()).map((each) => each.textContent.trim()));
  const rows = await text(page, ".row-text");
  // At once: what has just happened is saved with it.
  await page.click(".chat-head > .tool");
  await page.waitForSelector(".welcome");
  await ask(page, "What can you do?");
  await ended(page);
  await page.click(".tiptap .copydesk-accept >> nth=0");
  await page.click(".tiptap .copydesk-reject >> nth=0");
  await open("Write an article");
  assert.equal(await page.locator(".failure").count(), 0, "its run had ended");
  const decided = await verdicts();
  assert.deepEqual(decided, ["Accepted", "Rejected"]);

  // Taken back while another one is shown, and decided again.
  await open("What can you do?");
  await page.click(".tiptap");
  await page.keyboard.press("Control+z");
  await open("Write an article");
  assert.deepEqual(await verdicts(), ["Accepted"], "undo takes back the last decision");
  await open("What can you do?");
  await page.keyboard.press("Escape");
  await page.click(".tiptap");
  await page.keyboard.press("Control+Shift+z");
  await saved(page);
  await reload(page);
  assert.equal(await page.textContent(".conversation-title span"), "What can you do?");
  await open("Write an article");
  assert.deepEqual(await verdicts(), decided);
  assert.deepEqual(await text(page, ".row-text"), rows, "rows say what was done then, whatever the document is now");
});
