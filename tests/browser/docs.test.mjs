// The documentation is true: its examples are run, its tables compared with the code, its links resolved.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { agentActions } from "copydesk/tiptap";
import { atEnd } from "../at-end.mjs";
import { blocks, blocksLeft, members, moduleOf, names, PAGES, read, tables, withChecks } from "./docs.mjs";
import { buildPage, launch, openPage, root, serve } from "./harness.mjs";
import { call, model } from "./model.mjs";
import { roomServer } from "./room-server.mjs";
import { hostile } from "../mcp/servers.mjs";
import { forgeServer, repository } from "../skills/servers.mjs";

const HTML = '<!doctype html><link rel="icon" href="data:,"><div id="page"></div><div id="bar"></div><p id="answer"></p><script type="module" src="./main.js"></script>';

/** Builds a page of this module and serves it. Returns its URL. */
async function pageOf(name, code, beside = {}) {
  const dir = join(root, `tests/browser/.built/${name}-page`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "main.js"), `${code}\nwindow.done = true;\n`);
  writeFileSync(join(dir, "index.html"), HTML);
  for (const [file, content] of Object.entries(beside)) writeFileSync(join(dir, file), content);
  return (await serve(await buildPage(dir))).url;
}

/** Runs a module in a page to its end and compares the results that its examples state. */
async function run(t, name, parts, { search = "", beside, ...options } = {}) {
  const page = await openPage(t, (await pageOf(name, moduleOf(...parts), beside)) + search, options);
  await page.waitForFunction(() => window.done);
  const checks = await page.evaluate(() => window.checks);
  for (const [given, stated] of checks) assert.deepEqual(given, stated);
  return { page, checks };
}

const EDITOR = `
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { Agent, init } from "copydesk";
import { Copydesk } from "copydesk/tiptap";
`;

/** An editor, and the settings of a model at the page's URL. */
const AGENT = `${EDITOR}
await init();
const editor = new Editor({ element: document.querySelector("#page"), extensions: [StarterKit, Copydesk], content: "<h2>Tea</h2><p>A leaf.</p>" });
const baseUrl = new URLSearchParams(location.search).get("model");
const apiKey = "sk-test";
const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl, apiKey } };
`;

const at = ({ baseUrl }) => ({ search: `?model=${encodeURIComponent(baseUrl)}` });

