// useAssistant in React, with StrictMode, and in Vue: an app with views of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";
import { call, model } from "./model.mjs";

const open = opener("hooks");

for (const framework of ["react", "vue"]) {
  test(`an app has views of its own and an assistant, which ends with them: ${framework}`, async (t) => {
    const server = await model(t, [{ calls: [call("c-1", "replace_text", { old: "old drink", new: "very old drink" })] }, { say: "Done." }]);
    const page = await open(t, { search: `?framework=${framework}&model=${encodeURIComponent(server.baseUrl)}` });
    await page.click("button:not(:disabled)");
    await page.waitForSelector("[data-type=end]");
    const rows = await page.$$eval("li", (all) => all.map(({ dataset, textContent }) => [dataset.type, textContent]));
    assert.deepEqual(rows, [["call", "replace_text: done"], ["text", "Done."], ["end", ""]]);
    assert.equal(server.requests.length, 2);
    const left = await page.evaluate(() => {
      window.assistant = window.seen.assistant;
      assistant.send("Another");
      window.close();
      return new Promise((resolve) => setTimeout(() => resolve(document.querySelector("#app").childElementCount)));
    });
    assert.equal(left, 0);
    await page.waitForFunction(() => !assistant.state.isWorking);
  });
}
