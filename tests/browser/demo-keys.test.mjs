// Keys of providers: what is said of those that were not remembered, where they are made, and what requests cost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { getModel } from "@earendil-works/pi-ai";
import { openDemo, openSettings } from "./demo-page.mjs";

const { listPrices, PRICE_DATE } = await import("../../pkg/model-settings/list-prices.js");
const notice = '[data-notice="keys"]';

test("a key that was not remembered is told after a reload, until it is entered again", async (t) => {
  const page = await openDemo(t);
  const reload = async () => {
    await page.reload();
    await page.waitForSelector("html[data-ready]");
  };
  const enter = async (remember) => {
    await openSettings(page);
    await page.fill(".settings input[type=password] >> nth=0", "sk-secret");
    await page.setChecked(".settings input[name=remember]", remember);
    await page.click(".settings button[type=submit]");
  };
  await reload();
  assert.equal(await page.locator(notice).count(), 0, "no key was entered");
  await enter(false);
  assert.equal(await page.locator(notice).count(), 0);
  await reload();
  assert.match(await page.textContent(notice), /^The API key for OpenAI was not remembered\. Enter it again/);
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes("sk-secret"));
  await page.click(`${notice} button >> nth=0`);
  await page.waitForSelector("dialog.settings[open]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog.settings", { state: "detached" });
  await enter(true);
  assert.equal(await page.locator(notice).count(), 0);
  await reload();
  assert.equal(await page.locator(notice).count(), 0);
});

test("each provider that needs a key has a link to where it is made, and list prices are said to be estimates", async (t) => {
  const page = await openDemo(t);
  await openSettings(page);
  const hosts = {};
  for (const id of ["openai", "anthropic", "google", "openrouter", "deepseek"]) {
    await page.click(`.settings label:has(input[name=preset][value=${id}])`);
    const link = page.locator(".settings .key-link >> nth=0");
    hosts[id] = new URL(await link.getAttribute("href")).hostname;
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
    assert.ok((await link.boundingBox()).height >= 24);
  }
  assert.deepEqual(hosts, {
    openai: "platform.openai.com",
    anthropic: "platform.claude.com",
    google: "aistudio.google.com",
    openrouter: "openrouter.ai",
    deepseek: "platform.deepseek.com",
  });
  await page.click(".settings label:has(input[value=ollama])");
  assert.equal(await page.isVisible(".settings .key-link >> nth=0"), false);
  await page.click(".settings label:has(input[name=preset][value=openai])");
  await page.click(".settings .more summary");
  assert.equal(await page.textContent(".settings .more .field-hint"), `Estimated from list prices of ${PRICE_DATE}`);
  await page.locator(".settings input[list=models]").fill("a-model-of-mine");
  assert.equal(await page.isVisible(".settings .more .field-hint"), false);
});

test("the list prices are those of their source", () => {
  for (const [provider, models] of Object.entries(listPrices))
    for (const [id, price] of Object.entries(models)) {
      const source = Object.entries(getModel(provider, id).cost).filter(([, value]) => value > 0);
      assert.deepEqual(price, Object.fromEntries(source), `${provider} ${id}`);
    }
});
