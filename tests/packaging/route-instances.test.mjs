// Several instances of a route over one log: a run has one owner, and no call runs twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Document, init } from "../../pkg/index.js";
import { memoryLog, streamDocAgentChat } from "../../pkg/route.js";
import { answer, call, eventsIn, llmConfigOf, model, post, random, routeOn, until } from "./route-server.mjs";
import { checkRunLog } from "./run-log-suite.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
const RUNS = Number(process.env.COPYDESK_ROUTE_RUNS) || 12;
console.log(`COPYDESK_SEED=${seed}`);

const TEA = "<h1>Tea</h1><p>A leaf.</p>";
const mail = (id) => call(id, "send_mail", { to: id });

/** A model that sends mails, one an answer, then ends; it answers by the conversation. */
const mailing = (t, count) =>
  model(t, ({ messages }) => {
    const done = messages.filter(({ role }) => role === "tool").length;
    return done < count ? { say: `Mail ${done}.`, calls: [mail(`m${done}`)] } : { say: "Sent." };
  });

/** An instance whose log can be taken from it, as by a process that hangs, and given back. */
function instance(log, { owner, sent, ends = [], wait = () => undefined, ...options }) {
  const state = { isCut: false, held: [], renewals: 0 };
  const through = (name, method) => async (...given) => {
    if (name === "renew") state.renewals += 1;
    if (state.isCut) await new Promise((go) => state.held.push(go));
    return method(...given);
  };
  const execute = async (id) => {
    sent.push([owner, id]);
    await wait(owner, id);
    return "sent";
  };
  const tool = { name: "send_mail", description: "Sends a mail.", parameters: { type: "object", properties: { to: { type: "string" } } }, execute };
  state.options = {
    log: Object.fromEntries(Object.entries(log).map(([name, method]) => [name, through(name, method)])),
    tools: [tool],
    onEnd: ({ result }) => void ends.push([owner, result.status]),
    ...options,
  };
  state.goOn = () => {
    state.isCut = false;
    state.held.splice(0).forEach((go) => go());
  };
  return state;
}

const body = (llm, runId = "r") => ({ message: "Send them.", documentContent: TEA, runId, llmConfig: llmConfigOf(llm) });
const token = () => ({ "copydesk-run-token": crypto.randomUUID() });

/** Reads events until one of a type; then the client is gone. */
async function readUntil(url, sent, headers, type) {
  const controller = new AbortController();
  const response = await post(url, sent, { headers, signal: controller.signal });
  let text = "";
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes(`"type":"${type}"`)) break;
  }
  controller.abort();
  return eventsIn(text.slice(0, text.lastIndexOf("\n\n")));
}

test("a log in memory is one that instances can share", () => checkRunLog(memoryLog, random(seed)));

test("a client that reaches another instance reads the run that the first one goes on with", async (t) => {
  const llm = await mailing(t, 2);
  const [sent, ends] = [[], []];
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  const wait = (_, id) => (id === "m0" ? held : undefined);
  const log = memoryLog();
  const both = ["A", "B"].map((owner) => instance(log, { owner, sent, ends, wait, resumeWithin: 300 }));
  const [first, second] = await Promise.all(both.map(({ options }) => routeOn(t, options)));
  const headers = token();
  const before = await readUntil(first, body(llm), headers, "tool_use");
  const rest = post(second, body(llm), { headers: { ...headers, "last-event-id": String(before.at(-1).seq) } });
  const response = await rest;
  // The client is gone for the first instance, which asks the log before it stops the run: the client reads elsewhere.
  await until(() => both[0].renewals >= 2);
  goOn();
  const after = eventsIn(await response.text());
  const all = [...before, ...after];
  assert.deepEqual(all.map(({ seq }) => seq), all.map((_, index) => 1 + index));
  assert.equal(all.at(-1).type, "complete");
  assert.deepEqual(sent, [["A", "m0"], ["A", "m1"]]);
  assert.deepEqual(ends, [["A", "complete"]]);
  // Whoever comes later reads it from the log, at any instance.
  const again = await post(second, body(llm), { headers });
  assert.deepEqual(eventsIn(await again.text()), all);
});

