// The reader for pages: events as they were sent, the document as the route has it, errors with their codes.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Document, init } from "../../pkg/index.js";
import { streamDocAgentChat } from "../../pkg/route.js";
import { ServerEventReader } from "../../pkg/route/sse-reader.js";
import { call, delta, listening, llmConfigOf, model, random, routeOn, run, until } from "./route-server.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
const RUNS = Number(process.env.COPYDESK_ROUTE_RUNS) || 60;
console.log(`COPYDESK_SEED=${seed}`);

/** All events, and the error that ended them. */
async function read(...args) {
  const events = [];
  try {
    for await (const event of streamDocAgentChat(...args)) events.push(event);
    return { events };
  } catch (thrown) {
    return { events, thrown };
  }
}

const TEA = "<h1>Tea</h1><p>A <strong>good</strong> leaf.</p><h2>History</h2><p>Old.</p><ul><li><p>one</p></li><li><p>two</p></li></ul><h2>Kinds</h2><p>Green.</p>";

test(`after random runs the page has the document of the route (${RUNS} runs)`, async (t) => {
  const ends = [];
  const url = await routeOn(t, { maxRepeats: 50, onEnd: ({ document }) => void ends.push(document.toJSON()) });
  let updates = 0;
  for (let at = 0; at < RUNS; at++) {
    const next = random(seed + at);
    const upTo = (count) => Math.floor(next() * count);
    const word = () => ["tea", "water **hot**", "a\n\nb", "- x\n- y", "<p>one</p><p>two</p>", "![i](https://example.com/i.png)", "# Head", "| a | b |\n|---|---|\n| 1 | 2 |"][upTo(8)];
    let ids = 0;
    const edit = () => {
      const id = `c${ids++}`;
      const line = 1 + upTo(8);
      return [
        () => call(id, "update_section", { operation: "append", title: `T${upTo(99)}`, content: word() }),
        () => call(id, "update_section", { operation: "replace", sectionIndex: upTo(4), content: word(), whole: true }),
        () => call(id, "update_section", { operation: "insert", sectionIndex: 1 + upTo(3), title: "I", content: word() }),
        () => call(id, "update_section", { operation: "delete", sectionIndex: 1 + upTo(3) }),
        () => call(id, "move_section", { sectionIndex: 1 + upTo(3), toIndex: 1 + upTo(3) }),
        () => call(id, "edit_current_editor_document", { start_line: line, end_line: line + upTo(2), content: word() }),
        () => call(id, "edit_current_editor_document", { start_line: line, content: "" }),
        () => call(id, "replace_text", { old: ["e", "tea", "Old.", "one"][upTo(4)], new: ["x", "**y**", ""][upTo(3)], all: next() < 0.5, near_line: line }),
      ][upTo(8)]();
    };
    const turns = 1 + upTo(5);
    const answers = Array.from({ length: turns }, () => ({ calls: Array.from({ length: 1 + upTo(3) }, edit) }));
    const llm = await model(t, [...answers, { say: "Done." }]);
    const page = Document.fromHTML(TEA);
    const where = `COPYDESK_SEED=${seed + at} COPYDESK_ROUTE_RUNS=1`;
    const { events, thrown } = await read(url, { message: "x", llmConfig: llmConfigOf(llm) }, { document: page });
    assert.equal(thrown, undefined, `${where} ${thrown?.stack}`);
    assert.equal(events.at(-1).type, "complete", `${where} ${JSON.stringify(events.at(-1))}`);
    updates += events.filter(({ type }) => type === "doc_update").length;
    assert.deepEqual(page.toJSON(), ends.at(-1), where);
    // The events alone are enough, also after a way through JSON.
    const copy = Document.fromHTML(TEA);
    for (const event of JSON.parse(JSON.stringify(events))) if (event.type === "doc_update") copy.apply(event);
    assert.deepEqual(copy.toJSON(), ends.at(-1), where);
  }
  assert.ok(updates > RUNS, `${updates} updates`);
});

