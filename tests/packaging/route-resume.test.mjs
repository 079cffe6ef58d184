// Runs that go on: after a connection was cut, after the page came back, after the process of the route has ended.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Document, init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog, streamDocAgentChat } from "../../pkg/route.js";
import { answer, call, delta, llmConfigOf, model, post, random, routeOn, until } from "./route-server.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
const RUNS = Number(process.env.COPYDESK_ROUTE_RUNS) || 12;
console.log(`COPYDESK_SEED=${seed}`);

const URL_OF = "http://route.example/api/doc-agent-chat";
const TEA = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p>";
const append = (id) => call(id, "update_section", { operation: "append", title: id, content: `<p>${id}</p>` });

/** A model that makes one edit an answer, with text before it, then says something; it answers by the conversation. */
const editing = (t, turns) =>
  model(t, ({ messages }) => {
    const done = messages.filter(({ role }) => role === "tool").length;
    return (response) => {
      for (const word of ["Now ", "I ", "write "]) response.write(delta(word));
      response.end(answer(done < turns ? { calls: [append(`t${done}`)] } : { say: "done." }));
    };
  });

/** A body that breaks after a number of bytes. */
function cutAfter(body, bytes) {
  const reader = body.getReader();
  let left = bytes;
  return new ReadableStream({
    async pull(out) {
      const { done, value } = await reader.read();
      if (done) return out.close();
      if (value.length > left) {
        out.enqueue(value.subarray(0, left));
        reader.cancel();
        return out.error(new TypeError("network error"));
      }
      left -= value.length;
      out.enqueue(value);
    },
  });
}

test(`connections that are cut at random bytes: no event twice, none lost (${RUNS} runs)`, async (t) => {
  let cuts = 0;
  for (let at = 0; at < RUNS; at++) {
    const next = random(seed + at);
    const where = `COPYDESK_SEED=${seed + at} COPYDESK_ROUTE_RUNS=1`;
    const turns = 1 + Math.floor(next() * 4);
    const llm = await editing(t, turns);
    const ends = [];
    const route = createDocAgentRoute({ log: memoryLog(), onEnd: ({ document }) => void ends.push(document.toJSON()) });
    let left = 4;
    const unreliable = async (url, init) => {
      const response = await route.fetch(new Request(url, init));
      if (left-- <= 0 || init.method === "DELETE") return response;
      cuts++;
      return new Response(cutAfter(response.body, Math.floor(next() * 3000)), response);
    };
    const page = Document.fromHTML(TEA);
    const body = { message: "x", runId: `run-${at}`, llmConfig: llmConfigOf(llm) };
    const events = [];
    for await (const event of streamDocAgentChat(URL_OF, body, { document: page, fetch: unreliable })) events.push(event);
    assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => 1 + index), where);
    assert.equal(events.at(-1).type, "complete", where);
    assert.equal(llm.requests.length, turns + 1, `${where} the run was not begun again`);
    assert.deepEqual(page.toJSON(), ends[0], where);
    assert.equal(ends.length, 1, where);
  }
  assert.ok(cuts > RUNS, `${cuts} cuts`);
});

test(`routes whose process ends at random moments: calls run once, and both documents are the same (${RUNS} runs)`, async (t) => {
  let deaths = 0;
  for (let at = 0; at < RUNS; at++) {
    const next = random(seed + at);
    const where = `COPYDESK_SEED=${seed + at} COPYDESK_ROUTE_RUNS=1`;
    const turns = 1 + Math.floor(next() * 4);
    const llm = await editing(t, turns);
    const log = memoryLog();
    const ends = [];
    /** A process: after its death nothing of it reaches the log or a client. */
    const start = () => {
      const alive = { is: true, streams: new Set() };
      const unless = (method) => (...given) => (alive.is ? method(...given) : new Promise(() => {}));
      const own = Object.fromEntries(Object.entries(log).map(([name, method]) => [name, unless(method)]));
      const route = createDocAgentRoute({ log: own, lease: 30, resumeWithin: 20, onEnd: ({ document }) => void (alive.is && ends.push(document.toJSON())) });
      return { alive, route };
    };
    let process = start();
    let left = 3;
    const fetchOf = async (url, init) => {
      const { route, alive } = process;
      const response = await route.fetch(new Request(url, init));
      if (left-- <= 0 || init.method === "DELETE") return response;
      deaths++;
      // The process dies with the connection.
      const bytes = Math.floor(next() * 4000);
      const reader = response.body.getReader();
      let passed = 0;
      return new Response(new ReadableStream({
        async pull(out) {
          const { done, value } = await reader.read();
          if (done) return out.close();
          if (passed + value.length > bytes) {
            alive.is = false;
            process = start();
            reader.cancel();
            out.enqueue(value.subarray(0, bytes - passed));
            return out.error(new TypeError("network error"));
          }
          passed += value.length;
          out.enqueue(value);
        },
      }), response);
    };
    const page = Document.fromHTML(TEA);
    const body = { message: "x", runId: `run-${at}`, llmConfig: llmConfigOf(llm) };
    const events = [];
    for await (const event of streamDocAgentChat(URL_OF, body, { document: page, fetch: fetchOf })) events.push(event);
    const seqs = events.map(({ seq }) => seq);
    assert.ok(seqs.every((one, index) => index === 0 || one > seqs[index - 1]), `${where} ${seqs}`);
    assert.equal(events.at(-1).type, "complete", `${where} ${JSON.stringify(events.at(-1))}`);
    const edits = events.filter(({ type }) => type === "doc_update").map(({ title }) => title);
    assert.deepEqual(edits, Array.from({ length: turns }, (_, index) => `t${index}`), where);
    assert.deepEqual(page.toJSON(), ends.at(-1), where);
  }
  assert.ok(deaths > RUNS, `${deaths} deaths`);
});

