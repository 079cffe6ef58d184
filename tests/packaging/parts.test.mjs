// The page build in two files: the first one by itself, and with the later one.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Agent, Document, init, loadRest } from "copydesk";
import { full } from "copydesk/full";
import { page } from "copydesk/parts";

const text = (text) => ({ type: "paragraph", content: [{ type: "text", text }] });
const DOCUMENT = { type: "doc", content: [text("Green tea."), text("Black tea.")] };
const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://example.com", apiKey: "k" } };

/** A model whose first answer replaces a text. */
function model() {
  let answers = 0;
  const args = JSON.stringify({ old: "Black", new: "White" });
  const call = { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "replace_text", arguments: args } }] };
  return async () => {
    const delta = answers++ ? { content: "Done." } : call;
    const events = [{ choices: [{ index: 0, delta }] }, { choices: [{ index: 0, delta: {}, finish_reason: answers > 1 ? "stop" : "tool_calls" }] }];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") + "data: [DONE]\n\n";
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

const update = { operation: "replace", sectionIndex: 0, content: "<p>Oolong.</p>" };
const later = { name: "CopydeskError", code: "not_loaded", message: /loadRest\(\)/ };

const bytesOf = (name) => readFileSync(new URL(import.meta.resolve(`copydesk/${name}`)));

/** Returns a file with another mark of its build. */
function ofAnotherBuild(wasm) {
  const copy = Buffer.from(wasm);
  copy[copy.length - 1] ^= 1;
  return copy;
}

await init(undefined, page);

/** Calls of all functions of the later part, by the function of the core that they call. */
function calls() {
  const { AgentHandle, DocumentHandle, DocumentSource, FileIndex, modelUrl, selectPaths } = page.glue;
  const handle = DocumentHandle.fromJSON(new TextEncoder().encode(JSON.stringify(DOCUMENT)), undefined, undefined, "en");
  const source = new DocumentSource(handle);
  const app = { has: () => false };
  return {
    new_agent: () => new AgentHandle(handle, {}, undefined, app, () => {}, false),
    apply_update: () => handle.apply(JSON.stringify(update)),
    handle_for_agent: () => handle.forAgent(undefined),
    check_range: () => handle.checkScope(0, 5),
    check_update: () => handle.check(JSON.stringify(update)),
    specs_of_tools: () => handle.toolSpecs("en"),
    set_file: () => new FileIndex().set("a.md", "a"),
    remove_file: () => new FileIndex().remove("a.md"),
    search_files: () => new FileIndex().search('{"pattern":"a"}'),
    check_files: () => new FileIndex().check("timeline"),
    selected_paths: () => selectPaths('["a.md"]', "*.md", "en"),
    beginning: () => source.begin(),
    changes: () => source.update(),
    answer_to: () => source.answer('{"revision":0,"turn":null,"request":"Sync"}'),
    url_of: () => modelUrl(llmConfig, "en"),
  };
}

/** Returns the outcome of a call: the code of an error, or undefined. A trap of the wasm fails. */
function outcome(call) {
  try {
    call();
  } catch (thrown) {
    assert.ok(!(thrown instanceof WebAssembly.RuntimeError), `${call}: ${thrown}`);
    return thrown.code;
  }
}

test("all functions of the later part are called here", () => {
  const folder = new URL("../../src/", import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith(".rs") && name !== "parts.rs");
  const declared = sources.flatMap((name) => {
    const source = readFileSync(new URL(name, folder), "utf8");
    return [...source.matchAll(/^later! \{\s+"(\d\d)"[^{]*?fn (\w+)\(/gm)].map(([, number, name]) => ({ number, name }));
  });
  assert.deepEqual(declared.map(({ name }) => name).sort(), Object.keys(calls()).sort());
  assert.equal(new Set(declared.map(({ number }) => number)).size, declared.length, "a number is that of two functions");
});

test("before the later part is there, its functions fail with not_loaded, and the others work", () => {
  for (const [name, call] of Object.entries(calls())) assert.equal(outcome(call), "not_loaded", name);

  const document = Document.fromJSON(DOCUMENT);
  assert.throws(() => document.apply(update), later);
  assert.throws(() => new Agent({ document, llmConfig }), later);
  assert.equal(document.toHTML(), "<p>Green tea.</p><p>Black tea.</p>");
  assert.match(document.numbered(), /1: Green tea\./);
  document.setGuards({ images: "any" });
  assert.equal(document.hunks().length, 0);
  assert.equal(document.outline().length, 1);
  assert.ok(document.version);
});

test("hunks are restored and decided by the first part", async () => {
  // Proposed by a build in one file.
  await full.glue.default({ module_or_path: await WebAssembly.compile(bytesOf("copydesk_full_bg.wasm")) });
  const proposed = full.glue.DocumentHandle.fromJSON(new TextEncoder().encode(JSON.stringify(DOCUMENT)), undefined, undefined, "en");
  proposed.setMode("review");
  proposed.apply(JSON.stringify({ operation: "replace", sectionIndex: 0, content: "<p>Green tea.</p><p>Red tea.</p>" }));
  const hunks = proposed.hunks();
  assert.ok(hunks.length > 0);

  const document = Document.fromJSON(DOCUMENT);
  document.restoreHunks(hunks);
  assert.deepEqual(document.hunks().map(({ newText }) => newText), hunks.map(({ newText }) => newText));
  document.accept("all");
  assert.equal(document.toHTML(), proposed.toHTML());
  document.undoDecision();
  document.reject("all");
  assert.equal(document.toHTML(), "<p>Green tea.</p><p>Black tea.</p>");
});

test("a later part that cannot be loaded can be loaded again", async () => {
  const wrong = { name: "CopydeskError", code: "wasm_load" };
  await assert.rejects(loadRest(new URL("file:///nowhere.wasm")), wrong);
  await assert.rejects(loadRest(new Uint8Array([0, 97, 115])), wrong);
  await assert.rejects(loadRest(bytesOf("copydesk_bg.wasm")), wrong);
  await assert.rejects(loadRest(ofAnotherBuild(bytesOf("copydesk_later_bg.wasm"))), { ...wrong, message: /different builds or versions/ });
  assert.equal(outcome(calls().new_agent), "not_loaded");

  await Promise.all([loadRest(), loadRest()]);
  for (const [name, call] of Object.entries(calls())) assert.notEqual(outcome(call), "not_loaded", name);
});

test("with the later part an agent edits a document that was there before", async () => {
  await loadRest();
  const document = Document.fromJSON(DOCUMENT);
  const agent = new Agent({ document, llmConfig, fetch: model() });
  const { status, text } = await agent.prompt("White, please");
  assert.deepEqual({ status, text }, { status: "complete", text: "Done." });
  assert.equal(document.toHTML(), "<p>Green tea.</p><p>White tea.</p>");
  agent.dispose?.();
});
