// An agent in a worker behaves as one in the page: each scenario runs with both, and everything that the app, the user
// and the model see is the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";
import { begin, call, chunk, give, model, status } from "./model.mjs";

const open = opener("worker-agent");
const ARTICLE = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>It is old.</p><h2>Taste</h2><p>It is bitter.</p>";
const line = (id, number, content) => call(id, "edit_current_editor_document", { start_line: number, end_line: number, content });

/**
 * Runs a scenario with one kind of agent: `run` in the page, which calls `agentWith(options)`, with a model that gives
 * `answers()`. Returns what can be seen of it.
 */
async function observe(t, kind, { html = ARTICLE, answers, run, editor = {}, expected }) {
  const { baseUrl, requests } = await model(t, answers());
  const page = await open(t, { expected });
  await page.waitForFunction(() => window.readyForWorkers);
  if (kind === "worker") await page.evaluate(() => (window.Agent = function (options) { return createWorkerAgent(newWorker(), options); }));
  await give(page, baseUrl, html);
  await page.evaluate(
    ({ html, editor, baseUrl }) => {
      window.baseUrl = baseUrl;
      if (Object.keys(editor).length) edit(html, { copydesk: editor });
      window.before = window.editor.getHTML();
      /** Undoes everything, and returns the documents after each step. */
      window.undone = () => {
        const documents = [];
        while (window.editor.commands.undo()) documents.push(window.editor.getHTML());
        return documents;
      };
    },
    { html, editor, baseUrl },
  );
  const outcome = await page.evaluate(run);
  const seen = await page.evaluate(() => {
    const { state, usage, isRunning } = agent;
    const pending = boundDocument.hunks().map(({ kind, conflict, from, to }) => ({ kind, conflict, from, to }));
    const shown = { ...state, pendingToolCalls: [...state.pendingToolCalls], tools: state.tools.length };
    return { events, html: editor.getHTML(), proposed: boundDocument.toHTML(), pending, messages: agent.messages, state: shown, usage, isRunning, ledger: agent.ledger };
  });
  const undone = await page.evaluate(() => undone());
  for (const event of seen.events) if (event.type === "retry") delete event.delayMs;
  for (const tool of seen.ledger.tools) delete tool.ms;
  seen.ledger.tools.sort((one, next) => one.name.localeCompare(next.name));
  for (const turn of seen.ledger.turns) turn.shares.sort((one, next) => String(one.toolId).localeCompare(next.toolId));
  seen.events = inOrderOfCalls(seen.events);
  const asked = requests.map(({ body, headers }) => ({ body, key: headers.authorization }));
  return named({ outcome: outcome ?? null, ...seen, undone, asked }, baseUrl);
}

const OF_CALLS = ["tool_args", "approval_request", "tool_use", "tool_update", "doc_update", "tool_result"];

/**
 * Events with those of calls grouped by call, because calls that run side by side may report in any order. The parts of
 * an answer are joined: how much of it arrives at once is up to the network.
 */
function inOrderOfCalls(events) {
  const sorted = [];
  let calls = new Map();
  const close = () => {
    for (const id of [...calls.keys()].sort()) sorted.push(...calls.get(id));
    calls = new Map();
  };
  for (const { seq, ...event } of events) {
    const isOfCall = OF_CALLS.includes(event.type);
    if (!isOfCall) close();
    const list = isOfCall ? (calls.get(event.toolId) ?? []) : sorted;
    if (isOfCall) calls.set(event.toolId, list);
    const last = list.at(-1);
    if (last?.type !== event.type || !["content", "thinking", "tool_args"].includes(event.type)) list.push(event);
    else if (event.type === "tool_args") list[list.length - 1] = event.delta === undefined ? event : { ...event, delta: last.delta + event.delta };
    else last.content += event.content;
  }
  close();
  return sorted;
}

