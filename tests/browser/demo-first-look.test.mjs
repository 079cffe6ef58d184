// What a new user meets: words instead of machine text, panes that close, links, settings that can be tested.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, offline, openDemo, openSettings, text } from "./demo-page.mjs";
import { listen } from "./harness.mjs";

const html = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.getHTML());
const setContent = (page, content) => page.evaluate((html) => document.querySelector(".tiptap").editor.commands.setContent(html), content);

test("an empty document says what copydesk is, in one line, until there is text", async (t) => {
  for (const [locale, words, name] of [["en-US", /^copydesk is an editor with an assistant/, "Assistant"], ["zh-CN", /^copydesk 是带有助手的编辑器/, "助手"]]) {
    const page = await openDemo(t, { locale });
    assert.match(await page.textContent(".page-intro"), words);
    assert.ok(await page.isVisible(".page-intro"));
    assert.equal(await page.getAttribute(".chat", "aria-label"), name);
    await page.click(".tiptap");
    await page.keyboard.type("x");
    await page.waitForSelector(".page-intro", { state: "hidden" });
  }
});

test("people read words: no tags, no JSON outside of the details, no sentence twice", async (t) => {
  const page = await openDemo(t, { mode: "ask", expected: offline });
  const spoken = [];
  await page.exposeFunction("spoken", (words) => spoken.push(words));
  await page.evaluate(() => {
    const status = find("copydesk-conversation").shadowRoot.querySelector("[aria-live=polite]");
    new MutationObserver(() => window.spoken(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
  });
  await ask(page, "Write an article about tea with three sections and an image");
  await page.click(".row-approval button:text-is('Allow')");
  const [first, second] = [0, 1].map((nth) => page.locator(".row[data-tool=update_section]").nth(nth));
  await second.locator(".row-approval button:text-is('Deny')").click();
  await ended(page);
  assert.equal((await text(page, ".assistant-message")).at(-1), "You did not allow this change, so I stopped. Earlier edits are kept.");
  for (const row of await page.$$(".row-head")) await row.click();
  const shown = await page.evaluate(() => findAll(".log, .row-part").map((part) => part.innerText).join("\n"));
  assert.doesNotMatch(shown, /<\/?\w+>|[{}]|update_section|\.\.(?!\.)/);
  assert.match(await first.locator(".row-words").textContent(), /[A-Z][^<>]+\.$/);
  await first.locator(".row-details summary").click();
  assert.match(await first.locator(".row-details").textContent(), /"operation": "replace"/);
  assert.equal(await second.locator(".row-error").textContent(), "You did not allow this change.");

  await page.selectOption(".mode-select", "auto");
  await ask(page, "Write an article about bicycles with four sections");
  await ended(page, 2);
  assert.ok(spoken.some((words) => words.startsWith("Done.")));
  for (const words of spoken) assert.doesNotMatch(words, /Done\. Done|<p>|\.\.(?!\.)/);
});

test("a link without a scheme becomes an https link, and what is no link is refused", async (t) => {
  const page = await openDemo(t, {});
  const link = async (url) => {
    await page.click(".toolbar .tool[aria-label=Link]");
    await page.fill(".link-form input", url);
    await page.press(".link-form input", "Enter");
  };
  await page.click(".tiptap");
  await page.keyboard.type("Read this");
  await page.keyboard.press("ControlOrMeta+a");
  await link("example.com");
  assert.match(await html(page), /<a [^>]*href="https:\/\/example\.com"[^>]*>Read this<\/a>/);
  await link("ann@example.com");
  assert.match(await html(page), /href="mailto:ann@example\.com"/);
  for (const wrong of ["javascript:alert(1)", "two words", "nothing"]) {
    await link(wrong);
    assert.equal(await page.textContent(".link-form .field-problem"), "Enter a web or e-mail address, such as example.com.");
    assert.match(await html(page), /href="mailto:ann@example\.com"/);
    await page.keyboard.press("Escape");
  }
});

test("the outline follows the reader through 120 chapters", async (t) => {
  const page = await openDemo(t, {});
  await setContent(page, Array.from({ length: 120 }, (_, at) => `<h2>Chapter ${at + 1}</h2><p>${"Words of it. ".repeat(40)}</p>`).join(""));
  await page.waitForFunction(() => findAll(".outline-entry").length === 120);
  for (const part of [0.5, 1, 0.1]) {
    const before = await page.evaluate(() => find(".outline-entry[aria-current]")?.textContent);
    await page.$eval(".scroller", (element, part) => (element.scrollTop = part * element.scrollHeight), part);
    await page.waitForFunction((before) => {
      const current = find(".outline-entry[aria-current]");
      return current && current.textContent !== before;
    }, before);
    const [nav, entry] = [await page.locator(".outline").boundingBox(), await page.locator(".outline [aria-current]").boundingBox()];
    assert.ok(entry.y >= nav.y && entry.y + entry.height <= nav.y + nav.height, `the current entry is in view at ${part}`);
  }
});

test("outline and assistant can be closed, which is remembered, and at 1024 px the page keeps its measure", async (t) => {
  const page = await openDemo(t, {});
  await page.click(".outline-opener");
  await page.waitForSelector(".outline", { state: "hidden" });
  await page.click(".assistant-opener");
  await page.waitForSelector(".chat", { state: "hidden" });
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.ok(!(await page.isVisible(".outline")) && !(await page.isVisible(".chat")));
  assert.equal(await page.getAttribute(".assistant-opener", "aria-expanded"), "false");
  // The shortcut that leads to the assistant shows it.
  await page.click(".tiptap");
  await page.keyboard.press("ControlOrMeta+/");
  await page.waitForSelector(".chat");
  await page.click(".outline-opener");
  await page.waitForSelector(".outline");

  for (const width of [1280, 1220, 1219, 1100, 1099, 1024]) {
    await page.setViewportSize({ width, height: 768 });
    await page.waitForSelector(".outline", { state: width < 1100 ? "hidden" : "visible" });
    const measure = await page.$eval(".tiptap", (element) => element.clientWidth / Number.parseFloat(getComputedStyle(element).fontSize));
    assert.ok(measure >= 34, `${measure} em at ${width} px`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  }
  await page.click(".outline-opener");
  await page.waitForSelector(".outline");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".outline", { state: "hidden" });
});

test("settings test the connection, list the models, and say what Ollama needs", async (t) => {
  const asked = [];
  const server = await listen((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    if (request.url.startsWith("/closed/")) return response.end("{}");
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") return response.end();
    if (request.url === "/v1/models") {
      const accepted = request.headers.authorization !== "Bearer wrong";
      response.writeHead(accepted ? 200 : 401, { "content-type": "application/json" });
      return response.end(accepted ? '{"data":[{"id":"qwen3:latest"},{"id":"llama4"}]}' : "{}");
    }
    response.writeHead(404).end();
  });
  const page = await openDemo(t, { expected: [/Failed to load resource/, /CORS policy/] });
  await openSettings(page);
  assert.match(await page.textContent(".settings .field-hint >> nth=0"), /needs an API key.*Ollama.* need none/);
  await page.click(".settings label:has(input[value=ollama])");
  assert.match(await page.textContent(".settings .field-hint >> nth=0"), /^Ollama needs no key\./);
  const [url, key] = [page.locator(".settings input[placeholder^='https://api.openai.com']"), page.locator(".settings input[type=password] >> nth=0")];
  const outcome = async () => {
    await page.click(".connection button");
    await page.waitForFunction(() => !find(".connection button").disabled);
    return page.textContent(".connection .field-hint");
  };
  await url.fill(`${server.url}v1/`);
  assert.equal(await outcome(), "The connection works. The provider has 2 models; the model field lists them.");
  assert.deepEqual(await page.$$eval("#models option", (options) => options.map(({ value }) => value)), ["llama4", "qwen3:latest"]);
  await page.locator(".settings input[list=models]").fill("gpt-9");
  assert.match(await outcome(), /“gpt-9” is not one of its 2 models/);
  await key.fill("wrong");
  assert.equal(await outcome(), "The server does not accept the API key.");
  await url.fill(server.url);
  assert.match(await outcome(), /no list of models at this base URL/);
  await url.fill(`${server.url}closed/v1`);
  assert.match(await outcome(), /^The server is there, but this browser may not read its answer \(CORS\)/);
  assert.ok(asked.filter(([path]) => path.startsWith("/closed/")).every(([, key]) => key === undefined), "no key goes to it");
  await url.fill("http://127.0.0.1:1/v1");
  assert.match(await outcome(), /^The server cannot be reached\. Check the URL/);
  assert.ok(asked.every(([path]) => path.startsWith("/")));
});

test("at 320 px nothing overlaps and nothing scrolls horizontally", async (t) => {
  for (const locale of ["en-US", "zh-CN"]) {
    const page = await openDemo(t, { locale, viewport: { width: 320, height: 640 } });
    const box = (selector) => page.locator(selector).boundingBox();
    const [logo, actions] = [await box(".brand .logo"), await box(".actions .tool >> nth=0")];
    assert.ok(logo.x + logo.width <= actions.x);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  }
});

test("settings that cannot be loaded say so, and open with the next try", async (t) => {
  const page = await openDemo(t, { expected: [/dialog-[\w-]+\.js|ERR_FAILED/] });
  await page.route(/\/dialog-[\w-]+\.js$/, (route) => route.abort());
  await page.click(".actions .tool[aria-label=Settings]");
  await page.waitForSelector("[data-notice=settings] >> text=could not be loaded");
  await page.unroute(/\/dialog-[\w-]+\.js$/);
  await page.click("[data-notice=settings] button");
  await page.waitForSelector("dialog.settings[open] input[name=remember]");
  assert.equal(await page.locator("[data-notice=settings]").count(), 0);
});
