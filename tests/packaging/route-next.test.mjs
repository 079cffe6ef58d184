// The example with Next.js, as its reader installs and starts it: the route handlers, the page, the key on the server.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { long } from "../browser/budget.mjs";
import { openPage, root } from "../browser/harness.mjs";
import { startExample } from "../browser/example.mjs";
import { call, model } from "../browser/model.mjs";
import { npmInstall, packed } from "./environments/environment.mjs";

test("the route handlers of Next.js edit the document of the page", long, async (t) => {
  const work = mkdtempSync(join(tmpdir(), "copydesk-next-"));
  t.after(() => rmSync(work, { recursive: true, force: true }));
  const example = join(root, "examples/nextjs");
  const dir = join(work, "app");
  const isOwn = (path) => !/[\\/](?:node_modules|\.next)(?:[\\/]|$)/.test(path.slice(example.length));
  cpSync(example, dir, { recursive: true, filter: isOwn });
  // Exact versions, so that the test is the same tomorrow.
  const manifest = JSON.parse(readFileSync(join(example, "package.json"), "utf8"));
  for (const [name, range] of Object.entries(manifest.dependencies)) manifest.dependencies[name] = range.replace("^", "");
  manifest.dependencies.copydesk = `file:${packed(work)}`;
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
  npmInstall(dir);

  const edits = [
    call("a", "update_section", { operation: "append", title: "Kinds", content: "<p>Green.</p>" }),
    call("b", "replace_text", { old: "A leaf.", new: "A **good** leaf." }),
  ];
  const llm = await model(t, [{ calls: [edits[0]] }, { calls: [edits[1]] }, { say: "Done." }, { say: "Again." }]);
  const env = { BASE_URL: llm.baseUrl, OPENAI_API_KEY: "sk-of-the-server", NEXT_TELEMETRY_DISABLED: "1" };
  const url = await startExample(t, "nextjs", "start", env, dir);
  const route = `${url}api/doc-agent-chat`;
  const config = await (await fetch(`${route}/config`)).json();
  assert.deepEqual(config.searchService, { type: "wikipedia", configured: true });
  assert.equal((await fetch(route, { method: "POST", body: "{" })).status, 400);
  assert.equal((await fetch(route, { method: "POST", body: "{}", headers: { origin: "https://evil.example" } })).status, 403);
  assert.equal((await fetch(route)).status, 405);

  const seen = [];
  const page = await openPage(t, url, { prepare: (page) => page.on("request", (request) => seen.push(request.postData() ?? request.url())) });
  const ask = async (message) => {
    await page.fill("[name=message]", message);
    await page.locator("button:enabled").click();
  };
  await page.waitForSelector(".tiptap");
  await ask("Add kinds");
  await page.getByText("Done.").waitFor();
  assert.equal(await page.innerHTML(".tiptap"), "<h1>Tea</h1><p>A <strong>good</strong> leaf.</p><h2>Kinds</h2><p>Green.</p>");
  await ask("And now?");
  await page.getByText("Again.").waitFor();
  const roles = llm.requests[3].body.messages.map(({ role }) => role);
  assert.deepEqual(roles.filter((role) => role !== "system"), ["user", "assistant", "user"]);
  assert.equal(llm.requests[0].headers.authorization, "Bearer sk-of-the-server");
  assert.ok(seen.length && seen.every((text) => !text.includes("sk-of-the-server")));
});
