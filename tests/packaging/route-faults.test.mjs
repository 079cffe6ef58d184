// What fails around a run of the route: the model, the order of events, options, clients with ids of their own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog } from "../../pkg/route.js";
import { answer, call, delta, eventsIn, llmConfigOf, model, post, routeOn, until } from "./route-server.mjs";

await init();

const token = () => ({ "copydesk-run-token": crypto.randomUUID() });
const chunksIn = (text) => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json));

test("ui-message-stream: a step is reset only if it has shown something", async (t) => {
  const fails = (response) => response.end();
  const cut = (response) => response.end(delta("Hal"));
  for (const [first, expected] of [[fails, 0], [cut, 1]]) {
    let count = 0;
    const llm = await model(t, () => (count++ === 0 ? first : (response) => response.end(answer({ say: "Hi." }))));
    const url = await routeOn(t, { format: "ui-message-stream" });
    const body = { messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "x" }] }], llmConfig: llmConfigOf(llm) };
    const chunks = chunksIn(await (await post(url, body)).text());
    assert.equal(count, 2);
    assert.equal(chunks.filter(({ type }) => type === "reset-step").length, expected);
    const text = chunks.slice(chunks.findLastIndex(({ type }) => type === "reset-step") + 1).map(({ type, delta }) => (type === "text-delta" ? delta : ""));
    assert.equal(text.join(""), "Hi.");
  }
});

for (const format of ["copydesk", "ui-message-stream", "ag-ui"])
  test(`${format}: a run that is stopped before it begins has a beginning and an end`, async (t) => {
    let goOn;
    const held = new Promise((resolve) => (goOn = resolve));
    const llm = await model(t, () => async (response) => (await held, response.end(answer({ say: "Hi." }))));
    const url = await routeOn(t, { format, log: memoryLog(), llmConfig: llmConfigOf(llm) });
    const headers = token();
    const ask = async (id) => {
      const body = { copydesk: { message: "x", runId: id, documentId: "d" }, "ui-message-stream": { id, message: "x", documentId: "d" }, "ag-ui": { threadId: id, runId: id, messages: [{ id: "m", role: "user", content: "x" }], forwardedProps: { documentId: "d" } } }[format];
      return post(url, body, { headers: { ...headers, "copydesk-run-id": id } });
    };
    const [first, second] = [await ask("one"), await ask("two")];
    await until(() => llm.requests.length === 1);
    await fetch(`${url}?run=two`, { method: "DELETE", headers });
    goOn();
    await first.text();
    const text = await second.text();
    if (format === "copydesk") assert.deepEqual(eventsIn(text), [{ type: "agent_start", seq: 1 }, { type: "aborted", seq: 2 }]);
    else if (format === "ag-ui") assert.deepEqual(chunksIn(text).map(({ type }) => type), ["RUN_STARTED", "RUN_FINISHED"]);
    else assert.deepEqual(chunksIn(text).map(({ type }) => type), ["start", "abort"]);
  });

test("an id behind the last event of a run that is over is refused", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  for (const format of ["copydesk", "ui-message-stream"]) {
    const url = await routeOn(t, { format, log: memoryLog(), llmConfig: llmConfigOf(llm) });
    const headers = { ...token(), "copydesk-run-id": "r" };
    const ask = (more) => post(url, { message: "x", runId: "r" }, { headers: { ...headers, ...more } });
    const whole = await (await ask({})).text();
    const last = Number([...whole.matchAll(/^id: (\d+)/gm)].at(-1)[1]);
    const refused = await ask({ "last-event-id": String(last + 1) });
    assert.equal(refused.status, 404);
    const { code, details } = await refused.json();
    assert.deepEqual([code, details], ["unknown_event", { given: last + 1, last }]);
    assert.equal((await ask({ "last-event-id": String(last) })).status, 200);
  }
});

