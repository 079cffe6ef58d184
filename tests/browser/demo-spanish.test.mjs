// The demo in Spanish, which is loaded when it is chosen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, offline, openDemo, openSettings, text } from "./demo-page.mjs";

const ENGLISH = /\b(?:the|of|and|is|with|was|are|not|this|from|open|show|hide|insert|delete)\b/i;

test("the settings offer Spanish, and all of the page is in it, also after a reload", async (t) => {
  const page = await openDemo(t, { expected: offline });
  await openSettings(page);
  assert.deepEqual(await page.$$eval(".settings-language option", (all) => all.map((one) => one.textContent)), [
    "English",
    "中文",
    "Español",
  ]);
  const url = await page.locator(".settings .field", { hasText: "Base URL" }).locator("input").first().elementHandle();
  await url.fill("https://typed.example/v1");
  await page.selectOption(".settings-language", "es");
  await page.waitForSelector("html[lang=es]");
  assert.equal(await url.inputValue(), "https://typed.example/v1", "what was typed stays");
  await page.reload();
  await page.waitForSelector("html[lang=es] .tiptap");
  // No suggestion is shown that has no recorded run.
  const first = await page.waitForFunction(() => findAll(".suggestion")[0]?.textContent.trim());
  assert.match(await first.jsonValue(), /^Write an article/);
  await ask(page, "write an article about tea with three chapters and a picture");
  await ended(page);
  assert.equal((await text(page, ".row-text"))[0], "Documento leído: está vacío");
  const labels = await page.$$eval("button[title], [aria-label], h2, h3", (all) =>
    all
      .filter((one) => !one.closest(".tiptap, .message, .assistant-message, .user-message"))
      .flatMap((one) => [one.title, one.getAttribute("aria-label")])
      .filter(Boolean),
  );
  assert.ok(labels.length > 20, labels.join(", "));
  for (const label of labels.filter((one) => one !== "Switch to English" && !one.includes("write an article"))) assert.doesNotMatch(label, ENGLISH, label);

  // The button leads back to English.
  await page.click(".language");
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.equal((await text(page, ".row-text"))[0], "Read the document: empty");
});
