// Clients of other packages go on with runs of the log: `useChat` of the AI SDK, and the client of AG-UI.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpAgent, runHttpRequest, transformHttpEventStream } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog, resumableFetch } from "../../pkg/route.js";
import { Chat } from "./chat.mjs";
import { answer, call, delta, llmConfigOf, model, random, until } from "./route-server.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
const RUNS = Number(process.env.COPYDESK_ROUTE_RUNS) || 8;
console.log(`COPYDESK_SEED=${seed}`);

const URL_OF = "http://127.0.0.1/api/doc-agent-chat";
const TEA = "<h1>Tea</h1><p>A leaf.</p>";
const HOUR = 3_600_000;
const edit = (id) => call(id, "update_section", { operation: "append", title: id, content: `<p>${id}</p>` });
const mail = (id) => call(id, "send_mail", { to: id });

/** A model that makes an edit and sends a mail an answer, then ends; it answers by the conversation. */
const working = (t, turns) =>
  model(t, ({ messages }) => {
    const done = messages.filter(({ tool_calls: calls }) => calls?.length).length;
    return (response) => {
      for (const word of ["Now ", "I ", "work. "]) response.write(delta(word));
      response.end(answer(done < turns ? { calls: [edit(`e${done}`), mail(`m${done}`)] } : { say: "Done." }));
    };
  });

const tool = (execute) => ({ name: "send_mail", description: "Sends a mail.", parameters: { type: "object", properties: {} }, execute });

/** Instances over one log. `alive` is false for one whose process has ended: nothing of it reaches the log or a client. */
function fleet(options, sent, execute) {
  const log = memoryLog();
  return (more, instead = execute) => {
    const state = { isAlive: true };
    const unless = (method) => (...given) => (state.isAlive ? method(...given) : new Promise(() => {}));
    const own = Object.fromEntries(Object.entries(log).map(([name, method]) => [name, unless(method)]));
    const run = async (id) => {
      sent.push(id);
      await instead?.(id);
      return "sent";
    };
    state.route = createDocAgentRoute({ lease: HOUR, resumeWithin: 5_000, ...options, ...more, log: own, tools: [tool(run)] });
    return state;
  };
}

/** A `fetch` whose first connections break after random bytes, together with their instance if `dies`. */
function unreliable(start, next, dies) {
  let instance = start();
  let left = 4;
  const state = { cuts: 0 };
  state.fetch = async (url, init) => {
    const { route } = instance;
    const response = await route.fetch(new Request(url, init));
    if (left <= 0 || init.method === "DELETE" || !response.body) return response;
    left -= 1;
    state.cuts += 1;
    const bytes = Math.floor(next() * 3000);
    const reader = response.body.getReader();
    let passed = 0;
    const pull = async (out) => {
      const { done, value } = await reader.read();
      if (done) return out.close();
      if (passed + value.length <= bytes) {
        passed += value.length;
        return out.enqueue(value);
      }
      if (dies) {
        instance.isAlive = false;
        instance = start();
      }
      reader.cancel();
      out.enqueue(value.subarray(0, bytes - passed));
      out.error(new TypeError("network error"));
    };
    return new Response(new ReadableStream({ pull }), response);
  };
  return state;
}

const kinds = (message = { parts: [] }) => message.parts.map(({ type, state }) => (state ? `${type} ${state}` : type));
const texts = ({ parts }) => parts.filter(({ type }) => type === "text").map(({ text }) => text);

/** The parts of a whole message after some turns. */
const whole = (turns) => [
  ...Array.from({ length: turns }, () => ["step-start", "text done", "tool-update_section output-available", "tool-send_mail output-available", "data-doc-update"]).flat(),
  ...["step-start", "text done"],
];