test("of two requests that begin the same run at two instances, one begins it", async (t) => {
  const llm = await mailing(t, 1);
  const [sent, ends] = [[], []];
  const log = memoryLog();
  const urls = await Promise.all(["A", "B"].map((owner) => routeOn(t, instance(log, { owner, sent, ends }).options)));
  const headers = token();
  const texts = await Promise.all(urls.map(async (url) => (await post(url, body(llm), { headers })).text()));
  const [one, other] = texts.map(eventsIn);
  assert.deepEqual(one, other);
  assert.equal(sent.length, 1);
  assert.equal(ends.length, 1);
});

test("a run whose instance hangs is gone on with, and the call that may have run is not repeated", async (t) => {
  const llm = await mailing(t, 2);
  const [sent, ends] = [[], []];
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  const wait = (owner) => (owner === "A" ? held : undefined);
  const log = memoryLog();
  const [hanging, other] = ["A", "B"].map((owner) => instance(log, { owner, sent, ends, wait, lease: 40 }));
  const [first, second] = await Promise.all([hanging, other].map(({ options }) => routeOn(t, options)));
  const headers = token();
  const before = await readUntil(first, body(llm), headers, "tool_use");
  await until(() => sent.length === 1);
  hanging.isCut = true;
  const events = [];
  const options = { runToken: headers["copydesk-run-token"], lastEventId: before.at(-1).seq };
  for await (const event of streamDocAgentChat(second, body(llm), options)) events.push(event);
  assert.equal(events.at(-1).type, "complete");
  assert.match(JSON.stringify(llm.requests.at(-1).messages), /maybe_ran/);
  // Nobody has stopped this run.
  assert.match(JSON.stringify(events.find(({ type }) => type === "tool_result").content), /was stopped or interrupted while send_mail was running/);
  // The process that hung goes on, and learns that the run is another one's.
  hanging.goOn();
  goOn();
  await until(async () => ends.length === 1);
  assert.deepEqual(sent, [["A", "m0"], ["B", "m1"]]);
  assert.deepEqual(ends, [["B", "complete"]]);
});

test("an instance that has lost its lease while the model answered starts no call", async (t) => {
  const sent = [];
  let isFirst = true;
  const answers = [];
  const llm = await model(t, ({ messages }) => {
    const done = messages.filter(({ role }) => role === "tool").length;
    const given = done === 0 ? { say: "Mail.", calls: [mail("m0")] } : { say: "Sent." };
    if (!isFirst) return given;
    isFirst = false;
    return (response) => void answers.push(response);
  });
  const log = memoryLog();
  const [hanging, other] = ["A", "B"].map((owner) => instance(log, { owner, sent, lease: 40 }));
  const [first, second] = await Promise.all([hanging, other].map(({ options }) => routeOn(t, options)));
  const headers = token();
  const before = await readUntil(first, body(llm), headers, "turn_start");
  await until(() => answers.length === 1);
  hanging.isCut = true;
  const events = [];
  const options = { runToken: headers["copydesk-run-token"], lastEventId: before.at(-1).seq };
  for await (const event of streamDocAgentChat(second, body(llm), options)) events.push(event);
  assert.equal(events.at(-1).type, "complete");
  // Now the first model answers too.
  answers[0].end(answer({ calls: [mail("m0")] }));
  hanging.goOn();
  await until(() => llm.open === 0);
  assert.deepEqual(sent, [["B", "m0"]]);
});

test("a run is stopped at any instance", async (t) => {
  const [sent, ends] = [[], []];
  const llm = await mailing(t, 1);
  const log = memoryLog();
  const wait = () => new Promise(() => {});
  const urls = await Promise.all(["A", "B"].map((owner) => routeOn(t, instance(log, { owner, sent, ends, wait, lease: 60 }).options)));
  const headers = token();
  const running = post(urls[0], body(llm), { headers });
  await until(() => sent.length === 1);
  assert.equal((await fetch(`${urls[1]}?run=r`, { method: "DELETE", headers })).status, 204);
  assert.match(await (await running).text(), /"type":"aborted"/);
  assert.deepEqual(ends, [["A", "aborted"]]);
  assert.equal((await fetch(`${urls[1]}?run=r`, { method: "DELETE", headers })).status, 404);
});