/** The server and the turns by names that are the same in each run: a turn is named after its first appearance. */
function named(value, baseUrl) {
  const turns = [];
  const turn = (name) => `turn ${(turns.includes(name) ? turns : (turns.push(name), turns)).indexOf(name)}`;
  const url = baseUrl.slice(0, -3);
  const text = JSON.stringify(value).replaceAll(url, "http://model").replaceAll(new URL(url).host, "model");
  return JSON.parse(text.replace(/"(t\d+)"/g, (_, name) => `"${turn(name)}"`));
}

/** Runs a scenario with both kinds, and checks what they share with `check`. */
function scenario(name, { check, ...steps }) {
  test(name, async (t) => {
    const inPage = await observe(t, "page", steps);
    const inWorker = await observe(t, "worker", steps);
    // The scenario is what it says, before both are compared.
    check(inPage);
    for (const part of Object.keys(inPage)) {
      const [worker, page] = [inWorker[part], inPage[part]].map((value) => [value].flat().map((item) => JSON.stringify(item)));
      const at = page.findIndex((item, at) => item !== worker[at]);
      assert.equal(worker[at], page[at], `${part} ${at}`);
      assert.equal(worker.length, page.length, part);
    }
  });
}

const types = ({ events }) => events.map(({ type }) => type);
const resultOf = ({ events }, id) => events.find(({ type, toolId }) => type === "tool_result" && toolId === id);

scenario("plugins: what they add during a run counts from the next request on, with approval and notices", {
  answers: () => [{ calls: [call("a", "get_document")] }, { calls: [call("b", "server__delete", { path: "x" })] }, { say: "Done." }],
  run: async () => {
    const asked = [];
    const remove = tool("server__delete", (_, { path }) => `deleted ${path}`, { needsApproval: true });
    const plugin = {
      name: "test",
      connect: (host) => {
        window.host = host;
        return { ready: async () => void asked.push("ready"), close: () => asked.push("closed") };
      },
    };
    agentWith({ plugins: [plugin], rules: [{ id: "own", text: "Be brief." }] });
    agent.subscribe((event) => {
      if (event.type === "tool_use" && event.toolId === "a") {
        host.provide({ tools: [remove], rules: [{ id: "added", text: "Be kind." }], skills: [{ name: "tea", description: "Tea.", content: "Boil." }] });
        host.notice("test_notice", "A server is slow.");
      }
      if (event.type === "approval_request") agent.approve(event.toolId, true);
    });
    return (await agent.prompt("Go")).status;
  },
  check(seen) {
    assert.equal(seen.outcome, "complete");
    assert.deepEqual(seen.events.filter(({ type }) => type === "notice").map(({ code }) => code).sort(), ["settings_changed", "test_notice"]);
    assert.ok(types(seen).includes("approval_request"), "the tool asks for approval");
    assert.equal(resultOf(seen, "b").content, "deleted x");
    assert.match(seen.asked[1].body.messages[0].content, /Boil\.[^]*1\. Be brief\.\n2\. Be kind\.$/);
  },
});

scenario("a tool that the app adds in mid-run, or replaces, asks for the approval that it needs", {
  answers: () => [{ calls: [call("a", "remove", { path: "x" })] }, { calls: [call("b", "added", { path: "y" })] }, { say: "Done." }],
  run: async () => {
    const needing = (name) => tool(name, (_, { path }) => `deleted ${path}`, { needsApproval: true });
    agentWith({ tools: [tool("remove", () => "looked")] });
    agent.subscribe((event) => {
      if (event.type === "turn_start") agent.configure({ tools: [needing("remove"), needing("added")] });
      if (event.type === "approval_request") agent.approve(event.toolId, false);
    });
    return (await agent.prompt("Go")).status;
  },
  check(seen) {
    assert.equal(seen.outcome, "complete");
    for (const id of ["a", "b"]) assert.equal(resultOf(seen, id).content.error.code, "rejected", id);
  },
});

