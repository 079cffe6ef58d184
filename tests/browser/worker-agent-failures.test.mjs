// An agent in a worker when something goes wrong: the worker does not load or is gone, the user types all the time, the
// agent is disposed. Every run ends, and no edit is lost or made twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";
import { begin, call, chunk, give, model } from "./model.mjs";

const open = opener("worker-agent");
const ARTICLE = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>It is old.</p>";
const line = (id, number, content) => call(id, "edit_current_editor_document", { start_line: number, end_line: number, content });

/** Opens a page whose `agentWith(options)` creates agents in `window.worker`, which is created when it is first used. */
async function pageWith(t, answers, { html = ARTICLE, ...options } = {}) {
  const server = await model(t, answers);
  const page = await open(t, options);
  await page.waitForFunction(() => window.readyForWorkers);
  await page.evaluate(() => {
    window.Agent = function (options) {
      const { loadTimeout, ...rest } = options;
      window.worker ??= newWorker();
      return createWorkerAgent(worker, rest, loadTimeout && { loadTimeout });
    };
  });
  await give(page, server.baseUrl, html);
  return Object.assign(page, { requests: server.requests });
}

const LOADS = {
  "a script that is missing": () => (window.worker = new Worker("/missing.js", { type: "module" })),
  "a script that throws": () => (window.worker = new Worker(URL.createObjectURL(new Blob(["throw new Error('broken')"], { type: "text/javascript" })))),
  "a script that serves no agents": () => (window.worker = new Worker(URL.createObjectURL(new Blob([""], { type: "text/javascript" })))),
};

for (const [name, load] of Object.entries(LOADS))
  test(`a worker that does not load: ${name}`, async (t) => {
    const page = await pageWith(t, [], { expected: [/404/, /broken/] });
    await page.evaluate(load);
    const { results, seen, code, messages } = await page.evaluate(async () => {
      agentWith({ loadTimeout: 300 });
      const results = [await agent.prompt("Work"), await agent.prompt("Work again")];
      await agent.waitForIdle();
      const { messages } = agent;
      agent.dispose();
      return { results, seen: events.map(({ type, seq, code }) => [seq, type, code]), code: events.at(-1).code, messages };
    });
    assert.deepEqual(results.map(({ status, error }) => [status, error.code]), [["error", "worker_load"], ["error", "worker_load"]]);
    assert.match(results[0].error.message, /serveAgents\(self\)/);
    assert.deepEqual(seen.map(([seq]) => seq), seen.map((_, at) => at + 1));
    assert.equal(code, "worker_load");
    assert.equal(messages.at(-1).content, "Work again");
  });

test("a worker that cannot load the wasm says so", async (t) => {
  const page = await pageWith(t, [], { expected: [/404/] });
  const error = await page.evaluate(async () => {
    window.worker = newBrokenWorker();
    return (await agentWith().prompt("Work")).error;
  });
  assert.equal(error.code, "wasm_load");
  assert.match(error.message, /404/);
});

test("a worker that is terminated in the middle of an answer: the run ends, and another agent goes on", async (t) => {
  const half = (response) => begin(response).write(chunk({ content: "Half" }));
  const page = await pageWith(t, [{ calls: [call("a", "read_lines")] }, { calls: [line("b", 2, "A new leaf.")] }, half, { say: "Finished." }]);
  const seen = await page.evaluate(async () => {
    agentWith();
    const stop = agent.subscribe(({ type }) => type === "content" && worker.terminate());
    const result = await agent.prompt("Work");
    stop();
    const types = events.map(({ type }) => type);
    const { messages, state } = agent;
    const after = await agent.prompt("More");
    agent.dispose();
    window.worker = newWorker();
    agentWith().messages = messages;
    const next = await agent.continue();
    return { result, types, isStreaming: state.isStreaming, errorMessage: state.errorMessage, after: after.error.code, next, html: editor.getHTML() };
  });
  assert.deepEqual([seen.result.status, seen.result.error.code], ["error", "worker_stopped"]);
  assert.deepEqual(seen.types.slice(-2), ["content", "error"]);
  assert.equal(seen.isStreaming, false);
  assert.equal(seen.errorMessage, seen.result.error.message);
  assert.equal(seen.after, "worker_stopped");
  assert.equal(seen.next.text, "Finished.");
  assert.match(seen.html, /A new leaf/);
});

test("a worker that is gone before a run begins: the prompt is in the conversation", async (t) => {
  const page = await pageWith(t, [{ say: "Done." }, { say: "Again." }, { say: "Again." }]);
  const seen = await page.evaluate(async () => {
    agentWith();
    await agent.prompt("Work");
    const lost = agent.prompt("More");
    worker.terminate();
    const { error } = await lost;
    const { messages } = agent;
    window.worker = newWorker();
    agentWith().messages = messages;
    return { code: error.code, roles: messages.map(({ role }) => role), text: (await agent.continue()).text };
  });
  assert.deepEqual(seen, { code: "worker_stopped", roles: ["user", "assistant", "user"], text: "Again." });
});