test("a run is stopped while its log fails, and in the log as well as at its instance", async (t) => {
  const [sent, ends] = [[], []];
  const llm = await mailing(t, 1);
  const log = memoryLog();
  let isBroken = false;
  const stopped = [];
  const fails = () => Promise.reject(new Error("connection refused"));
  const own = {
    ...log,
    latest: (thread) => (isBroken ? fails() : log.latest(thread)),
    stop: (id) => (isBroken ? fails() : (stopped.push(id), log.stop(id))),
  };
  const wait = () => new Promise(() => {});
  const url = await routeOn(t, instance(own, { owner: "A", sent, ends, wait, logger: { error() {} } }).options);
  const headers = token();
  const stop = (runId) => fetch(`${url}?run=${runId}`, { method: "DELETE", headers });
  for (const runId of ["one", "two"]) {
    const running = post(url, body(llm, runId), { headers });
    await until(() => sent.length === (runId === "one" ? 1 : 2));
    isBroken = runId === "two";
    assert.equal((await stop(runId)).status, 204);
    assert.match(await (await running).text(), /"type":"aborted"/);
  }
  assert.deepEqual(ends, [["A", "aborted"], ["A", "aborted"]]);
  assert.deepEqual(stopped.map((id) => id.slice(0, 4)), ["one-"]);
  // A run that is elsewhere cannot be stopped without the log: the client tries again.
  const unknown = await stop("elsewhere");
  assert.deepEqual([unknown.status, (await unknown.json()).code], [503, "log_failed"]);
});

test("runs on one document follow one another at all instances, or are refused", async (t) => {
  const sent = [];
  const llm = await mailing(t, 1);
  const log = memoryLog();
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  const wait = (owner) => (owner === "A" ? held : undefined);
  const ends = [];
  const options = (owner, more) => instance(log, { owner, sent, ends, wait, ...more }).options;
  const [first, second, strict] = await Promise.all([routeOn(t, options("A")), routeOn(t, options("B")), routeOn(t, options("C", { whenBusy: "refuse" }))]);
  const on = (runId) => ({ ...body(llm, runId), documentId: "doc" });
  const one = post(first, on("one"));
  await until(() => sent.length === 1);
  const other = post(second, on("other"));
  const refused = await post(strict, on("third"));
  assert.deepEqual([refused.status, (await refused.json()).code], [409, "document_busy"]);
  goOn();
  await Promise.all([one, other].map(async (response) => (await response).text()));
  assert.deepEqual(ends.map(([owner]) => owner), ["A", "B"]);
  const free = await post(strict, on("fourth"));
  assert.match(await free.text(), /"type":"complete"/);
});

test("a run is not begun again while its log cannot be read", async (t) => {
  const llm = await mailing(t, 1);
  const errors = [];
  const log = { ...memoryLog(), find: () => Promise.reject(new Error("connection refused")) };
  const url = await routeOn(t, { log, logger: { error: (message, { reason }) => void errors.push(reason) } });
  const failed = await post(url, body(llm), { headers: { ...token(), "last-event-id": "3" } });
  assert.deepEqual([failed.status, (await failed.json()).code], [503, "log_failed"]);
  assert.deepEqual(errors, ["Error: connection refused"]);
  assert.equal(llm.requests.length, 0);
});

test("a client waits for a log or a server that is not there at the moment, and goes on", async (t) => {
  const llm = await mailing(t, 2);
  const sent = [];
  const { options } = instance(memoryLog(), { owner: "A", sent });
  const url = await routeOn(t, options);
  const statuses = [];
  let isFirst = true;
  const unreliable = async (...given) => {
    if (isFirst) {
      isFirst = false;
      const response = await fetch(...given);
      return new Response(firstPart(response.body), response);
    }
    if (statuses.length < 3) {
      statuses.push([502, 503, 504][statuses.length]);
      return new Response("", { status: statuses.at(-1) });
    }
    return fetch(...given);
  };
  const events = [];
  for await (const event of streamDocAgentChat(url, { ...body(llm), documentContent: undefined }, { document: Document.fromHTML(TEA), fetch: unreliable })) events.push(event);
  assert.deepEqual(statuses, [502, 503, 504]);
  assert.equal(events.at(-1).type, "complete");
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => 1 + index));
  assert.deepEqual(sent.map(([, id]) => id), ["m0", "m1"]);
});

