// `<copydesk-room>` and `<copydesk-authorship>`, and the rooms of copydesk/room.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openUi } from "./ui-page.mjs";

const rows = (page) => page.$$eval("copydesk-authorship [part=list] > li", (all) => all.map((one) => one.textContent.replace(/\s+/g, " ").trim()));

test("the authors of a document with their characters, which are text, and are drawn on request", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate(() => showAuthorship());
  await page.waitForSelector("copydesk-authorship [part=agent]");
  assert.deepEqual(await rows(page), ["<b>Robot</b> 3 characters, 6 % m-1 · Acme", "Assistant 3 characters, 6 %", "People 46 characters, 88 %"]);
  assert.deepEqual(await page.$$eval("copydesk-authorship .sources a", (all) => all.map(({ href }) => href)), ["https://a.example/tea"]);
  assert.equal(await page.locator(".copydesk-authored").count(), 0);
  await page.check("copydesk-authorship [part=shown]");
  const drawn = await page.$$eval(".copydesk-authored", (all) => all.map((one) => [one.textContent, one.title, one.getAttribute("style")]));
  assert.deepEqual(drawn.map(([, title, style]) => [title, style]), [["<b>Robot</b>", "--copydesk-author: #7a5cff;"], ["", null]]);
  // What a person types in it is theirs.
  await page.evaluate(() => authored.commands.insertContentAt(11, "people "));
  await page.locator("copydesk-authorship [part=people]", { hasText: "52 characters" }).waitFor();
  assert.equal(await page.locator(".copydesk-authored").count(), 3);
  await page.uncheck("copydesk-authorship [part=shown]");
  assert.equal(await page.locator(".copydesk-authored").count(), 0);
  assert.equal(await page.evaluate(() => authored.storage.authorship.shown), false);
});

test("the participants of a room: their names, activities, and how a person writes", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate(async () => {
    await showRoom();
    window.names = [];
    panel.addEventListener("name-change", ({ detail }) => {
      names.push(detail.name);
      setRoomUser(inRoom.room, inRoom.editor, { name: detail.name });
    });
  });
  await page.locator("copydesk-room [part=participant]", { hasText: "Bo" }).waitFor();
  assert.equal(await page.inputValue("copydesk-room [part=name]"), "Ada");
  await page.fill("copydesk-room [part=name]", "  ");
  await page.press("copydesk-room [part=name]", "Enter");
  assert.equal(await page.inputValue("copydesk-room [part=name]"), "Ada");
  await page.fill("copydesk-room [part=name]", "Eve");
  await page.press("copydesk-room [part=name]", "Enter");
  await page.waitForFunction(() => inRoom.second.participants.some(({ name }) => name === "Eve"));
  assert.deepEqual(await page.evaluate(() => names), ["Eve"]);
  await page.evaluate(() => inRoom.second.awareness.setLocalState({ user: { name: "Robot" }, agent: { activity: "writing" } }));
  await page.locator("copydesk-room [part=participant]", { hasText: "Robot is writing" }).waitFor();
  await page.selectOption("copydesk-room [part=mode]", "suggest");
  assert.equal(await page.evaluate(() => inRoom.editor.storage.suggestions.mode), "suggest");
  await page.evaluate(() => inRoom.editor.storage.suggestions.setMode("edit"));
  await page.waitForFunction(() => panel.shadowRoot.querySelector("[part=mode]").value === "edit");
  await page.evaluate(() => inRoom.second.close());
  await page.waitForSelector("copydesk-room [part=participant]", { state: "detached" });
});

test("damaged and hostile messages of other windows change nothing, and names are text", async (t) => {
  const { page } = await openUi(t);
  const seen = await page.evaluate(async () => {
    const bad = "<img src=x onerror='window.attacked=1'>";
    await showRoom("tea", { name: bad, color: "red; background: url(https://outside.example/)" });
    const { room, second, editor } = inRoom;
    editor.commands.setContent("<p>Tea is old.</p>");
    const channel = new BroadcastChannel('copydesk-room ["tea"]');
    const messages = [null, 7, "x", {}, { update: new Uint8Array([9, 9, 9]) }, { update: "x" }, { awareness: new Uint8Array([255]) }, { awareness: 5, vector: {} }, { vector: new Uint8Array([255, 255]), isNew: 1 }];
    for (const message of messages) channel.postMessage(message);
    const until = async (holds) => {
      while (!holds()) await new Promise((done) => setTimeout(done, 5));
    };
    const elsewhere = second.document.getXmlFragment("default");
    await until(() => elsewhere.length > 0);
    const { id: item } = elsewhere.get(0).get(0)._start;
    const cursor = { anchor: { item, assoc: 0 }, head: { item, assoc: 0 } };
    const states = [{ user: 7 }, { user: { name: {} } }, { user: null, agent: 5 }, ...[7, "x", true, [], {}, null].map((user) => ({ user, cursor })), { user: { name: bad }, agent: { activity: bad }, cursor: { anchor: 7, head: {} } }];
    for (const [at, state] of states.entries()) {
      second.awareness.setLocalState(state);
      // It has arrived when what follows has, which draws the carets.
      elsewhere.get(0).get(0).insert(0, String(at));
      await until(() => editor.getText().startsWith(String(at)));
    }
    // The last message has arrived when its answer has.
    await new Promise((done) => {
      channel.onmessage = ({ data }) => data.update && done();
      channel.postMessage({ vector: new Uint8Array([0]) });
    });
    editor.commands.insertContentAt(1, "My ");
    channel.close();
    return { html: editor.getHTML(), names: room.participants.map(({ name, color = null, activity = null }) => [name, color, activity]) };
  });
  assert.equal(seen.html, "<p>My 9876543210Tea is old.</p>");
  assert.deepEqual(seen.names, [["Ada", "#3f6fd8", null], ["<img src=x onerror='window.attacked=1'>", null, null]]);
  assert.equal(await page.evaluate(() => window.attacked), undefined);
});

test("a room is kept, is another one on another server, and works where nothing can be kept", async (t) => {
  const { page } = await openUi(t);
  const seen = await page.evaluate(async () => {
    const text = (room) => room.document.getText("t").toString();
    const first = await openRoom({ name: "kept" });
    // More than are stored one by one.
    for (let at = 0; at < 450; at++) first.document.getText("t").insert(at, String(at % 10));
    const length = text(first).length;
    await first.close();
    const problems = [];
    const [again, elsewhere] = [await openRoom({ name: "kept" }), await openRoom({ name: "kept", server: "ws://127.0.0.1:1", onProblem: (problem) => problems.push(problem) })];
    const result = [length, text(again).length, text(elsewhere), again.isConnected, elsewhere.isConnected];
    await Promise.all([again.close(), elsewhere.close()]);
    IDBFactory.prototype.open = () => {
      throw new DOMException("off", "SecurityError");
    };
    const unkept = await openRoom({ name: "kept", onProblem: (problem) => problems.push(problem) });
    unkept.document.getText("t").insert(0, "x");
    result.push(text(unkept), problems);
    await unkept.close();
    const refused = [];
    for (const options of [undefined, {}, { name: " " }, { name: 5 }, { name: "x", server: "https://a.example" }, { name: "x", server: 7 }]) await openRoom(options).catch(({ code }) => refused.push(code));
    return [...result, refused];
  });
  assert.deepEqual(seen, [450, 450, "", undefined, false, "x", ["off"], Array(6).fill("invalid_parameter")]);
});
