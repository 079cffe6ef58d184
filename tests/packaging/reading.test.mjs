// Response bodies in Node: read in chunks, each in a task of its own, complete and in order, whatever the stream does.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CoalescingReader } from "../../pkg/agent/coalescing-reader.js";

const LONGEST = 65536;
const bytes = (text) => new TextEncoder().encode(text);

/** A stream of these chunks, each available on request; then its end, or the effect of `after`. */
function streamOf(chunks, after = (out) => out.close()) {
  let at = 0;
  return new ReadableStream({ pull: (out) => (at < chunks.length ? out.enqueue(chunks[at++]) : after(out)) });
}

/** Reads to the end. Returns the chunks and the error that was thrown. */
async function readAll(stream) {
  const reading = new CoalescingReader(stream);
  const pieces = [];
  try {
    for (let read = await reading.read(); !read.done; read = await reading.read()) pieces.push(read.value);
    return { pieces };
  } catch (thrown) {
    return { pieces, thrown };
  }
}

const textOf = (pieces) => Buffer.concat(pieces).toString();

test("20,000 chunks arrive complete, in order, and in few reads", async () => {
  const chunks = Array.from({ length: 20_000 }, (_, at) => bytes(`data: ${at}\n\n`));
  const { pieces, thrown } = await readAll(streamOf(chunks));
  assert.equal(thrown, undefined);
  assert.equal(textOf(pieces), textOf(chunks));
  assert.ok(pieces.length < chunks.length / 100, `${pieces.length} pieces`);
});

test("a chunk of megabytes is split into at most 64 KiB each, with small ones before and after", async () => {
  const large = new Uint8Array(3_000_000).map((_, at) => at * 7 + (at >> 8));
  const chunks = [bytes("a"), large, bytes("b"), large.subarray(5), bytes("c")];
  const { pieces } = await readAll(streamOf(chunks));
  assert.ok(pieces.every(({ length }) => length <= LONGEST));
  assert.ok(Buffer.concat(pieces).equals(Buffer.concat(chunks)));
});

test("other tasks run before each read", async (t) => {
  const reading = new CoalescingReader(streamOf(Array.from({ length: 50 }, () => new Uint8Array(LONGEST))));
  let tasks = 0;
  let goesOn = true;
  t.after(() => (goesOn = false));
  const task = () => {
    tasks++;
    if (goesOn) setImmediate(task);
  };
  setImmediate(task);
  for (let at = 0; at < 50; at++) {
    const before = tasks;
    await reading.read();
    assert.ok(tasks > before, `piece ${at} came in the task of the one before`);
  }
});

test("chunks read before a stream fails come before the error, which is the stream's own", async () => {
  const broken = new TypeError("network error");
  const { pieces, thrown } = await readAll(streamOf([bytes("a"), bytes("b")], (out) => out.error(broken)));
  // A stream that fails drops its unread chunks; nothing that was read is lost.
  assert.ok("ab".startsWith(textOf(pieces)));
  assert.equal(thrown, broken);
  let at = 0;
  const reader = { read: async () => (at < 3 ? { value: bytes(String(at++)) } : Promise.reject(broken)) };
  const own = await readAll({ getReader: () => reader });
  assert.deepEqual([textOf(own.pieces), own.thrown], ["012", broken]);
});

test("an app's reader may throw, return strings, or reuse its memory", async () => {
  const thrown = new Error("not now");
  const throws = () => {
    throw thrown;
  };
  assert.equal((await readAll({ getReader: () => ({ read: throws }) })).thrown, thrown);
  assert.throws(() => new CoalescingReader({ getReader: throws }), thrown);
  const getter = { get done() { return throws(); } };
  assert.equal((await readAll({ getReader: () => ({ read: async () => getter }) })).thrown, thrown);
  assert.ok((await readAll({ getReader: () => ({ read: async () => undefined }) })).thrown instanceof TypeError);

  const memory = new Uint8Array(1);
  let at = 0;
  const read = async () => {
    memory[0] = 97 + at;
    return at++ < 5 ? { done: false, value: memory } : { done: true };
  };
  assert.equal(textOf((await readAll({ getReader: () => ({ read }) })).pieces), "abcde");
  assert.equal(textOf((await readAll(streamOf(["té", "a"]))).pieces), "téa");
});