test("options of another type, out of range or unknown are refused with the valid form", async (t) => {
  const wrong = [
    ...["keepAlive", "lease", "logTimeout", "totalTimeout", "approveWithin", "maxBodyBytes"].flatMap((name) => [0, -1, NaN, Infinity, "5"].map((value) => [name, value])),
    ...["keepAlive", "lease", "logTimeout", "totalTimeout", "resumeWithin"].map((name) => [name, 2 ** 31]),
    ...[-1, NaN, Infinity].map((value) => ["resumeWithin", value]),
    ["log", {}], ["log", null], ["keepAlive", null], ["log", { ...memoryLog(), find: 1 }], ["log", "redis"], ["exposeKeys", "false"], ["exposeErrors", 1], ["document", "d"], ["onEnd", {}], ["fetch", 1], ["logger", "x"], ["whenBusy", "wait"], ["baseUrls", "x"], ["format", "x"],
    ["keepalive", 5], ["toString", 1],
  ];
  for (const [name, value] of wrong) {
    const isError = ({ code, details, message }) => code === "invalid_parameter" && details.name === name && message.includes("must be");
    assert.throws(() => createDocAgentRoute({ [name]: value }), isError, `${name}: ${String(value)}`);
  }
  assert.throws(() => createDocAgentRoute(5), { code: "invalid_parameter" });
  // Absent ones have their defaults.
  createDocAgentRoute({ keepAlive: undefined, log: undefined, resumeWithin: 0, documentInPrompt: false, beforeToolCall: () => undefined });
  for (const within of [-1, NaN, 2 ** 31, "1"]) await assert.rejects(createDocAgentRoute().close({ within }), { code: "invalid_parameter" });
  // To the end of the runs.
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  const llm = await model(t, () => async (response) => (await held, response.end(answer({ say: "Hi." }))));
  const route = createDocAgentRoute({ llmConfig: llmConfigOf(llm) });
  const read = (await route.POST(new Request("http://127.0.0.1/api", { method: "POST", body: '{"message":"x"}' }))).text();
  await until(() => llm.requests.length === 1);
  const closed = route.close({ within: Infinity });
  // Fires after a timer whose time is out of range: that is one of 1 ms.
  await new Promise((resolve) => setTimeout(resolve, 2));
  goOn();
  await closed;
  assert.equal(eventsIn(await read).at(-1).type, "complete");
});

/** A log whose operations wait while `gate` returns a promise for them. */
function gated(log = memoryLog()) {
  const state = { gate: () => undefined };
  const wait = (name) => async (...given) => (await state.gate(name), log[name](...given));
  state.log = Object.fromEntries(Object.keys(log).map((name) => [name, wait(name)]));
  return state;
}

const never = new Promise(() => {});
const sends = (sent, wait) => [{ name: "send_mail", description: "Sends a mail.", parameters: { type: "object", properties: {} }, execute: async (id) => (sent.push(id), await wait, "sent") }];
const mailing = (t) => model(t, ({ messages }) => (messages.some(({ role }) => role === "tool") ? { say: "Sent." } : { say: "Mail.", calls: [call("m", "send_mail")] }));

test("a log that never answers: new runs go on without it, other requests are answered with log_failed", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const silent = Object.fromEntries(Object.keys(memoryLog()).map((name) => [name, () => never]));
  const failures = [];
  const logger = { error: (_message, { reason }) => failures.push(reason) };
  const url = await routeOn(t, { log: silent, logTimeout: 50, llmConfig: llmConfigOf(llm), logger });
  const headers = token();
  const body = { message: "x", runId: "r", documentId: "d" };
  const events = eventsIn(await (await post(url, body, { headers })).text());
  assert.equal(events.at(-1).type, "complete");
  assert.ok(failures.length > 0 && failures.every((reason) => /has not answered/.test(reason)), failures.join());
  const requests = [
    () => post(url, body, { headers: { ...headers, "last-event-id": "2" } }),
    () => fetch(`${url}?run=r`, { method: "DELETE", headers }),
    () => fetch(`${url}/c/stream`, { headers }),
  ];
  for (const request of requests) {
    const response = await request();
    assert.deepEqual([response.status, (await response.json()).code], [503, "log_failed"]);
  }
});

test("a log that falls silent: streams of a run end with the comment log_failed", async (t) => {
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  const sent = [];
  const llm = await mailing(t);
  const memory = memoryLog();
  const [own, other] = [gated(memory), gated(memory)];
  const options = { llmConfig: llmConfigOf(llm), logger: { error: () => {} }, tools: sends(sent, held), lease: 400, logTimeout: 50 };
  const urls = [await routeOn(t, { ...options, log: own.log }), await routeOn(t, { ...options, log: other.log })];
  const headers = token();
  const ask = async (url) => (await post(url, { message: "x", runId: "r" }, { headers })).text();
  const first = ask(urls[0]);
  await until(() => sent.length === 1);
  let follows = 0;
  other.gate = (name) => void (name === "changed" && follows++);
  const second = ask(urls[1]);
  await until(() => follows > 0);
  other.gate = () => never;
  assert.ok((await second).endsWith(": log_failed\n\n"));
  own.gate = () => never;
  assert.ok((await first).endsWith(": log_failed\n\n"));
  goOn();
});