scenario("reading and edits: the same events, document, requests and undo steps", {
  answers: () => [
    { calls: [call("a", "read_lines"), call("b", "get_document")] },
    { calls: [line("c", 2, "A good leaf."), line("d", 4, "It is very old.")], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } },
    { say: "Both are done." },
  ],
  run: () => agentWith({ apiKey: "key", cost: { input: 1, output: 2 } }).prompt("Improve the lines"),
  check(seen) {
    assert.equal(seen.outcome.text, "Both are done.");
    assert.match(seen.html, /A good leaf.*very old/);
    assert.equal(seen.undone.length, 2, "one undo step per edit");
    assert.equal(seen.undone.at(-1), seen.undone[1]);
    assert.equal(seen.asked[0].key, "Bearer key");
  },
});

scenario("the document and the selection in requests", {
  answers: () => [{ calls: [line("a", 2, "A hot leaf.")] }, { say: "Done." }, { calls: [line("b", 6, "Bitter.")] }, { say: "Done." }],
  async run() {
    editor.commands.setTextSelection({ from: 6, to: 12 });
    agentWith({ documentInPrompt: true });
    const first = await agent.prompt("Make this hot");
    editor.commands.insertContentAt(6, "Not just a plant. ");
    return [first, await agent.prompt("Shorten the last line")];
  },
  check(seen) {
    assert.match(seen.asked[0].body.messages.find(({ content }) => content.includes("Selected"))?.content ?? "", /Selected: line 2/);
    assert.match(seen.html, /Not just a plant\. A hot leaf.*<p>Bitter\./);
  },
});

scenario("HTML of the editor's own schema, sections, images, Markdown, moves", {
  html: `${ARTICLE}<aside data-callout="note"><p>Kept.</p></aside><p>The end.</p>`,
  answers: () => [
    { calls: [call("a", "get_document"), call("b", "search_image", { query: "tea" })] },
    { calls: [call("c", "update_section", { operation: "replace", sectionIndex: 1, content: '<p>New <strong>text</strong>.</p><aside data-callout="tip"><p>Callout.</p></aside>' })] },
    { calls: [call("d", "update_section", { operation: "append", title: "End", content: "- one\n- **two**" }), call("e", "move_section", { sectionIndex: 2, toIndex: 1 })] },
    { calls: [call("f", "replace_text", { old: "bitter", new: "sweet" })] },
    { say: "Done." },
  ],
  run: () => agentWith({ services: { images: { provider: "openverse", baseUrl: `${baseUrl.replace("v1", "")}none` } }, maxRetries: 0 }).prompt("Work"),
  check(seen) {
    assert.ok(seen.html.includes("<strong>text</strong>"));
    assert.ok(seen.events.filter(({ type }) => type === "doc_update").length >= 3, JSON.stringify(seen.events.filter(({ isError }) => isError)));
  },
});

scenario("approval: by name and by function, approved and rejected", {
  answers: () => [
    { calls: [call("a", "read_lines")] },
    { calls: [line("b", 2, "Rejected."), line("c", 4, "Approved."), call("d", "save", { draft: true }), call("e", "save", { draft: false })] },
    { say: "Done." },
  ],
  async run() {
    const asks = [];
    const needs = ({ draft }) => asks.push(draft) && !draft;
    agentWith({ toolExecution: "sequential", needsApproval: ["edit_current_editor_document"], tools: [tool("save", ({}) => "saved", { needsApproval: needs })] });
    const states = [];
    agent.subscribe(({ type, toolId }) => {
      if (type !== "approval_request") return;
      states.push(agent.state.waitingForApproval.includes(toolId));
      agent.approve(toolId, toolId !== "b", toolId === "b" ? "too short" : null);
    });
    const result = await agent.prompt("Work");
    let code;
    try {
      agent.approve("b", true);
    } catch (error) {
      code = error.code;
    }
    return { result, asks, states: states.sort(), code };
  },
  check(seen) {
    assert.deepEqual(types(seen).filter((type) => type === "approval_request").length, 3);
    assert.equal(resultOf(seen, "b").content.error.code, "rejected");
    assert.match(seen.html, /Approved\./);
    assert.deepEqual(seen.outcome.asks, [true, false]);
    assert.equal(seen.outcome.code, "not_waiting");
  },
});

