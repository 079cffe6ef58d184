// Signed requests for approval: the call that is approved is the call that was asked about, at any instance, once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { HttpAgent } from "@ag-ui/client";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog, postgresLog, redisLog } from "../../pkg/route.js";
import { Chat } from "./chat.mjs";
import { call, llmConfigOf, model, until } from "./route-server.mjs";
import { lastFirst, needs, postgresServer, redisServer } from "./stores.mjs";

await init();

const URL_OF = "http://127.0.0.1/api/doc-agent-chat";
const SECRET = "a secret of the tests: 0123456789";
const OTHER = "another secret of the tests: 0123456789";
const LONG = "<h1>Tea</h1><p>One.</p><p>Two.</p><p>A leaf.</p>";
const mails = () => [call("m1", "send_mail", { to: "Ann", cc: { b: 2, a: [1, -0.5] } }), call("m2", "send_mail", { to: "Bob" }), call("l", "note")];
const token = () => ({ "copydesk-run-token": crypto.randomUUID() });

/** A model that calls tools, reads a mail's results, and ends. `calls` are those of its first answers. */
const calling = (t, ...calls) =>
  model(t, ({ messages }) => {
    const done = messages.filter(({ role }) => role === "assistant").length;
    return done < calls.length ? { say: "Calling. ", calls: calls[done] } : { say: "Done." };
  });

/** An instance of a route with tools of the app, and what they were called with. */
function instance(llm, format, options = {}) {
  const sent = [];
  const parameters = { type: "object", properties: { to: { type: "string" }, cc: { type: "object" } } };
  const tool = (name, more) => ({ name, description: "A tool.", parameters, execute: async (_id, args) => (sent.push(`${name} ${args?.to ?? ""}`.trim()), "sent"), ...more });
  const tools = [tool("send_mail", { needsApproval: true }), tool("note")];
  const route = createDocAgentRoute({ format, tools, llmConfig: llmConfigOf(llm), approvalSecret: SECRET, ...options });
  return { route, sent };
}

/** Posts a body as a client has made it. */
async function send({ route }, body, headers = {}) {
  const response = await route.fetch(new Request(URL_OF, { method: "POST", headers, body: JSON.stringify(body) }));
  const text = await response.text();
  return { status: response.status, text, error: response.status === 200 ? undefined : JSON.parse(text) };
}

async function refused(at, body, reason, headers) {
  const { status, error } = await send(at, body, headers);
  assert.deepEqual([status, error?.code, error?.details], [403, "approval_not_asked", { reason }], JSON.stringify(error));
}

/** Returns what a client calls instead of a server: the request is kept in `bodies`, and answered by an instance while there is one. */
function wire(at) {
  const state = { at, bodies: [] };
  state.fetch = async (url, init) => {
    state.bodies.push(JSON.parse(init.body));
    return state.at ? state.at.route.fetch(new Request(new URL(url, URL_OF), init)) : new Response("", { status: 500 });
  };
  return state;
}

/** The official clients: each asks, and returns the body by which it answers. */
const CLIENTS = {
  "ui-message-stream": async (at, approved = true, documentContent = LONG) => {
    const line = wire(at);
    const transport = new DefaultChatTransport({ api: URL_OF, body: { documentContent }, fetch: line.fetch });
    const chat = new Chat(transport, { id: "conversation", sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses });
    await chat.sendMessage({ text: "Go" });
    const asked = () => chat.messages.at(-1).parts.filter(({ state }) => state === "approval-requested");
    return {
      asked: () => asked().map(({ toolCallId }) => toolCallId),
      text: () => chat.messages.at(-1).parts.at(-1).text,
      async answer(to, yes = approved) {
        const before = line.bodies.length;
        line.at = to;
        for (const { approval } of asked()) await chat.addToolApprovalResponse({ id: approval.id, approved: yes });
        await until(() => line.bodies.length > before && ["ready", "error"].includes(chat.status));
        return line.bodies.at(-1);
      },
    };
  },
  "ag-ui": async (at, approved = true, documentContent = LONG) => {
    const line = wire(at);
    const agent = new HttpAgent({ url: URL_OF, threadId: "conversation", fetch: line.fetch, initialState: { documentContent, mine: 1 } });
    let asked = [];
    agent.subscribe({ onRunFinishedEvent: ({ event }) => void (asked = event.outcome?.interrupts ?? []) });
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content: "Go" });
    await agent.runAgent({});
    return {
      asked: () => asked.map(({ id }) => id),
      text: () => agent.messages.at(-1).content,
      state: () => agent.state,
      async answer(to, yes = approved) {
        line.at = to;
        const resume = asked.map(({ id }) => ({ interruptId: id, status: "resolved", payload: { approved: yes } }));
        const { error } = console;
        // The client prints that nobody has answered.
        if (!to) console.error = () => {};
        await agent.runAgent({ resume }).catch((thrown) => assert.equal(to, undefined, String(thrown)));
        console.error = error;
        return line.bodies.at(-1);
      },
    };
  },
};

