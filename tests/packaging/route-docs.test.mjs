// docs/route.md and docs/moving.md: their tables are complete, their examples run.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { names, read, tables } from "../browser/docs.mjs";
import { root } from "../browser/serving.mjs";
import { Document, init } from "../../pkg/index.js";
import * as route from "../../pkg/route.js";
import { call, llmConfigOf, model } from "./route-server.mjs";

const PAGE = "docs/route.md";

test("the table of errors has the codes and statuses of the route", () => {
  const [, statuses] = /^const STATUS = \{\n([^]*?)^\}/m.exec(read("pkg-template/src/route/errors.ts"));
  const defined = [...statuses.matchAll(/^ {2}(\w+): (\d+),$/gm)].map(([, code, status]) => `${code} ${status}`);
  assert.ok(defined.length > 10);
  const { rows } = tables(PAGE).find(({ comment }) => comment === "codes of route/errors.ts");
  const listed = rows.flatMap(([codes, status]) => names(codes).map((code) => `${code} ${status}`));
  assert.deepEqual(listed.sort(), defined.sort());
});

test("the table of the reader's errors has its codes", () => {
  const [, messages] = /^export const chat = \{\n([^]*?)^\};/m.exec(read("pkg-template/src/languages/en/chat.ts"));
  const defined = [...messages.matchAll(/^ {2}(\w+):/gm)].map(([, code]) => code);
  const { rows } = tables(PAGE).find(({ comment }) => comment === "codes of route/stream-chat.ts");
  assert.deepEqual(rows.flatMap(([codes]) => names(codes)).sort(), defined.sort());
});

test("the examples import what there is, and a route whose members are those of the table", () => {
  const imported = [...read(PAGE).matchAll(/import \{ (\w+) \} from "copydesk\/route"/g)].map(([, name]) => name);
  assert.ok(imported.length >= 2);
  for (const name of imported) assert.equal(typeof route[name], "function");
  const { rows } = tables(PAGE).find(({ header }) => header[0] === "member");
  assert.deepEqual(rows.flatMap(([cell]) => names(cell)).sort(), Object.keys(route.createDocAgentRoute()).sort());
});

test("the pages of the reference are listed in docs/README.md", () => {
  const page = readFileSync(new URL("../../docs/README.md", import.meta.url), "utf8");
  for (const name of ["route.md", "moving.md"]) assert.ok(page.includes(`(${name})`), name);
});

test("docs/moving.md: a front end that reads by hand and one with the reader work with the route of the page", async (t) => {
  await init();
  const [server, byHand, withReader] = [...read("docs/moving.md").matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  // Inside of the project, where the packages are.
  const home = join(root, "tests/browser/.built", `moving-${process.pid}`);
  mkdirSync(home, { recursive: true });
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const module = async (name, code) => {
    writeFileSync(join(home, `${name}.mjs`), code);
    return import(join(home, `${name}.mjs`));
  };
  const saved = [];
  const given = `const { save, url, body, editor, eventsOf, applyToEditor, show } = globalThis.moving;\n`;
  globalThis.moving = { save: (...of) => void saved.push(of) };
  t.after(() => delete globalThis.moving);
  // A free port, and without the warnings about files that only the reader has.
  const onFreePort = server.replace("port: 8787", "port: 0").replace("serve({", "export const server = serve({").replace("origins:", "logger: {warning() {}}, origins:");
  const { server: running } = await module("server", given + onFreePort);
  t.after(() => new Promise((closed) => (running.closeAllConnections(), running.close(closed))));
  if (!running.listening) await new Promise((ready) => running.once("listening", ready));

  const edit = { calls: [call("a", "update_section", { operation: "append", title: "Kinds", content: "<p>Green.</p>" })] };
  const llm = await model(t, ({ messages }) => (messages.at(-1).role === "tool" ? { say: "Done." } : edit));
  const KINDS = "<h1>Tea</h1><h2>Kinds</h2><p>Green.</p>";
  for (const [name, code] of Object.entries({ byHand, withReader })) {
    const editor = Document.fromHTML("<h1>Tea</h1>");
    editor.getHTML ??= editor.toHTML;
    const types = [];
    async function* eventsOf(stream) {
      const text = await new Response(stream).text();
      for (const [, json] of text.matchAll(/^data: (.*)$/gm)) yield JSON.parse(json);
    }
    Object.assign(globalThis.moving, {
      url: `http://127.0.0.1:${running.address().port}/api/doc-agent-chat`,
      body: { message: "Add kinds", documentId: name, llmConfig: llmConfigOf(llm) },
      editor,
      eventsOf,
      applyToEditor: (event) => void editor.apply(event),
      show: ({ type }) => void types.push(type),
    });
    await module(name, given + code);
    assert.equal(editor.toHTML(), KINDS, name);
    assert.deepEqual([types[0], types.at(-1)], ["agent_start", "complete"]);
    assert.deepEqual(saved.at(-1), [name, KINDS]);
  }
});