scenario("files: the workspace stays in the page, and its errors keep their codes", {
  answers: () => [
    { calls: [call("a", "read_file", { path: "a.md" }), call("b", "read_file", { path: "gone.md" })] },
    { calls: [call("c", "edit_file", { path: "a.md", old_text: "tea", new_text: "Tea" })] },
    { calls: [call("d", "edit_file", { path: "a.md", old_text: "Tea", new_text: "TEA" }), call("e", "verify_strict_timeline")] },
    { say: "Done." },
  ],
  async run() {
    const files = { "a.md": { text: "A cup of tea.", version: 1 } };
    const failure = (code, path) => Object.assign(new Error(code), { code, details: { path } });
    const workspace = {
      async read(path) {
        if (!files[path]) throw failure("file_not_found", path);
        return { path, text: files[path].text, version: String(files[path].version), size: 1 };
      },
      async write(path, text, { expected }) {
        if (expected !== String(files[path]?.version)) throw failure("file_changed", path);
        // The user changes the file after the agent's first edit.
        files[path] = { text: `${text} Hot.`, version: files[path].version + 2 };
        return { path, version: String(files[path].version - 1), created: false };
      },
      list: async () => [],
      search: async () => ({ matches: [], isCut: false }),
      check: async (kind, locale) => ({ errors: [], warnings: [{ kind, locale }] }),
    };
    agentWith({ workspace });
    return [await agent.prompt("Work"), files];
  },
  check(seen) {
    assert.equal(resultOf(seen, "a").content, "1 | A cup of tea.");
    assert.equal(resultOf(seen, "b").content.error.message, "FileNotFoundError: the file does not exist: gone.md");
    assert.equal(resultOf(seen, "c").content.success, true);
    assert.equal(resultOf(seen, "d").content.error.code, "file_changed");
    assert.deepEqual(resultOf(seen, "e").content.warnings, [{ kind: "timeline", locale: "en" }]);
    assert.equal(seen.outcome[1]["a.md"].text, "A cup of Tea. Hot.");
  },
});

scenario("a waiting call continues in another agent", {
  answers: () => [{ calls: [call("a", "read_lines")] }, { calls: [line("b", 2, "Approved later.")] }, { say: "Done." }],
  async run() {
    const needsApproval = ["edit_current_editor_document"];
    agentWith({ needsApproval });
    const asked = new Promise((resolve) => agent.subscribe(({ type }) => type === "approval_request" && resolve()));
    const first = agent.prompt("Work");
    await asked;
    const stored = JSON.stringify(agent.messages);
    agent.dispose();
    const { status } = await first;
    editor.commands.insertContentAt(0, "<p>Before all.</p>");
    agentWith({ needsApproval }).messages = JSON.parse(stored);
    agent.subscribe(({ type, toolId }) => type === "approval_request" && agent.approve(toolId, true));
    return { status, result: await agent.continue() };
  },
  check(seen) {
    assert.equal(seen.outcome.status, "aborted");
    assert.match(seen.html, /Before all.*Approved later/);
  },
});

scenario("review: proposals, decisions of the user, and what the model is told of them", {
  editor: { mode: "review" },
  answers: () => [
    { calls: [call("a", "read_lines")] },
    { calls: [line("b", 2, "A fine leaf."), line("c", 4, "It is ancient.")] },
    { say: "Proposed." },
    { calls: [line("d", 6, "It is mild.")] },
    { say: "Done." },
  ],
  async run() {
    agentWith();
    await agent.prompt("Propose");
    const [first, second] = boundDocument.hunks();
    boundDocument.accept({ hunk: first.id });
    boundDocument.reject({ hunk: second.id });
    editor.commands.insertContentAt(0, "<p>The user types.</p>");
    await agent.prompt("Go on");
    return boundDocument.hunks().map(({ toolIds, turnIds }) => ({ toolIds, turnIds }));
  },
  check(seen) {
    assert.match(seen.html, /The user types.*A fine leaf.*It is old.*It is bitter/);
    assert.match(seen.proposed, /It is mild/);
    assert.match(JSON.stringify(seen.asked[3].body.messages), /\[Review\]/);
    assert.equal(seen.pending.length, 1);
  },
});

