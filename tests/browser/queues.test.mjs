// Messages sent to a working agent, its requests for approval, and its state meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, call, chunk, give, model, pageWith } from "./model.mjs";

test("steer is delivered after the current turn, followUp when the model would end; each is an event then", async (t) => {
  const server = await model(t, [
    { calls: [call("c1", "work")] },
    { say: "Steered." },
    { say: "Followed." },
  ]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    const work = () => {
      agent.followUp("And a last thing");
      agent.steer("Use British spelling");
      return "worked";
    };
    agentWith({ tools: [tool("work", work)] });
    const result = await agent.prompt("Go");
    return { result, order: events.map((event) => (event.type === "message" ? event.message.content : event.type)).filter((type) => !/^content$|^tool_args$/.test(type)), messages: agent.messages };
  });
  assert.equal(seen.result.text, "Followed.");
  assert.deepEqual(seen.order, [
    "agent_start", "turn_start", "tool_use", "tool_result", "turn_end", "Use British spelling",
    "turn_start", "turn_end", "And a last thing", "turn_start", "turn_end", "complete",
  ]);
  const said = server.requests.map(({ body }) => body.messages.findLast(({ role }) => role === "user").content);
  assert.deepEqual(said, ["Go", "Use British spelling", "And a last thing"]);
  const roles = seen.messages.map(({ role }) => role);
  assert.deepEqual(roles, ["user", "assistant", "toolResult", "user", "assistant", "user", "assistant"]);
});

test("queued messages are delivered one at a time, or all at once if set; clearQueues drops them", async (t) => {
  const server = await model(t, Array.from({ length: 8 }, (_, at) => ({ say: `Answer ${at}.` })));
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    const run = async (options, prepare) => {
      agentWith(options);
      prepare?.();
      const stop = agent.subscribe(({ type }) => {
        if (type !== "turn_start") return;
        stop();
        agent.steer("a");
        agent.steer({ role: "user", content: "b" });
      });
      await agent.prompt("Go");
      return agent.messages.map(({ role, content }) => (role === "user" ? content : "·")).join(" ");
    };
    const cleared = async () => {
      agentWith();
      agent.steer("never");
      agent.followUp("never");
      agent.clearQueues();
      await agent.prompt("Go");
      return agent.messages.length;
    };
    return [await run({}), await run({ steeringMode: "all" }), await cleared()];
  });
  assert.deepEqual(seen, ["Go · a · b ·", "Go · a b ·", 2]);
});

test("an image can be queued as well as prompted", async (t) => {
  const server = await model(t, [{ say: "A dot." }]);
  const page = await pageWith(t, server.baseUrl);
  await page.evaluate(async () => {
    agentWith();
    agent.steer("What is this?", [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }]);
    await agent.prompt("Look");
  });
  assert.match(JSON.stringify(server.requests[0].body.messages.at(-1)), /What is this\?.*data:image\/png;base64,iVBORw0KGgo=/);
});

const write = { operation: "append", title: "B", content: "<p>new</p>" };

test("a call that needs approval waits for it, and then runs; a rejection reaches the model with its reason", async (t) => {
  const server = await model(t, [
    { calls: [call("c1", "update_section", write), call("c2", "mail", { to: "ann" }), call("c3", "mail", { to: "me" })] },
    { say: "As you like." },
  ]);
  const page = await pageWith(t, server.baseUrl, "<h2>A</h2><p>old</p>");
  const seen = await page.evaluate(async () => {
    const before = [];
    const mail = tool("mail", (_, { to }) => `sent to ${to}`, { needsApproval: ({ to }) => to !== "me" });
    agentWith({ tools: [mail], needsApproval: ["update_section"] });
    const running = agent.prompt("Go");
    await until(() => saw("approval_request").length === 2 && saw("tool_result").length === 1);
    before.push(editor.getHTML(), agent.state.waitingForApproval, agent.state.isStreaming);
    const wrong = (id) => {
      try {
        agent.approve(id, true);
      } catch ({ code }) {
        return code;
      }
    };
    const unknown = wrong("c9");
    agent.approve("c2", false, "Ann is on holiday.");
    agent.approve("c1", true);
    const { status } = await running;
    return { before, unknown, again: wrong("c1"), status, html: editor.getHTML(), asked: saw("approval_request"), waiting: agent.state.waitingForApproval, messages: agent.messages };
  });
  assert.deepEqual(seen.before, ["<h2>A</h2><p>old</p>", ["c1", "c2"], true]);
  assert.deepEqual([seen.unknown, seen.again, seen.status], ["not_waiting", "not_waiting", "complete"]);
  assert.equal(seen.html, "<h2>A</h2><p>old</p><h2>B</h2><p>new</p>");
  assert.deepEqual(seen.asked.map(({ toolId, toolName }) => [toolId, toolName]).sort(), [["c1", "update_section"], ["c2", "mail"]]);
  assert.deepEqual(seen.asked.find(({ toolId }) => toolId === "c1").toolInput, write);
  assert.deepEqual(seen.waiting, []);
  assert.match(server.tool(1).c2, /rejected.*Ann is on holiday\./s);
  assert.match(server.tool(1).c3, /sent to me/);
  const verdicts = seen.messages.filter(({ role }) => role === "approval");
  assert.deepEqual(verdicts.map(({ toolCallId, decision, reason }) => [toolCallId, decision, reason]).sort(), [
    ["c1", "approved", undefined], ["c2", "rejected", "Ann is on holiday."],
  ]);
  assert.doesNotMatch(JSON.stringify(server.requests[1].body), /"approval"|approved/);
});

