// Faults of what instances share: a Redis that is gone in mid-run, a clock that jumps, a log entry of 50 MB.
import assert from "node:assert/strict";
import { connect as connectTo, createServer } from "node:net";
import { test } from "node:test";
import { createClient } from "redis";
import { init } from "../../pkg/index.js";
import { memoryLog, postgresLog, redisLog } from "../../pkg/route.js";
import { call, eventsIn, llmConfigOf, model, post, routeOn, until } from "./route-server.mjs";
import { lastFirst, needs, postgresServer, redisServer } from "./stores.mjs";

await init();

const token = () => ({ "copydesk-run-token": crypto.randomUUID() });
const body = (llm) => ({ message: "Send it.", documentContent: "<p>A leaf.</p>", runId: "r", llmConfig: llmConfigOf(llm) });
const mailing = (t) => model(t, ({ messages }) => (messages.some(({ role }) => role === "tool") ? { say: "Sent." } : { say: "Mail.", calls: [call("m", "send_mail")] }));
const isWhole = (events) => assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => events[0].seq + index));

/** A tool whose calls wait until `goOn`. */
function mail() {
  const state = { sent: [] };
  const held = new Promise((resolve) => (state.goOn = resolve));
  const execute = async (id) => {
    state.sent.push(id);
    await held;
    return "sent";
  };
  state.tools = [{ name: "send_mail", description: "Sends a mail.", parameters: { type: "object", properties: {} }, execute }];
  return state;
}

