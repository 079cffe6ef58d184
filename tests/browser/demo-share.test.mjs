// The demo's rooms: two windows of one browser, and two browsers on a Hocuspocus server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, lowContrasts, offline, openDemo } from "./demo-page.mjs";
import { roomServer } from "./room-server.mjs";

const LANGUAGES = {
  en: {
    locale: "en-US",
    write: "Write an article about tea with three sections and an image",
    share: "Share",
    address: "Address the comments",
    paragraph: "Good tea asks for little",
    answered: "about a level teaspoon",
    agent: "Assistant of Ada",
  },
  zh: {
    locale: "zh-CN",
    write: "写一篇关于茶的文章，分三章，配一张图",
    share: "共享",
    address: "处理评论",
    paragraph: "泡茶所需不多",
    answered: "约一平茶匙",
    agent: "Ada的助手",
  },
};

const ready = (page) => page.waitForSelector("html[data-ready]");
const tab = (page, id) => page.click(`#tab-${id}`);

/** What all participants have to agree on, and what is kept. */
const seen = (page) =>
  page.evaluate(() => {
    const { editor } = document.querySelector(".tiptap");
    const { storage } = editor;
    const hunks = storage.copydesk.document.hunks().map(({ id, newText, author }) => [id, newText, author.name]);
    const threads = storage.comments.threads().map(({ quote, state, comments }) => [quote, state, ...comments.map(({ author, text, state }) => [author.name, text, state])]);
    const written = storage.authorship.ranges.map(({ from, to, agent, acceptedBy }) => [editor.state.doc.textBetween(from, to), agent.name, acceptedBy?.name]);
    return { html: editor.getHTML(), hunks, threads, written };
  });

/** Waits until a page has what another one has. */
async function untilSame(page, other) {
  const expected = JSON.stringify(await seen(other));
  for (let now; (now = JSON.stringify(await seen(page))) !== expected; ) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    if (JSON.stringify(await seen(other)) !== expected) return untilSame(page, other);
  }
}

/** Writes an article and shares it, on a server if there is one. Returns the page of Ada in the room. */
async function shared(t, words, server, options = {}) {
  const ada = await openDemo(t, { locale: words.locale, expected: offline, ...options });
  await ask(ada, words.write);
  await ended(ada);
  await ada.click(`.actions [aria-label="${words.share}"]`);
  if (server) await ada.fill("#share-server", server);
  await ada.click("dialog.share [type=submit]");
  await ada.waitForURL(/\?room=/);
  await ready(ada);
  await rename(ada, "Ada");
  return ada;
}

async function rename(page, name) {
  await page.fill("copydesk-room [part=name]", name);
  await page.press("copydesk-room [part=name]", "Enter");
}

const join = async (page, url) => {
  await page.goto(url);
  await ready(page);
  await rename(page, "Bo");
  return page;
};

/** Selects a text in the document by its first characters. */
const select = (page, text, length) =>
  page.evaluate(
    ([text, length]) => {
      const { editor } = document.querySelector(".tiptap");
      let from;
      editor.state.doc.descendants((node, position) => {
        if (node.isText && node.text.includes(text)) from ??= position + node.text.indexOf(text);
      });
      editor.commands.setTextSelection({ from, to: from + length });
    },
    [text, length],
  );

