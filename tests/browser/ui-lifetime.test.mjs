// The lifetime of an element's assistant: it belongs to the editor, and its run continues while the element is out of the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, call, chunk } from "./model.mjs";
import { ask, ended, openUi } from "./ui-page.mjs";

const said = (page) => page.locator("copydesk-conversation [role=status].visually-hidden").textContent();
const working = (response) => void begin(response).write(chunk({ content: "I am reading" }));
const cut = { expected: [/ERR_INCOMPLETE_CHUNKED_ENCODING/] };

/** An answer whose first words come at once, and its end with `end()`. */
function slowAnswer() {
  let end;
  const isOver = new Promise((resolve) => (end = resolve));
  const answer = async (response) => {
    working(response);
    await isOver;
    response.end(chunk({ content: " on." }) + chunk({}, "stop") + "data: [DONE]\n\n");
  };
  return { answer, end };
}

test("a run goes on while its element is out of the page, and is shown when the element is back", async (t) => {
  for (const isOverBefore of [false, true]) {
    const { answer, end } = slowAnswer();
    const { page, server } = await openUi(t, [answer]);
    await ask(page, "Improve this");
    await page.waitForSelector(".assistant-message");
    await page.fill("#composer", "A draft");
    await page.evaluate(async () => {
      window.own = element.controller;
      window.place = element.parentElement;
      element.remove();
      // Longer than a task: what a framework or a drawer does.
      await new Promise((resolve) => setTimeout(resolve));
    });
    if (isOverBefore) {
      end();
      await page.waitForFunction(() => !own.getSnapshot().isWorking);
    }
    await page.evaluate(() => place.append(element));
    await page.waitForSelector(".assistant-message");
    assert.equal(await said(page), isOverBefore ? "" : "The assistant is working.");
    end();
    await ended(page);
    await page.waitForSelector(".run-end");
    assert.match(await page.textContent(".assistant-message"), /I am reading on\./);
    assert.deepEqual(await page.evaluate(() => [own === element.controller, own.getSnapshot().runs[0].items.map(({ type }) => type)]), [true, ["text", "end"]]);
    const words = page.locator("copydesk-conversation [role=status].visually-hidden", { hasText: isOverBefore ? /^$/ : "I am reading on." });
    await words.waitFor({ state: "attached" });
    assert.deepEqual([server.requests.length, await page.inputValue("#composer")], [1, "A draft"]);
  }
});

test("what a run says at its end is heard from an element that was not drawn since it came back", async (t) => {
  const { answer, end } = slowAnswer();
  const { page } = await openUi(t, [answer]);
  await ask(page, "Improve this");
  await page.waitForSelector(".assistant-message");
  const isOver = page.evaluate(async () => {
    const { controller, parentElement } = element;
    const frame = window.requestAnimationFrame;
    window.requestAnimationFrame = () => 0;
    element.remove();
    await new Promise((resolve) => setTimeout(resolve));
    parentElement.append(element);
    window.isBack = true;
    await new Promise((resolve) => controller.subscribe(() => controller.getSnapshot().isWorking || resolve()));
    window.requestAnimationFrame = frame;
  });
  while (!(await page.evaluate(() => window.isBack)));
  end();
  await isOver;
  await page.locator("copydesk-conversation [role=status].visually-hidden", { hasText: "I am reading on." }).waitFor({ state: "attached" });
});

test("an element that comes in place of another one takes over its assistant, unless it has another storage", async (t) => {
  for (const takesOver of [true, false]) {
    const { answer, end } = slowAnswer();
    const { page, server } = await openUi(t, [answer, { say: "Yes." }], takesOver ? {} : cut);
    await ask(page, "Improve this");
    await page.waitForSelector(".assistant-message");
    await page.evaluate(async (takesOver) => {
      const [before, place] = [element, element.parentElement];
      window.own = before.controller;
      before.remove();
      await new Promise((resolve) => setTimeout(resolve));
      window.element = Object.assign(document.createElement("copydesk-assistant"), { editor, agent: agentOptions(), storage: takesOver ? undefined : memoryStorage() });
      place.append(element);
      await element.updateComplete;
      window.lost = before.controller === undefined;
    }, takesOver);
    assert.equal(await page.evaluate(() => lost), true, "one element has it");
    assert.equal(await page.evaluate(() => own === element.controller), takesOver);
    if (takesOver) end();
    else await server.requests[0].cut;
    if (!takesOver) await ask(page, "Are you there?");
    await ended(page);
    await page.locator(".assistant-message", { hasText: takesOver ? "I am reading on." : "Yes." }).waitFor();
  }
});

