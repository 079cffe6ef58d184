// AG-UI: events that its schemas accept, read by its official client; interrupts, and what a thread keeps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventSchemas } from "@ag-ui/core/schemas";
import { HttpAgent } from "@ag-ui/client";
import { init } from "../../pkg/index.js";
import { createDocAgentRoute } from "../../pkg/route.js";
import { call, delta, llmConfigOf, model, post, routeOn, until } from "./route-server.mjs";

await init();

const TEA = "<h1>Tea</h1><p>A leaf.</p>";
const edit = (id, title) => call(id, "update_section", { operation: "append", title, content: `<p>${title}</p>` });
const LONG = "<h1>Tea</h1><p>One.</p><p>Two.</p><p>A leaf.</p><p>Four.</p><p>Five.</p>";
const KINDS = `${TEA}<h2>Kinds</h2><p>Kinds</p>`;

/** An agent of the official client on a route, and the events that it reads. */
async function agentOn(t, llm, options = {}) {
  const url = await routeOn(t, { format: "ag-ui", ...options });
  const agent = new HttpAgent({ url, initialState: { documentContent: TEA, mine: 1 } });
  const events = [];
  agent.subscribe({ onEvent: ({ event }) => void events.push(EventSchemas.parse(event)) });
  const ask = (text) => agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
  const forwardedProps = { llmConfig: llmConfigOf(llm) };
  return { agent, events, url, ask, go: (more) => agent.runAgent({ forwardedProps, ...more }) };
}

const types = (events) => events.map(({ type }) => type);
const without = (events, ...left) => types(events).filter((type) => !left.includes(type));

test("a run is events of the schema: text, calls with results, updates, and the document as state", async (t) => {
  const llm = await model(t, [{ say: "I write. ", calls: [edit("a", "Kinds"), call("b", "update_section", { operation: "delete", sectionIndex: 9 })] }, { say: "Done." }, { say: "Again." }]);
  const { agent, events, ask, go } = await agentOn(t, llm, { documentInPrompt: false });
  ask("Add kinds");
  await go();
  assert.deepEqual(without(events, "CUSTOM"), [
    ...["RUN_STARTED", "STEP_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"],
    ...["TOOL_CALL_START", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"],
    ...["TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT", "STEP_FINISHED"],
    ...["STEP_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "STEP_FINISHED"],
    ...["STATE_SNAPSHOT", "RUN_FINISHED"],
  ]);
  assert.deepEqual(events.at(-1).outcome, { type: "success" });
  assert.equal(events[0].protocolVersion, "1.0");
  assert.deepEqual(agent.state, { documentContent: KINDS, mine: 1 });
  const [update] = events.filter(({ name }) => name === "doc_update");
  assert.deepEqual([update.value.operation, update.value.title], ["append", "Kinds"]);
  assert.deepEqual(agent.messages.map(({ role }) => role), ["user", "assistant", "tool", "tool", "assistant"]);
  const [, answer, edited, failed, said] = agent.messages;
  assert.deepEqual([answer.content, answer.toolCalls.map(({ id }) => id), said.content], ["I write. ", ["a", "b"], "Done."]);
  assert.equal(JSON.parse(answer.toolCalls[0].function.arguments).title, "Kinds");
  assert.equal(JSON.parse(edited.content).success, true);
  assert.match(failed.content, /"error"/);
  // The next run has the conversation and the document of this one.
  ask("And now?");
  await go();
  const messages = llm.requests[2].messages.slice(1);
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool", "tool", "assistant", "user"]);
  assert.deepEqual(messages[1].tool_calls.map(({ id }) => id), ["a", "b"]);
  assert.equal(agent.messages.at(-1).content, "Again.");
  assert.equal(types(events).filter((type) => type === "STATE_SNAPSHOT").length, 1, "a run that changes nothing has no snapshot");
});

test("thinking is reasoning", async (t) => {
  const thinks = (response) => {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: "Hm. " } }] })}\n\n`);
    response.end(`${delta("Yes.")}data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
  };
  const llm = await model(t, [thinks]);
  const { agent, events, ask, go } = await agentOn(t, llm);
  ask("Well?");
  await go();
  const reasoning = types(events).filter((type) => type.startsWith("REASONING"));
  assert.deepEqual(reasoning, ["REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END", "REASONING_END"]);
  assert.deepEqual(agent.messages.map(({ role, content }) => [role, content]), [["user", "Well?"], ["reasoning", "Hm. "], ["assistant", "Yes."]]);
});

