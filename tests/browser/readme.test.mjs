// The lines that the README shows are lines that work: they are taken out of it and run.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { buildPage, openPage, root, serve } from "./harness.mjs";
import { call, model } from "./model.mjs";

const readme = readFileSync(join(root, "README.md"), "utf8");

/** The first block of a language after a heading. */
function block(heading, language) {
  const [, code] = new RegExp(`## ${heading}\\n[^]*?\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme) ?? [];
  assert.ok(code, `the README has a block of ${language} under "${heading}"`);
  return code;
}

test("the README's lines put the agent into a page of one's own, in 15 lines", async (t) => {
  const code = block("In your own page", "js");
  assert.ok(code.trimEnd().split("\n").length <= 15);
  const dir = join(root, "tests/browser/.built/readme-page");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "main.js"), `${code}\nwindow.done = true;\n`);
  const html = '<!doctype html><link rel="icon" href="data:,"><div id="page"></div><p id="answer"></p><script type="module" src="./main.js"></script>';
  writeFileSync(join(dir, "index.html"), html);

  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  const write = (id, args) => ({ toolCalls: [{ id, name: "update_section", arguments: JSON.stringify(args) }] });
  const answers = [
    write("c1", { operation: "replace", sectionIndex: 0, title: "Tea", content: "<p>A leaf.</p>" }),
    write("c2", { operation: "append", title: "History", content: "<p>Long.</p>" }),
    { content: "Written." },
  ];
  mock.on({ predicate: () => true }, () => answers.shift());
  await mock.start();
  t.after(() => mock.stop());

  let authorization;
  const { url } = await serve(await buildPage(dir));
  const page = await openPage(t, url, {
    async prepare(page) {
      page.on("dialog", (dialog) => dialog.accept("sk-from-the-person"));
      // The provider's address is the real one; its answers come from the mock server.
      await page.route("https://api.openai.com/v1/chat/completions", async (route) => {
        authorization = route.request().headers().authorization;
        const headers = { authorization, "content-type": "application/json" };
        const body = route.request().postData();
        const answer = await fetch(`${mock.url}/v1/chat/completions`, { method: "POST", headers, body });
        const allowed = { "access-control-allow-origin": "*", "content-type": answer.headers.get("content-type") };
        await route.fulfill({ status: answer.status, headers: allowed, body: await answer.text() });
      });
    },
  });
  await page.waitForFunction(() => window.done);
  assert.equal(await page.innerHTML("#page .tiptap"), "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Long.</p>");
  assert.equal(await page.textContent("#answer"), "Written.");
  assert.equal(authorization, "Bearer sk-from-the-person");
  const [first] = mock.getRequests();
  assert.equal(first.body.messages.at(-1).content, "Write an article about tea with three chapters and a picture");
});

test("the README's own tool and its approval work as they stand there", async (t) => {
  const setUp = `
    import { Editor } from "@tiptap/core";
    import StarterKit from "@tiptap/starter-kit";
    import { Agent, init } from "copydesk";
    import { Copydesk } from "copydesk/tiptap";
    await init();
    window.stored = [];
    const setItem = sessionStorage.setItem.bind(sessionStorage);
    Storage.prototype.setItem = (name, value) => (stored.push(value), setItem(name, value));
    const editor = new Editor({ element: document.querySelector("#page"), extensions: [StarterKit, Copydesk] });
    const fetch = (url, options) => (url.startsWith("/") ? Promise.resolve(Response.json({ city: "Bergen" })) : globalThis.fetch(url, options));
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: new URLSearchParams(location.search).get("model") } };
  `;
  const rest = 'agent.configure({ needsApproval: ["find_customer"] });\nwindow.agent = agent;\nwindow.updates = [];\nagent.subscribe((event) => event.type === "tool_update" && updates.push(event.partial));\nwindow.done = true;\n';
  const dir = join(root, "tests/browser/.built/readme-agent-page");
  mkdirSync(dir, { recursive: true });
  // The reload is in the second block: it goes on before the rest is there.
  writeFileSync(join(dir, "main.js"), `${setUp}${block("Own tools", "js")}${block("Approval", "js")}${rest}`);
  writeFileSync(join(dir, "index.html"), '<!doctype html><link rel="icon" href="data:,"><div id="page"></div><script type="module" src="./main.js"></script>');

  const server = await model(t, [{ calls: [call("c1", "find_customer", { name: "Ann" })] }, { say: "In Bergen." }]);
  const { url } = await serve(await buildPage(dir));
  const asked = [];
  const page = await openPage(t, `${url}?model=${encodeURIComponent(server.baseUrl)}`, {
    prepare: (page) => page.on("dialog", (dialog) => (asked.push(dialog.message()), dialog.accept())),
  });
  await page.waitForFunction(() => window.done);
  const seen = await page.evaluate(async () => ({ result: await agent.prompt("Where is Ann?"), updates, kept: sessionStorage.getItem("conversation") }));
  assert.deepEqual([seen.result.status, seen.result.text], ["complete", "In Bergen."]);
  assert.deepEqual(asked, ["May the agent use find_customer?"]);
  assert.deepEqual(seen.updates, ["asking for Ann"]);
  assert.match(server.tool(1).c1, /Bergen/);

  // The page goes while the call waits, and the new one goes on from what was kept.
  const again = await model(t, [{ say: "In Bergen, I am told." }]);
  await page.evaluate(() => sessionStorage.setItem("conversation", stored.find((messages) => messages.includes('"pending"'))));
  await page.goto(`${url}?model=${encodeURIComponent(again.baseUrl)}`);
  await page.waitForFunction(() => window.done);
  assert.equal(asked.length, 2);
  assert.equal(await page.evaluate(() => agent.messages.at(-1).content[0].text), "In Bergen, I am told.");
  assert.equal(again.requests.length, 1);

  // What was kept last is a conversation that is over: nothing is asked or done again.
  await page.reload();
  await page.waitForFunction(() => window.done);
  assert.equal(asked.length, 2);
  assert.equal(again.requests.length, 1);
});

test("every event and every setting of an agent is in the README, and every one there exists", () => {
  const types = readFileSync(join(root, "pkg-template/src/types.ts"), "utf8");
  const inTypes = new Set([.../export type AgentEvent[^]*?^\);/m.exec(types)[0].matchAll(/type: "(\w+)"/g)].map(([, type]) => type));
  const [, events] = /### Events\n([^]*?)\n### /.exec(readme);
  const inTable = [...events.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, type]) => type));
  assert.deepEqual(inTable.filter((type) => type !== "type").sort(), [...inTypes].sort());

  const agent = readFileSync(join(root, "pkg-template/src/agent.ts"), "utf8");
  const members = (name) => [...new RegExp(`export interface ${name} [^]*?\\n}`).exec(agent)[0].matchAll(/^  (\w+)\??:/gm)].map(([, member]) => member);
  const [, section] = /## The agent\n([^]*?)\n### Errors/.exec(readme);
  for (const member of [...members("AgentSettings"), ...members("AgentHooks")]) {
    if (member !== "locale") assert.match(section, new RegExp(`\\b${member}\\b`), member);
  }
});

test("every error code is in the README's table, and every code there exists", () => {
  const source = readFileSync(join(root, "src/error/codes.rs"), "utf8");
  const inSource = [...source.matchAll(/Error::\w+(?: \{ \.\. \})? => "(\w+)",/g)].map(([, code]) => code);
  const [, table] = /### Errors\n([^]*?)\n\n[^|]/.exec(readme);
  const inTable = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  assert.ok(inSource.length > 30);
  assert.deepEqual(inTable.sort(), [...new Set(inSource), "disposed", "not_loaded", "wasm_load"].sort());
});