const parts = (body) => body.messages.at(-1).parts.filter(({ toolCallId }) => toolCallId);
const requests = (body) => parts(body).flatMap(({ approval }) => (approval && !approval.isAutomatic ? [approval] : []));
const calls = (body) => body.messages.findLast(({ role }) => role === "assistant").toolCalls;

/** How bodies of a format are changed. */
const CHANGES = {
  "ui-message-stream": {
    input: (body, change) => change(parts(body)[0].input),
    name: (body) => void (parts(body)[0].type = "tool-note"),
    thread: (body) => void (body.id = "another"),
    signature: (body, change) => requests(body).forEach((approval) => (approval.signature = change(approval.signature))),
    shown: (body, change) => change(requests(body)[0].descriptor.shown),
    more: (body) => void body.messages.at(-1).parts.push({ ...parts(body)[0], type: "tool-note", toolCallId: "more", approval: { id: "more", approved: true, isAutomatic: true } }),
    fewer: (body) => void body.messages.at(-1).parts.pop(),
    behind: (body) => void (parts(body).at(-1).approval = { ...parts(body)[0].approval, id: parts(body).at(-1).toolCallId }),
    other: (body, id) => void (parts(body)[0].toolCallId = id),
  },
  "ag-ui": {
    input(body, change) {
      const [{ function: called }] = calls(body);
      const input = JSON.parse(called.arguments);
      change(input);
      called.arguments = JSON.stringify(input);
    },
    name: (body) => void (calls(body)[0].function.name = "note"),
    thread: (body) => void (body.threadId = "another"),
    signature: (body, change) => void (body.state.approvalSignature = change(body.state.approvalSignature)),
    shown: (body, change) => change(body.state.shown),
    more: (body) => void calls(body).push({ id: "more", type: "function", function: { name: "note", arguments: "{}" } }),
    fewer: (body) => void calls(body).pop(),
    behind: (body) => void body.resume.push({ interruptId: calls(body).at(-1).id, status: "resolved", payload: { approved: true } }),
    other(body, id) {
      calls(body)[0].id = id;
      body.resume[0].interruptId = id;
    },
  },
};

