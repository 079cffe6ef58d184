// An instance that closes: it leaves its runs to others, and its health says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Document, init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog, streamDocAgentChat } from "../../pkg/route.js";
import { answer, call, delta, llmConfigOf, model, until } from "./route-server.mjs";

await init();

const URL_OF = "http://127.0.0.1/api/doc-agent-chat";
const HOUR = 3_600_000;
const TEA = "<h1>Tea</h1><p>A leaf.</p>";

/** A model that sends mails, one an answer, then ends. */
const mailing = (t, count) =>
  model(t, ({ messages }) => {
    const done = messages.filter(({ role }) => role === "tool").length;
    return done < count ? { say: `Mail ${done}.`, calls: [call(`m${done}`, "send_mail")] } : { say: "Sent." };
  });

/** Instances over one log, of which the first one that is open answers, as behind a load balancer. */
function instances(names, options) {
  const sent = [];
  const ends = [];
  const log = options.log ?? memoryLog();
  const routes = names.map((name) => {
    const execute = async (id) => {
      sent.push([name, id]);
      await options.wait?.(name, id);
      return "sent";
    };
    const tools = [{ name: "send_mail", description: "Sends a mail.", parameters: { type: "object", properties: {} }, execute }];
    const onEnd = ({ result }) => void ends.push([name, result.status]);
    return createDocAgentRoute({ log, tools, onEnd, lease: HOUR, resumeWithin: HOUR, ...options.more });
  });
  const fetch = async (url, init) => {
    let response;
    for (const route of routes) {
      response = await route.fetch(new Request(url, init));
      if (response.status !== 503) return response;
    }
    return response;
  };
  return { routes, sent, ends, fetch };
}

const body = (llm, runId = "r") => ({ message: "Send them.", documentContent: TEA, runId, llmConfig: llmConfigOf(llm) });
const health = async (route) => {
  const response = await route.fetch(new Request(`${URL_OF}/health`));
  return [response.status, await response.json()];
};

async function read(url, sent, options) {
  const events = [];
  for await (const event of streamDocAgentChat(url, sent, options)) events.push(event);
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => 1 + index));
  return events;
}

test("an instance that closes ends the call under way; another one goes on, and nothing is lost or sent twice", async (t) => {
  const llm = await mailing(t, 3);
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  const wait = (_, id) => (id === "m1" ? held : undefined);
  const { routes, sent, ends, fetch } = instances(["A", "B"], { wait });
  const reading = read(URL_OF, { ...body(llm), documentContent: undefined }, { fetch, document: Document.fromHTML(TEA) });
  await until(() => sent.length === 2);
  const closed = routes[0].close({ within: HOUR });
  assert.deepEqual(await health(routes[0]), [503, { status: "closing", log: "ok", runs: 1 }]);
  assert.deepEqual(await health(routes[1]), [200, { status: "ok", log: "ok", runs: 0 }]);
  const refused = await routes[0].fetch(new Request(URL_OF, { method: "POST", body: JSON.stringify(body(llm, "other")) }));
  assert.deepEqual([refused.status, (await refused.json()).code], [503, "closing"]);
  goOn();
  await closed;
  assert.equal((await reading).at(-1).type, "complete");
  assert.deepEqual(sent, [["A", "m0"], ["A", "m1"], ["B", "m2"]]);
  assert.deepEqual(ends, [["B", "complete"]]);
  assert.equal((await health(routes[0]))[1].runs, 0);
});

test("a run without a call under way is left at once, one whose call does not end at the deadline", async (t) => {
  for (const isCalling of [false, true]) {
    const answers = [];
    const llm = await model(t, ({ messages }) => {
      if (messages.some(({ role }) => role === "tool")) return { say: "Sent." };
      if (isCalling) return { calls: [call("m0", "send_mail")] };
      return (response) => {
        response.write(delta("One "));
        answers.push(response);
        if (answers.length > 1) response.end(answer({ say: "word." }));
      };
    });
    const { routes, sent, ends, fetch } = instances(["A", "B"], { wait: () => new Promise(() => {}) });
    const reading = read(URL_OF, body(llm), { fetch });
    await until(() => (isCalling ? sent.length : answers.length) === 1);
    await routes[0].close({ within: isCalling ? 1 : HOUR });
    const events = await reading;
    assert.equal(events.at(-1).type, "complete");
    assert.deepEqual([sent.length, ends], [isCalling ? 1 : 0, [["B", "complete"]]]);
    if (isCalling) assert.match(JSON.stringify(llm.requests.at(-1).messages), /maybe_ran/);
  }
});