scenario("tools of the app: progress, parts, failures, values without JSON", {
  answers: () => [
    { calls: ["plain", "parts", "throws", "circular", "nothing", "slow"].map((name) => call(name, name, { of: name })) },
    { say: "Done." },
  ],
  async run() {
    const seen = [];
    const circular = {};
    circular.self = circular;
    const tools = [
      tool("plain", (id, args, signal, onUpdate) => (onUpdate({ half: true }), seen.push([id, args, signal.aborted]), { value: [1, 2] }), { executionMode: "sequential", trusted: true }),
      tool("parts", async () => ({ content: [{ type: "text", text: "text" }], details: { for: "the app" } })),
      tool("throws", async () => { throw new Error("it is closed"); }),
      tool("circular", () => circular),
      tool("nothing", () => undefined),
      tool("slow", (id, args, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("late")))), { timeout: 50 }),
    ];
    const result = await agentWith({ tools, maxRepeats: 9, toolExecution: "sequential" }).prompt("Work");
    return { result, seen };
  },
  check(seen) {
    assert.equal(types(seen).filter((type) => type === "tool_update").length, 1);
    assert.equal(resultOf(seen, "throws").content.error.code, "tool_failed");
    assert.equal(resultOf(seen, "circular").isError, true);
    assert.equal(resultOf(seen, "slow").content.error.code, "timeout");
    assert.deepEqual(seen.outcome.seen, [["plain", { of: "plain" }, false]]);
  },
});

scenario("hooks: messages, keys, blocked and replaced calls, with the state that they see", {
  answers: () => [{ calls: [call("a", "read_lines"), call("b", "get_document")] }, { calls: [call("c", "read_lines", { start_line: 1 })] }, { say: "Done." }],
  async run() {
    const seen = [];
    agentWith({
      toolExecution: "sequential",
      getApiKey: async (provider) => (seen.push(["key", provider]), `key-${seen.length}`),
      transformContext: (messages) => [...messages.filter(({ role }) => role !== "customNote"), { role: "user", content: "(hooked)" }],
      convertToLlm: async (messages) => messages,
      beforeToolCall({ toolCall, args, context, assistantMessage }) {
        seen.push(["before", toolCall.id, args, context.messages.length, context.isStreaming, assistantMessage?.content.length]);
        return toolCall.id === "b" ? { block: true, reason: "not now" } : undefined;
      },
      async afterToolCall({ toolCall, result, isError, context }) {
        seen.push(["after", toolCall.id, isError, context.messages.at(-1).role, typeof result]);
        if (toolCall.id === "c") throw new Error("hook failed");
        return { content: "replaced", details: { kept: 1 } };
      },
    });
    const result = await agent.prompt([{ role: "customNote", text: "kept" }, { role: "user", content: "Work" }]);
    return { result, seen };
  },
  check(seen) {
    assert.equal(resultOf(seen, "a").content, "replaced");
    assert.equal(resultOf(seen, "b").content.error.code, "tool_blocked");
    assert.equal(resultOf(seen, "c").content.error.code, "hook_failed");
    assert.match(seen.asked[0].key, /^Bearer key-1$/);
  },
});

scenario("steering, following up, busy and prompts after the end", {
  answers: () => [{ calls: [call("a", "read_lines")] }, { say: "Steered." }, { say: "Followed." }, { say: "Again." }],
  async run() {
    agentWith();
    const rejected = [];
    agent.subscribe(({ type, seq }) => {
      if (type === "tool_use") {
        agent.steer("Turn left");
        agent.followUp([{ role: "user", content: "And then?" }][0]);
        agent.prompt("Too early").catch(({ code }) => rejected.push(code));
      }
    });
    const first = await agent.prompt("Go");
    const again = new Promise((resolve) => {
      const stop = agent.subscribe(({ type }) => {
        if (type === "complete") stop();
      });
      resolve(agent.prompt("Once more"));
    });
    return { first, second: await again, rejected };
  },
  check(seen) {
    assert.deepEqual(seen.outcome.rejected, ["busy"]);
    assert.equal(types(seen).filter((type) => type === "message").length, 2);
    assert.equal(seen.outcome.second.text, "Again.");
  },
});

