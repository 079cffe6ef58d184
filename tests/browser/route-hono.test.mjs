// The example with Hono on Node: its server, its page, and the key that stays on the server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "vite";
import { openPage, root } from "./harness.mjs";
import { call, model } from "./model.mjs";

const example = join(root, "examples/hono-node");

test("the example edits the document of the page with the agent of the server", async (t) => {
  const edits = [
    call("a", "update_section", { operation: "append", title: "Kinds", content: "<p>Green.</p>" }),
    call("b", "replace_text", { old: "A leaf.", new: "A **good** leaf." }),
  ];
  const llm = await model(t, [{ calls: [edits[0]] }, { calls: [edits[1]] }, { say: "Done." }, { say: "Again." }]);
  const out = mkdtempSync(join(tmpdir(), "copydesk-example-"));
  t.after(() => rmSync(out, { recursive: true, force: true }));
  await build({ root: example, logLevel: "warn", build: { outDir: out, emptyOutDir: true, minify: false } });
  const env = { ...process.env, PORT: "0", DIST: out, BASE_URL: llm.baseUrl, OPENAI_API_KEY: "sk-of-the-server" };
  const server = spawn(process.execPath, ["server.js"], { cwd: example, env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => server.kill());
  const [said] = await new Promise((resolve, reject) => {
    server.stdout.once("data", (data) => resolve([String(data)]));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const seen = [];
  const page = await openPage(t, said.trim(), { prepare: (page) => page.on("request", (request) => seen.push(request.postData() ?? request.url())) });
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