test("a chunk that is not bytes is passed on unchanged, after the earlier ones, for the caller to refuse", async () => {
  const odd = { some: "thing" };
  const reading = new CoalescingReader(streamOf([bytes("a"), odd]));
  assert.equal(textOf([(await reading.read()).value]), "a");
  assert.equal((await reading.read()).value, odd);
});

test("endless empty chunks do not block other tasks", async () => {
  const reading = new CoalescingReader(streamOf([], (out) => out.enqueue(new Uint8Array())));
  for (let at = 0; at < 5; at++) assert.deepEqual(await reading.read(), { done: false, value: new Uint8Array() });
});

test("slow chunks are not delayed, and neither is an end without bytes", async () => {
  let out;
  const reading = new CoalescingReader(new ReadableStream({ start: (controller) => void (out = controller) }));
  for (const word of ["a", "b", "c"]) {
    let came;
    const read = reading.read().then((read) => (came = read.value));
    await sleep(20);
    out.enqueue(bytes(word));
    for (let task = 0; task < 3; task++) await new Promise(setImmediate);
    assert.ok(came, `${word} was held back`);
    await read;
    assert.equal(textOf([came]), word);
  }
  const read = reading.read();
  out.close();
  assert.equal((await read).done, true);
  assert.equal((await reading.read()).done, true, "also when it is asked for once more");
});

test("no more is read than is requested", async () => {
  let asked = 0;
  const read = async () => ({ done: false, value: new Uint8Array((asked++, LONGEST / 4)) });
  const reading = new CoalescingReader({ getReader: () => ({ read }) });
  await reading.read();
  const then = asked;
  await sleep(20);
  assert.equal(asked, then);
  assert.ok(asked <= 4);
});

test("a program that has read its answers, or has stopped during one, exits", () => {
  const script = `
    import { Agent, Document, init } from "copydesk";
    await init();
    const chunk = (content) => new TextEncoder().encode("data: " + JSON.stringify({ choices: [{ index: 0, delta: { content } }] }) + "\\n\\n");
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://model.example/v1", apiKey: "k" } };
    let cancelled = 0;
    const endless = () => new ReadableStream({ pull: (out) => out.enqueue(chunk("word ")), cancel: () => void cancelled++ });
    const finite = (count) => {
      let at = 0;
      const end = new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n');
      return new ReadableStream({ pull: (out) => at > count ? out.close() : out.enqueue(at++ < count ? chunk("word ") : end) });
    };
    const agentOf = (body) => new Agent({ document: Document.fromHTML("<p>a</p>"), llmConfig, fetch: async () => new Response(body(), { headers: { "content-type": "text/event-stream" } }) });
    const outcomes = [];
    for (let after = 0; after < 12; after++) {
      const agent = agentOf(endless);
      let events = 0;
      agent.subscribe(() => events++ === after && agent.abort());
      outcomes.push((await agent.prompt("Go")).status);
    }
    const whole = await agentOf(() => finite(20000)).prompt("Go");
    console.log(JSON.stringify({ outcomes, status: whole.status, whole: whole.text === "word ".repeat(20000) }));
  `;
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--unhandled-rejections=strict", "--input-type=module", "--eval", script], { cwd: root, encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { outcomes: Array(12).fill("aborted"), status: "complete", whole: true });
});

test("bytes of another realm are bytes", async () => {
  const { runInNewContext } = await import("node:vm");
  const chunks = runInNewContext("[Uint8Array.of(97), Uint8Array.of(98, 99)]");
  assert.ok(!(chunks[0] instanceof Uint8Array));
  const { pieces, thrown } = await readAll({ getReader: () => ({ read: async () => ({ done: !chunks.length, value: chunks.shift() }) }) });
  assert.deepEqual([textOf(pieces), thrown], ["abc", undefined]);
});