scenario("stopping in the middle of an answer, and of a call", {
  answers: () => [
    (response) => begin(response).write(chunk({ content: "Half" })),
    { calls: [call("a", "read_lines"), call("b", "wait")] },
    { calls: [line("c", 2, "Never.")] },
  ],
  async run() {
    let isWaiting = false;
    let aborted = 0;
    const wait = tool("wait", (id, args, signal) => new Promise(() => { isWaiting = true; signal.addEventListener("abort", () => aborted++); }));
    agentWith({ tools: [wait] });
    const stops = agent.subscribe(({ type }) => type === "content" && agent.abort());
    const first = await agent.prompt("Say");
    stops();
    const second = agent.prompt("Wait");
    await until(() => isWaiting && saw("tool_result").length === 1);
    agent.abort();
    const results = [first, await second];
    // A listener stops the run before the call has run: it does not run.
    isWaiting = false;
    agent.subscribe(({ type, toolId }) => type === "tool_use" && toolId === "c" && agent.abort());
    results.push(await agent.prompt("Edit"));
    return { results, isWaiting, aborted };
  },
  check(seen) {
    assert.deepEqual(seen.outcome.results.map(({ status }) => status), ["aborted", "aborted", "aborted"]);
    assert.equal(resultOf(seen, "b").content.error.code, "maybe_ran");
    assert.equal(resultOf(seen, "c").content.error.code, "not_run");
    assert.equal(seen.outcome.aborted, 1);
    assert.ok(!seen.html.includes("Never"));
  },
});

scenario("errors: retried, final, of calls, of arguments", {
  answers: () => [
    status(500),
    { calls: [call("a", "read_lines", { start_line: 99 }), call("b", "unknown"), line("c", 2, "Not shown.")] },
    status(401),
  ],
  expected: [/status of (500|401)/],
  async run() {
    agentWith({ maxRetries: 1 });
    const result = await agent.prompt("Work");
    const codes = [];
    for (const wrong of [() => agent.prompt(""), () => agent.configure({ maxTurns: "many" }), () => agent.steer(""), () => agent.continue({ scope: { from: 5 } }), () => agent.prompt("x", [], { scope: { from: 900, to: 901 } })])
      try {
        await wrong();
      } catch ({ code, message }) {
        codes.push([code, message]);
      }
    return { result, codes };
  },
  check(seen) {
    assert.equal(seen.outcome.result.error.code, "unauthorized");
    assert.equal(types(seen).filter((type) => type === "retry").length, 1);
    assert.deepEqual(
      seen.outcome.codes.map(([code]) => code),
      ["invalid_parameter", "config", "invalid_parameter", "config"],
    );
  },
});

scenario("guards, a scope, and guards that change during a run", {
  editor: { guards: { locked: [1] } },
  answers: () => [
    { calls: [call("a", "read_lines")] },
    { calls: [line("b", 4, "Locked."), line("c", 6, "Outside."), line("d", 2, "Inside.")] },
    { calls: [call("e", "unlock")] },
    { calls: [line("f", 2, "Now locked.")] },
    { say: "Done." },
  ],
  async run() {
    const unlock = tool("unlock", () => {
      editor.commands.insertContentAt(0, "<p>Above.</p>");
      boundDocument.setGuards({ locked: [0] });
      return "done";
    });
    agentWith({ tools: [unlock] });
    const size = editor.state.doc.child(0).nodeSize + editor.state.doc.child(1).nodeSize;
    return agent.prompt("Work", [], { scope: { from: 0, to: size } });
  },
  check(seen) {
    assert.equal(resultOf(seen, "b").isError, true);
    assert.equal(resultOf(seen, "c").content.error.code, "out_of_scope");
    assert.equal(resultOf(seen, "d").isError, false, JSON.stringify(resultOf(seen, "d")));
    assert.equal(resultOf(seen, "f").isError, true);
  },
});