for (const path of ["README.md", "pkg-template/README.md"]) {
  test(`the lines of ${path} add the agent to a page`, async (t) => {
    const [code] = blocks(path, 0);
    assert.ok(code.trimEnd().split("\n").length <= 20);
    const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
    const write = (id, args) => ({ toolCalls: [{ id, name: "update_section", arguments: JSON.stringify(args) }] });
    const answers = [
      write("c1", { operation: "replace", sectionIndex: 0, title: "Tea", content: "<p>A leaf.</p>" }),
      write("c2", { operation: "append", title: "History", content: "<p>Long.</p>" }),
      { content: "Written." },
    ];
    mock.on({ predicate: () => true }, () => answers.shift());
    await mock.start();
    atEnd(t, () => mock.stop());

    let authorization;
    const { page } = await run(t, path === "README.md" ? "readme" : "package-readme", [code], {
      async prepare(page) {
        page.on("dialog", (dialog) => dialog.accept("sk-from-the-user"));
        // The provider's URL is the real one; the mock server answers.
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
    await page.getByText("Written.").waitFor();
    assert.equal(await page.innerHTML(".tiptap"), "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Long.</p>");
    assert.equal(authorization, "Bearer sk-from-the-user");
    const asked = /agent\.prompt\("(.*)"\)/.exec(code)[1];
    assert.equal(mock.getRequests()[0].body.messages.at(-1).content.split("\n\n<document>")[0], asked);
    assert.equal(await page.textContent("body > p:last-child"), "Written.");
  });
}

for (const [path, indexes, least] of [
  ["README.md", [1], 1],
  ["docs/documents.md", [], 6],
  ["docs/edits.md", [], 9],
  ["docs/guards.md", [], 5],
]) {
  test(`the examples of ${path} give the documented results`, async (t) => {
    const name = path.replace(/\W/g, "-").toLowerCase();
    // They are for Node and for workers; a page has to choose the full build.
    const full = ['import { full } from "copydesk/full";\n', "await init(undefined, full);"];
    const { checks } = await run(t, `${name}-examples`, [...full, ...blocks(path, ...indexes).map(withChecks)]);
    assert.ok(checks.length >= least, `${path} states ${checks.length} results`);
  });
}

for (const path of ["docs/markdown.md", "docs/export.md", "docs/writers.md", "docs/project.md"]) {
  test(`the example of ${path} gives the documented results`, async (t) => {
    const { checks } = await run(t, `${path.replace(/\W/g, "-")}-example`, blocks(path).map(withChecks));
    assert.ok(checks.length >= 2);
  });
}

test("the example of docs/insert.md gives the documented results", async (t) => {
  // The service worker is not there: tests/browser/insert.test.mjs has it.
  const { checks } = await run(t, "insert-example", blocks("docs/insert.md").map(withChecks), { expected: [/bad HTTP response code \(404\)/] });
  assert.equal(checks.length, 3);
});

test("the example of docs/review.md gives the documented results", async (t) => {
  const { checks, page } = await run(t, "review-examples", [EDITOR, "await init();", ...blocks("docs/review.md").map(withChecks)]);
  assert.equal(checks.length, 10);
  assert.equal(await page.locator("#bar .copydesk-bar").count(), 1);
});

test("the examples of docs/actions.md give the documented results", async (t) => {
  const server = await model(t, [{ calls: [call("a", "replace_text", { old: "quick brown", new: "slow" })] }, { say: "Done." }]);
  const given = 'const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: new URLSearchParams(location.search).get("model") } };';
  const { checks, page } = await run(t, "actions-examples", [EDITOR, "await init();", given, ...blocks("docs/actions.md").map(withChecks)], at(server));
  assert.equal(checks.length, 4);
  assert.equal(await page.textContent(".copydesk-deletion"), "quick brown");
});

test("the example of docs/webmcp.md gives the documented results", async (t) => {
  const browser = await launch("~NOTFOUND", ["--enable-experimental-web-platform-features"]);
  const { checks } = await run(t, "webmcp-example", blocks("docs/webmcp.md").map(withChecks), { browser });
  assert.equal(checks.length, 3);
});

test("the example of docs/ghost-text.md gives the documented results, and its table lists the options", async (t) => {
  const imports = 'import { Editor } from "@tiptap/core";\nimport StarterKit from "@tiptap/starter-kit";\nimport { Copydesk } from "copydesk/tiptap";';
  const { checks } = await run(t, "ghost-text-example", [imports, ...blocks("docs/ghost-text.md").map(withChecks)]);
  assert.equal(checks.length, 3);
  const [, fields] = /export interface GhostTextOptions \{([^]*?)\n\}/.exec(read("pkg-template/src/ghost-text.ts"));
  const { rows } = tables("docs/ghost-text.md").find(({ header }) => header[0] === "option");
  assert.deepEqual(rows.flatMap(([cell]) => names(cell)), [...fields.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name));
});

test("the examples of docs/collaboration.md give the documented results, on a Hocuspocus server", async (t) => {
  const { url } = await roomServer(t);
  const server = await model(t, [{ calls: [call("a", "replace_text", { old: "Tea", new: "Green tea" })] }, { say: "Done." }]);
  const given = 'const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: new URLSearchParams(location.search).get("model") } };';
  const [start, ofRoom, ...others] = blocks("docs/collaboration.md").map(withChecks);
  assert.ok(start.includes("ws://127.0.0.1:1234"));
  const rest = "window.result = [status, editor.storage.suggestions.list.map(({ author }) => author.name)];\nend();";
  const { checks, page } = await run(t, "collaboration-examples", [given, start.replace("ws://127.0.0.1:1234", url), ...others, rest], at(server));
  assert.equal(checks.length, 5);
  assert.deepEqual(await page.evaluate(() => window.result), ["complete", ["Ada", "Ada", "Assistant of Ada"]]);
  const lines = blocks("docs/collaboration.md", 0, 1).map((block) => block.trim().split("\n").length);
  assert.ok(lines[0] <= 36 && lines[1] <= 30, lines.join());
  const elements = 'window.result = ["room", "comments", "authorship", "review-bar"].map((name) => !!document.querySelector("copydesk-" + name).shadowRoot.textContent.trim());';
  const { checks: checksOfRoom, page: room } = await run(t, "room-example", [given, ofRoom, "await new Promise(requestAnimationFrame);", elements], at(server));
  assert.equal(checksOfRoom.length, 1);
  assert.deepEqual((await room.evaluate(() => window.result)).slice(0, 3), [true, true, true]);
});

test("the examples of docs/comments.md give the documented results, and its table lists the tools", async (t) => {
  const server = await model(t, [{ calls: [call("a", "list_comments", {})] }, { say: "Done." }, { calls: [call("b", "add_comment", { line: 1, text: "Why?" })] }, { say: "Done." }]);
  const given = 'const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: new URLSearchParams(location.search).get("model") } };';
  const rest = "window.result = [comments.threads().map(({ comments }) => comments.at(-1).author.name), inRoom.name];";
  const { checks, page } = await run(t, "comments-examples", [given, ...blocks("docs/comments.md").map(withChecks), rest], at(server));
  assert.equal(checks.length, 1);
  assert.deepEqual(await page.evaluate(() => window.result), [["Assistant", "Ada"], "comments"]);
  const [ofEditor, , ofReviewer] = server.requests.map(({ body }) => body.tools.map(({ function: { name, parameters } }) => [name, parameters]));
  const { rows } = tables("docs/comments.md").find(({ comment }) => comment === "names of the tools for comments");
  for (const [cell, parameters] of rows) {
    const [, { properties, required }] = ofEditor.find(([name]) => name === names(cell)[0]);
    const listed = [...parameters.matchAll(/`(\w+)(\??)`/g)];
    assert.deepEqual(listed.map(([, name]) => name).sort(), Object.keys(properties).sort());
    assert.deepEqual(listed.filter(([, , isOptional]) => !isOptional).map(([, name]) => name).sort(), [...required].sort());
  }
  assert.deepEqual(ofReviewer.map(([name]) => name), ["read_lines", ...rows.map(([cell]) => names(cell)[0])]);
});

test("the example of docs/authorship.md gives the documented results", async (t) => {
  const server = await model(t, [{ calls: [call("a", "replace_text", { old: "old", new: "young" })] }, { say: "Done." }]);
  const given = 'const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: new URLSearchParams(location.search).get("model") } };';
  const { checks } = await run(t, "authorship-example", [given, ...blocks("docs/authorship.md").map(withChecks)], at(server));
  assert.equal(checks.length, 4);
});

test("the table of docs/actions.md lists exactly the ready actions", () => {
  const inSource = agentActions.flatMap((action) => [action, ...(action.choices ?? [])]).map(({ id }) => id);
  const { rows } = tables("docs/actions.md").find(({ header }) => header[0] === "id");
  const listed = rows.flatMap(([cell]) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, id]) => id));
  assert.deepEqual(listed.sort(), inSource.sort());
});