test("calls that wait are interrupts, which resume answers", async (t) => {
  const llm = await model(t, [{ say: "I write.", calls: [edit("a", "Kinds"), call("r", "read_lines"), edit("b", "More")] }, { say: "Done." }]);
  const { agent, events, ask, go } = await agentOn(t, llm, { needsApproval: ["update_section"] });
  ask("Add");
  await go();
  const ended = events.at(-1);
  assert.deepEqual([ended.type, ended.outcome.type], ["RUN_FINISHED", "interrupt"]);
  assert.deepEqual(ended.outcome.interrupts.map(({ id, toolCallId }) => [id, toolCallId]), [["a", "a"]]);
  assert.deepEqual(agent.messages.at(-1).toolCalls.map(({ id }) => id), ["a", "r", "b"]);
  assert.equal(agent.state.documentContent, TEA);
  await go({ resume: [{ interruptId: "a", status: "resolved", payload: { approved: true } }] });
  // The second one asks when it is its turn.
  assert.deepEqual(events.at(-1).outcome.interrupts.map(({ id }) => id), ["b"]);
  assert.equal(agent.state.documentContent, KINDS);
  await go({ resume: [{ interruptId: "b", status: "cancelled" }] });
  assert.deepEqual(events.at(-1).outcome, { type: "success" });
  assert.equal(llm.requests.length, 2);
  const results = llm.requests[1].messages.filter(({ role }) => role === "tool");
  assert.deepEqual(results.map(({ tool_call_id }) => tool_call_id), ["a", "r", "b"]);
  assert.match(results[2].content, /rejected/);
  assert.deepEqual(agent.state, { documentContent: KINDS, mine: 1 }, "what the calls referred to is forgotten");
  assert.equal(agent.messages.at(-1).content, "Done.");
  assert.equal(types(events).filter((type) => type === "TOOL_CALL_START").length, 3, "no call is told twice");
});

test("an approved call keeps to what it was meant for, also if the document has changed since", async (t) => {
  const replace = call("e", "edit_current_editor_document", { edits: [{ start_line: 4, end_line: 4, content: "A dry leaf." }] });
  const llm = await model(t, [{ calls: [call("r", "read_lines")] }, { calls: [replace] }, { say: "Done." }]);
  const { agent, ask, go } = await agentOn(t, llm, { needsApproval: [replace.name] });
  agent.state.documentContent = LONG;
  ask("Dry it");
  await go();
  // Line 4 is another one now.
  agent.state.documentContent = LONG.replace("</h1>", "</h1><p>New.</p>");
  await go({ resume: [{ interruptId: "e", status: "resolved", payload: { approved: true } }] });
  assert.equal(agent.state.documentContent, LONG.replace("</h1>", "</h1><p>New.</p>").replace("A leaf", "A dry leaf"));
});

test("a message in place of an answer leaves the call undone", async (t) => {
  const llm = await model(t, [{ calls: [edit("a", "Kinds")] }, { say: "As you like." }]);
  const { agent, ask, go } = await agentOn(t, llm, { needsApproval: ["*"] });
  ask("Add");
  await go();
  ask("No, wait");
  await go({ resume: [{ interruptId: "a", status: "cancelled" }] });
  assert.deepEqual([agent.messages.at(-1).content, agent.state.documentContent], ["As you like.", TEA]);
  assert.ok(!llm.requests[1].messages.some(({ tool_calls }) => tool_calls));
});

