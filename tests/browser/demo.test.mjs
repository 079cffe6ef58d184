// The main task on the built demo page with its demo model: ask, edit, undo, stop.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, html, lowContrasts, offline, openDemo, openSettings, shape, text, written } from "./demo-page.mjs";
import { serveDemo } from "./harness.mjs";

const ASK = "write an article about tea with three chapters and a picture";
const ASK_ZH = "写一篇关于茶的文章，分三章，配一张图";

async function openverse(page, url) {
  await page.route("https://api.openverse.org/**", (route) =>
    route.fulfill({
      headers: { "access-control-allow-origin": "*" },
      json: {
        result_count: 1,
        results: [
          {
            id: "1",
            title: "A found cup",
            url,
            thumbnail: url,
            creator: "Somebody",
            creator_url: "https://example.org/somebody",
            license: "by",
            license_version: "4.0",
            foreign_landing_url: "https://example.org/cup",
          },
        ],
      },
    }),
  );
}

test("an article about tea with three sections and an image is written into the document", async (t) => {
  let found;
  const page = await openDemo(t, {
    prepare: async (fresh) => {
      found = new URL("images/tea.svg?found=1", await serveDemo()).href;
      await openverse(fresh, found);
    },
  });
  assert.match(await page.textContent(".demo-notice"), /^Demo model: recorded runs, not an AI\. Choose a real model in settings\.$/);
  await ask(page, ASK);
  await ended(page);

  const blocks = await shape(page);
  assert.equal(blocks.length, 5);
  assert.equal(blocks.filter((block) => block.startsWith("h1: ")).length, 1);
  assert.equal(blocks.filter((block) => block.startsWith("h2: ")).length, 3);
  assert.ok(blocks.includes(`img: ${found}`), "the image is the one that the search found");
  assert.equal(await page.getAttribute(".tiptap > img", "alt"), "A found cup");

  const rows = await page.$$eval(".row", (elements) =>
    elements.map((row) => [row.dataset.tool, row.dataset.state, find(".row-text", row).textContent, find(".row-time", row).textContent]),
  );
  assert.deepEqual(
    rows.map(([tool]) => tool),
    ["get_document", "update_section", "update_section", "update_section", "update_section", "search_image", "insert_image"],
  );
  for (const [tool, state, words, time] of rows) {
    assert.equal(state, "done", tool);
    assert.match(words, /^(Read|Wrote|Searched|Inserted) /);
    assert.match(time, /^(<1|[\d,]+) ms$/);
  }
  assert.deepEqual((await text(page, ".outline-name")).length, 4);

  await page.click(".row[data-tool=insert_image] .row-head");
  assert.match(await page.textContent(".row[data-tool=insert_image] .row-body"), /"imageUrl": ".*found=1"[^]*"success": true/);
  assert.ok((await page.$$(".tiptap img.highlighted")).length === 1, "the row under the pointer highlights its range in the document");
  await page.hover(".tiptap > h2");
  await page.waitForSelector("copydesk-tool-row[data-pointed]");
  assert.match(await page.textContent("copydesk-tool-row[data-pointed] .row-text"), /section 1/);
});

test("each undo reverts one edit, and redo restores it", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await ask(page, ASK);
  await ended(page);
  const blocks = await shape(page);
  const after = await written(page);
  const undo = page.locator(".toolbar button").nth(0);
  const redo = page.locator(".toolbar button").nth(1);
  const kinds = async () => (await shape(page)).map((block) => block.slice(0, 2)).join(" ");
  assert.equal(await kinds(), "h1 im h2 h2 h2");
  for (const left of ["h1 h2 h2 h2", "h1 h2 h2", "h1 h2", "h1", ""]) {
    await undo.click();
    assert.equal(await kinds(), left);
  }
  assert.equal(await written(page), "");
  assert.ok(await undo.isDisabled());
  for (let edit = 0; edit < 5; edit++) await redo.click();
  assert.deepEqual(await shape(page), blocks);
  assert.equal(await written(page), after);
});

