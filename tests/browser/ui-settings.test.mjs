// `<copydesk-settings>`: providers, keys, the test of a connection, and what is saved.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../at-end.mjs";
import { listen } from "./harness.mjs";
import { openUi } from "./ui-page.mjs";

/** Opens the form. `changes` are settings other than those of a provider without a key. */
async function openSettings(t, changes = {}, { expected, ...options } = {}) {
  const { page } = await openUi(t, [], { expected, ...options });
  await page.evaluate((changes) => {
    window.saved = [];
    addEventListener("settings-save", ({ detail }) => saved.push(detail.settings));
    return showPanel("settings", { settings: { ...settingsOf(), ...changes } });
  }, changes);
  return page;
}
const saved = (page) => page.evaluate(() => saved.at(-1));
const field = (page, name) => page.locator("copydesk-settings .field", { hasText: name }).locator("input");
const outcome = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(panel.shadowRoot.querySelector("[part=outcome]").textContent), pattern.source);

/** Serves a list of models as a provider does; other requests are not answered with CORS. */
async function provider(t, answer) {
  const requests = [];
  const server = await listen((request, response) => {
    requests.push({ url: request.url, key: request.headers.authorization });
    const { status = 200, body = {}, cors = true } = request.method === "OPTIONS" ? { status: 204 } : answer(request);
    if (cors) response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "*");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  atEnd(t, () => server.close());
  return { url: `${server.url}v1`, requests };
}

test("a provider sets URL, model and format; each has a key of its own, and an own URL gets none of them", async (t) => {
  const page = await openSettings(t);
  assert.equal(await page.textContent("[part=hint]"), "This provider needs an API key. Models of your own computer (Ollama) need none.");
  const key = page.locator("copydesk-settings input[type=password]").first();
  await key.fill("sk-openai");
  assert.equal(await page.locator("[part=hint]:visible").count(), 0);
  await page.click("copydesk-settings label:has(input[value=anthropic])");
  assert.equal(await field(page, "Base URL").inputValue(), "https://api.anthropic.com");
  assert.equal(await page.inputValue("copydesk-settings select"), "anthropic-messages");
  assert.equal(await key.inputValue(), "");
  await key.fill("sk-anthropic");
  await page.click("copydesk-settings label:has(input[value=openai])");
  assert.equal(await key.inputValue(), "sk-openai");
  await field(page, "Base URL").fill("https://elsewhere.example/v1");
  assert.ok(await page.isChecked("copydesk-settings input[value=custom]"));
  assert.equal(await key.inputValue(), "");
  await page.click("copydesk-settings [part=save]");
  const { preset, baseUrl, keys } = await saved(page);
  assert.deepEqual([preset, baseUrl, keys], ["custom", "https://elsewhere.example/v1", { openai: "sk-openai", anthropic: "sk-anthropic" }]);
  assert.deepEqual(await page.evaluate(() => llmConfigOf(saved.at(-1))), {
    model: { api: "openai-completions", modelId: "gpt-4.1" },
    streamOptions: { baseUrl: "https://elsewhere.example/v1" },
  });
});

test("a copy of the settings that the page has given takes nothing back", async (t) => {
  const page = await openSettings(t);
  const model = field(page, "Model").first();
  await model.fill("of-mine");
  await page.evaluate(() => ((panel.settings = structuredClone(panel.settings)), panel.updateComplete));
  assert.equal(await model.inputValue(), "of-mine");
  await page.evaluate(() => ((panel.settings = { ...panel.settings, modelId: "other" }), panel.updateComplete));
  assert.equal(await model.inputValue(), "other");
});

test("a provider of the app has the URL, model and need of a key that the app says", async (t) => {
  const page = await openSettings(t, { preset: "custom", baseUrl: "https://mine.example/v1", modelId: "m" });
  const own = { id: "openai", name: "House", apis: ["openai-responses"], baseUrl: "https://house.example/v1", modelId: "house-1", needsKey: false };
  await page.evaluate((own) => ((panel.presets = [own, ...presets.filter(({ id }) => id === "custom")]), panel.updateComplete), own);
  await page.click("copydesk-settings label:has(input[value=openai])");
  assert.deepEqual([await field(page, "Base URL").inputValue(), await field(page, "Model").first().inputValue()], [own.baseUrl, own.modelId]);
  assert.equal(await page.inputValue("copydesk-settings select"), "openai-responses");
  assert.equal(await page.locator("[part=hint]:visible").count(), 0);
  await field(page, "Base URL").fill("https://house.example/v2");
  assert.ok(await page.isChecked("copydesk-settings input[value=custom]"));
});

test("a key that was saved for an own URL is not used for another one", async (t) => {
  const { url, requests } = await provider(t, () => ({ body: { data: [{ id: "m" }] } }));
  const page = await openSettings(t, { preset: "custom", baseUrl: "https://mine.example/v1", modelId: "m", keys: { custom: "sk-mine", tavily: "tv-1" } });
  const key = page.locator("copydesk-settings input[type=password]").first();
  const save = () => page.click("copydesk-settings [part=save]");
  assert.equal(await key.inputValue(), "sk-mine");
  await field(page, "Base URL").fill(url);
  assert.equal(await key.inputValue(), "");
  await page.click("copydesk-settings [part=test]");
  await outcome(page, /works/);
  assert.equal(requests.at(-1).key, undefined);
  await save();
  assert.deepEqual((await saved(page)).keys, { tavily: "tv-1" });
  await field(page, "Base URL").fill("https://mine.example/v2");
  assert.equal(await key.inputValue(), "sk-mine", "the same server keeps the key");
  await save();
  assert.equal((await saved(page)).keys.custom, "sk-mine");
  await field(page, "Base URL").fill(url);
  await key.fill("sk-new");
  await save();
  assert.equal((await saved(page)).keys.custom, "sk-new");
});

test("what is not valid is said at its field, which gets the focus, and nothing is saved", async (t) => {
  const page = await openSettings(t, { preset: "custom", modelId: " ", baseUrl: "nowhere", priceIn: "", temperature: "" });
  await page.click("copydesk-settings summary");
  await field(page, "Temperature").fill("3");
  await field(page, "Input price").fill("-1");
  await page.click("copydesk-settings summary");
  await page.click("copydesk-settings [part=save]");
  const problems = () => page.$$eval("copydesk-settings [part=problem]:not([hidden])", (all) => all.map(({ textContent }) => textContent.trim()));
  assert.deepEqual(await problems(), ["This field is required.", "Enter an http(s) URL, such as https://api.openai.com/v1", "Enter a number from 0 to 2.", "Enter a number of 0 or more."]);
  assert.ok(await page.$eval("copydesk-settings details", ({ open }) => open), "what is folded and wrong is shown");
  const focused = await page.evaluate(() => panel.shadowRoot.activeElement);
  assert.ok(focused);
  await page.evaluate(() => (panel.locale = "zh-CN"));
  await page.waitForSelector("copydesk-settings [part=problem] >> text=此项必填。");
  await page.evaluate(() => (panel.locale = undefined));
  await field(page, "Model").first().fill("m");
  await field(page, "Base URL").fill("http://localhost:1/v1");
  await field(page, "Temperature").fill("");
  assert.ok(await page.$eval("copydesk-settings details", ({ open }) => open), "a field that was emptied stays in view");
  await field(page, "Input price").fill("1");
  await page.click("copydesk-settings [part=save]");
  assert.equal((await saved(page)).modelId, "m");
});

test("the connection is tested: models are offered, and each failure is a sentence", async (t) => {
  const answers = [
    { body: { data: [{ id: "small" }, { id: "large" }] } },
    { status: 401 },
    { status: 404 },
    { status: 500 },
    { body: { ok: true } },
    { cors: false },
  ];
  const { url, requests } = await provider(t, () => answers.shift() ?? { cors: false });
  const page = await openSettings(t, { preset: "custom", baseUrl: `${url}/`, modelId: "other" }, { expected: [/40[14]|500|CORS|ERR_/] });
  await page.locator("copydesk-settings input[type=password]").first().fill("sk-1");
  const run = () => page.click("copydesk-settings [part=test]");
  await run();
  await outcome(page, /works, but “other” is not one of its 2 models/);
  assert.deepEqual(await page.$$eval("copydesk-settings datalist option", (all) => all.map(({ value }) => value)), ["large", "small"]);
  assert.deepEqual(requests.at(-1), { url: "/v1/models", key: "Bearer sk-1" });
  for (const said of [/does not accept the API key/, /no list of models/, /an error \(500\)/, /no list of models/, /may not read its answer/]) {
    await run();
    await outcome(page, said);
  }
  await field(page, "Base URL").fill("http://127.0.0.1:9/v1");
  assert.equal(await page.textContent("copydesk-settings [part=outcome]"), "", "an outcome is about the endpoint that was tested");
  await run();
  await outcome(page, /cannot be reached/);
  await field(page, "Base URL").fill("nowhere");
  await run();
  await page.waitForSelector("copydesk-settings [part=problem]:visible");
});

test("keys can be shown, list prices are said to be estimates, and giving up shows the settings again", async (t) => {
  const page = await openSettings(t, { keys: { openai: "sk-1" } });
  await page.evaluate(() => panel.addEventListener("settings-cancel", () => (window.given = true)));
  await page.click("copydesk-settings .reveal");
  assert.equal(await page.getAttribute("copydesk-settings .reveal", "aria-pressed"), "true");
  assert.equal(await page.getAttribute("copydesk-settings .field-box input", "type"), "text");
  await page.click("copydesk-settings summary");
  assert.match(await page.textContent("copydesk-settings .more [part=hint]"), /^Estimated from list prices of \d{4}-/);
  assert.equal(await field(page, "Input price").getAttribute("placeholder"), "2");
  await field(page, "Model").first().fill("of-mine");
  assert.equal(await page.isVisible("copydesk-settings .more [part=hint]"), false);
  await page.click("copydesk-settings [part=cancel]");
  assert.ok(await page.evaluate(() => window.given));
  await page.waitForFunction(() => panel.shadowRoot.querySelector("input[list]").value === "gpt-4.1");
  assert.deepEqual(await page.evaluate(() => window.saved), []);
});

test("search services have keys and URLs of their own; an app shows the parts and providers that it wants", async (t) => {
  const page = await openSettings(t, { preset: "ollama", baseUrl: "http://localhost:11434/v1", modelId: "qwen3" });
  await page.click("copydesk-settings label:has(input[value=tavily])");
  await page.fill("copydesk-settings input[type=password] >> nth=1", "tv-1");
  await field(page, "Base URL").nth(1).fill("nowhere");
  await page.click("copydesk-settings [part=save]");
  assert.equal(await page.locator("copydesk-settings [part=problem]:visible").count(), 1);
  await field(page, "Base URL").nth(1).fill("");
  await page.click("copydesk-settings label:has(input[value=wikipedia])");
  await page.check("copydesk-settings input[name=remember]");
  await page.click("copydesk-settings [part=save]");
  const { tavilyUrl, rememberKeys, keys, web } = await saved(page);
  assert.deepEqual([tavilyUrl, rememberKeys, keys, web], ["https://api.tavily.com", true, { tavily: "tv-1" }, "wikipedia"]);
  await page.evaluate(() => Object.assign(panel, { parts: ["model"], presets: presets.filter(({ id }) => id === "ollama") }));
  await page.waitForFunction(() => panel.shadowRoot.querySelectorAll("section").length === 1);
  assert.equal(await page.locator("copydesk-settings input[type=radio]").count(), 1);
  await page.evaluate(() => (panel.disabled = true));
  await page.waitForFunction(() => panel.shadowRoot.querySelector("input[list]").matches(":disabled"));
});