test("the example of docs/agent.md runs a prompt, and docs/tools.md lists the tools that the model receives", async (t) => {
  const server = await model(t, [{ say: "Tightened." }, { say: "Written." }, { say: "Again." }]);
  const rest = "window.result = [status, text];\nawait writer.prompt('Write');\nawait agent.prompt('Again');\n";
  const { page } = await run(t, "agent-examples", [AGENT, ...blocks("docs/agent.md", 0, 1, 2), rest], at(server));
  assert.deepEqual(await page.evaluate(() => window.result), ["complete", "Tightened."]);
  const [{ body }, ofWriter, again] = server.requests;
  assert.match(ofWriter.body.messages[0].content, /1\. Use the terms of the glossary\.$/);
  assert.match(again.body.messages[0].content, /1\. Write British English\.\n2\. No adverbs\.$/);
  assert.equal(body.messages.at(-1).content.split("\n\n<document>")[0], "Tighten the second chapter");
  const listed = tables("docs/tools.md").find(({ comment }) => comment === "names of the built-in tools");
  const shown = listed.rows.map(([cell, parameters]) => [names(cell)[0], names(parameters)]);
  const given = body.tools.map(({ function: { name, parameters } }) => [name, parameters]);
  assert.deepEqual(shown.map(([name]) => name).sort(), given.map(([name]) => name).sort());
  for (const [name, parameters] of given) {
    const [, documented] = shown.find(([one]) => one === name);
    assert.deepEqual(documented.sort(), Object.keys(parameters.properties).sort(), name);
  }
});