test("a run goes on while its element shows another editor, or none, and is shown when its editor is back", async (t) => {
  const { answer, end } = slowAnswer();
  const { page, server } = await openUi(t, [answer]);
  await ask(page, "Improve this");
  await page.waitForSelector(".assistant-message");
  const seen = await page.evaluate(async () => {
    const own = element.controller;
    const other = edit();
    const shown = [];
    for (const next of [other, undefined, editor, other, editor]) {
      element.editor = next;
      await element.updateComplete;
      shown.push(element.controller === own ? "own" : element.controller ? "other" : "none");
    }
    window.own = own;
    return [shown, own.getSnapshot().isWorking];
  });
  assert.deepEqual(seen, [["other", "none", "own", "other", "own"], true]);
  end();
  await ended(page);
  await page.locator(".assistant-message", { hasText: "I am reading on." }).waitFor();
  assert.equal(server.requests.length, 1);
});

test("an assistant that waits for its editor ends when the editor is destroyed", async (t) => {
  const { page, server } = await openUi(t, [working], cut);
  await ask(page, "Improve this");
  await page.waitForSelector(".assistant-message");
  await page.evaluate(async () => {
    window.own = element.controller;
    element.editor = edit();
    await element.updateComplete;
    editor.destroy();
  });
  await server.requests[0].cut;
  assert.equal(await page.evaluate(() => own.getSnapshot().runs[0].items.at(-1).type), "stopped");
});

test("when the editor is destroyed, the run ends, its views are told, and an element without an editor is empty", async (t) => {
  for (const isOwn of [true, false]) {
    const { page, server } = await openUi(t, [working], cut);
    if (!isOwn) await page.evaluate(() => (element.assistant = createAssistant({ editor, agent: agentOptions() })));
    await ask(page, "Improve this");
    await page.waitForSelector(".send[data-mode=stop]");
    await page.waitForSelector(".assistant-message");
    const seen = await page.evaluate(async () => {
      const { controller } = element;
      const events = [];
      controller.onEvent(({ type }) => events.push(type));
      const told = new Promise((resolve) => controller.subscribe(() => !controller.getSnapshot().isWorking && resolve(controller.getSnapshot())));
      editor.destroy();
      const { activity, runs } = await told;
      return { activity, events, isRunning: runs[0].isRunning, last: runs[0].items.at(-1).type };
    });
    assert.deepEqual(seen, { activity: null, events: ["aborted"], isRunning: false, last: "stopped" });
    await server.requests[0].cut;
    await page.waitForSelector(".send[data-mode=stop]", { state: "detached" });
    assert.equal(await page.locator("copydesk-composer").count(), isOwn ? 0 : 1);
    if (!isOwn) assert.deepEqual([await page.textContent(".run-end"), await said(page)], ["Stopped. Completed edits are kept.", "Stopped. Completed edits are kept."]);
  }
});

test("an element whose editor is destroyed while nothing is done is empty, and shows the next editor", async (t) => {
  const { page } = await openUi(t, [{ say: "Yes." }]);
  await page.waitForSelector("#composer");
  await page.evaluate(() => editor.destroy());
  await page.waitForSelector("#composer", { state: "detached" });
  await page.evaluate(() => (element.editor = window.editor = edit()));
  await ask(page, "Can you?");
  await ended(page);
});

test("of two edits in one answer, the document previews the one that is asked about, and the other one waits", async (t) => {
  const calls = [call("c-1", "replace_text", { old: "old drink", new: "very old drink" }), call("c-2", "replace_text", { old: "Green", new: "White" })];
  const { page } = await openUi(t, [{ calls }, { say: "Done." }]);
  await page.selectOption(".mode-select", "ask");
  await ask(page, "Improve this");
  const rows = () => page.$$eval("copydesk-tool-row", (all) => all.map((row) => [row.call.state, row.shadowRoot.querySelector(".row-text").textContent]));
  const preview = (text) => page.waitForFunction((text) => document.querySelector(".copydesk-preview")?.textContent === text, text);
  await page.waitForSelector(".row-approval");
  await preview("very old drink");
  assert.deepEqual(await rows(), [["approval", "Replace “old drink” with “very old drink”?"], ["waiting", "Replace “Green” with “White”"]]);
  await page.click("[part=allow]");
  await preview("White");
  assert.deepEqual(await rows(), [["done", "Replaced “old drink” with “very old drink”"], ["approval", "Replace “Green” with “White”?"]]);
  await page.click("[part=deny]");
  await ended(page);
  assert.equal(await page.locator(".copydesk-preview").count(), 0);
  assert.match(await page.evaluate(() => editor.getText()), /very old drink[^]*Green/);
});