test("a worker that is gone right after its edit was made: the edit is not made again", async (t) => {
  const page = await pageWith(t, [{ calls: [call("a", "read_lines")] }, { calls: [call("b", "update_section", { operation: "append", title: "End", content: "<p>Once.</p>" })] }, { say: "Done." }]);
  const seen = await page.evaluate(async () => {
    agentWith();
    editor.on("update", () => worker.terminate());
    const { error } = await agent.prompt("Work");
    const { messages } = agent;
    editor.off("update");
    window.worker = newWorker();
    agentWith().messages = messages;
    const next = await agent.continue();
    return { code: error.code, result: messages.at(-1), next, html: editor.getHTML() };
  });
  assert.equal(seen.code, "worker_stopped");
  assert.deepEqual([seen.result.role, seen.result.toolCallId, seen.result.content.success], ["toolResult", "b", true]);
  assert.equal(seen.next.text, "Done.");
  assert.equal(seen.html.split("Once.").length, 2);
});

test("dispose during a run ends it, its request and its hold on the worker, which serves others", async (t) => {
  const half = (response) => begin(response).write(chunk({ content: "Half" }));
  const page = await pageWith(t, [half, { say: "Another." }]);
  const seen = await page.evaluate(async () => {
    agentWith();
    const run = agent.prompt("Work");
    await until(() => saw("content").length);
    agent.dispose();
    const { status } = await run;
    await agent.waitForIdle();
    const locks = async () => (await navigator.locks.query()).held.length;
    while (await locks()) await new Promise((resolve) => setTimeout(resolve, 5));
    const code = await agent.prompt("More").catch(({ code }) => code);
    agentWith();
    const first = agent;
    const next = await agentWith().prompt("Work");
    first.dispose();
    return { status, code, next };
  });
  await page.requests[0].cut;
  assert.deepEqual([seen.status, seen.code, seen.next.text], ["aborted", "disposed", "Another."]);
});

test("without Web Locks dispose ends the run of a worker that is gone", async (t) => {
  const prepare = (page) => page.addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }));
  const half = (response) => begin(response).write(chunk({ content: "Half" }));
  const page = await pageWith(t, [half], { prepare });
  const status = await page.evaluate(async () => {
    agentWith();
    const run = agent.prompt("Work");
    await until(() => saw("content").length);
    worker.terminate();
    agent.dispose();
    await agent.waitForIdle();
    return (await run).status;
  });
  assert.equal(status, "aborted");
});

test("a user who types in every task: no character and no edit is lost, nothing is overwritten", async (t) => {
  const edits = Array.from({ length: 8 }, (_, at) => ({ calls: [call(`e${at}`, "replace_text", { old: `old ${at}.`, new: `new ${at}.` })] }));
  const html = `<h1>Tea</h1>${Array.from({ length: 8 }, (_, at) => `<p>old ${at}.</p>`).join("")}`;
  const page = await pageWith(t, [{ calls: [call("a", "read_lines")] }, ...edits, { say: "Done." }], { html });
  const seen = await page.evaluate(async () => {
    agentWith();
    const { port1, port2 } = new MessageChannel();
    const lines = editor.state.doc.childCount;
    let [isOver, typed, at] = [false, 0, 0];
    const typing = new Promise((resolve) => {
      port1.onmessage = () => {
        if (isOver) return resolve();
        // At the beginning of each line in turn.
        const start = editor.state.doc.children.slice(0, at++ % lines).reduce((sum, { nodeSize }) => sum + nodeSize, 1);
        editor.view.dispatch(editor.state.tr.insertText("x", start));
        typed++;
        setTimeout(() => port2.postMessage(null), 1);
      };
      port2.postMessage(null);
    });
    const result = await agent.prompt("Work");
    isOver = true;
    await typing;
    const failed = saw("tool_result").filter(({ isError }) => isError);
    return { result, typed, failed, text: editor.getText(), updates: saw("doc_update").length };
  });
  assert.equal(seen.result.status, "complete");
  assert.equal(seen.text.split("x").length - 1, seen.typed, "every character is there");
  const made = seen.text.match(/new \d\./g) ?? [];
  assert.equal(made.length, seen.updates);
  assert.equal(made.length + seen.failed.length, 8);
  // Where the user typed into the very text, the call fails with the current text.
  for (const { content } of seen.failed) assert.match(content.error.code, /stale|no_match/);
});

test("an editor that is destroyed during a run", async (t) => {
  const page = await pageWith(t, [{ calls: [call("a", "read_lines")] }, { calls: [line("b", 2, "Never.")] }, { say: "Sorry." }]);
  const seen = await page.evaluate(async () => {
    agentWith();
    agent.subscribe(({ type, toolId }) => type === "tool_result" && toolId === "a" && editor.destroy());
    return { result: await agent.prompt("Work"), last: saw("tool_result").at(-1) };
  });
  assert.equal(seen.last.content.error.code, "editor_destroyed");
  assert.equal(seen.result.status, "complete");
});

