// What apps, other versions and networks do wrong: it is a sentence with one way out, and nothing is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "./model.mjs";
import { ask, ended, openUi } from "./ui-page.mjs";

const conversation = { id: "good", title: "Tea", changed: 1, messages: [], runs: [{ prompt: "Which tea?", events: [{ type: "content", content: "Green.", seq: 0 }, { type: "complete", usage: {}, seq: 1 }], ended: true }] };
/** What another version may have stored, and what is damaged. */
const UNREADABLE = {
  "another format": { format: 2, value: { ...conversation, id: "other" } },
  "no runs": { format: 1, value: { id: "other", title: "Other", changed: 9, messages: [] } },
  "a run without events": { format: 1, value: { ...conversation, id: "other", changed: 9, runs: [{ prompt: "Hello" }] } },
  "a call without a name": { format: 1, value: { ...conversation, id: "other", changed: 9, runs: [{ prompt: "Hello", events: [{ type: "tool_use" }, { type: "tool_result" }], ended: true }] } },
  "null": { format: 1, value: null },
};
const records = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const opening = indexedDB.open("ui-test", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("conversations");
        opening.onsuccess = () => {
          const reading = opening.result.transaction("conversations").objectStore("conversations").getAll();
          reading.onsuccess = () => (opening.result.close(), done(reading.result));
        };
      }),
  );
const put = (page, values) =>
  page.evaluate(
    (values) =>
      new Promise((done) => {
        const opening = indexedDB.open("ui-test", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("conversations");
        opening.onsuccess = () => {
          const change = opening.result.transaction("conversations", "readwrite");
          for (const [key, value] of Object.entries(values)) change.objectStore("conversations").put(value, key);
          change.oncomplete = () => (opening.result.close(), done());
        };
      }),
    values,
  );

for (const [name, record] of Object.entries(UNREADABLE))
  test(`a stored conversation that cannot be read is left as it is, and a sentence says so: ${name}`, async (t) => {
    const { page } = await openUi(t, [{ say: "Black." }], { search: "&bare" });
    await put(page, { good: { format: 1, value: conversation }, other: record });
    await page.evaluate(() => start({ storage: "indexeddb" }));
    await page.waitForFunction(() => element.controller);
    await page.evaluate(() => element.controller.restored);
    await page.evaluate(() => element.controller.openConversation("good"));
    await page.waitForSelector(".run");
    assert.match(await page.textContent(".run"), /Which tea\?[^]*Green\./);
    assert.match(await page.textContent(".storage-notice"), /cannot be read by this version of the page\. They stay as they are/);
    assert.deepEqual(await page.evaluate(() => element.controller.state.conversations.map(({ id }) => id)), ["good"]);
    await ask(page, "And else?");
    await ended(page, 2);
    await page.evaluate(() => element.controller.flush());
    const kept = await records(page);
    assert.deepEqual(kept.find((one) => JSON.stringify(one) === JSON.stringify(record)), record, "it is there still");
    assert.equal(kept.length, 2);
    await page.waitForSelector(".storage-notice");
  });

test("listeners and functions of the app that throw end nothing", async (t) => {
  const { page } = await openUi(t, [{ calls: [call("c-1", "replace_text", { old: "old drink", new: "very old drink" })] }, { say: "Done." }], { expected: [/of the app/] });
  await page.evaluate(() => {
    const fail = () => {
      throw new Error("of the app");
    };
    for (const name of ["message", "approval", "mode-change", "conversation-change"]) element.addEventListener(name, fail);
    element.controller.subscribe(fail);
    element.controller.onEvent(fail);
    element.runFooter = fail;
  });
  await ask(page, "Make the tea older");
  await ended(page);
  await page.waitForSelector(".run-end");
  assert.match(await page.textContent(".row-text"), /^Replaced/);
  assert.match(await page.textContent(".run"), /Done\./);
  await page.click(".row-accept");
  await page.waitForSelector('.row[data-review="accepted"]');
  await page.selectOption(".mode-select", "auto");
  await page.click(".new-conversation");
  await page.waitForSelector(".welcome");
});

test("options of the agent that cannot be had are a sentence, and the next try has them", async (t) => {
  const { page } = await openUi(t, [{ say: "Yes." }], { search: "&bare", expected: [/of the app/] });
  await page.evaluate(() => {
    let calls = 0;
    window.options = () => {
      if (calls++ < 1) throw new Error("The key is not there (of the app).");
      return agentOptions();
    };
    start();
    element.agent = () => options();
  });
  await ask(page, "Can you?");
  await page.waitForSelector(".failure button, .load-failure button, .run-end");
  const failure = page.locator(".failure button, .load-failure button");
  if (await failure.count()) await failure.first().click();
  await ended(page);
  await page.waitForSelector(".run-end");
  assert.match(await page.textContent(".run"), /Can you\?[^]*Yes\./);
});

test("the button that loads the agent again gives the focus to the field", async (t) => {
  const { page } = await openUi(t, [], { expected: [/ERR_FAILED|wasm/i] });
  await page.route(/\.wasm/, (route) => route.abort());
  await page.reload();
  await page.focus(".load-failure button");
  await page.unroute(/\.wasm/);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".load-failure", { state: "detached" });
  await page.waitForSelector("#composer:focus");
});

test("an agent that cannot be loaded is a sentence with a button; the message is answered when it is there", async (t) => {
  const { page } = await openUi(t, [{ say: "Yes." }], { expected: [/ERR_FAILED|wasm/i] });
  await page.route(/\.wasm/, (route) => route.abort());
  await page.reload();
  await page.waitForSelector(".load-failure");
  assert.match(await page.textContent(".load-failure"), /Try again/);
  await ask(page, "Can you?");
  await page.waitForSelector(".failure");
  assert.match(await page.textContent(".run"), /Can you\?/);
  await page.unroute(/\.wasm/);
  await page.click(".failure button");
  await ended(page);
  assert.match(await page.textContent(".run"), /Yes\./);
  assert.equal(await page.locator(".load-failure").count(), 0);
});

test("elements are used before the wasm is there: what is sent meanwhile is answered", async (t) => {
  for (const [text, chosen] of [["Can you?", ""], ["See @kin", "Enter"]])
    await t.test(text, async (t) => {
      const { page, server } = await openUi(t, [{ say: "Yes." }]);
      let arrive;
      const arrived = new Promise((resolve) => (arrive = resolve));
      await page.route(/\.wasm/, async (route) => {
        await arrived;
        await route.continue();
      });
      await page.reload();
      await page.waitForSelector(".welcome .suggestion");
      await page.evaluate(() => document.querySelector("main").append(Object.assign(document.createElement("copydesk-outline"), { editor })));
      await page.waitForSelector("copydesk-outline [part=section]");
      await page.focus("#composer");
      await page.keyboard.type(text);
      if (chosen) {
        await page.waitForSelector(".attachable");
        await page.keyboard.press(chosen);
        await page.waitForSelector(".attachment");
      }
      await page.keyboard.press("Enter");
      // A section is read when the wasm is there, and the message waits for it.
      if (chosen) assert.equal(await page.inputValue("#composer"), "See @Kinds ");
      else await page.waitForSelector(".run");
      assert.equal(server.requests.length, 0);
      arrive();
      await ended(page);
      assert.match(await page.textContent(".run"), chosen ? /See @Kinds[^]*Yes\./ : /Can you\?[^]*Yes\./);
      if (chosen) assert.match(JSON.stringify(server.requests[0].body.messages.filter(({ role }) => role === "user")), /Green and black/);
    });
});