test("events are those of the stream; documentContent of the body goes before the document", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const contents = [];
  const url = await routeOn(t, { onEnd: ({ html }) => void contents.push(html) });
  const body = { message: "x", documentContent: "<p class=own>a</p>", llmConfig: llmConfigOf(llm) };
  const { events } = await read(url, body, { document: Document.fromHTML("<p>b</p>") });
  assert.deepEqual(events, await run(url, body));
  assert.deepEqual(contents, ["<p class=own>a</p>", "<p class=own>a</p>"]);
});

test("errors of the route keep their codes; other servers are recognised", async (t) => {
  const url = await routeOn(t, {});
  const { thrown } = await read(url, { message: "" });
  assert.deepEqual([thrown.name, thrown.code, thrown.details.name, thrown.details.status], ["CopydeskError", "missing_parameter", "message", 400]);
  const other = await listening(t, createServer((_, response) => response.writeHead(502).end("<h1>Bad gateway</h1>")));
  const bad = await read(other, { message: "x" }, { locale: "zh" });
  assert.deepEqual([bad.thrown.code, bad.thrown.details.status], ["bad_answer", 502]);
  assert.match(bad.thrown.message, /URL。$/);
});

test("a stream that ends before the run does is an error after its events", async (t) => {
  const broken = await listening(t, createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end('id: 0\ndata: {"type":"agent_start","seq":0}\n\nid: 1\ndata: {"type":"cont');
  }));
  const { events, thrown } = await read(broken, { message: "x" });
  assert.deepEqual([events, thrown.code], [[{ type: "agent_start", seq: 0 }], "stream_cut"]);
});

test("a document that somebody else changes is not edited any more", async (t) => {
  const append = (id) => ({ calls: [call(id, "update_section", { operation: "append", title: id, content: "<p>x</p>" })] });
  const llm = await model(t, [append("a"), append("b"), { say: "Done." }]);
  const url = await routeOn(t, {});
  const page = Document.fromHTML(TEA);
  const seen = [];
  await assert.rejects(async () => {
    for await (const event of streamDocAgentChat(url, { message: "x", llmConfig: llmConfigOf(llm) }, { document: page })) {
      seen.push(event.type);
      if (event.type === "doc_update") page.apply({ operation: "delete", sectionIndex: 1 });
    }
  }, { code: "document_changed" });
  assert.equal(seen.filter((type) => type === "doc_update").length, 1);
  assert.deepEqual(page.outline().map(({ title }) => title), ["Tea", "Kinds", "a"]);
});

test("a reader that leaves stops the run, and so does its signal", async (t) => {
  const llm = await model(t, () => (response) => response.write(delta("word ")));
  const url = await routeOn(t, {});
  const body = { message: "x", llmConfig: llmConfigOf(llm) };
  for await (const { type } of streamDocAgentChat(url, body)) if (type === "content") break;
  await until(() => llm.requests.length === 1 && llm.open === 0);
  const controller = new AbortController();
  await assert.rejects(async () => {
    for await (const { type } of streamDocAgentChat(url, body, { signal: controller.signal })) if (type === "content") controller.abort();
  }, { name: "AbortError" });
  await until(() => llm.requests.length === 2 && llm.open === 0);
});

test("server-sent events are read as the standard says, however they are split", () => {
  const text = '\ufeff: comment\nid: 1\ndata: {"a":"é😀"}\n\ndata:x\r\ndata: y\r\n\r\nevent: e\rid: 2\rdata\r\rid: 3\nnothing: here\n\ndata:  two spaces\n\ndata: unfinished';
  const expected = [
    { id: "1", event: "message", data: '{"a":"é😀"}' },
    { id: "1", event: "message", data: "x\ny" },
    { id: "2", event: "e", data: "" },
    { id: "3", event: "message", data: " two spaces" },
  ];
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < 300; at++) {
    const next = random(seed + at);
    const reader = new ServerEventReader();
    const events = [];
    for (let from = 0; from < bytes.length;) {
      const to = from + 1 + Math.floor(next() * (at % 12));
      events.push(...reader.read(bytes.subarray(from, to)));
      from = to;
    }
    assert.deepEqual(events, expected, `COPYDESK_SEED=${seed + at}`);
  }
});