for (const dies of [false, true])
  test(`useChat: ${dies ? "instances that die" : "connections that break"} at random bytes leave messages whole (${RUNS} runs)`, async (t) => {
    let cuts = 0;
    for (let at = 0; at < RUNS; at += 1) {
      const where = `COPYDESK_SEED=${seed + at} COPYDESK_ROUTE_RUNS=1`;
      const next = random(seed + at);
      const turns = 1 + Math.floor(next() * 3);
      const llm = await working(t, turns);
      const sent = [];
      const line = unreliable(fleet({ format: "ui-message-stream", ...(dies && { lease: 30 }) }, sent), next, dies);
      const body = { documentContent: TEA, llmConfig: llmConfigOf(llm) };
      const chat = new Chat(new DefaultChatTransport({ api: URL_OF, body, fetch: resumableFetch({ fetch: line.fetch }) }));
      await chat.sendMessage({ text: "Work" });
      assert.deepEqual([chat.status, chat.errors], ["ready", []], where);
      const message = chat.messages[1];
      const tools = message.parts.filter(({ toolCallId }) => toolCallId);
      assert.deepEqual(tools.map(({ toolCallId }) => toolCallId), Array.from({ length: turns }, (_, turn) => [`e${turn}`, `m${turn}`]).flat(), where);
      // A call that may have run when its instance died fails with that, and is not repeated.
      assert.ok(tools.every(({ state, errorText }) => state === "output-available" || (dies && /may or may not/.test(errorText))), `${where} ${JSON.stringify(tools)}`);
      const updates = message.parts.filter(({ type }) => type === "data-doc-update").map(({ data }) => data.title);
      assert.deepEqual(updates, Array.from({ length: turns }, (_, turn) => `e${turn}`), where);
      assert.deepEqual(texts(message), [...Array(turns).fill("Now I work. "), "Now I work. Done."], where);
      if (!dies) assert.deepEqual(kinds(message), whole(turns), where);
      assert.equal(new Set(sent).size, sent.length, where);
      cuts += line.cuts;
    }
    assert.ok(cuts > RUNS, `${cuts} cuts`);
  });

for (const dies of [false, true])
  test(`AG-UI: ${dies ? "instances that die" : "connections that break"} at random bytes leave messages whole (${RUNS} runs)`, async (t) => {
    for (let at = 0; at < RUNS; at += 1) {
      const where = `COPYDESK_SEED=${seed + at} COPYDESK_ROUTE_RUNS=1`;
      const next = random(seed + at);
      const turns = 1 + Math.floor(next() * 3);
      const llm = await working(t, turns);
      const sent = [];
      const line = unreliable(fleet({ format: "ag-ui", ...(dies && { lease: 30 }) }, sent), next, dies);
      const agent = new HttpAgent({ url: URL_OF, initialState: { documentContent: TEA }, fetch: resumableFetch({ fetch: line.fetch }) });
      const events = [];
      agent.subscribe({ onEvent: ({ event }) => void events.push(EventSchemas.parse(event)) });
      agent.addMessage({ id: "u", role: "user", content: "Work" });
      await agent.runAgent({ forwardedProps: { llmConfig: llmConfigOf(llm) } });
      assert.deepEqual(events.at(-1).outcome, { type: "success" }, where);
      const calls = agent.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
      assert.deepEqual(calls, Array.from({ length: turns }, (_, turn) => [`e${turn}`, `m${turn}`]).flat(), where);
      const results = agent.messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId);
      assert.deepEqual(results.sort(), calls.sort(), where);
      const said = agent.messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
      assert.deepEqual(said, [...Array(turns).fill("Now I work. "), "Now I work. Done."], where);
      const updates = events.filter(({ name }) => name === "doc_update").map(({ value }) => value.title);
      assert.deepEqual(updates, Array.from({ length: turns }, (_, turn) => `e${turn}`), where);
      assert.equal(agent.state.documentContent, TEA + updates.map((title) => `<h2>${title}</h2><p>${title}</p>`).join(""), where);
      assert.equal(new Set(sent).size, sent.length, where);
    }
  });

/** A route whose mails wait, and a transport with a token for it. */
async function held(t, turns, options) {
  const llm = await working(t, turns);
  let goOn;
  const open = new Promise((resolve) => (goOn = resolve));
  const sent = [];
  const start = fleet(options, sent, () => open);
  const [first, second] = [start(), start()];
  const headers = { "copydesk-run-token": crypto.randomUUID() };
  const at = ({ route }) => (url, init) => route.fetch(new Request(url, init));
  return { llm, sent, goOn, headers, first, second, start, at };
}