test("docs/tools.md lists the tools that the model receives with a workspace", async (t) => {
  const server = await model(t, [{ say: "Nothing to do." }]);
  const workspace = "const none = () => Promise.reject(new Error('unused'));\nconst workspace = { read: none, write: none, list: none, search: none, check: none };\n";
  const start = "const agent = new Agent({ workspace, llmConfig });\nwindow.result = (await agent.prompt('Go')).status;\n";
  const { page } = await run(t, "workspace-tools", [AGENT, workspace, start], at(server));
  assert.equal(await page.evaluate(() => window.result), "complete");
  const documented = ["names of the built-in tools", "names of the tools for files"].map((name) => {
    const { rows } = tables("docs/tools.md").find(({ comment }) => comment === name);
    return rows.map(([cell, parameters]) => [names(cell)[0], names(parameters).filter((one) => !/["/]/.test(one))]);
  });
  const [document, files] = documented;
  const given = server.requests[0].body.tools.map(({ function: { name, parameters } }) => [name, Object.keys(parameters.properties)]);
  // Without a document its tools are left out.
  const outside = document.filter(([name]) => ["search_web", "search_image", "read_more"].includes(name));
  assert.deepEqual(given.map(([name]) => name).sort(), [...files, ...outside].map(([name]) => name).sort());
  for (const [name, parameters] of given)
    assert.deepEqual([...files, ...outside].find(([one]) => one === name)[1].sort(), parameters.sort(), name);
});

test("the custom tool of docs/tools.md and the approval of docs/agent.md work as documented", async (t) => {
  const setUp = `${EDITOR}
    await init();
    window.stored = [];
    const setItem = sessionStorage.setItem.bind(sessionStorage);
    Storage.prototype.setItem = (name, value) => (stored.push(value), setItem(name, value));
    const editor = new Editor({ element: document.querySelector("#page"), extensions: [StarterKit, Copydesk] });
    const fetch = (url, options) => (url.startsWith("/") ? Promise.resolve(Response.json({ city: "Bergen" })) : globalThis.fetch(url, options));
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: new URLSearchParams(location.search).get("model") } };
  `;
  const rest = 'agent.configure({ needsApproval: ["find_customer"] });\nwindow.agent = agent;\nwindow.updates = [];\nagent.subscribe((event) => event.type === "tool_update" && updates.push(event.partial));\n';
  // The reload is in this block, before the rest is defined.
  const url = await pageOf("approval-examples", moduleOf(setUp, ...blocks("docs/tools.md", 0), ...blocks("docs/agent.md", 3), rest));

  const server = await model(t, [{ calls: [call("c1", "find_customer", { name: "Ann" })] }, { say: "In Bergen." }]);
  const asked = [];
  const page = await openPage(t, url + at(server).search, {
    ownTab: true,
    prepare: (page) => page.on("dialog", (dialog) => (asked.push(dialog.message()), dialog.accept())),
  });
  await page.waitForFunction(() => window.done);
  const seen = await page.evaluate(async () => ({ result: await agent.prompt("Where is Ann?"), updates }));
  assert.deepEqual([seen.result.status, seen.result.text], ["complete", "In Bergen."]);
  assert.deepEqual(asked, ["May the agent use find_customer?"]);
  assert.deepEqual(seen.updates, ["asking for Ann"]);
  assert.match(server.tool(1).c1, /Bergen/);

  // The page is closed while the call waits, and the new one continues from the stored messages.
  const again = await model(t, [{ say: "In Bergen, I am told." }]);
  await page.evaluate(() => sessionStorage.setItem("conversation", stored.find((messages) => messages.includes('"pending"'))));
  await page.goto(url + at(again).search);
  await page.waitForFunction(() => window.done);
  assert.equal(asked.length, 2);
  assert.equal(await page.evaluate(() => agent.messages.at(-1).content[0].text), "In Bergen, I am told.");
  assert.equal(again.requests.length, 1);

  // The last stored conversation is complete: nothing is requested or done again.
  await page.reload();
  await page.waitForFunction(() => window.done);
  assert.equal(asked.length, 2);
  assert.equal(again.requests.length, 1);
});

test("the hooks of docs/hooks.md work as documented", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "search_web", { query: "tea" }), call("c2", "get_document")] }, { say: "Read." }]);
  const keys = "const fetch = async (url) => new Response(url);\n";
  const rest = 'window.details = [];\nagent.subscribe((event) => event.type === "tool_result" && details.push(event.details));\nwindow.status = (await agent.prompt("Go")).status;\n';
  const { page } = await run(t, "hooks-examples", [keys, AGENT, ...blocks("docs/hooks.md"), rest], at(server));
  assert.equal(await page.evaluate(() => window.status), "complete");
  assert.match(server.tool(1).c1, /No web search here/);
  assert.deepEqual((await page.evaluate(() => details)).filter(Boolean), [{ seen: 2 }]);
  assert.equal(server.requests[0].headers.authorization, `Bearer /keys/${new URL(server.baseUrl).host}`);
});