test("a client that reads a run at a closing instance goes on at another one; a run that waits for its document too", async (t) => {
  const llm = await mailing(t, 1);
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  const { routes, sent, ends, fetch } = instances(["A", "B"], { wait: () => held });
  const [first, second] = routes;
  const runToken = crypto.randomUUID();
  const at = (route) => (url, init) => route.fetch(new Request(url, init));
  const owned = read(URL_OF, { ...body(llm), documentId: "d" }, { fetch: at(second), runToken });
  await until(() => sent.length === 1);
  const followed = read(URL_OF, { ...body(llm), documentId: "d" }, { fetch, runToken });
  const waiting = read(URL_OF, { ...body(llm, "other"), documentId: "d" }, { fetch });
  await until(async () => (await health(first))[1].runs === 1);
  await first.close({ within: HOUR });
  goOn();
  const [one, other, third] = await Promise.all([owned, followed, waiting]);
  assert.deepEqual(one, other);
  assert.equal(third.at(-1).type, "complete");
  assert.deepEqual(ends, [["B", "complete"], ["B", "complete"]]);
});

test("a client that arrives while its instance begins to close does not stay there", async (t) => {
  const llm = await mailing(t, 1);
  let [goOn, find] = [];
  const held = new Promise((resolve) => (goOn = resolve));
  const found = new Promise((resolve) => (find = resolve));
  const log = memoryLog();
  const { routes, sent } = instances(["A"], { log, wait: () => held });
  let isAsked = false;
  const slow = { ...log, find: async (id) => ((isAsked = true), await found, log.find(id)) };
  const closing = createDocAgentRoute({ log: slow, lease: HOUR });
  const headers = { "copydesk-run-token": crypto.randomUUID() };
  const request = () => new Request(URL_OF, { method: "POST", headers, body: JSON.stringify(body(llm)) });
  const owned = await routes[0].fetch(request());
  await until(() => sent.length === 1);
  const arriving = closing.fetch(request());
  await until(() => isAsked);
  const closed = closing.close({ within: HOUR });
  find();
  // Its stream ends before the run does.
  assert.doesNotMatch(await (await arriving).text(), /"type":"complete"/);
  await closed;
  goOn();
  assert.match(await owned.text(), /"type":"complete"/);
});

test("runs without a log go on, until the deadline", async (t) => {
  const answers = [];
  const llm = await model(t, () => (response) => (response.write(delta("One ")), answers.push(response)));
  for (const within of [HOUR, 1]) {
    const route = createDocAgentRoute();
    const response = await route.fetch(new Request(URL_OF, { method: "POST", body: JSON.stringify({ ...body(llm), runId: undefined }) }));
    const text = response.text();
    await until(() => answers.length === 1);
    const closed = route.close({ within });
    if (within === HOUR) answers[0].end(answer({ say: "word." }));
    await closed;
    assert.match(await text, within === HOUR ? /"type":"complete"/ : /"type":"aborted"/);
    assert.deepEqual(await health(route), [503, { status: "closing", log: "none", runs: 0 }]);
    answers.length = 0;
  }
});

test("a body that does not arrive does not hold an instance that closes", async () => {
  const route = createDocAgentRoute();
  let isRead = false;
  const pull = () => ((isRead = true), new Promise(() => {}));
  void route.fetch(new Request(URL_OF, { method: "POST", body: new ReadableStream({ pull }, { highWaterMark: 0 }), duplex: "half" }));
  await until(() => isRead);
  await route.close({ within: 1 });
});

test("a run and its document are free at once when they are left, though a renewal is under way", async (t) => {
  const llm = await model(t, () => (response) => void response.write(delta("One ")));
  const log = memoryLog();
  let goOn;
  const open = new Promise((resolve) => (goOn = resolve));
  const pending = { renew: 0, lock: 0 };
  const freed = [];
  let isTaken = false;
  const slow = (name) => async (id, owner) => {
    if (owner.lease === 0) {
      freed.push([name, pending[name]]);
      return log[name](id, owner);
    }
    // The first lock is that of the run, not a renewal.
    if (name === "lock" && !isTaken) return (isTaken = await log.lock(id, owner));
    pending[name] += 1;
    await open;
    const answer = await log[name](id, owner);
    pending[name] -= 1;
    return answer;
  };
  const options = { log: { ...log, renew: slow("renew"), lock: slow("lock") }, more: { lease: 3000 } };
  const { routes } = instances(["A"], options);
  await routes[0].fetch(new Request(URL_OF, { method: "POST", headers: { "copydesk-run-token": "t".repeat(20) }, body: JSON.stringify({ ...body(llm), documentId: "d" }) }));
  await until(() => llm.requests.length === 1 && pending.renew === 1 && pending.lock === 1);
  const closed = routes[0].close({ within: HOUR });
  // All that does not wait for a renewal is done by then: this log needs no timers.
  await new Promise((resolve) => setImmediate(resolve));
  goOn();
  await closed;
  assert.deepEqual(freed.sort(), [["lock", 0], ["renew", 0]]);
});

test("the health of an instance whose log fails says so", async () => {
  const route = createDocAgentRoute({ log: { ...memoryLog(), find: () => Promise.reject(new Error("connection refused")) } });
  assert.deepEqual(await health(route), [200, { status: "ok", log: "failed", runs: 0 }]);
  const wrong = await route.fetch(new Request(`${URL_OF}/health`, { method: "POST", body: "{}" }));
  assert.equal(wrong.status, 405);
});