test("a page that is loaded again reads the last run with useChat's own transport, at any instance, while it runs and after", async (t) => {
  const { llm, goOn, sent, headers, first, second, at } = await held(t, 2, { format: "ui-message-stream" });
  const body = { documentContent: TEA, llmConfig: llmConfigOf(llm) };
  const transport = (instance) => new DefaultChatTransport({ api: URL_OF, body, headers, fetch: at(instance) });
  const before = new Chat(transport(first), { id: "chat" });
  const running = before.sendMessage({ text: "Work" });
  await until(() => sent.length === 1);
  // The messages that the page has stored: the user's, and perhaps a part of the answer.
  const pages = [first, second].map((instance) => new Chat(transport(instance), { id: "chat", messages: structuredClone(before.messages.slice(0, 1)) }));
  const partial = new Chat(transport(second), { id: "chat", messages: structuredClone(before.messages) });
  const resumed = [...pages, partial].map((chat) => chat.resumeStream());
  await until(() => [...pages, partial].every((chat) => kinds(chat.messages.at(-1)).includes("tool-send_mail input-available")));
  goOn();
  await Promise.all([...resumed, running]);
  const late = new Chat(transport(second), { id: "chat", messages: structuredClone(before.messages.slice(0, 1)) });
  await late.resumeStream();
  const complete = new Chat(transport(second), { id: "chat", messages: structuredClone(late.messages) });
  await complete.resumeStream();
  // The first page reads on, though others read the run at its instance.
  for (const chat of [before, ...pages, partial, late, complete]) {
    assert.deepEqual([chat.status, chat.errors, chat.messages.length], ["ready", [], 2]);
    assert.deepEqual(kinds(chat.messages[1]), whole(2));
    assert.deepEqual(chat.messages[1], late.messages[1]);
  }
  assert.deepEqual(sent, ["m0", "m1"]);
  // Another token, another conversation, and no token find nothing.
  for (const [id, more] of [["chat", { headers: { "copydesk-run-token": "t".repeat(20) } }], ["other", {}], ["chat", { headers: {} }]]) {
    const chat = new Chat(new DefaultChatTransport({ api: URL_OF, body, headers, fetch: at(second), ...more }), { id });
    await chat.resumeStream();
    assert.deepEqual([chat.status, chat.messages], ["ready", []]);
  }
});

test("a run whose instance is gone is gone on with by a page that is loaded again, if the route has the model", async (t) => {
  const { llm, sent, headers, first, start, at } = await held(t, 2, { format: "ui-message-stream", lease: 30 });
  const llmConfig = llmConfigOf(llm);
  const transport = (instance) => new DefaultChatTransport({ api: URL_OF, body: { documentContent: TEA, llmConfig }, headers, fetch: at(instance) });
  const before = new Chat(transport(first), { id: "chat" });
  void before.sendMessage({ text: "Work" });
  await until(() => kinds(before.messages.at(-1)).includes("tool-send_mail input-available") && sent.length === 1);
  first.isAlive = false;
  const messages = before.messages.slice(0, 1);
  const [without, having] = [start(), start({ llmConfig }, () => {})];
  const partial = new Chat(transport(without), { id: "chat", messages: structuredClone(messages) });
  await partial.resumeStream();
  assert.deepEqual(kinds(partial.messages[1]), kinds(before.messages[1]));
  const page = new Chat(transport(having), { id: "chat", messages: structuredClone(messages) });
  // Until the lease of the first one has ended, the page reads what there is.
  await until(async () => {
    await page.resumeStream();
    return page.messages[1]?.parts.at(-1)?.text === "Now I work. Done.";
  });
  await before.stop();
  assert.deepEqual([page.status, page.errors], ["ready", []]);
  assert.deepEqual(kinds(page.messages[1]), whole(2).map((kind, at) => (at === 3 ? "tool-send_mail output-error" : kind)));
  assert.deepEqual(sent, ["m0", "m1"]);
});

