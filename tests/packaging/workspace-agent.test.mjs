// An agent whose tools work on a workspace.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, init } from "copydesk";
import { memoryWorkspace } from "copydesk/workspace";

/** Runs a prompt with a model that makes these calls, one in each turn. Returns the results of the tools. */
async function run(files, calls, between = () => {}) {
  await init();
  const turns = calls.map(([name, given], at) => ({ tool_calls: [{ index: 0, id: `c${at}`, function: { name, arguments: JSON.stringify(given) } }] }));
  const deltas = [...turns, { content: "Done." }];
  let turn = 0;
  const fetch = async () => {
    await between(turn++);
    const chunk = { choices: [{ delta: deltas.shift(), finish_reason: "stop" }] };
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  };
  const model = { api: "openai-completions", modelId: "m" };
  const agent = new Agent({ workspace: files, fetch, locale: "en", llmConfig: { model, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } } });
  const results = [];
  agent.subscribe((event) => event.type === "tool_result" && results.push({ isError: event.isError, content: JSON.stringify(event.content) }));
  const { status, text, error } = await agent.prompt("Go");
  assert.deepEqual({ status, text }, { status: "complete", text: "Done." }, JSON.stringify(error));
  agent.dispose();
  return results;
}

test("an agent writes, reads, searches and checks the files, and its writes are versions of the agent's", async (t) => {
  const files = memoryWorkspace({ "notes.md": "Rain on day one.\n" }, { locale: "en" });
  t.after(() => files.close());
  const results = await run(files, [
    ["write_chapter", { number: 1, content: "# One\n\nDay 1. It rains.\n" }],
    ["write_file", { path: "chapters/ch002.md", content: "# Two\n\nDay 5. [REF:letter]\n" }],
    ["read_file", { path: "notes.md" }],
    ["edit_file", { path: "notes.md", old_text: "day one", new_text: "day 1" }],
    ["search_files", { pattern: "rain\\w*", regex: true }],
    ["verify_strict_timeline", {}],
    ["verify_strict_references", {}],
    ["list_files", {}],
    ["read_file", { path: "../secret" }],
  ]);
  assert.deepEqual(results.map(({ isError }) => isError), [...Array(8).fill(false), true], JSON.stringify(results, null, 1));
  assert.equal((await files.read("chapters/ch001.md")).text, "# One\n\nDay 1. It rains.\n");
  assert.match(results[4].content, /chapters\/ch001\.md[^]*notes\.md/);
  assert.match(results[5].content, /chapters\/ch002\.md/);
  assert.match(results[6].content, /letter/);
  assert.match(results[7].content, /chapters\/ch002\.md/);
  const versions = await files.versions("notes.md");
  assert.deepEqual(versions.map(({ author }) => author), ["agent", "outside"]);
  assert.equal(await files.readVersion("notes.md", versions[1].id), "Rain on day one.\n");
});

test("what the user changes after the agent has read it is not overwritten", async (t) => {
  const files = memoryWorkspace({ "a.md": "The first line.\n" }, { locale: "en" });
  t.after(() => files.close());
  const results = await run(
    files,
    [["read_file", { path: "a.md" }], ["write_file", { path: "a.md", content: "The agent's.\n" }]],
    (turn) => turn === 1 && files.write("a.md", "The user's.\n"),
  );
  assert.deepEqual(results.map(({ isError }) => isError), [false, true]);
  assert.equal((await files.read("a.md")).text, "The user's.\n");
});

test("a search for nothing is an error that tells the model what to give", async (t) => {
  const files = memoryWorkspace({ "a.md": "tea\n" }, { locale: "en" });
  t.after(() => files.close());
  const results = await run(files, [
    ["search_files", { pattern: "" }],
    ["search_files", { pattern: "", regex: true }],
    ["search_content", { keyword: "" }],
  ]);
  for (const { isError, content } of results) {
    assert.equal(isError, true);
    assert.match(content, /ValueError: the pattern is not valid: \\"\\"\. Give a text/);
  }
});