test("unfinished calls are shown in the editor, also while the user types", async (t) => {
  let rest;
  const part = (text) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  const slow = (response) => {
    const first = { index: 0, id: "b", type: "function", function: { name: "edit_current_editor_document", arguments: '{"start_line": 2, "end_line": 2, "content": "A leaf that ' } };
    begin(response).write(chunk({ tool_calls: [first] }));
    rest = () => {
      response.write(part("grows "));
      return () => response.end(part('here."}') + chunk({}, "tool_calls") + "data: [DONE]\n\n");
    };
  };
  const page = await pageWith(t, [{ calls: [call("a", "read_lines")] }, slow, { say: "Done." }]);
  await page.evaluate(() => void (window.run = agentWith().prompt("Work")));
  await page.waitForFunction(() => document.querySelector(".copydesk-preview")?.textContent.includes("A leaf that"));
  await page.evaluate(() => editor.commands.insertContentAt(0, "<p>Typed.</p>"));
  const end = rest();
  await page.waitForFunction(() => document.querySelector(".copydesk-preview")?.textContent.includes("grows"));
  const replaced = await page.evaluate(() => document.querySelector(".copydesk-replaced").textContent);
  end();
  const html = await page.evaluate(async () => (await run, editor.getHTML()));
  assert.equal(replaced, "A leaf.");
  assert.match(html, /<p>Typed\.<\/p><h1>Tea<\/h1><p>A leaf that grows here\.<\/p>/);
  assert.equal(await page.evaluate(() => document.querySelector(".copydesk-preview")), null);
});

test("20,000 parts of an answer arrive in their order", async (t) => {
  const many = (response) => response.end(Array.from({ length: 20_000 }, (_, at) => chunk({ content: `${at} ` })).join("") + chunk({}, "stop") + "data: [DONE]\n\n");
  const page = await pageWith(t, [(response) => many(begin(response))]);
  const seen = await page.evaluate(async () => {
    agentWith();
    const streamed = [];
    agent.subscribe(({ type, seq }) => type === "content" && streamed.push(agent.state.streamingMessage.content[0].text.length > 0));
    const result = await agent.prompt("Count");
    return { text: result.text, parts: saw("content").map(({ content }) => content).join(""), seqs: events.every(({ seq }, at) => seq === at + 1), streamed };
  });
  const expected = Array.from({ length: 20_000 }, (_, at) => `${at} `).join("");
  assert.equal(seen.text, expected);
  assert.equal(seen.parts, expected);
  assert.ok(seen.seqs && seen.streamed.every(Boolean));
});

test("actions of the editor use the agent in the worker", async (t) => {
  const page = await pageWith(t, [{ calls: [line("a", 2, "A better leaf."), line("b", 4, "Outside.")] }, { say: "Done." }]);
  const seen = await page.evaluate(async () => {
    agentWith({ documentInPrompt: true });
    editor.commands.setTextSelection({ from: 6, to: 12 });
    const started = editor.commands.askAgent({ instruction: "Improve this", review: false });
    const result = await editor.storage.copydesk.ask.result;
    return { started, result, html: editor.getHTML(), outside: saw("tool_result")[1].content.error?.code };
  });
  assert.deepEqual([seen.started, seen.result.text, seen.outside], [true, "Done.", "out_of_scope"]);
  assert.match(seen.html, /A better leaf/);
});

test("what cannot be used is refused at once", async (t) => {
  const page = await pageWith(t, []);
  const refused = await page.evaluate(() => {
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "/v1" } };
    const given = [
      [null, { document: editor, llmConfig }],
      [newWorker(), { document: editor, llmConfig, record: true }],
      [newWorker(), { document: editor, llmConfig: { ...llmConfig, model: {} } }],
      [newWorker(), { document: null, llmConfig }],
      [newWorker(), { document: editor, llmConfig }, { loadTimeout: -1 }],
    ];
    return given.map((parameters) => {
      try {
        createWorkerAgent(...parameters);
      } catch ({ code, message }) {
        return [code, message];
      }
    });
  });
  for (const error of refused) assert.match(error?.[0] ?? "", /invalid_parameter|config/);
});

test("URLs that are relative to the page, and a document without an editor", async (t) => {
  const page = await pageWith(t, []);
  const asked = [];
  await page.context().route("**/relative/v1/chat/completions", (route) => {
    asked.push(route.request().url());
    const body = asked.length === 1 ? chunk({ tool_calls: [{ index: 0, ...{ id: "a", type: "function", function: { name: "replace_text", arguments: '{"old":"leaf","new":"plant"}' } } }] }) + chunk({}, "tool_calls") : chunk({ content: "Done." }) + chunk({}, "stop");
    return route.fulfill({ contentType: "text/event-stream", body: `${body}data: [DONE]\n\n` });
  });
  const seen = await page.evaluate(async () => {
    const article = Document.fromJSON(editor.getJSON());
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "./relative/v1" } };
    const agent = createWorkerAgent(newWorker(), { document: article, llmConfig });
    return { result: await agent.prompt("Work"), text: JSON.stringify(article.toJSON()) };
  });
  assert.equal(seen.result.text, "Done.");
  assert.deepEqual([...new Set(asked)], [new URL("relative/v1/chat/completions", page.url()).href]);
  assert.match(seen.text, /A plant\./);
});