test("a log that fails at times, before or after it has stored events, has all of them in the end", async (t) => {
  const next = random(seed);
  const llm = await mailing(t, 4);
  const sent = [];
  const log = memoryLog();
  let failures = 0;
  const append = async (...given) => {
    const fails = next() < 0.5;
    if (fails && next() < 0.5) await log.append(...given);
    if (!fails) return log.append(...given);
    failures += 1;
    throw new Error("connection reset");
  };
  const { options } = instance({ ...log, append }, { owner: "A", sent });
  const headers = token();
  const url = await routeOn(t, { ...options, logger: { error() {} } });
  const read = eventsIn(await (await post(url, body(llm), { headers })).text());
  assert.equal(read.at(-1).type, "complete", `COPYDESK_SEED=${seed}`);
  assert.ok(failures > 0);
  assert.equal(new Set(sent.map(([, id]) => id)).size, 4);
  const again = await post(url, body(llm), { headers });
  assert.deepEqual(eventsIn(await again.text()), read, `COPYDESK_SEED=${seed}`);
});

test("a call starts when the log has the answer that contains it, however late the log takes it", async (t) => {
  for (const fails of [false, true]) {
    const llm = await mailing(t, 1);
    const log = memoryLog();
    let goOn;
    const open = new Promise((resolve) => (goOn = resolve));
    let [isOpen, held] = [false, 0];
    let id;
    const append = async (...given) => {
      id = given[0];
      if (!isOpen && JSON.stringify(given[3]).includes("tool_use")) {
        held += 1;
        if (fails) throw new Error("connection reset");
        await open;
      }
      return log.append(...given);
    };
    const logged = [];
    const wait = async () => void logged.push(...(await log.eventsAfter(id, -1)));
    const sent = [];
    const { options } = instance({ ...log, append }, { owner: "A", sent, wait, lease: 2000, logger: { error() {} } });
    const url = await routeOn(t, options);
    const running = post(url, body(llm), { headers: token() });
    await until(() => held >= (fails ? 3 : 1) || sent.length > 0);
    // A request to the route is answered after all that the run does without the log.
    await (await fetch(`${url}/health`)).text();
    assert.deepEqual(sent, []);
    isOpen = true;
    goOn();
    assert.equal(eventsIn(await (await running).text()).at(-1).type, "complete");
    assert.deepEqual(sent, [["A", "m0"]]);
    assert.match(logged.map(({ text }) => text).join(""), /"type":"tool_use"/);
  }
});

/** Returns a stream that breaks after its first part. */
function firstPart(body) {
  const reader = body.getReader();
  let isOver = false;
  return new ReadableStream({
    async pull(out) {
      if (isOver) return out.error(new TypeError("network error"));
      isOver = true;
      out.enqueue((await reader.read()).value);
      reader.cancel();
    },
  });
}

test(`instances that hang at random moments: clients have whole lists of events, no mail is sent twice (${RUNS} runs)`, async (t) => {
  let hangs = 0;
  for (let at = 0; at < RUNS; at += 1) {
    const next = random(seed + at);
    const where = `COPYDESK_SEED=${seed + at} COPYDESK_ROUTE_RUNS=1`;
    const mails = 1 + Math.floor(next() * 4);
    const llm = await mailing(t, mails);
    const sent = [];
    const log = memoryLog();
    const wait = () => new Promise((resolve) => setTimeout(resolve, next() * 10));
    const all = ["A", "B", "C"].map((owner) => instance(log, { owner, sent, wait, lease: 40, resumeWithin: 1000 }));
    const urls = await Promise.all(all.map(({ options }) => routeOn(t, options)));
    let left = 3;
    // A load balancer, behind which instances hang and go on.
    const balanced = async (_, init) => {
      const index = Math.floor(next() * 3);
      const response = await fetch(urls[index], init);
      if (left <= 0) return response;
      left -= 1;
      hangs += 1;
      setTimeout(() => {
        all[index].isCut = true;
        setTimeout(() => all[index].goOn(), 100 + next() * 100);
      }, next() * 30);
      return response;
    };
    const events = [];
    const page = Document.fromHTML(TEA);
    const sentBody = body(llm, `run-${at}`);
    delete sentBody.documentContent;
    for await (const event of streamDocAgentChat(urls[0], sentBody, { document: page, fetch: balanced })) events.push(event);
    const seqs = events.map(({ seq }) => seq);
    assert.ok(seqs.every((one, index) => index === 0 || one > seqs[index - 1]), `${where} ${seqs}`);
    assert.equal(events.at(-1).type, "complete", `${where} ${JSON.stringify(events.at(-1))}`);
    const ids = sent.map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${where} ${JSON.stringify(sent)}`);
    assert.equal(ids.length, mails, `${where} ${JSON.stringify(sent)}`);
    all.forEach(({ goOn }) => goOn());
  }
  assert.ok(hangs > RUNS, `${hangs} hangs`);
});
