// `<copydesk-comments>` beside a real editor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openUi } from "./ui-page.mjs";

const threads = (page) => page.$$eval("copydesk-comments [part=list] > li", (all) => all.map((one) => [one.querySelector(".quote").textContent.trim(), ...[...one.querySelectorAll(".comment")].map((comment) => `${comment.querySelector(".name").textContent}: ${comment.querySelector(".text").textContent}`)]));
const select = (page, text) =>
  page.evaluate((text) => {
    editor.state.doc.descendants((node, at) => {
      const index = node.isText ? node.text.indexOf(text) : -1;
      if (index >= 0) editor.commands.setTextSelection({ from: at + index, to: at + index + text.length });
    });
  }, text);

test("a comment on the selection, a reply, a resolution: with the keyboard, in both languages", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate(() => showPanel("comments", { editor }));
  const field = "copydesk-comments [part=new] textarea";
  await page.waitForSelector("copydesk-comments [part=no-comments]:visible");
  assert.equal(await page.isDisabled(field), true);
  await select(page, "old drink");
  await page.waitForSelector(`${field}:enabled`);
  await page.fill(field, "How <b>old</b>?");
  await page.focus("copydesk-comments [part=new] [part=send]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("copydesk-comments .thread");
  assert.deepEqual(await threads(page), [["old drink", "Ada: How <b>old</b>?"]]);
  assert.equal(await page.inputValue(field), "");
  assert.equal(await page.textContent(".copydesk-comment"), "old drink");
  await page.click("copydesk-comments [part=quote]");
  await page.waitForSelector(".copydesk-current-comment");
  await page.fill("copydesk-comments [part=reply]", "Very.");
  await page.click("copydesk-comments form:not([part]) [part=send]");
  await page.waitForSelector("copydesk-comments .comment >> nth=1");
  assert.deepEqual(await threads(page), [["old drink", "Ada: How <b>old</b>?", "Ada: Very."]]);
  await page.evaluate(() => editor.commands.deleteRange({ from: 10, to: 40 }));
  await page.waitForSelector("copydesk-comments .note >> text=The text was deleted.");
  await page.click("copydesk-comments [part=resolve]");
  await page.waitForSelector("copydesk-comments summary >> text=1 resolved");
  assert.deepEqual(await threads(page), []);
  await page.evaluate(() => (panel.locale = "zh-CN"));
  await page.click("copydesk-comments summary >> text=1 条已解决");
  await page.click("copydesk-comments [part=reopen] >> text=重新打开");
  await page.waitForSelector("copydesk-comments [part=list] .thread");
  await page.evaluate(() => (panel.disabled = true));
  await page.waitForSelector("copydesk-comments [part=resolve]:disabled");
});

test("a click on commented text chooses its thread, and the element takes another editor", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate(() => {
    editor.storage.comments.create({ from: 14, to: 24 }, { text: "Which?" });
    return showPanel("comments", { editor });
  });
  assert.equal(await page.locator("copydesk-comments [aria-current]").count(), 0);
  await page.click(".copydesk-comment");
  await page.waitForSelector("copydesk-comments [aria-current=true]");
  await page.evaluate(() => {
    const element = document.createElement("div");
    document.querySelector("main").append(element);
    panel.editor = edit("<p>Other.</p>", { element });
  });
  await page.waitForSelector("copydesk-comments [part=no-comments]:visible");
  await page.evaluate(() => panel.editor.destroy());
  await page.waitForSelector("copydesk-comments [part=empty]", { state: "attached" });
});

test("the focus stays in the comments when one is resolved or reopened", async (t) => {
  const { page } = await openUi(t);
  await page.evaluate(() => {
    for (const from of [14, 30]) editor.storage.comments.create({ from, to: from + 4 }, { text: "Which?" });
    return showPanel("comments", { editor });
  });
  const press = async (part, expected) => {
    await page.focus(`copydesk-comments [part=${part}]`);
    await page.keyboard.press("Enter");
    await page.waitForFunction((expected) => panel.shadowRoot.activeElement?.matches(expected), expected);
  };
  await press("resolve", "[part=list] [part=resolve]");
  await page.locator("copydesk-comments summary", { hasText: "1" }).waitFor();
  await press("resolve", "summary");
  await page.keyboard.press("Enter");
  await press("reopen", "[part=reopen]");
  await page.locator("copydesk-comments summary", { hasText: "1" }).waitFor();
  await press("reopen", "[part=list] .quote");
});