test("the recording of docs/recording.md is replayed by the lines after it", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "replace_text", { old: "leaf", new: "cup" })] }, { say: "Shorter." }]);
  const [record, play] = blocks("docs/recording.md");
  // The example loads the build that records; its `document` is the one of the replay.
  const given = AGENT.replace("await init();", "let file;\nconst save = (text) => (file = text);").replace("document.query", "window.document.query");
  const { page } = await run(t, "recording-examples", [given, record, play, "window.played = [events.length > 5, html, differs];"], at(server));
  assert.deepEqual(await page.evaluate(() => window.played), [true, "<h2>Tea</h2><p>A cup.</p>", null]);
});

test("the table of docs/events.md lists exactly the existing events and their fields", () => {
  const types = read("pkg-template/src/types/agent.ts");
  const union = /export type AgentEvent[^]*?^\);/m.exec(types)[0];
  const variants = [...union.matchAll(/\{\s*type: "(\w+)"([^}]*)\}/g)].map(([, type, rest]) => [type, [...rest.matchAll(/(\w+)\??:/g)].map(([, field]) => field)]);
  const rows = tables("docs/events.md")[0].rows.flatMap(([cell, fields]) => names(cell).map((type) => [type, names(fields)]));
  assert.ok(variants.length > 15);
  assert.deepEqual(rows.map(([type]) => type).sort(), variants.map(([type]) => type).sort());
  for (const [type, fields] of variants) assert.deepEqual(rows.find(([one]) => one === type)[1].sort(), fields.sort(), type);
});

/** Returns the codes in a group of a catalog of the package. */
function codesOf(catalog, group) {
  const [, texts] = new RegExp(`^  ${group}: \\{\\n([^]*?)^  \\}`, "m").exec(read(`pkg-template/src/languages/en/${catalog}.ts`));
  return [...texts.matchAll(/^ {4}(\w+):/gm)].map(([, code]) => code);
}

test("the examples of docs/install.md load the page build in two files, and add a language", async (t) => {
  const [parts, language] = blocks("docs/install.md");
  await run(t, "parts-example", [parts]);
  // The build for pages reads no HTML by itself, and says so.
  const failure = `import { Document, init } from "copydesk";
await init();
try {
  Document.fromHTML("<p></p>", { locale: "es" });
} catch (error) {
  checks.push([error.message.split(" ")[0], "Esto"]);
}`;
  const { checks } = await run(t, "install-example", [language, failure]);
  assert.equal(checks.length, 1);
});

