// The AI SDK's useChat in StrictMode over the route, in the example: the route runs in Vite's server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDevelopment, shown, startExample } from "./example.mjs";
import { call, model } from "./model.mjs";

const append = (id, title) => call(id, "update_section", { operation: "append", title, content: `<p>${title}</p>` });

test("useChat: each update is applied once, calls are approved and refused, the key stays on the server", async (t) => {
  const replace = call("r", "replace_text", { old: "A leaf.", new: "A **good** leaf." });
  const llm = await model(t, [{ say: "I write.", calls: [replace, append("a", "Kinds")] }, { say: "Done." }, { calls: [append("b", "More")] }, { say: "As you like." }]);
  const url = await startExample(t, "vite-page", "dev", { BASE_URL: llm.baseUrl, OPENAI_API_KEY: "sk-of-the-server" });
  const seen = [];
  const page = await openDevelopment(t, url, { prepare: (page) => page.on("request", (request) => seen.push(request.postData() ?? request.url())) });
  const ask = async (message) => {
    await page.fill("[name=message]", message);
    await page.getByRole("button", { name: "Send" }).click();
  };
  await ask("Add kinds");
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText("Done.").waitFor();
  const edited = "<h1>Tea</h1><p>A <strong>good</strong> leaf.</p><h2>Kinds</h2><p>Kinds</p>";
  assert.equal(await shown(page), edited);
  await ask("More");
  await page.getByRole("button", { name: "No" }).click();
  await page.getByText("As you like.").waitFor();
  assert.equal(await shown(page), edited);
  assert.deepEqual(await page.locator(".assistant p", { hasText: "tool-" }).allTextContents(), ["tool-replace_text: output-available ", "tool-update_section: output-available ", "tool-update_section: output-denied "]);
  assert.equal(llm.requests.length, 4);
  assert.equal(llm.requests[0].headers.authorization, "Bearer sk-of-the-server");
  assert.ok(seen.length && seen.every((text) => !text.includes("sk-of-the-server")));
  assert.equal(await page.locator("[role=alert]").count(), 0);
});