test("a run that waits for approval continues after a reload, from its messages alone", async (t) => {
  const html = "<h2>A</h2><p>old</p>";
  const server = await model(t, [
    { say: "I shall write.", calls: [call("c0", "note"), call("c1", "update_section", write)] },
    { say: "Written." },
  ]);
  const page = await pageWith(t, server.baseUrl, html, { ownTab: true });
  await page.evaluate(async () => {
    window.noted = 0;
    agentWith({ needsApproval: ["update_section"], tools: [tool("note", () => ++noted)] });
    void agent.prompt("Rewrite it");
    await until(() => saw("approval_request").length && saw("tool_result").length);
    sessionStorage.setItem("messages", JSON.stringify(agent.messages));
  });
  await page.reload();
  await page.waitForFunction(() => window.ready);
  await give(page, server.baseUrl, html);
  const seen = await page.evaluate(async () => {
    window.noted = 0;
    agentWith({ needsApproval: ["update_section"], tools: [tool("note", () => ++noted)] });
    agent.messages = JSON.parse(sessionStorage.getItem("messages"));
    const waiting = agent.state.waitingForApproval;
    const running = agent.continue();
    await until(() => saw("approval_request").length);
    const before = editor.getHTML();
    agent.approve("c1", true);
    const { status, text } = await running;
    return { waiting, before, status, text, noted, html: editor.getHTML(), roles: agent.messages.map(({ role }) => role), ids: agent.messages.filter(({ role }) => role === "toolResult").map(({ toolCallId }) => toolCallId) };
  });
  assert.deepEqual(seen.waiting, ["c1"]);
  assert.equal(seen.before, html);
  assert.deepEqual([seen.status, seen.text], ["complete", "Written."]);
  assert.equal(seen.html, "<h2>A</h2><p>old</p><h2>B</h2><p>new</p>");
  assert.equal(seen.noted, 0, "what had run does not run again");
  assert.deepEqual(seen.ids, ["c0", "c1"]);
  assert.equal(server.requests.length, 2, "the model was not asked for the call again");
  assert.deepEqual(Object.keys(server.tool(1)), ["c0", "c1"]);
});

test("approval may be given before the run continues", async (t) => {
  const html = "<h2>A</h2><p>old</p>";
  const server = await model(t, [{ say: "Written." }]);
  const page = await pageWith(t, server.baseUrl, html);
  const after = await page.evaluate(async (args) => {
    agentWith({ needsApproval: ["*"] });
    agent.messages = [
      { role: "user", content: "Go" },
      { role: "assistant", content: [{ type: "toolCall", id: "c1", name: "update_section", arguments: args }], stopReason: "tool_calls" },
      { role: "approval", toolCallId: "c1", toolName: "update_section", decision: "pending" },
    ];
    agent.approve("c1", true);
    await agent.continue();
    return editor.getHTML();
  }, write);
  assert.equal(after, "<h2>A</h2><p>old</p><h2>B</h2><p>new</p>");
});

test("after a reload a call that awaited approval waits whatever the settings are, and an approved one does not", async (t) => {
  const server = await model(t, [{ say: "Written." }]);
  const page = await pageWith(t, server.baseUrl, "<h2>A</h2><p>old</p>");
  const seen = await page.evaluate(async (args) => {
    const toolCall = (id, content) => ({ type: "toolCall", id, name: "update_section", arguments: { ...args, content } });
    const approval = (toolCallId, decision) => ({ role: "approval", toolCallId, toolName: "update_section", decision });
    agentWith({ needsApproval: [] });
    agent.messages = [
      { role: "user", content: "Go" },
      { role: "assistant", content: [toolCall("c1", "<p>one</p>"), toolCall("c2", "<p>two</p>")], stopReason: "tool_calls" },
      approval("c1", "approved"),
      approval("c2", "pending"),
    ];
    const running = agent.continue();
    await until(() => saw("approval_request").length);
    const between = editor.getHTML();
    agent.approve("c2", false);
    const { status } = await running;
    return { status, between, after: editor.getHTML(), asked: saw("approval_request").map(({ toolId }) => toolId) };
  }, write);
  assert.deepEqual(seen, { status: "complete", between: "<h2>A</h2><p>old</p><h2>B</h2><p>one</p>", after: "<h2>A</h2><p>old</p><h2>B</h2><p>one</p>", asked: ["c2"] });
});