test("a request that is aborted stops its run, and so does whoever knows its conversation and token", async (t) => {
  const { llm, sent, headers, first, second, at } = await held(t, 1, { format: "ui-message-stream", lease: 30 });
  const body = { documentContent: TEA, llmConfig: llmConfigOf(llm) };
  const chat = new Chat(new DefaultChatTransport({ api: URL_OF, body, fetch: resumableFetch({ fetch: at(first) }) }), { id: "chat" });
  const running = chat.sendMessage({ text: "Work" });
  await until(() => sent.length === 1);
  await chat.stop();
  await running;
  const runs = async () => (await (await first.route.fetch(new Request(`${URL_OF}/health`))).json()).runs;
  await until(async () => (await runs()) === 0);
  const other = new Chat(new DefaultChatTransport({ api: URL_OF, body, headers, fetch: at(first) }), { id: "other" });
  const stopped = other.sendMessage({ text: "Work" });
  await until(() => sent.length === 2);
  const stop = (more) => second.route.fetch(new Request(`${URL_OF}?run=other`, { method: "DELETE", headers: { ...headers, ...more } }));
  assert.equal((await stop({ "copydesk-run-token": "t".repeat(20) })).status, 404);
  assert.equal((await stop()).status, 204);
  await stopped;
  assert.equal(other.status, "ready");
});

test("a page that was loaded again stops the run that it reads, with the DELETE of the route", async (t) => {
  const { llm, sent, first, second, at } = await held(t, 1, { format: "ui-message-stream", lease: 30 });
  const body = { documentContent: TEA, llmConfig: llmConfigOf(llm) };
  const stops = [];
  const through = (instance) => (url, init) => {
    if (init.method === "DELETE") stops.push(new URL(url).pathname);
    return at(instance)(url, init);
  };
  const runToken = crypto.randomUUID();
  const chatAt = (instance) => new Chat(new DefaultChatTransport({ api: URL_OF, body, fetch: resumableFetch({ fetch: through(instance), runToken }) }), { id: "chat" });
  const [before, page] = [chatAt(first), chatAt(second)];
  const running = before.sendMessage({ text: "Work" });
  await until(() => sent.length === 1);
  const reading = page.resumeStream();
  await until(() => kinds(page.messages.at(-1)).includes("tool-send_mail input-available"));
  await page.stop();
  await Promise.all([reading, running]);
  assert.deepEqual(stops, [new URL(URL_OF).pathname]);
  assert.deepEqual([before.status, before.errors], ["ready", []]);
  // A request that is over stops nothing.
  await before.stop();
  assert.equal(stops.length, 1);
});

test("several clients read a run at its instance, each with one stream; it goes on when one has gone or does not read", async (t) => {
  const { llm, goOn, sent, first, at } = await held(t, 3, { format: "ui-message-stream", resumeWithin: HOUR });
  const body = { documentContent: TEA, llmConfig: llmConfigOf(llm) };
  const runToken = crypto.randomUUID();
  let opened = 0;
  const fetch = (url, init) => ((opened += 1), at(first)(url, init));
  const chatOf = () => new Chat(new DefaultChatTransport({ api: URL_OF, body, fetch: resumableFetch({ fetch, runToken }) }), { id: "chat" });
  const before = chatOf();
  const running = before.sendMessage({ text: "Work" });
  await until(() => sent.length === 1);
  const pages = [chatOf(), chatOf()];
  const reading = pages.map((page) => page.resumeStream());
  await until(() => pages.every(({ messages }) => kinds(messages.at(-1)).includes("tool-send_mail input-available")));
  // One that never reads, and one that goes away.
  const headers = { "copydesk-run-token": runToken };
  const idle = await at(first)(`${URL_OF}/chat/stream`, { headers });
  const leaving = await at(first)(`${URL_OF}/chat/stream`, { headers });
  await leaving.body.cancel();
  goOn();
  await Promise.all([running, ...reading]);
  for (const chat of [before, ...pages]) {
    assert.deepEqual([chat.status, chat.errors], ["ready", []]);
    assert.deepEqual(kinds(chat.messages.at(-1)), whole(3));
  }
  assert.equal(opened, 3);
  assert.match(await idle.text(), /: end\n\n$/);
});

