// One database of conversations, and several tabs or assistants: none removes what another has saved.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, openUi } from "./ui-page.mjs";

/** The prompts of all stored conversations, as the page has them after it was loaded again. */
async function storedPrompts(page) {
  await page.reload();
  await page.waitForFunction(() => window.ready && element.controller);
  return page.evaluate(async () => {
    await element.controller.restored;
    const all = await indexedDBStorage("ui-test").load();
    const ids = all.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) throw new Error(`ids occur twice: ${ids}`);
    return all.map(({ runs }) => runs.map(({ prompt }) => prompt));
  });
}

/** Asks, and waits until the conversation is stored. `runs` is the number of its runs afterwards. */
async function askAndSave(page, text, runs = 1) {
  await ask(page, text);
  await ended(page, runs);
  await page.evaluate(() => element.controller.flush());
}

async function inOtherTab(page) {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => window.ready && element.controller);
  await other.evaluate(() => element.controller.restored);
  return other;
}

test("two tabs that continue one conversation lose nothing: there are two afterwards, and either continues", async (t) => {
  const { page } = await openUi(t, Array(6).fill({ say: "Yes." }), { search: "&kept" });
  await askAndSave(page, "First?");
  const other = await inOtherTab(page);
  await askAndSave(other, "In the second tab?", 2);
  for (const [tab, text, count] of [[page, "In the first tab?", 2], [other, "Again in the second?", 3], [page, "Again in the first?", 3]]) {
    await askAndSave(tab, text, count);
  }
  assert.deepEqual(await storedPrompts(page), [
    ["First?", "In the first tab?", "Again in the first?"],
    ["First?", "In the second tab?", "Again in the second?"],
  ]);
  // The one that has got another id can be opened, continued and deleted.
  const before = await page.evaluate(() => element.controller.state.conversations.map(({ id }) => id));
  assert.equal(before.length, 2);
  await page.evaluate((id) => element.controller.openConversation(id), before[1]);
  await askAndSave(page, "And after loading?", 4);
  assert.deepEqual(await storedPrompts(page), [
    ["First?", "In the second tab?", "Again in the second?", "And after loading?"],
    ["First?", "In the first tab?", "Again in the first?"],
  ]);
  const ids = await page.evaluate(() => element.controller.state.conversations.map(({ id }) => id));
  for (const id of ids) await page.evaluate((id) => element.controller.deleteConversation(id), id);
  assert.deepEqual(await storedPrompts(page), []);
});

test("a tab that deletes a conversation keeps what another tab has added to it", async (t) => {
  const { page } = await openUi(t, Array(3).fill({ say: "Yes." }), { search: "&kept" });
  await askAndSave(page, "First?");
  const other = await inOtherTab(page);
  await askAndSave(other, "Second?", 2);
  await page.evaluate(() => element.controller.deleteConversation(element.controller.state.conversation.id));
  assert.deepEqual(await storedPrompts(page), [["First?", "Second?"]]);
});

test("two assistants with one storage in a page lose nothing", async (t) => {
  const { page } = await openUi(t, Array(4).fill({ say: "Yes." }), { search: "&kept" });
  await askAndSave(page, "First?");
  const stored = await page.evaluate(async () => {
    const storage = indexedDBStorage("ui-test");
    const own = () => createAssistant({ editor: edit(undefined, { element: document.createElement("div") }), agent: agentOptions(), storage });
    const both = [own(), own()];
    const until = (holds) => new Promise((done) => { const look = () => (holds() ? done() : setTimeout(look, 5)); look(); });
    for (const [index, assistant] of both.entries()) {
      await assistant.restored;
      assistant.send(`Of ${index + 1}?`);
      await until(() => assistant.state.runs.length === 2 && !assistant.state.isWorking);
      await assistant.flush();
    }
    for (const assistant of both) await assistant.flush();
    return (await indexedDBStorage("ui-test").load()).map(({ runs }) => runs.map(({ prompt }) => prompt));
  });
  assert.deepEqual(new Set(stored.map(String)), new Set(["First?,Of 1?", "First?,Of 2?"]));
});