scenario("what the user writes meanwhile: text that moved is found, text that changed is not overwritten", {
  answers: () => [
    { calls: [call("a", "read_lines")] },
    { calls: [call("b", "user_types")] },
    { calls: [line("c", 4, "It is ancient."), line("d", 6, "Overwritten?")] },
    { say: "Done." },
  ],
  async run() {
    const types = tool("user_types", () => {
      editor.commands.insertContentAt(0, "<p>One.</p><p>Two.</p>");
      const end = editor.state.doc.content.size - 1;
      editor.commands.insertContentAt(end, " Very.");
      return "typed";
    });
    return agentWith({ tools: [types] }).prompt("Work");
  },
  check(seen) {
    assert.match(seen.html, /One.*Two.*It is ancient.*It is bitter. Very\./);
    assert.match(resultOf(seen, "d").content.error.code, /stale/);
  },
});

scenario("a fetch of the app, in Chinese, with a log", {
  answers: () => [{ calls: [call("a", "read_lines")] }, { calls: [call("b", "unknown")] }, { say: "好" }],
  async run() {
    const urls = [];
    const levels = new Set();
    const log = (level) => (message, fields) => levels.add(`${level} ${typeof message} ${typeof fields}`);
    agentWith({
      locale: "zh-CN",
      fetch: (url, init) => (urls.push([url, init.method, typeof init.body, init.signal instanceof AbortSignal]), fetch(url, init)),
      logger: { info: log("info"), debug: log("debug"), warning: log("warning"), error: log("error") },
    });
    const result = await agent.prompt("改");
    return { result, urls, levels: [...levels].sort() };
  },
  check(seen) {
    assert.equal(seen.outcome.urls.length, 3);
    assert.deepEqual(seen.outcome.urls[0].slice(1), ["POST", "string", true]);
    assert.ok(seen.outcome.levels.length);
  },
});

scenario("undoing a turn, and the actions of the editor", {
  answers: () => [{ calls: [call("a", "read_lines")] }, { calls: [line("b", 2, "Changed.")] }, { say: "Done." }],
  async run() {
    agentWith();
    await agent.prompt("Work");
    const turn = saw("turn_start")[1].turnId;
    const undone = boundDocument.undoTurn(turn);
    return { undone, html: editor.getHTML() };
  },
  check(seen) {
    assert.ok(!seen.outcome.html.includes("Changed"));
  },
});

scenario("answers that arrive in many parts", {
  answers: () => [
    async (response) => {
      begin(response);
      const args = JSON.stringify({ edits: [{ start_line: 2, end_line: 2, content: "word ".repeat(50) }], instruction: "longer" });
      const call = { index: 0, id: "a", type: "function", function: { name: "edit_current_editor_document", arguments: "" } };
      const parts = [chunk({ reasoning_content: "I think " }), chunk({ reasoning_content: "so." }), chunk({ content: "Now " }), chunk({ content: "I write." }), chunk({ tool_calls: [call] })];
      for (let at = 0; at < args.length; at += 7) parts.push(chunk({ tool_calls: [{ index: 0, function: { arguments: args.slice(at, at + 7) } }] }));
      for (const part of parts) {
        await new Promise((written) => response.write(part, written));
        await new Promise((resolve) => setTimeout(resolve, 8));
      }
      response.end(chunk({}, "tool_calls") + "data: [DONE]\n\n");
    },
    { say: "Done." },
  ],
  async run() {
    const partial = [];
    agentWith({ documentInPrompt: true, toolArgs: "partial" }).subscribe((event) => event.type === "tool_args" && partial.push(event.partial.edits?.[0]?.content ?? ""));
    await agent.prompt("Work");
    return { grows: partial.every((text, at) => text.startsWith(partial[at - 1] ?? "")), isInParts: partial.length > 5 };
  },
  check(seen) {
    assert.deepEqual(seen.outcome, { grows: true, isInParts: true });
    const args = seen.events.find(({ type }) => type === "tool_args");
    assert.equal(args.partial.edits[0].content, "word ".repeat(50));
    assert.ok(seen.html.includes("word word"));
  },
});
