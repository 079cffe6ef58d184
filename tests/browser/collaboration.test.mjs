// The example with two browsers on a Hocuspocus server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startExample } from "./example.mjs";
import { openPage } from "./harness.mjs";
import { answer, call, model } from "./model.mjs";

/** Starts the example, and returns a function that opens it for a participant. */
async function rooms(t, llm) {
  const url = await startExample(t, "collaboration", "start");
  const search = (name) => `${url}?name=${name}&model=${encodeURIComponent(llm.baseUrl)}`;
  const prepare = (page) => page.on("dialog", (dialog) => dialog.accept("sk-of-the-user"));
  return async (name) => {
    const page = await openPage(t, search(name), { prepare });
    await page.waitForSelector("body[data-ready]");
    return page;
  };
}

test("what the assistant of one participant suggests, the other decides, and a reload keeps it", async (t) => {
  const edits = [call("a", "replace_text", { old: "old", new: "young" }), call("b", "update_section", { operation: "append", title: "Kinds", content: "<p>Green.</p>" })];
  const llm = await model(t, [{ calls: [edits[0]] }, { calls: [edits[1]] }, { say: "Done." }, { say: "Heard." }]);
  const open = await rooms(t, llm);
  const ada = await open("Ada");
  const bo = await open("Bo");
  await bo.locator("#present", { hasText: /^(Ada, Bo|Bo, Ada)$/ }).waitFor();
  await ada.fill("[name=message]", "Make it young");
  await ada.click("form button");
  await ada.locator("#answer", { hasText: "Done." }).waitFor();

  const insertion = bo.locator(".copydesk-insertion").first();
  await insertion.waitFor();
  assert.equal(await insertion.textContent(), "young");
  assert.equal(await bo.locator(".copydesk-author").first().textContent(), "Assistant of Ada");
  assert.equal(await bo.textContent(".copydesk-count"), "2 changes");
  await bo.reload();
  await bo.waitForSelector("body[data-ready]");
  await bo.locator(".copydesk-accept").first().click();
  await bo.locator(".copydesk-reject").first().click();
  const html = "<h1>Tea</h1><p>Tea is young.</p>";
  const isDecided = (html) => {
    const shown = document.querySelector(".tiptap").cloneNode(true);
    // The editor of whoever decides has the focus, and the others see where.
    shown.querySelectorAll(".ProseMirror-yjs-cursor").forEach((caret) => caret.remove());
    return shown.innerHTML.startsWith(html) && !document.querySelector(".copydesk-insertion");
  };
  for (const page of [ada, bo]) await page.waitForFunction(isDecided, html);

  // The model of the other participant hears of both decisions.
  await ada.fill("[name=message]", "And now?");
  await ada.click("form button");
  await ada.locator("#answer", { hasText: "Heard." }).waitFor();
  const told = JSON.stringify(llm.requests[3].body.messages);
  assert.match(told, /accepted h\d+/);
  assert.match(told, /rejected h\d+/);
});

test("one participant comments, the assistant of the other addresses it, the first decides both at once, and a reload keeps it", async (t) => {
  let thread;
  const calls = [() => call("a", "list_comments", {}), () => call("b", "replace_text", { old: "old", new: "young" }), () => call("c", "resolve_comment", { id: thread, text: "It is young." })];
  const llm = await model(t, [...calls.map((make) => (response) => response.end(answer({ calls: [make()] }))), { say: "Done." }]);
  const open = await rooms(t, llm);
  const [ada, bo] = [await open("Ada"), await open("Bo")];
  await bo.getByText("old.").dblclick({ position: { x: 45, y: 8 } });
  await bo.fill("copydesk-comments [part=new] textarea", "Is it?");
  await bo.click("copydesk-comments [part=new] [part=send]");
  await ada.waitForSelector("copydesk-comments .thread");
  thread = await ada.getAttribute("copydesk-comments .thread", "data-thread");
  const quote = await ada.textContent(".copydesk-comment");
  assert.match(quote, /old|is/);
  await ada.fill("[name=message]", "Address the comments");
  await ada.click("body > form button");
  await ada.locator("#answer", { hasText: "Done." }).waitFor();
  assert.match(JSON.stringify(llm.requests[1].body.messages), /Is it\?/);
  await bo.waitForSelector("copydesk-comments .comment.pending >> text=It is young.");
  assert.equal(await bo.textContent("copydesk-comments .pending .name"), "Assistant of Ada");
  await bo.reload();
  await bo.waitForSelector("body[data-ready]");
  await bo.waitForSelector("copydesk-comments .comment.pending");
  await bo.locator(".copydesk-accept").first().click();
  for (const page of [ada, bo]) await page.waitForSelector("copydesk-comments summary >> text=1 resolved");
  await ada.reload();
  await ada.waitForSelector("body[data-ready]");
  await ada.click("copydesk-comments summary");
  const comments = await ada.$$eval("copydesk-comments details .comment", (all) => all.map((one) => `${one.querySelector(".name").textContent}: ${one.querySelector(".text").textContent}`));
  assert.deepEqual(comments, ["Bo: Is it?", "Assistant of Ada: It is young."]);
  assert.match(await ada.textContent(".tiptap"), /Tea is young\./);
});