test("a log that answers too late: the run is not begun again, and no event is doubled", async (t) => {
  for (const late of ["claim", "append"]) {
    const llm = await mailing(t);
    const sent = [];
    const memory = memoryLog();
    let [goOn, count, made] = [undefined, 0, 0];
    const held = new Promise((resolve) => (goOn = resolve));
    const slow = { ...memory, [late]: async (...given) => {
      if (count++ === 0) await held;
      const result = await memory[late](...given);
      made++;
      return result;
    } };
    const url = await routeOn(t, { log: slow, logTimeout: 50, lease: 600_000, tools: sends(sent), llmConfig: llmConfigOf(llm), logger: { error: () => {} } });
    const headers = token();
    const ask = (more) => post(url, { message: "x", runId: "r" }, { headers: { ...headers, ...more } });
    const events = eventsIn(await (await ask()).text());
    assert.equal(events.at(-1).type, "complete");
    goOn();
    await until(() => made === count);
    const again = eventsIn(await (await ask()).text());
    if (late === "append") assert.deepEqual(again, events);
    else assert.deepEqual(again.map(({ type, code }) => code ?? type), ["agent_start", "log_failed"]);
    assert.deepEqual(sent, ["m"], late);
  }
});

for (const format of ["copydesk", "ui-message-stream"])
  test(`${format}: one request reads a run to its end although its owner is gone`, async (t) => {
    let goOn;
    const held = new Promise((resolve) => (goOn = resolve));
    t.after(goOn);
    const sent = [];
    const llm = await mailing(t);
    const memory = memoryLog();
    const own = gated(memory);
    const options = { format, llmConfig: llmConfigOf(llm), logger: { error: () => {} }, tools: sends(sent, held), lease: 600, logTimeout: 50 };
    const urls = [await routeOn(t, { ...options, log: own.log }), await routeOn(t, { ...options, log: memory })];
    const headers = { ...token(), "copydesk-run-id": "r" };
    const ask = async (url, more) => (await post(url, { message: "x", runId: "r" }, { headers: { ...headers, ...more } })).text();
    const first = ask(urls[0]);
    await until(() => sent.length === 1);
    own.gate = () => never;
    // The lease lasts for a while, so this instance has to wait for its end.
    const after = await ask(urls[1]);
    await first;
    assert.match(after, format === "copydesk" ? /"type":"complete"/ : /"type":"finish"/);
    const ids = [...after.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(sent, ["m"]);
    const [last] = chunksIn(after).slice(-1);
    assert.ok(["complete", "finish"].includes(last.type));
    assert.match(after, /was stopped or interrupted while/);
  });

test("an answer to one of two calls runs that one, and the other is asked about again with a new signature", async (t) => {
  const sent = [];
  const llm = await model(t, ({ messages }) => (messages.some(({ role }) => role === "tool") ? { say: "Sent." } : { calls: [call("a", "send_mail"), call("b", "send_mail")] }));
  const url = await routeOn(t, { format: "ui-message-stream", approvalSecret: "x".repeat(32), needsApproval: ["send_mail"], tools: sends(sent), log: memoryLog(), llmConfig: llmConfigOf(llm) });
  const ask = async (...parts) => {
    const messages = [{ id: "u", role: "user", parts: [{ type: "text", text: "x" }] }, ...(parts.length ? [{ id: "m", role: "assistant", parts: [{ type: "step-start" }, ...parts] }] : [])];
    const response = await post(url, { id: "c", messages });
    const requests = chunksIn(await response.text()).filter(({ type }) => type === "tool-approval-request");
    return { status: response.status, requests: Object.fromEntries(requests.map((request) => [request.toolCallId, request])) };
  };
  const part = (id, state, more) => ({ type: "tool-send_mail", toolCallId: id, input: {}, state, ...more });
  const approval = ({ approvalDescriptor: descriptor, signature, toolCallId: id }, more) => ({ approval: { id, descriptor, signature, ...more } });
  const { requests: first } = await ask();
  assert.deepEqual(Object.keys(first), ["a", "b"]);
  const { requests: second } = await ask(part("a", "approval-responded", approval(first.a, { approved: true })), part("b", "approval-requested", approval(first.b)));
  assert.deepEqual([sent, Object.keys(second)], [["a"], ["b"]]);
  const rest = (request) => ask(part("a", "output-available", { output: "sent" }), part("b", "approval-responded", approval(request, { approved: true })));
  assert.equal((await rest(first.b)).status, 403);
  assert.deepEqual(sent, ["a"]);
  assert.equal((await rest(second.b)).status, 200);
  assert.deepEqual(sent, ["a", "b"]);
});

test("the same runId and token with another message are the run that there is", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const url = await routeOn(t, { log: memoryLog(), llmConfig: llmConfigOf(llm) });
  const headers = token();
  const ask = async (message) => eventsIn(await (await post(url, { message, runId: "r" }, { headers })).text());
  assert.deepEqual(await ask("One"), await ask("Two"));
  assert.equal(llm.requests.length, 1);
});