test("without a network the image is one that the demo ships", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await ask(page, ASK);
  await ended(page);
  const src = await page.getAttribute(".tiptap > img", "src");
  assert.equal(src, new URL("images/tea.svg", page.url()).href);
  assert.ok(await page.$eval(".tiptap > img", (image) => image.decode().then(() => image.naturalWidth > 0)));
});

test("stop works during an answer, and no partial edit stays", async (t) => {
  const whole = await openDemo(t, { expected: offline });
  await ask(whole, "write an article about tea with three chapters and a picture");
  await ended(whole);
  const article = await written(whole);

  const page = await openDemo(t, { pace: 16 });
  await ask(page, "write an article about tea with three chapters and a picture");
  await page.waitForSelector(".row:nth-child(3)[data-state=preparing]");
  await page.waitForFunction(() => /characters/.test(find(".progress-text").textContent));
  await page.click(".send[data-mode=stop]");
  await ended(page);
  assert.equal(await page.textContent(".run-end.stopped"), "Stopped. Completed edits are kept.");
  assert.equal(await page.locator(".progress").isVisible(), false);
  const kept = await written(page);
  assert.ok(kept.length > 0 && kept.length < article.length);
  assert.ok(article.startsWith(kept), "only complete edits stay");
  assert.equal((await page.$$(".tiptap > h2")).length, 1);

  // The conversation continues, and Escape stops as well.
  await ask(page, "What can you do?");
  await ended(page, 2);
  assert.match((await text(page, ".assistant-message")).at(-1), /I play recorded runs/);
  // In the page, so that the key arrives before the edit is complete on a slow machine as well.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (!find(".row[data-state=preparing]")) return;
      observer.disconnect();
      focusedElement().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true, cancelable: true }));
    });
    observer.observe(find("copydesk-conversation").shadowRoot, { subtree: true, childList: true, attributes: true });
  });
  await ask(page, "Shorten section 1");
  await ended(page, 3);
  assert.equal(await written(page), kept);
});

test("sections are shortened, rewritten, inserted and deleted", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await ask(page, "write an article about tea with three chapters and a picture");
  await ended(page);
  const chapter = (title) =>
    page.$$eval(".tiptap > *", (all, wanted) => {
      const from = all.findIndex((element) => element.localName === "h2" && element.textContent === wanted);
      const to = all.findIndex((element, at) => at > from && element.localName === "h2");
      return all.slice(from + 1, to < 0 ? undefined : to).map((element) => element.textContent).join("\n");
    }, title);

  const before = await chapter("Where Tea Comes From");
  await ask(page, "Shorten chapter 1");
  await ended(page, 2);
  const after = await chapter("Where Tea Comes From");
  assert.ok(after.length < before.length);

  await ask(page, "Rewrite chapter 3 in plainer words");
  await ended(page, 3);
  assert.match(await chapter("How to Brew a Good Cup"), /makes them bitter\. Black tea needs all the heat it can get/);

  await ask(page, "Delete chapter 2");
  await ended(page, 4);
  // The outline follows the document after a moment.
  const outline = ["Where Tea Comes From", "How to Brew a Good Cup"];
  await page.waitForFunction((names) => findAll(".outline-entry .outline-name").map(({ textContent }) => textContent.trim()).join() === names.join(), outline);
});

test("the same in Chinese", async (t) => {
  const page = await openDemo(t, { locale: "zh-CN", expected: offline });
  assert.equal(await page.getAttribute("html", "lang"), "zh-CN");
  assert.match(await page.textContent(".demo-notice"), /^演示模型：.*并非 AI/);
  await ask(page, ASK_ZH);
  await ended(page);
  assert.deepEqual((await shape(page)).map((block) => block.slice(0, 2)).join(" "), "h1 im h2 h2 h2");
  const rows = await text(page, ".row-text");
  assert.equal(rows[0], "已阅读文档：空白");
  assert.equal(rows[2], "已写入第 1 章“茶从哪里来”");
  assert.equal(await page.getAttribute(".tiptap", "lang"), "zh-CN");
  await ask(page, "精简第 1 章");
  await ended(page, 2);
  assert.match((await text(page, ".assistant-message")).at(-1), /已从 \d+ 字精简到 \d+ 字/);

  // Messages change with the language, existing ones included.
  await page.click(".language");
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.equal((await text(page, ".row-text"))[2], "Wrote section 1 “茶从哪里来”");
});