for (const format of Object.keys(CLIENTS)) {
  const change = CHANGES[format];

  test(`${format}: the official client approves and rejects signed calls, at any instance`, async (t) => {
    const llm = await calling(t, mails());
    const log = memoryLog();
    const [one, other] = [0, 1].map(() => instance(llm, format, { log }));
    const client = await CLIENTS[format](one);
    assert.deepEqual(client.asked(), ["m1", "m2"]);
    assert.deepEqual([...one.sent, ...other.sent].filter((name) => name !== "note"), []);
    await client.answer(other);
    await until(() => client.text() === "Done.");
    assert.deepEqual(other.sent.filter((name) => name !== "note").sort(), ["send_mail Ann", "send_mail Bob"]);
    const rejecting = await CLIENTS[format](one);
    await rejecting.answer(other, false);
    await until(() => rejecting.text() === "Done.");
    assert.equal([...one.sent, ...other.sent].filter((name) => name !== "note").length, 2);
    if (client.state) assert.deepEqual(Object.keys(client.state()).sort(), ["documentContent", "mine"], "the signature is forgotten");
  });

  test(`${format}: a decision about anything else than was asked is refused, and nothing runs`, async (t) => {
    const edit = (id) => call(id, "update_section", { operation: "append", title: id, content: "<p>More.</p>" });
    // The second one asks when it is its turn.
    const llm = await calling(t, [...mails(), edit("e"), edit("f")]);
    const at = instance(llm, format, { needsApproval: ["update_section"] });
    const client = await CLIENTS[format](at);
    const body = await client.answer(undefined);
    at.sent.length = 0;
    const tampered = (how) => {
      const copy = structuredClone(body);
      how(copy);
      assert.notDeepEqual(copy, body);
      return copy;
    };
    const reasons = {
      changed: {
        "another argument": (copy) => change.input(copy, (input) => void (input.to = "Eve")),
        "one argument more": (copy) => change.input(copy, (input) => void (input.bcc = "Eve")),
        "an argument within": (copy) => change.input(copy, (input) => void (input.cc.a[1] = 0.5)),
        "one argument less": (copy) => change.input(copy, (input) => void delete input.cc),
        "another tool": change.name,
        "another id": (copy) => change.other(copy, "m9"),
        "one call more": change.more,
        "one call less": change.fewer,
        "another conversation": change.thread,
        "a decision about a call that was not asked about": (copy) => change.behind(copy),
        "another time": (copy) => change.signature(copy, (text) => text.replace(/"at":\d/, '"at":9')),
        "another code": (copy) => change.signature(copy, (text) => (text[0] === "0" ? "1" : "0") + text.slice(1)),
        "no code": (copy) => change.signature(copy, (text) => text.slice(64)),
        "a text": (copy) => change.signature(copy, () => "x".repeat(200)),
        "an empty text": (copy) => change.signature(copy, () => ""),
        "other names": (copy) => change.signature(copy, (text) => text.replace('"m1"', '"e"')),
      },
      unsigned: {
        "no signature": (copy) => change.signature(copy, () => undefined),
        "a number": (copy) => change.signature(copy, () => 7),
      },
    };
    for (const [reason, all] of Object.entries(reasons))
      for (const [what, how] of Object.entries(all)) await t.test(what, () => refused(at, tampered(how), reason));
    assert.deepEqual(at.sent, []);
    await refused(instance(llm, format, { approvalSecret: OTHER }), body, "changed");
    // Members in another order are the same call, and what was asked is still accepted.
    const same = structuredClone(body);
    change.input(same, (input) => {
      const { to, cc } = structuredClone(input);
      for (const name of Object.keys(input)) delete input[name];
      Object.assign(input, { cc: { a: cc.a, b: cc.b }, to });
    });
    assert.equal((await send(at, same)).status, 200);
    assert.ok(at.sent.includes("send_mail Ann") && at.sent.includes("send_mail Bob"));
  });

  test(`${format}: what a call refers to is what was asked about`, async (t) => {
    const replace = call("e", "edit_current_editor_document", { edits: [{ start_line: 4, end_line: 4, content: "A dry leaf." }] });
    const llm = await calling(t, [call("r", "read_lines")], [replace]);
    const ends = [];
    const at = instance(llm, format, { needsApproval: [replace.name], onEnd: ({ html }) => void ends.push(html) });
    const client = await CLIENTS[format](at);
    const body = await client.answer(undefined);
    for (const how of [(shown) => void delete shown.e, (shown) => void (shown.f = shown.e), (shown) => void (shown.e = { ...shown.e, more: 1 })]) {
      const copy = structuredClone(body);
      change.shown(copy, how);
      assert.notDeepEqual(copy, body);
      await refused(at, copy, "changed");
    }
    const before = ends.length;
    await send(at, body);
    assert.deepEqual(ends.slice(before), [LONG.replace("A leaf", "A dry leaf")]);
  });

  for (const hasLog of [true, false])
    test(`${format}: a decision counts once, ${hasLog ? "at all instances with one log" : "at its instance without a log"}`, async (t) => {
      const llm = await calling(t, mails());
      const log = hasLog ? memoryLog() : undefined;
      const [one, other] = [0, 1].map(() => instance(llm, format, { log, lease: 200 }));
      const client = await CLIENTS[format](one);
      const body = await client.answer(undefined);
      one.sent.length = 0;
      const all = () => [...one.sent, ...other.sent].filter((name) => name !== "note").sort();
      // At the same time: one of them runs.
      const second = hasLog ? other : one;
      const answers = await Promise.all([send(one, body), send(second, body), send(one, body, hasLog ? token() : {})]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403]);
      assert.deepEqual(all(), ["send_mail Ann", "send_mail Bob"]);
      for (const at of [one, second]) {
        await refused(at, body, "decided");
        await refused(at, body, "decided", token());
        // Asked again, a run that was refused is refused again.
        const headers = { ...token(), "copydesk-run-id": "again" };
        await refused(at, body, "decided", headers);
        await refused(at, body, "decided", headers);
      }
      assert.deepEqual(all(), ["send_mail Ann", "send_mail Bob"]);
      // The same call, asked about again, is another one.
      const again = await CLIENTS[format](one);
      await again.answer(one);
      assert.equal(all().length, 4);
    });

  test(`${format}: a run that the log has removed is not run again by its own request`, async (t) => {
    const llm = await calling(t, mails());
    const log = memoryLog(1);
    const at = instance(llm, format, { log });
    const client = await CLIENTS[format](at);
    const body = await client.answer(undefined);
    const headers = { ...token(), "copydesk-run-id": "r" };
    assert.equal((await send(at, body, headers)).status, 200);
    const { length } = at.sent;
    // It is read again from the log, then the log makes place for another one.
    assert.match((await send(at, body, headers)).text, /Done\./);
    await log.claim("other", { owner: "o", lease: 1 }, "{}");
    await refused(at, body, "decided", headers);
    assert.equal(at.sent.length, length);
  });

  test(`${format}: an instance goes on with the answered run of another one, whose decisions still count`, async (t) => {
    const llm = await calling(t, mails());
    const log = memoryLog();
    const other = instance(llm, format, { log, lease: 300 });
    const client = await CLIENTS[format](other);
    const body = await client.answer(undefined);
    other.sent.length = 0;
    // The first instance hangs as soon as it has marked the decision.
    let hangs = false;
    const held = [];
    const through = Object.entries(log).map(([name, method]) => [
      name,
      async (...given) => {
        if (hangs) await new Promise((go) => held.push(go));
        const result = await method(...given);
        hangs ||= name === "lock";
        return result;
      },
    ]);
    const one = instance(llm, format, { log: Object.fromEntries(through), lease: 300 });
    const headers = { ...token(), "copydesk-run-id": "r" };
    const lost = send(one, body, headers);
    await until(() => hangs);
    let answer;
    await until(async () => {
      answer = await send(other, body, headers);
      return answer.status !== 200 || answer.text.includes("Done.");
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([...one.sent, ...other.sent].filter((name) => name !== "note").sort(), ["send_mail Ann", "send_mail Bob"]);
    await refused(other, body, "decided", token());
    hangs = false;
    held.forEach((go) => go());
    assert.doesNotMatch((await lost).text, /Done\./);
  });

  test(`${format}: a decision whose run cannot begin does not count; one whose log fails is refused`, async (t) => {
    const llm = await calling(t, mails());
    const log = memoryLog();
    let fails = false;
    const lock = (...given) => (fails ? Promise.reject(new Error("no database")) : log.lock(...given));
    const at = instance(llm, format, { log: { ...log, lock } });
    const client = await CLIENTS[format](at);
    const body = await client.answer(undefined);
    at.sent.length = 0;
    fails = true;
    const failed = await send(at, body);
    assert.deepEqual([failed.status, failed.error.code], [503, "log_failed"]);
    fails = false;
    const broken = instance(llm, format, { log, maxTurns: -1 });
    assert.equal((await send(broken, body)).status, 400);
    assert.deepEqual(at.sent, []);
    assert.equal((await send(at, body)).status, 200);
    assert.ok(at.sent.includes("send_mail Ann"));
  });

  test(`${format}: a request is answered in time, and with any secret of the list`, async (t) => {
    const llm = await calling(t, mails());
    const late = instance(llm, format, { approveWithin: 1 });
    const slow = await CLIENTS[format](late);
    const body = await slow.answer(undefined);
    const began = Date.now();
    await until(() => Date.now() > began + 1);
    await refused(late, body, "expired");
    const client = await CLIENTS[format](instance(llm, format, { approvalSecret: [OTHER] }));
    const other = await client.answer(undefined);
    await refused(instance(llm, format, { approvalSecret: SECRET }), other, "changed");
    assert.equal((await send(instance(llm, format, { approvalSecret: [SECRET, OTHER] }), other)).status, 200);
  });

  test(`${format}: the secret is in no answer, log entry, error or view of the route; the signature is with its request`, async (t) => {
    const llm = await calling(t, mails());
    const seen = [];
    const log = memoryLog();
    const spied = Object.fromEntries(Object.entries(log).map(([name, method]) => [name, (...given) => (seen.push(given), method(...given))]));
    const logger = Object.fromEntries(["debug", "info", "warning", "error"].map((level) => [level, (...given) => void seen.push(given)]));
    const at = instance(llm, format, { log: spied, logger, onEnd: (end) => void seen.push([end.result, end.body]) });
    const client = await CLIENTS[format](at);
    const body = await client.answer(undefined);
    seen.push(body, await send(at, body, token()), await send(at, body), llm.requests, inspect(at.route, { depth: 9, showHidden: true }));
    const text = JSON.stringify(seen);
    assert.ok(text.includes(format === "ag-ui" ? "approvalSignature" : "signature"));
    assert.ok(!text.includes(SECRET));
  });
}

test("a secret that is too short is refused, and is not in the error", () => {
  const of = (approvalSecret, more) => () => createDocAgentRoute({ format: "ag-ui", approvalSecret, ...more });
  for (const secret of ["", "0123456789abcdefghijklmnopqrstu", ["x".repeat(31)], [SECRET, "short secret"], [], 7, null, [undefined], {}])
    assert.throws(of(secret), (error) => {
      assert.deepEqual([error.code, error.details.name], ["invalid_parameter", "approvalSecret"]);
      assert.match(error.message, /at least 32 characters/);
      return [secret].flat().every((text) => !text || !error.message.includes(text));
    });
  for (const within of [0, -1, NaN, Infinity, "1"]) assert.throws(of(SECRET, { approveWithin: within }), /approveWithin/);
  assert.throws(of(SECRET, { format: "copydesk" }), /ui-message-stream/);
  of("0123456789abcdefghijklmnopqrstuv")();
});

for (const [store, start, logOf] of [
  ["Redis", redisServer, redisLog],
  ["PostgreSQL", postgresServer, postgresLog],
])
  test(`a decision that two instances get at the same time counts once with ${store}`, needs[store === "Redis" ? "redis" : "postgres"], async (t) => {
    const { connect } = await start(lastFirst(t));
    const llm = await calling(t, mails());
    const both = [];
    for (let at = 0; at < 2; at += 1) both.push(instance(llm, "ag-ui", { log: logOf(await connect()) }));
    for (let round = 0; round < 5; round += 1) {
      for (const { sent } of both) sent.length = 0;
      const client = await CLIENTS["ag-ui"](both[round % 2]);
      const body = await client.answer(undefined);
      const answers = await Promise.all(both.map((at) => send(at, body, round % 2 ? token() : {})));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403]);
      assert.deepEqual(both.flatMap(({ sent }) => sent).filter((name) => name !== "note").sort(), ["send_mail Ann", "send_mail Bob"]);
    }
  });
