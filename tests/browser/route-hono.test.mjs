// The example with Hono on Node: its server, its page, and the key that stays on the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startExample } from "./example.mjs";
import { openPage } from "./harness.mjs";
import { call, model } from "./model.mjs";

test("the example edits the document of the page with the agent of the server", async (t) => {
  const edits = [
    call("a", "update_section", { operation: "append", title: "Kinds", content: "<p>Green.</p>" }),
    call("b", "replace_text", { old: "A leaf.", new: "A **good** leaf." }),
  ];
  const llm = await model(t, [{ calls: [edits[0]] }, { calls: [edits[1]] }, { say: "Done." }, { say: "Again." }]);
  const url = await startExample(t, "hono-node", "start", { BASE_URL: llm.baseUrl, OPENAI_API_KEY: "sk-of-the-server" });
  const seen = [];
  const page = await openPage(t, url, { prepare: (page) => page.on("request", (request) => seen.push(request.postData() ?? request.url())) });
  await page.waitForSelector("body[data-ready]");
  await page.fill("[name=message]", "Add kinds");
  await page.click("button");
  await page.getByText("Done.").waitFor();
  assert.equal(await page.innerHTML(".tiptap"), "<h1>Tea</h1><p>A <strong>good</strong> leaf.</p><h2>Kinds</h2><p>Green.</p>");
  await page.fill("[name=message]", "And now?");
  await page.click("button");
  await page.getByText("Again.").waitFor();
  const roles = llm.requests[3].body.messages.map(({ role }) => role);
  assert.deepEqual(roles.filter((role) => role !== "system"), ["user", "assistant", "user"]);
  assert.equal(llm.requests[0].headers.authorization, "Bearer sk-of-the-server");
  assert.ok(seen.every((text) => !text.includes("sk-of-the-server")));
});