/** One person suggests, the agent addresses a comment, the other person decides, and it is kept. */
async function story(t, words, ada, bo, { kept }) {
  await t.test("each sees the other", async () => {
    await ada.locator("copydesk-room [part=participant]", { hasText: "Bo" }).waitFor();
    await bo.locator("copydesk-room [part=participant]", { hasText: "Ada" }).waitFor();
    await untilSame(bo, ada);
    assert.match((await seen(bo)).html, new RegExp(words.paragraph));
  });

  await t.test("a person suggests by typing", async () => {
    await bo.selectOption("copydesk-room [part=mode]", "suggest");
    await bo.waitForSelector(".copydesk-suggesting .tiptap");
    await bo.click(".copydesk-suggesting h1");
    await bo.keyboard.press("End");
    await bo.keyboard.type(" (2026)");
    const insertion = ada.locator(".copydesk-insertion", { hasText: "(2026)" });
    await insertion.waitFor();
    assert.equal(await ada.locator(".copydesk-author").first().textContent(), "Bo");
    await bo.selectOption("copydesk-room [part=mode]", "edit");
    await bo.waitForSelector(".copydesk-suggesting", { state: "detached" });
  });

  await t.test("the agent addresses a comment of the other", async () => {
    await tab(bo, "comments");
    await select(bo, words.paragraph, 4);
    await bo.fill("copydesk-comments [part=new] textarea", "?");
    await bo.click("copydesk-comments [part=new] [part=send]");
    await ada.waitForSelector(".copydesk-comment");
    await ask(ada, words.address);
    await ended(ada);
    await bo.waitForSelector("copydesk-comments .comment.pending");
    assert.equal(await bo.textContent("copydesk-comments .pending .name"), words.agent);
    await untilSame(bo, ada);
  });

  await t.test("a reload keeps suggestions and comments that nobody has decided", async () => {
    const before = await seen(bo);
    assert.deepEqual([...new Set(before.hunks.map(([, , name]) => name))].sort(), [words.agent, "Bo"].sort());
    await bo.reload();
    await ready(bo);
    assert.deepEqual(await seen(bo), before);
  });

  await t.test("each decides what the other has suggested", async () => {
    // Changes that belong together are decided together.
    const decide = async (page, author) => {
      for (let id; (id = (await seen(page)).hunks.find(([, , name]) => name === author)?.[0]); ) await page.click(`[data-copydesk-hunk="${id}"] .copydesk-accept`);
    };
    await decide(bo, words.agent);
    await decide(ada, "Bo");
    for (const page of [ada, bo]) await page.waitForFunction(() => !document.querySelector(".tiptap").editor.storage.copydesk.document.hunks().length);
    await untilSame(bo, ada);
    const { html, threads, written } = await seen(ada);
    assert.match(html, /\(2026\)/);
    assert.match(html, new RegExp(words.answered));
    assert.deepEqual(threads.map(([, state, ...comments]) => [state, ...comments.map(([name, , state]) => `${name} ${state}`)]), [["resolved", "Bo shown", `${words.agent} shown`]]);
    assert.ok(written.length);
    for (const [, agent, by] of written) assert.deepEqual([agent, by], [words.agent, "Bo"]);
  });

  await t.test("the page shows who wrote what", async () => {
    await tab(bo, "authorship");
    await bo.locator("copydesk-authorship [part=agent]", { hasText: words.agent }).waitFor();
    await bo.check("copydesk-authorship [part=shown]");
    assert.match(await bo.textContent(".copydesk-authored"), /\S/);
  });

  await t.test("it is all there when a person comes back alone", async () => {
    const before = await seen(ada);
    await bo.close();
    if (!kept) return;
    await ada.reload();
    await ready(ada);
    assert.deepEqual(await seen(ada), before);
    // The conversation, too.
    await ada.waitForFunction(() => findAll(".run").length === 1);
  });
}

for (const [name, words] of Object.entries(LANGUAGES))
  test(`two windows of a browser in one room without a server (${name})`, async (t) => {
    const ada = await shared(t, words);
    const bo = await join(await ada.context().newPage(), ada.url());
    await story(t, words, ada, bo, { kept: true });
  });

test("two browsers in one room on a Hocuspocus server", async (t) => {
  const { url } = await roomServer(t);
  const ada = await shared(t, LANGUAGES.en, url);
  const bo = await join(await openDemo(t, { expected: offline }), ada.url());
  await story(t, LANGUAGES.en, ada, bo, { kept: true });
});

test("where the pending changes cannot be shared, the page says so before it opens the copy", async (t) => {
  const ada = await openDemo(t, { mode: "review", expected: offline });
  await ask(ada, LANGUAGES.en.write);
  await ended(ada);
  await ada.evaluate(() => {
    const { copydesk } = document.querySelector(".tiptap").editor.storage;
    // Changes that do not belong to the document, as if it had become another one.
    const hunks = copydesk.document.hunks().map((hunk) => ({ ...hunk, from: hunk.from + 1000, to: hunk.to + 1000 }));
    Object.defineProperty(copydesk, "pending", { value: { hunks } });
  });
  await ada.click('.actions [aria-label="Share"]');
  await ada.click("dialog.share [type=submit]");
  assert.match(await ada.textContent("[data-notice=share] p"), /suggested changes could not be shared/);
  assert.ok(!ada.url().includes("room="));
  await ada.click("[data-notice=share] button");
  await ada.waitForURL(/\?room=/);
  await ready(ada);
  assert.deepEqual(await ada.evaluate(() => document.querySelector(".tiptap").editor.storage.copydesk.document.hunks()), []);
});