test("a request that is sent again takes back what it has shown", async (t) => {
  const cut = (response) => {
    response.write(delta("lost "));
    setTimeout(() => response.destroy(), 20);
  };
  const llm = await model(t, [{ calls: [edit("a", "Kinds")] }, cut, { say: "Kept." }]);
  const { agent, events, ask, go } = await agentOn(t, llm);
  ask("Add");
  await go();
  assert.equal(types(events).filter((type) => type === "MESSAGES_SNAPSHOT").length, 1);
  assert.deepEqual(agent.messages.map(({ role, content }) => (role === "tool" ? role : (content ?? role))), ["Add", "assistant", "tool", "Kept."]);
});

test("a run that the server stops in the middle of a call is cancelled, and the call is taken back", async (t) => {
  const half = { index: 0, id: "a", type: "function", function: { name: "update_section", arguments: '{"operation":"append","title":"Ki' } };
  const asks = (response) => response.write(`${delta("I write.")}data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [half] } }] })}\n\n`);
  const llm = await model(t, [asks]);
  const route = createDocAgentRoute({ format: "ag-ui" });
  const controller = new AbortController();
  // The request of the server ends, and not the client's.
  const fetch = (url, { signal: _own, ...init }) => route.POST(new Request(url, { ...init, signal: controller.signal }));
  const agent = new HttpAgent({ url: "http://127.0.0.1/api", fetch });
  const events = [];
  agent.subscribe({ onEvent: ({ event }) => void events.push(EventSchemas.parse(event)) });
  agent.addMessage({ id: "1", role: "user", content: "Add" });
  const running = agent.runAgent({ forwardedProps: { llmConfig: llmConfigOf(llm) } });
  await until(() => agent.messages.at(-1).toolCalls);
  controller.abort();
  await running;
  assert.deepEqual(events.at(-1).outcome, { type: "cancelled" });
  assert.deepEqual(agent.messages.map(({ role }) => role), ["user"]);
  await until(() => llm.open === 0);
});

test("a run that is stopped before it begins is a run of the schema, too", async (t) => {
  const llm = await model(t, []);
  const route = createDocAgentRoute({ format: "ag-ui" });
  const body = JSON.stringify({ threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "x" }], forwardedProps: { llmConfig: llmConfigOf(llm) } });
  const response = await route.POST(new Request("http://127.0.0.1/api", { method: "POST", body, signal: AbortSignal.abort() })).catch(() => undefined);
  const text = (await response?.text()) ?? "";
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => EventSchemas.parse(JSON.parse(json)));
  assert.deepEqual(types(events), ["RUN_STARTED", "RUN_FINISHED"]);
  assert.equal(llm.requests.length, 0);
});

test("a failure is RUN_ERROR, a stop RUN_FINISHED with its outcome; edits stay", async (t) => {
  const llm = await model(t, [{ calls: [edit("a", "Kinds")] }, (response) => response.write(delta("word "))]);
  let ended;
  const { agent, events, ask, go, url } = await agentOn(t, llm, { maxRetries: 0, onEnd: ({ result, html }) => void (ended = [result.status, html]) });
  ask("Add");
  const running = go();
  await until(() => agent.messages.at(-1)?.content === "word ");
  agent.abortRun();
  await running;
  await until(() => ended && llm.open === 0);
  assert.deepEqual(ended, ["aborted", KINDS]);
  events.length = 0;
  const dead = llmConfigOf({ baseUrl: "http://127.0.0.1:1/v1" });
  await agent.runAgent({ forwardedProps: { llmConfig: dead } }).catch(() => {});
  assert.deepEqual([types(events)[0], events.at(-1).type, events.at(-1).code], ["RUN_STARTED", "RUN_ERROR", "unreachable"]);
  for (const [body, name] of [[{}, "messages"], [{ messages: [] }, "message"], [{ messages: [{ id: "1", role: "user", content: "x" }] }, "llmConfig"]]) {
    const response = await post(url, { threadId: "t", runId: "r", ...body });
    const { code, details } = await response.json();
    assert.deepEqual([response.status, code, details.name], [400, "missing_parameter", name]);
  }
});
