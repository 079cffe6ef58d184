// The hook for React and the composable for Vue in their examples, as they are developed: React in StrictMode.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDevelopment, shown, startExample } from "./example.mjs";
import { openPage } from "./harness.mjs";
import { call, model } from "./model.mjs";

const append = (id, title) => call(id, "update_section", { operation: "append", title, content: `<p>${title}</p>` });
const TEA = "<h1>Tea</h1><p>A leaf.</p>";

for (const name of ["react", "vue"]) {
  test(`${name}: the agent edits, asks, can be stopped, and has the settings of the last rendering`, async (t) => {
    const endless = (response) => response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "word" } }] })}\n\n`);
    const llm = await model(t, [{ say: "I write.", calls: [append("a", "Kinds")] }, { say: "Done." }, { calls: [append("b", "More")] }, { say: "As you like." }, endless]);
    const url = await startExample(t, name, "dev");
    const page = await openDevelopment(t, url);
    const send = page.getByRole("button", { name: "Send" });
    const ask = async (message) => {
      await page.fill("[name=message]", message);
      await send.click();
    };
    // The settings change after the agent was created.
    await page.fill("[name=baseUrl]", llm.baseUrl);
    await page.fill("[name=apiKey]", "sk-typed");
    await ask("Add kinds");
    await page.getByText("May the agent use update_section?").waitFor();
    assert.equal(await shown(page), TEA);
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByText("Done.").waitFor();
    const edited = `${TEA}<h2>Kinds</h2><p>Kinds</p>`;
    assert.equal(await shown(page), edited);
    assert.equal(llm.requests[0].headers.authorization, "Bearer sk-typed");
    await ask("More");
    await page.getByRole("button", { name: "No" }).click();
    await page.getByText("As you like.").waitFor();
    assert.equal(await shown(page), edited);
    assert.equal(llm.requests.length, 4, "one agent: it remembers, and nothing is asked twice");
    assert.equal(llm.requests[3].body.messages.filter(({ role }) => role === "user").length, 2);
    await ask("On and on");
    await page.getByText("word", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await llm.requests[4].cut;
    await page.locator("button:enabled", { hasText: "Send" }).waitFor();
    // A failure is shown.
    await page.fill("[name=modelId]", "");
    await ask("And now?");
    await page.getByText(/modelId/).waitFor();
    // And so is wasm that cannot be loaded.
    const prepare = (page) => page.route(/copydesk_bg/, (route) => route.abort());
    const without = await openPage(t, url, { expected: [/./], prepare });
    await without.getByText("copydesk could not load its wasm").waitFor();
    assert.ok(await without.getByRole("button", { name: "Send" }).isDisabled());
  });
}