test("the tables of docs/errors.md list exactly the existing error codes, once each", () => {
  const enums = ["base/src/error/base", "document/src/error", "edit/src/error/mod", "review/src/error", "llm/src/error", "agent/src/error", "recording/src/error", "workspace/src/error"];
  const source = [...enums.map((path) => `crates/${path}.rs`), "src/error.rs"].map(read).join("\n");
  const inSource = [...source.matchAll(/= "(\w+)" \{$/gm)].map(([, code]) => code);
  const inTables = tables("docs/errors.md").filter(({ header }) => header[0] === "code").flatMap(({ rows }) => rows.flatMap(([cell]) => names(cell)));
  const [, refusals] = /because = \(code: (.*)\) =>/.exec(read("pkg-template/src/actions/ask.ts"));
  const inPackage = [...refusals.matchAll(/"(\w+)"/g)].map(([, code]) => code);
  inPackage.push(...codesOf("workspace", "errors"), ...codesOf("insert", "errors"));
  assert.ok(inSource.length > 30 && inPackage.length > 15);
  assert.deepEqual(inTables.sort(), [...new Set([...inSource, ...inPackage, "disposed", "docx_not_installed", "hocuspocus_not_installed", "image_size_not_installed", "not_loaded", "not_permitted", "pdf_not_installed", "print_failed", "second_prosemirror", "tools_refused", "wasm_load", "worker_load", "worker_stopped", "xmldom_not_installed"])].sort());
});

test("the tables of fields list exactly the fields of their types", () => {
  let count = 0;
  for (const path of PAGES) {
    for (const { comment, rows } of tables(path)) {
      const [, name, file] = /^fields of (\w+) in (\S+)$/.exec(comment ?? "") ?? [];
      if (!name) continue;
      count++;
      const listed = rows.flatMap(([cell]) => names(cell));
      const { own, inherited } = members(name, file);
      assert.deepEqual(listed.filter((field) => !inherited.includes(field)).sort(), own.sort(), `${path}: ${name}`);
    }
  }
  assert.ok(count >= 20, `${count} tables`);
});

test("the table of the agent's members is complete", () => {
  const agent = /export class Agent \{([^]*?)\n\}/.exec(read("pkg-template/src/agent/agent.ts"))[1];
  const own = [...agent.matchAll(/^ {2}(?:async )?(?:get |set )?(\w+)\(/gm)].map(([, member]) => member).filter((member) => member !== "constructor");
  const listed = tables("docs/agent.md").find(({ comment }) => comment?.startsWith("members of Agent")).rows.flatMap(([cell]) => names(cell));
  assert.deepEqual(listed.sort(), [...new Set(own)].sort());
});

test("the agent of docs/worker.md runs in its worker, and another one goes on after it", async (t) => {
  const server = await model(t, [{ calls: [call("a", "replace_text", { old: "A leaf", new: "A plant" })] }, { say: "Done." }, { say: "Again." }, { say: "Again." }]);
  const [script, page, goesOn] = blocks("docs/worker.md");
  const lose = 'const lost = agent.prompt("More");\nworker.terminate();\nwindow.lost = (await lost).error.code;\nconst options = { document: editor, llmConfig };';
  const newWorker = 'const newWorker = () => new Worker(new URL("./agent-worker.js", import.meta.url), { type: "module" });';
  const said = "window.said = next.messages.at(-1).content[0].text;";
  const seen = await run(t, "worker-examples", [AGENT, page, lose, newWorker, goesOn, said], { ...at(server), beside: { "agent-worker.js": script } });
  assert.deepEqual(await seen.page.evaluate(() => [window.lost, window.said, document.querySelector(".tiptap").textContent]), ["worker_stopped", "Again.", "TeaA plant."]);
});

test("the examples of docs/workspace.md give the documented results", async (t) => {
  const server = await model(t, [{ say: "Nothing is wrong." }]);
  const [start, memory, versions, folder, search, worker, zip, instructions] = blocks("docs/workspace.md");
  // Nobody chooses a folder here.
  const picker = "window.showDirectoryPicker = () => navigator.storage.getDirectory();";
  const parts = [AGENT, start, memory, versions, picker, folder, search, worker, zip, instructions].map(withChecks);
  const { checks } = await run(t, "workspace-examples", parts, { ...at(server), beside: { "index-worker.js": 'import "copydesk/workspace/worker";' } });
  assert.ok(checks.length >= 10);
});

test("the examples of docs/mcp.md give the documented results", async (t) => {
  const { url, requests } = await hostile(t, {
    "tools/list": () => ({ tools: [{ name: "search", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: "Ticket 7: tea." }] }),
  });
  const server = await model(t, [{ calls: [call("a", "tickets__search")] }, { say: "Ticket 7." }]);
  const given = `const [ticketsUrl, filesUrl, ticketsKey] = ["${url}", "http://127.0.0.1:1/", "sk-tickets"];`;
  const approved = "agent.subscribe((event) => event.type === 'approval_request' && agent.approve(event.toolId, true));\n";
  const [start, changes] = blocks("docs/mcp.md");
  const [before, prompt] = start.split(/(?=const \{ text \})/);
  const parts = [AGENT, given, before, approved, prompt, withChecks(changes), "window.said = text;"];
  const { page, checks } = await run(t, "mcp-examples", parts, { ...at(server), expected: [/405/] });
  assert.equal(checks.length, 2);
  assert.equal(await page.evaluate(() => window.said), "Ticket 7.");
  assert.match(server.tool(1).a, /Ticket 7: tea\./);
  assert.ok(requests.some(({ headers }) => headers.authorization === "Bearer sk-tickets"));
});

test("the table of docs/mcp.md lists exactly the codes of notices about servers", () => {
  const codes = codesOf("mcp", "notices");
  const { rows } = tables("docs/mcp.md").find(({ comment }) => comment === "codes of notices about servers");
  assert.ok(codes.length > 10);
  assert.deepEqual(rows.flatMap(([cell]) => names(cell)).sort(), codes.sort());
});

test("the examples of docs/skills.md give the documented results", async (t) => {
  const forge = await forgeServer(t, "github", repository(t));
  const server = await model(t, [{ say: "Outlined." }]);
  const own = '---\\nname: house-style\\ndescription: Our style.\\n---\\nWrite "email".';
  const given = `import { memoryWorkspace } from "copydesk/workspace";\nconst workspace = memoryWorkspace({ "notes/skills/house-style/SKILL.md": '${own}' });`;
  const [start, changes] = blocks("docs/skills.md");
  // The server answers as the one that the example names.
  const parts = [AGENT, given, start, "await until(() => library.list[0].isStored);", withChecks(changes), "window.said = text;"];
  const until = "const until = async (holds) => { while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10)); };\n";
  const { page, checks } = await run(t, "skills-examples", [until, ...parts], {
    ...at(server),
    prepare: async (page) => {
      for (const [pattern, base] of [["https://api.github.com/**", "/api/v3"], ["https://raw.githubusercontent.com/**", "/raw"]])
        await page.route(pattern, async (route) => {
          const { pathname, search } = new URL(route.request().url());
          const answer = await fetch(forge.url + base + pathname + search);
          const headers = { "access-control-allow-origin": "*", "content-type": answer.headers.get("content-type") ?? "text/plain" };
          await route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
        });
    },
  });
  assert.equal(checks.length, 4);
  assert.equal(await page.evaluate(() => window.said), "Outlined.");
  const prompt = JSON.stringify(server.requests[0].body.messages);
  assert.match(prompt, /Do outline well/);
  assert.match(prompt, /Our style/);
});

test("the table of docs/skills.md lists exactly the codes of notices about skills", () => {
  const codes = codesOf("skills", "problems");
  const { rows } = tables("docs/skills.md").find(({ comment }) => comment === "codes of notices about skills");
  assert.ok(codes.length > 15);
  assert.deepEqual(rows.flatMap(([cell]) => names(cell)).sort(), codes.sort());
});

test("the messages of the log that docs/hooks.md lists are those of the code", () => {
  const source = readdirSync(join(root, "crates"), { recursive: true }).filter((name) => name.endsWith(".rs")).map((name) => readFileSync(join(root, "crates", name), "utf8")).join("\n");
  const { rows } = tables("docs/hooks.md").find(({ comment }) => comment === "messages of the log");
  assert.ok(rows.length > 5);
  for (const [cell] of rows) assert.ok(source.includes(`"${cell.replaceAll("`", "")}"`), cell);
});

test("the examples of docs/ui.md put the assistant into a page, and give the documented results", async (t) => {
  const server = await model(t, [{ calls: [call("a", "replace_text", { old: "old drink", new: "very old drink" })] }, { say: "Done." }]);
  const elements = 'for (const name of ["assistant", "review-bar", "selection-menu"]) document.body.append(document.createElement("copydesk-" + name));';
  const [page, ...others] = blocks("docs/ui.md").map(withChecks);
  const prepare = async (fresh) => {
    fresh.on("dialog", (dialog) => dialog.accept("sk-from-the-user"));
    await fresh.route("https://api.openai.com/v1/**", async (route) => {
      const answer = await fetch(`${server.baseUrl}/chat/completions`, { method: "POST", body: route.request().postData() });
      await route.fulfill({ status: answer.status, headers: { "access-control-allow-origin": "*", "content-type": answer.headers.get("content-type") }, body: await answer.text() });
    });
  };
  const { checks, page: shown } = await run(t, "ui-examples", [elements, page, ...others], { prepare });
  assert.equal(checks.length, 11);
  await shown.fill("#composer", "Make the tea older");
  await shown.press("#composer", "Enter");
  await shown.waitForSelector(".run-end");
  assert.equal(await shown.textContent(".row-text"), "Replaced “old drink” with “very old drink”");
  assert.equal(await shown.textContent(".copydesk-count"), "1 change");
  await shown.click(".copydesk-accept-all");
  assert.match(await shown.innerHTML(".tiptap"), /very old drink/);
});

test("docs/ui.md has the code of the starters", () => {
  for (const file of ["assistant/main.js", "assistant-react/main.jsx", "assistant-vue/App.vue"])
    assert.ok(read("docs/ui.md").includes(read(`examples/${file}`)), file);
});

test("docs/ui.md lists what the elements have, and nothing else", () => {
  const { modules } = JSON.parse(readFileSync(join(root, "pkg/custom-elements.json"), "utf8"));
  const shared = new Set(["locale", "words", "disabled"]);
  const sections = read("docs/ui.md").split(/^## /m);
  for (const { declarations } of modules)
    for (const { tagName, members = [], events = [], slots = [], cssParts = [], cssProperties = [] } of declarations) {
      const section = sections.find((text) => text.startsWith(`\`<${tagName}>\``));
      assert.ok(section, `docs/ui.md has a section about <${tagName}>`);
      const live = `examples/elements/elements/${tagName.replace("copydesk-", "")}.js`;
      assert.ok(section.includes(`[Live example](../${live})`) && existsSync(join(root, live)), `${tagName} has a live example`);
      const listed = [...section.matchAll(/^\| (?:`([\w-]+)(?:\(\))?`|(default)) \|/gm)].map(([, name, slot]) => (slot ? "" : name));
      const wanted = [members.filter(({ name }) => !shared.has(name)), events, slots, cssParts].flat().map(({ name }) => name);
      assert.deepEqual(listed.sort(), wanted.sort(), tagName);
      for (const { name } of cssProperties) assert.ok(read("docs/ui.md").includes(`| \`${name}\` |`), name);
    }
});

test("links inside the documentation lead to existing pages and headings", () => {
  const anchors = (path) => [...read(path).replace(/^```[^]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading.toLowerCase().replace(/[^\w\s-]/g, "").replace(/ /g, "-"));
  for (const path of PAGES) {
    // A link within code is an example.
    const prose = read(path).replace(/^```[^]*?^```$|(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/gm, "");
    for (const [, link] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue;
      const [file, anchor] = link.split("#");
      const target = file ? join(dirname(path), file) : path;
      assert.ok(existsSync(join(root, target)), `${path}: ${link}`);
      if (anchor) assert.ok(anchors(target).includes(anchor), `${path}: ${link}`);
    }
  }
});

test("every example of the documentation is run", () => {
  // tests/packaging runs the package's example that needs no editor.
  assert.deepEqual(blocksLeft(), ["pkg-template/README.md 1"]);
});