test("a page that goes on reading a run reads that one, though the conversation has another one by now", async (t) => {
  const answers = [];
  const llm = await model(t, () => (response) => void answers.push(response));
  const route = createDocAgentRoute({ format: "ui-message-stream", log: memoryLog(), lease: HOUR, resumeWithin: HOUR });
  const runToken = crypto.randomUUID();
  const begin = (text) => {
    const messages = [{ id: text, role: "user", parts: [{ type: "text", text }] }];
    const headers = { "copydesk-run-token": runToken };
    return route.fetch(new Request(URL_OF, { method: "POST", headers, body: JSON.stringify({ id: "chat", messages, documentContent: TEA, llmConfig: llmConfigOf(llm) }) }));
  };
  await begin("one");
  await until(() => answers.length === 1);
  answers[0].write(delta("First "));
  let opened = 0;
  const fetch = async (url, init) => {
    const response = await route.fetch(new Request(url, init));
    opened += 1;
    if (opened > 1) {
      answers[0].end(answer({ say: "answer." }));
      return response;
    }
    const reader = response.body.getReader();
    let text = "";
    const pull = async (out) => {
      const { value } = await reader.read();
      text += new TextDecoder().decode(value);
      out.enqueue(value);
      if (!text.includes("First ")) return;
      await begin("two");
      await until(() => answers.length === 2);
      answers[1].end(answer({ say: "Other." }));
      reader.cancel();
      out.error(new TypeError("network error"));
    };
    return new Response(new ReadableStream({ pull }), response);
  };
  const page = new Chat(new DefaultChatTransport({ api: URL_OF, fetch: resumableFetch({ fetch, runToken }) }), { id: "chat" });
  await page.resumeStream();
  assert.deepEqual([page.status, page.errors, opened], ["ready", [], 2]);
  assert.deepEqual(texts(page.messages[0]), ["First answer."]);
});

test("a request without a token is not logged, and its run ends with its client", async (t) => {
  const { llm, sent, first, at } = await held(t, 1, { format: "ui-message-stream" });
  const body = { documentContent: TEA, llmConfig: llmConfigOf(llm) };
  const chat = new Chat(new DefaultChatTransport({ api: URL_OF, body, fetch: at(first) }), { id: "chat" });
  const running = chat.sendMessage({ text: "Work" });
  await until(() => sent.length === 1);
  await chat.stop();
  await running;
  await until(() => llm.open === 0);
  await chat.resumeStream();
  assert.equal(chat.status, "ready");
});

test("an edit that was made when its instance died is not made again", async (t) => {
  const llm = await working(t, 1);
  const start = fleet({ format: "ui-message-stream", lease: 30 }, []);
  let isHeld = false;
  // The edit is made and told, its result is not.
  const hold = () => ((isHeld = true), new Promise(() => {}));
  const [first, second] = [start({ afterToolCall: hold }), start()];
  let instance = first;
  const fetch = async (url, init) => {
    const response = await instance.route.fetch(new Request(url, init));
    if (instance === second || init.method === "DELETE") return response;
    const reader = response.body.getReader();
    const pull = async (out) => {
      const { value } = await reader.read();
      out.enqueue(value);
      if (!isHeld || !new TextDecoder().decode(value).includes("data-doc-update")) return;
      first.isAlive = false;
      instance = second;
      reader.cancel();
      out.error(new TypeError("network error"));
    };
    return new Response(new ReadableStream({ pull }), response);
  };
  const body = { documentContent: TEA, llmConfig: llmConfigOf(llm) };
  const chat = new Chat(new DefaultChatTransport({ api: URL_OF, body, fetch: resumableFetch({ fetch }) }));
  await chat.sendMessage({ text: "Work" });
  assert.deepEqual([chat.status, chat.errors], ["ready", []]);
  const parts = chat.messages[1].parts.filter(({ type }) => type === "data-doc-update");
  assert.equal(parts.length, 1);
  assert.equal(chat.messages[1].parts.find(({ toolCallId }) => toolCallId === "e0").state, "output-available");
});