test("a page that comes back goes on after its last event; a run that is over is read from the log", async (t) => {
  const llm = await editing(t, 2);
  const url = await routeOn(t, { log: memoryLog() });
  const body = { message: "x", documentContent: TEA, runId: "r", llmConfig: llmConfigOf(llm) };
  // The page goes away without a word: the connection is closed, the run is not stopped.
  const controller = new AbortController();
  const runToken = crypto.randomUUID();
  const first = await post(url, body, { signal: controller.signal, headers: { "copydesk-run-token": runToken } });
  await first.body.getReader().read();
  controller.abort();
  await until(() => llm.requests.length === 3);
  const read = async (options) => {
    const events = [];
    for await (const event of streamDocAgentChat(url, body, { runToken, ...options })) events.push(event);
    return events;
  };
  const all = await read({});
  assert.equal(all.at(-1).type, "complete");
  assert.deepEqual(all.map(({ seq }) => seq), all.map((_, index) => 1 + index));
  assert.deepEqual(await read({ lastEventId: 4 }), all.slice(4));
  assert.equal(llm.requests.length, 3, "nothing was asked again");
});

test("a run that nobody comes back to is stopped, and so is one that is left or deleted", async (t) => {
  const llm = await model(t, () => (response) => response.write(delta("word ")));
  const ended = [];
  const url = await routeOn(t, { log: memoryLog(), resumeWithin: 20, onEnd: ({ result, body }) => void ended.push([body.runId, result.status]) });
  const body = (runId) => ({ message: "x", runId, llmConfig: llmConfigOf(llm) });
  const controller = new AbortController();
  const { body: stream } = await post(url, body("gone"), { signal: controller.signal });
  await stream.getReader().read();
  controller.abort();
  await until(() => ended.length === 1);
  const patient = await routeOn(t, { log: memoryLog(), resumeWithin: 1e8, onEnd: ({ result, body }) => void ended.push([body.runId, result.status]) });
  for await (const { type } of streamDocAgentChat(patient, body("left"))) if (type === "content") break;
  await until(() => ended.length === 2);
  const other = await post(patient, body("deleted"));
  await until(() => llm.requests.length === 3);
  const headers = { "copydesk-run-token": other.headers.get("copydesk-run-token") };
  assert.equal((await fetch(`${patient}?run=deleted`, { method: "DELETE", headers })).status, 204);
  assert.match(await other.text(), /"type":"aborted"/);
  assert.deepEqual(ended, [["gone", "aborted"], ["left", "aborted"], ["deleted", "aborted"]]);
  const unknown = await fetch(`${patient}?run=deleted`, { method: "DELETE", headers });
  assert.deepEqual([unknown.status, (await unknown.json()).code], [404, "unknown_run"]);
  const lost = await post(patient, body("never"), { headers: { "last-event-id": "3" } });
  assert.deepEqual([lost.status, (await lost.json()).code], [404, "unknown_run"]);
  await until(() => llm.open === 0);
});

test("the log holds no key; a log that fails is reported, and the run goes on without it", async (t) => {
  const llm = await editing(t, 1);
  const log = memoryLog();
  const written = [];
  const spy = (method) => (...given) => (written.push(given), method(...given));
  const spied = Object.fromEntries(Object.entries(log).map(([name, method]) => [name, spy(method)]));
  const llmConfig = llmConfigOf(llm);
  llmConfig.streamOptions.apiKey = "sk-very-secret";
  const run = async (options, runId) => {
    const events = [];
    for await (const event of streamDocAgentChat(await routeOn(t, options), { message: "x", runId, llmConfig })) events.push(event);
    return events.at(-1).type;
  };
  assert.equal(await run({ log: spied }, "a"), "complete");
  assert.ok(written.length > 1 && !JSON.stringify(written).includes("sk-very-secret"));
  for (const broken of ["find", "claim", "append"]) {
    const errors = [];
    const failing = { ...memoryLog(), [broken]: () => Promise.reject(new Error("quota")) };
    assert.equal(await run({ log: failing, logger: { error: (message, { reason }) => void errors.push(reason) } }, "b"), "complete");
    assert.ok(errors.length > 0 && errors.every((reason) => reason === "Error: quota"), broken);
  }
});
