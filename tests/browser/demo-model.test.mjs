// What the demo model does with the requests of a new user, in English and Chinese.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, offline, openDemo, shape, text, written } from "./demo-page.mjs";

const setContent = (page, content) => page.evaluate((html) => document.querySelector(".tiptap").editor.commands.setContent(html), content);
const answer = async (page) => (await text(page, ".assistant-message")).at(-1);

test("simple requests are done, and what a script cannot do is said", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await setContent(page, "<h1>Tea</h1><p>An introduction.</p><h2>Taste</h2><p>It is is teh best , I recieve it daily.</p>");
  await ask(page, "Please fix the typos");
  await ended(page);
  assert.match(await written(page), /It is the best, I receive it daily\./);
  assert.match(await answer(page), /^I corrected 4 typos\./);
  await ask(page, "Fix the typos");
  await ended(page, 2);
  assert.match(await answer(page), /^I found no typo that I know/);

  const blocks = () => page.$$eval(".tiptap > p", (all) => all.length);
  await ask(page, "Add a paragraph to chapter 1");
  await ended(page, 3);
  assert.equal(await blocks(), 3);
  assert.match(await answer(page), /^I added a paragraph to section 1, “Taste”\. It is a template/);
  await ask(page, "continue");
  await ended(page, 4);
  assert.equal(await blocks(), 4);
  await ask(page, "Translate it into French");
  await ended(page, 5);
  assert.match(await answer(page), /^I cannot translate: I am a script, not an AI\./);
});

test("the same in Chinese", async (t) => {
  const page = await openDemo(t, { locale: "zh-CN", expected: offline });
  await setContent(page, "<h1>茶</h1><p>开头。</p><h2>味道</h2><p>既使是很好的的茶，我以经喝过了。</p>");
  await ask(page, "改正错别字");
  await ended(page);
  assert.match(await written(page), /即使是很好的茶，我已经喝过了。/);
  assert.match(await answer(page), /^已改正 3 处错误。/);
  const blocks = () => page.$$eval(".tiptap > p", (all) => all.length);
  for (const [nth, request] of [[2, "加一段文字"], [3, "继续"]]) {
    const before = await blocks();
    await ask(page, request);
    await ended(page, nth);
    assert.equal(await blocks(), before + 1, request);
  }
  await ask(page, "翻译成英文");
  await ended(page, 4);
  assert.match(await answer(page), /^我不会翻译/);
});

test("after an accepted change a Chinese request is read as it is written", async (t) => {
  const page = await openDemo(t, { mode: "review", locale: "zh-CN", expected: offline });
  await ask(page, "写一篇关于茶的文章，分两章");
  await ended(page);
  await page.click(".copydesk-accept-all");
  await ask(page, "概括这篇文档");
  await ended(page, 2);
  assert.match(await answer(page), /共 2 章/);
  await ask(page, "精简第 1 章");
  await ended(page, 3);
  await page.click(".copydesk-accept-all");
  await ask(page, "删除第 2 章");
  await ended(page, 4);
  assert.match(await answer(page), /^第 2 章.*已删除/);
});

test("both parts of a request are done", async (t) => {
  for (const [locale, write, both] of [
    ["zh-CN", "写一篇关于茶的文章，分三章", "把第二章改得更短，并找一张配图"],
    ["en-US", "write an article about tea with three chapters", "Make chapter 2 shorter and find a picture for it"],
  ]) {
    const page = await openDemo(t, { locale, expected: offline });
    await ask(page, write);
    await ended(page);
    await ask(page, both);
    await ended(page, 2);
    const kinds = (await shape(page)).map((block) => block.slice(0, 2)).join(" ");
    assert.equal(kinds, "h1 h2 h2 im h2", "the image is in section 2");
    const said = (await text(page, ".run:last-child .assistant-message")).join("\n");
    assert.match(said, locale === "en-US" ? /I shortened section 2[^]*I inserted the image at the end of section 2/ : /第 2 章.*精简[^]*图片已插入第 2 章/);
  }
});

test("a request that comes meanwhile does not replace the first, and a stopped one is not taken up again", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await ask(page, "write an article about tea with three chapters");
  await page.waitForSelector(".row[data-tool=update_section][data-state=done]");
  await ask(page, "Insert a chapter about coffee before chapter 1");
  await ended(page);
  assert.deepEqual((await shape(page)).map((block) => block.slice(0, 2)).join(" "), "h1 h2 h2 h2 h2");
  assert.equal((await text(page, ".outline-entry .outline-name"))[0], "From Ethiopia to Everywhere");
  const said = (await text(page, ".assistant-message")).join("\n");
  assert.match(said, /has an introduction and 3 sections[^]*I inserted “From Ethiopia to Everywhere” as section 1/);

  await ask(page, "write an article about bicycles with four chapters");
  await page.waitForFunction(() => document.querySelectorAll(".run:last-child .row[data-tool=update_section][data-state=done]").length === 1);
  await page.keyboard.press("Escape");
  await ended(page, 2);
  const count = (await shape(page)).length;
  await ask(page, "Summarize the document");
  await ended(page, 3);
  assert.equal((await shape(page)).length, count);
  assert.equal((await page.$$(".run:last-child .row[data-tool=update_section]")).length, 0);
});

test("a document of 300 kB is worked on as far as it was read, and is not poured into the conversation", async (t) => {
  const page = await openDemo(t, { expected: offline });
  const chapter = (at) => `<h2>Chapter ${at}</h2><p>${`Sentence ${at} of it is here. In order to read it, go on. `.repeat(50)}</p>`;
  await setContent(page, `<h1>Long</h1>${Array.from({ length: 120 }, (_, at) => chapter(at + 1)).join("")}`);
  for (const [nth, request, expected] of [
    [1, "Summarize the document", /too long for me: I read its first \d+ sections only/],
    [2, "Shorten chapter 2", /I shortened section 2/],
    [3, "Shorten chapter 110", /too long for me/],
  ]) {
    await ask(page, request);
    await ended(page, nth);
    const said = await answer(page);
    assert.match(said, expected);
    assert.ok(said.length < 4000, `${said.length} characters`);
    assert.doesNotMatch(said, /\{"|<\w+>/);
  }
});