test("Enter sends, Shift+Enter inserts a line break, and the Enter of an input method does neither", async (t) => {
  const page = await openDemo(t);
  await page.fill("#composer", "one");
  await page.press("#composer", "Shift+Enter");
  await page.type("#composer", "two");
  assert.equal(await page.inputValue("#composer"), "one\ntwo");
  await page.$eval("#composer", (field) =>
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true })),
  );
  assert.equal((await page.$$(".run")).length, 0);
  await page.press("#composer", "Enter");
  await ended(page);
  assert.equal(await page.inputValue("#composer"), "");
  assert.match((await text(page, ".assistant-message"))[0], /^This needs a model/);
});

test("API keys are saved on the device only if the user chooses so", async (t) => {
  const page = await openDemo(t);
  const settings = async (fill) => {
    await openSettings(page);
    await fill();
    await page.click(".settings button[type=submit]");
    await page.waitForSelector(".settings", { state: "detached" });
  };
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  const key = ".settings input[type=password] >> nth=0";

  await settings(async () => page.fill(key, "sk-secret"));
  assert.equal(await page.textContent(".model-name"), "gpt-4.1 · api.openai.com");
  assert.doesNotMatch(await stored(), /sk-secret/);
  await page.reload();
  await page.waitForSelector(".demo-notice");

  await settings(async () => {
    await page.fill(key, "sk-secret");
    await page.check(".settings input[name=remember]");
  });
  assert.match(await stored(), /sk-secret/);
  await page.reload();
  await page.waitForSelector(".model-name");

  // Another provider never receives this key.
  await settings(async () => {
    await page.click(".settings label:has(input[value=deepseek])");
    assert.equal(await page.inputValue(key), "");
    await page.click(".settings label:has(input[value=openai])");
    assert.equal(await page.inputValue(key), "sk-secret");
    await page.uncheck(".settings input[name=remember]");
  });
  assert.doesNotMatch(await stored(), /sk-secret/);
  await page.reload();
  await page.waitForSelector(".demo-notice");
});

test("another URL is another endpoint, which does not receive the provider's key", async (t) => {
  const page = await openDemo(t, {
    prepare: (fresh) => fresh.addInitScript(() => localStorage.setItem("copydesk.keys", JSON.stringify({ openai: "sk-secret" }))),
  });
  await openSettings(page);
  const key = ".settings input[type=password] >> nth=0";
  const address = ".settings input[type=url], .settings input[value^='https://api.openai.com']";
  assert.equal(await page.inputValue(key), "sk-secret");
  await page.locator(address).first().fill("https://elsewhere.example/v1");
  assert.ok(await page.isChecked(".settings input[value=custom]"));
  assert.equal(await page.inputValue(key), "");
  await page.click(".settings button[type=submit]");
  await page.waitForSelector(".settings", { state: "detached" });
  const kept = await page.evaluate(() => JSON.parse(localStorage["copydesk.keys"]));
  assert.deepEqual(kept, { openai: "sk-secret" });
});

test("a link cannot send a saved key to an endpoint of its choice", async (t) => {
  const asked = [];
  const page = await openDemo(t, {
    search: "?baseUrl=http%3A%2F%2F127.0.0.1%3A1%2Fv1&model=m",
    expected: [/^console: Failed to load resource/],
    prepare: async (fresh) => {
      await fresh.addInitScript(() => localStorage.setItem("copydesk.keys", JSON.stringify({ custom: "sk-secret", openai: "sk-secret" })));
      await fresh.route("http://127.0.0.1:1/**", (route) => {
        asked.push(route.request().headers());
        return route.fulfill({ status: 401, headers: { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }, json: { error: { message: "no key" } } });
      });
    },
  });
  assert.equal(await page.textContent(".model-name"), "m · 127.0.0.1:1");
  await ask(page, "hello");
  await page.waitForSelector(".failure");
  assert.ok(asked.length > 0);
  for (const headers of asked) assert.equal(headers.authorization, undefined);

  // The failure has a button that opens the settings.
  assert.equal(await page.getAttribute(".failure", "data-code"), "unauthorized");
  await page.click(".failure button");
  await page.waitForSelector("dialog.settings[open]");
});