test("the last run of a conversation is found, also if its first instance ended right after its claim", async (t) => {
  const llm = await working(t, 0);
  const log = memoryLog();
  const options = { format: "ui-message-stream", lease: 20 };
  let isClaimed = false;
  const dying = createDocAgentRoute({ ...options, log: { ...log, setLatest: () => ((isClaimed = true), new Promise(() => {})) } });
  const other = createDocAgentRoute({ ...options, log });
  const headers = { "copydesk-run-token": "t".repeat(20), "copydesk-run-id": "run" };
  const body = JSON.stringify({ id: "chat", messages: [{ role: "user", parts: [{ type: "text", text: "Work" }] }], llmConfig: llmConfigOf(llm) });
  const request = () => new Request(URL_OF, { method: "POST", headers, body });
  void dying.fetch(request());
  await until(() => isClaimed);
  await until(async () => /Done\./.test(await (await other.fetch(request())).text()));
  const again = await other.fetch(new Request(`${URL_OF}/chat/stream`, { headers }));
  assert.match(await again.text(), /Done\./);
});

test("a run that goes on with an approved call is added to its message when the page is loaded again", async (t) => {
  const llm = await model(t, [{ say: "I write. ", calls: [edit("e0")] }, { say: "Done." }]);
  const log = memoryLog();
  const route = createDocAgentRoute({ format: "ui-message-stream", needsApproval: ["update_section"], log });
  const headers = { "copydesk-run-token": crypto.randomUUID() };
  const body = { documentContent: TEA, llmConfig: llmConfigOf(llm) };
  const transport = new DefaultChatTransport({ api: URL_OF, body, headers, fetch: (url, init) => route.fetch(new Request(url, init)) });
  const automatic = { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses };
  const chat = new Chat(transport, { id: "chat", ...automatic });
  await chat.sendMessage({ text: "Write" });
  const asked = chat.messages[1].parts.find(({ state }) => state === "approval-requested");
  const stored = [];
  const { replaceMessage } = chat.state;
  chat.state.replaceMessage = (at, message) => {
    replaceMessage(at, message);
    stored.push(structuredClone(chat.messages));
  };
  await chat.addToolApprovalResponse({ id: asked.approval.id, approved: true });
  await until(() => chat.status === "ready" && chat.messages[1].parts.at(-1).text === "Done.");
  const page = new Chat(transport, { id: "chat", messages: stored.find(([, message]) => message.parts.some(({ state }) => state === "approval-responded")) });
  await page.resumeStream();
  assert.deepEqual([page.status, page.errors, page.messages.length], ["ready", [], 2]);
  assert.deepEqual(kinds(page.messages[1]), kinds(chat.messages[1]));
  assert.deepEqual(texts(page.messages[1]), ["I write. ", "Done."]);
});

/** The agent of a page that was loaded again, as docs/route.md has it. */
class ReloadedAgent extends HttpAgent {
  connect({ threadId }) {
    const request = () => this.fetch(`${this.url}/${encodeURIComponent(threadId)}/stream`, { headers: this.headers });
    return transformHttpEventStream(runHttpRequest(request));
  }
}

test("AG-UI: the last run of a thread is read again from its beginning, at any instance", async (t) => {
  const { llm, goOn, sent, headers, first, second, at } = await held(t, 2, { format: "ag-ui" });
  const agentAt = (instance) => new ReloadedAgent({ url: URL_OF, threadId: "thread", headers, fetch: at(instance), initialState: { documentContent: TEA }, initialMessages: [{ id: "u", role: "user", content: "Work" }] });
  const agent = agentAt(first);
  const running = agent.runAgent({ forwardedProps: { llmConfig: llmConfigOf(llm) } });
  await until(() => sent.length === 1);
  const pages = [agentAt(first), agentAt(second)];
  const connected = pages.map((page) => page.connectAgent());
  goOn();
  await Promise.all([...connected, running]);
  const late = agentAt(second);
  await late.connectAgent();
  for (const page of [...pages, late]) {
    assert.deepEqual(page.messages, late.messages);
    assert.deepEqual(page.state, late.state);
    assert.equal(page.messages.at(-1).content, "Now I work. Done.");
    assert.ok(page.state.documentContent.endsWith("<h2>e1</h2><p>e1</p>"));
  }
  assert.deepEqual(sent, ["m0", "m1"]);
});