/** A line to a server that can be cut, and mended. Returns its port. */
async function line(after, port) {
  const state = { isCut: false };
  const sockets = new Set();
  const server = createServer((socket) => {
    if (state.isCut) return socket.destroy();
    const other = connectTo(port, "127.0.0.1");
    for (const [one, two] of [[socket, other], [other, socket]]) {
      sockets.add(one);
      one.on("error", () => {}).on("close", () => (sockets.delete(one), two.destroy())).pipe(two);
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  state.cut = () => {
    state.isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  after(() => (state.cut(), new Promise((closed) => server.close(closed))));
  return Object.assign(state, { port: server.address().port });
}

/** Redis over a line. The client connects again by itself, and refuses commands meanwhile. */
async function redisOver(t) {
  const after = lastFirst(t);
  const { port, connect } = await redisServer(after);
  const direct = await connect();
  const cuttable = await line(after, port);
  const client = createClient({ socket: { host: "127.0.0.1", port: cuttable.port, reconnectStrategy: () => 20 }, disableOfflineQueue: true });
  client.on("error", () => {});
  await client.connect();
  after(() => client.destroy());
  return { cuttable, log: redisLog(client), direct: redisLog(direct) };
}

test("a Redis that is gone for a part of the lease: the client reads the run to its end, and the log has all of it afterwards", needs.redis, async (t) => {
  const { cuttable, log, direct } = await redisOver(t);
  const { tools, sent, goOn } = mail();
  const llm = await mailing(t);
  const logger = { error: () => {} };
  const [first, second] = [await routeOn(t, { log, tools, lease: 600_000, logger }), await routeOn(t, { log: direct, tools, lease: 600_000 })];
  const headers = token();
  const read = post(first, body(llm), { headers }).then((response) => response.text());
  await until(() => sent.length === 1);
  cuttable.cut();
  goOn();
  const events = eventsIn(await read);
  isWhole(events);
  assert.equal(events.at(-1).type, "complete");
  // A request at the instance without its Redis says so; at the other one it waits for the rest.
  const refused = await post(first, { ...body(llm), runId: "other" }, { headers: { ...token(), "last-event-id": "1" } });
  assert.deepEqual([refused.status, (await refused.json()).code], [503, "log_failed"]);
  cuttable.isCut = false;
  const again = eventsIn(await (await post(second, body(llm), { headers: { ...headers, "last-event-id": "-1" } })).text());
  assert.deepEqual(again, events);
  assert.deepEqual(sent, ["m"]);
});

test("a Redis that is gone for longer than the lease: the run ends at its instance, and is gone on with, without another mail", needs.redis, async (t) => {
  const { cuttable, log, direct } = await redisOver(t);
  const { tools, sent, goOn } = mail();
  const llm = await mailing(t);
  const [first, second] = [await routeOn(t, { log, tools, lease: 300, logger: { error: () => {} } }), await routeOn(t, { log: direct, tools, lease: 300 })];
  const headers = token();
  const read = post(first, body(llm), { headers }).then((response) => response.text());
  await until(() => sent.length === 1);
  cuttable.cut();
  // The stream ends without an end.
  const before = eventsIn(await read);
  assert.ok(!["complete", "aborted", "error"].includes(before.at(-1).type), before.at(-1).type);
  goOn();
  let after = [];
  await until(async () => {
    const last = String([...before, ...after].at(-1).seq);
    after.push(...eventsIn(await (await post(second, body(llm), { headers: { ...headers, "last-event-id": last } })).text()));
    return after.at(-1)?.type === "complete";
  });
  isWhole([...before, ...after]);
  assert.deepEqual(sent, ["m"]);
  assert.match(JSON.stringify(after.find(({ type }) => type === "tool_result").content), /maybe_ran/);
  // With Redis again, the first instance tells the same.
  cuttable.isCut = false;
  await until(async () => (await (await fetch(first.replace(/[^/]+$/, "health"))).json()).log === "ok");
  const again = eventsIn(await (await post(first, body(llm), { headers: { ...headers, "last-event-id": "-1" } })).text());
  assert.deepEqual(again, [...before, ...after]);
});

/** Lets the clock of this process jump. Timers and `performance.now()` are as they were. */
function clock(t) {
  const { now } = Date;
  const state = { ahead: 0 };
  Date.now = () => now() + state.ahead;
  t.after(() => (Date.now = now));
  return state;
}

for (const [store, logOf] of [
  ["memory", async () => memoryLog()],
  ["Redis", async (t) => redisLog(await (await redisServer(lastFirst(t))).connect())],
  ["PostgreSQL", async (t) => postgresLog(await (await postgresServer(lastFirst(t))).connect())],
])
  test(`clocks of instances that jump by a day end no lease, with a log in ${store}`, needs[{ Redis: "redis", PostgreSQL: "postgres" }[store]] ?? {}, async (t) => {
    const log = await logOf(t);
    const { tools, sent, goOn } = mail();
    const llm = await mailing(t);
    const urls = [await routeOn(t, { log, tools, lease: 2_000 }), await routeOn(t, { log, tools, lease: 2_000 })];
    const time = clock(t);
    const headers = token();
    const one = post(urls[0], body(llm), { headers }).then((response) => response.text());
    await until(() => sent.length === 1);
    time.ahead = 86_400_000;
    const others = [post(urls[1], body(llm), { headers })];
    await others[0];
    time.ahead = -86_400_000;
    others.push(post(urls[1], body(llm), { headers }));
    await others[1];
    goOn();
    const [events, ...rest] = (await Promise.all([one, ...others.map(async (response) => (await response).text())])).map(eventsIn);
    isWhole(events);
    assert.equal(events.at(-1).type, "complete");
    for (const other of rest) assert.deepEqual(other, events);
    assert.deepEqual(sent, ["m"]);
  });

for (const [store, logOf] of [
  ["Redis", async (t) => redisLog(await (await redisServer(lastFirst(t))).connect())],
  ["PostgreSQL", async (t) => postgresLog(await (await postgresServer(lastFirst(t))).connect())],
  ["memory", async () => memoryLog(10, 256 * 1024 * 1024)],
  ["a memory that is smaller", async () => memoryLog()],
])
  test(`a log entry of 50 MB is read as it is, with a log in ${store}`, needs[{ Redis: "redis", PostgreSQL: "postgres" }[store]] ?? {}, async (t) => {
    const log = await logOf(t);
    const large = "A leaf of 茶. ".repeat(3_400_000);
    assert.ok(new TextEncoder().encode(large).length >= 50_000_000);
    const tools = [{ name: "send_mail", description: "Sends a mail.", parameters: { type: "object", properties: {} }, execute: async () => "sent" }];
    const afterToolCall = () => ({ details: { large } });
    const llm = await mailing(t);
    const urls = [await routeOn(t, { log, tools, afterToolCall, lease: 60_000 }), await routeOn(t, { log, tools, afterToolCall, lease: 60_000 })];
    const headers = token();
    const text = await (await post(urls[0], body(llm), { headers })).text();
    const events = eventsIn(text);
    isWhole(events);
    assert.equal(events.at(-1).type, "complete");
    assert.equal(events.find(({ type }) => type === "tool_result").details.large, large);
    const again = await post(urls[1], body(llm), { headers: { ...headers, "last-event-id": "-1" } });
    if (store.startsWith("a memory")) {
      // The run has gone on, but cannot be read again.
      assert.deepEqual([again.status, (await again.json()).code], [404, "unknown_run"]);
      return;
    }
    assert.ok((await again.text()) === text, "another instance reads the same");
  });