test("a model's Markdown is rendered safely, and its thinking is collapsed", async (t) => {
  const said = "<img src=x onerror=\"document.title='owned'\"> **bold** `code` [good](https://example.org/) [bad](javascript:alert(1))\n\n- one\n- two";
  const chunk = (delta, finish = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const page = await openDemo(t, {
    search: "?baseUrl=http%3A%2F%2F127.0.0.1%3A1%2Fv1&model=m",
    prepare: (fresh) =>
      fresh.route("http://127.0.0.1:1/**", (route) =>
        route.fulfill({
          headers: { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "content-type": "text/event-stream" },
          body: chunk({ reasoning_content: "Hm, let me see." }) + chunk({ content: said }) + chunk({}, "stop") + "data: [DONE]\n\n",
        }),
      ),
  });
  await ask(page, "hello");
  await ended(page);
  assert.equal(await page.title(), "copydesk");
  assert.match(await page.textContent(".assistant-message p"), /^<img src=x onerror/);
  assert.equal(await page.locator(".assistant-message img").count(), 0);
  assert.deepEqual(await page.$$eval(".assistant-message a", (links) => links.map((link) => link.href)), ["https://example.org/"]);
  assert.deepEqual(await text(page, ".assistant-message strong, .assistant-message code, .assistant-message li"), ["bold", "code", "one", "two"]);
  assert.equal(await page.textContent(".thinking-text"), "Hm, let me see.");
  assert.equal(await page.locator(".thinking-text").isVisible(), false);
});

test("offline, the page says so and the demo model still works", async (t) => {
  const page = await openDemo(t, { expected: [...offline, /ERR_INTERNET_DISCONNECTED/] });
  // The test machine may be without a network, which setOffline cannot change.
  const network = async (online) => {
    await page.context().setOffline(!online);
    await page.evaluate((onLine) => {
      Object.defineProperty(navigator, "onLine", { value: onLine, configurable: true });
      dispatchEvent(new Event(onLine ? "online" : "offline"));
    }, online);
  };
  await network(false);
  await page.waitForSelector(".offline-notice");
  await ask(page, "Write an article about bicycles with four sections");
  await ended(page);
  assert.equal(await page.locator(".failure").count(), 0);
  assert.equal((await shape(page)).length, 5);
  await network(true);
  await page.waitForSelector(".offline-notice", { state: "detached" });
});

test("at 390 px nothing scrolls horizontally and stop is within reach", async (t) => {
  const page = await openDemo(t, { viewport: { width: 390, height: 844 }, hasTouch: true, expected: offline, pace: 16 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(await overflow(), 0);
  await ask(page, ASK);
  await page.waitForSelector(".send[data-mode=stop]");
  const stop = await page.locator(".send").boundingBox();
  assert.ok(stop.y + stop.height <= 844 && stop.x + stop.width <= 390 && stop.width >= 40 && stop.height >= 40);
  await page.click(".sheet-handle");
  assert.ok(await page.isVisible(".send[data-mode=stop]"), "also when the conversation is closed");
  await ended(page);
  assert.equal(await overflow(), 0);
  assert.equal(await page.$eval(".scroller", (element) => element.scrollWidth - element.clientWidth), 0);
  await page.click(".outline-opener");
  await page.click(".outline-entry >> nth=2");
  await page.waitForSelector(".outline", { state: "hidden" });
  await openSettings(page);
  assert.equal(await overflow(), 0);
  assert.ok((await html(page)).includes("How to Brew a Good Cup"));
});

test("every text has a contrast of at least 4.5, light and dark", async (t) => {
  // With motion, colors would pass through others when the theme changes.
  const page = await openDemo(t, { pace: 16, expected: offline, reducedMotion: "reduce" });
  const isReadable = async () => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await lowContrasts(page), [], colorScheme);
    }
  };
  await isReadable();
  await ask(page, ASK);
  await page.waitForSelector(".tiptap > h2.highlighted");
  await isReadable();
  await ended(page);
  await page.hover(".row .has-range");
  await isReadable();
  await openSettings(page);
  await isReadable();
});