test("waiting for approval does not count as run time", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "held")] }, { say: "Done." }]);
  const page = await pageWith(t, server.baseUrl);
  const status = await page.evaluate(async () => {
    agentWith({ tools: [tool("held", () => 1)], needsApproval: ["held"], runTimeout: 1500 });
    const running = agent.prompt("Go");
    await until(() => saw("approval_request").length);
    await new Promise((resolve) => setTimeout(resolve, 1800));
    agent.approve("c1", true);
    return (await running).status;
  });
  assert.equal(status, "complete");
});

test("the state has pi-agent-core's fields and is a snapshot", async (t) => {
  let go;
  const server = await model(t, [
    (response) => {
      begin(response).write(chunk({ content: "Half an " }));
      go = () => response.end(chunk({ content: "answer." }) + chunk({ tool_calls: [{ index: 0, id: "c1", function: { name: "work", arguments: "{}" } }] }, "tool_calls") + "data: [DONE]\n\n");
    },
    (response) => response.writeHead(401).end(),
  ]);
  const page = await pageWith(t, server.baseUrl, undefined, { expected: [/401/] });
  await page.evaluate(async () => {
    window.work = tool("work", () => (states.push(agent.state), 1));
    window.states = [];
    agentWith({ tools: [work], thinkingLevel: "low", systemPrompt: "Be brief." });
    states.push(agent.state);
    window.running = agent.prompt("Go");
    await until(() => saw("content").length);
    states.push(agent.state);
  });
  go();
  const states = await page.evaluate(async () => {
    await running;
    states.push(agent.state);
    const known = (state) => JSON.parse(JSON.stringify(state));
    return states.map(({ tools, pendingToolCalls, messages, ...state }) => ({ ...known(state), own: tools.map((own) => own === work), pending: [...pendingToolCalls], count: messages.length }));
  });
  const same = { systemPrompt: "Be brief.", model: { api: "openai-completions", modelId: "m" }, thinkingLevel: "low", own: [true], waitingForApproval: [] };
  const [before, streaming, calling, failed] = states;
  assert.deepEqual(before, { ...same, isStreaming: false, pending: [], count: 0 });
  const streamingMessage = { role: "assistant", content: [{ type: "text", text: "Half an " }], stopReason: "" };
  assert.deepEqual(streaming, { ...same, isStreaming: true, streamingMessage, pending: [], count: 1 });
  assert.deepEqual(calling, { ...same, isStreaming: true, pending: ["c1"], count: 2 });
  const { errorMessage, ...rest } = failed;
  assert.deepEqual(rest, { ...same, isStreaming: false, pending: [], count: 3 });
  assert.match(errorMessage, /key/);
});

test("continue resumes after a failure, and is an error where there is nothing to continue", async (t) => {
  const server = await model(t, [(response) => response.writeHead(400, { "content-type": "application/json" }).end("{}"), { say: "Here." }]);
  const page = await pageWith(t, server.baseUrl, undefined, { expected: [/400/] });
  const seen = await page.evaluate(async () => {
    agentWith();
    const code = () => agent.continue().then(() => "went on", (error) => error.code);
    const empty = await code();
    const first = await agent.prompt("Go");
    const second = await agent.continue();
    const busy = agent.prompt("Once more");
    const meanwhile = await code();
    await busy;
    return { empty, first: first.status, second: second.text, meanwhile, after: await code(), roles: agent.messages.map(({ role }) => role) };
  });
  assert.deepEqual([seen.empty, seen.first, seen.second, seen.meanwhile, seen.after], ["nothing_to_continue", "error", "Here.", "busy", "nothing_to_continue"]);
  assert.deepEqual(seen.roles, ["user", "assistant", "user", "assistant"]);
});

test("the ledger attributes costs to turns, tools and edits, at the app's prices", async (t) => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
  const server = await model(t, [{ calls: [call("c1", "update_section", write)], usage }, { say: "Done.", usage }]);
  const page = await pageWith(t, server.baseUrl, "<h2>A</h2><p>old</p>");
  const ledger = await page.evaluate(async () => {
    agentWith({ cost: { input: 2, output: 10 } });
    await agent.prompt("Go");
    return agent.ledger;
  });
  assert.equal(ledger.turns.length, 2);
  for (const { shares, cost, usage } of ledger.turns) {
    assert.equal(cost, 0.003);
    assert.equal(shares.reduce((sum, { inputTokens }) => sum + inputTokens, 0), usage.inputTokens);
    assert.equal(shares.reduce((sum, { outputTokens }) => sum + outputTokens, 0), usage.outputTokens);
  }
  assert.deepEqual(ledger.tools.map(({ name, calls, errors }) => [name, calls, errors]), [["update_section", 1, 0]]);
  assert.equal(ledger.edits.length, 1);
  assert.equal(ledger.edits[0].toolId, "c1");
  assert.equal(ledger.totals.cost, 0.006);
  assert.equal(ledger.totals.usage.totalTokens, 2200);
});
