// The chat route in a service worker: the example, a reload in the middle of a run, and the end of the worker in it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "vite";
import { openPage, root, serve } from "./harness.mjs";
import { answer, begin, call, chunk, listenTo, model } from "./model.mjs";

let served;

/** Builds and serves the example. Returns its URL. */
function example() {
  served ??= (async () => {
    const out = mkdtempSync(join(tmpdir(), "copydesk-example-"));
    process.on("exit", () => rmSync(out, { recursive: true, force: true }));
    await build({ root: join(root, "examples/service-worker"), logLevel: "warn", build: { outDir: out, emptyOutDir: true, minify: false } });
    return (await serve(out)).url;
  })();
  return served;
}

const append = (id) => call(id, "update_section", { operation: "append", title: id, content: `<p>${id}</p>` });

/** Opens the example. `events()` has those of all loads of the page, written down in the task that handled them. */
async function open(t) {
  const record = () => {
    const read = () => JSON.parse(sessionStorage.getItem("events") ?? "[]");
    window.addEventListener("copydesk", ({ detail }) => sessionStorage.setItem("events", JSON.stringify([...read(), detail])));
    window.recorded = read;
  };
  const page = await openPage(t, await example(), {
    ownTab: true,
    // A stream that ends with its worker.
    expected: [/net::ERR_/, /Failed to load resource/],
    prepare: (page) => page.addInitScript(record),
  });
  await page.waitForSelector("body[data-ready]");
  const send = async (baseUrl, message) => {
    await page.fill("[name=baseUrl]", baseUrl);
    await page.fill("[name=message]", message);
    await page.click("button");
  };
  return { page, send, events: () => page.evaluate(() => window.recorded()) };
}

const until = async (holds) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** A model that appends a section in each of its turns. From the second turn on it waits for `go` in the middle of its text. */
async function slowModel(t, turns) {
  const held = [];
  const { url, requests } = await listenTo(t, (response, { body }) => {
    const done = body.messages.filter(({ role }) => role === "tool").length;
    const rest = () => response.end(answer(done < turns ? { calls: [append(`t${done}`)] } : { say: "all." }));
    begin(response).write(chunk({ content: "That " }));
    if (done === 1 && !held.length) held.push(rest);
    else rest();
  });
  return { baseUrl: `${url}v1`, requests, held };
}

test("the example edits a document without a server", async (t) => {
  const server = await model(t, [{ calls: [append("Kinds")] }, { say: "Done." }]);
  const { page, events, send } = await open(t);
  await send(server.baseUrl, "Add kinds");
  await page.getByText("Done.").waitFor();
  assert.equal(await page.innerHTML(".tiptap"), "<h1>Tea</h1><p>A leaf.</p><h2>Kinds</h2><p>Kinds</p>");
  await until(async () => (await events()).at(-1)?.type === "complete");
  assert.deepEqual((await events()).map(({ seq }) => seq), (await events()).map((_, at) => 1 + at));
  const config = await page.evaluate(async () => (await fetch("/api/doc-agent-chat/config")).json());
  assert.deepEqual(config, { searchService: { type: "wikipedia", configured: true }, imageService: { type: "openverse", configured: true } });
});

for (const [what, interrupt] of [
  ["the page is loaded again", (page) => page.reload()],
  [
    "the worker is ended",
    async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("ServiceWorker.enable");
      await session.send("ServiceWorker.stopAllWorkers");
    },
  ],
]) {
  test(`when ${what} in the middle of a run, it goes on: no event twice, none lost, no call twice`, async (t) => {
    const server = await slowModel(t, 3);
    const { page, events, send } = await open(t);
    await send(server.baseUrl, "Write");
    // The first text of the second turn.
    await until(async () => server.held.length === 1 && (await events()).filter(({ type }) => type === "content").length === 2);
    await interrupt(page);
    server.held[0]();
    await page.getByText("That all.").waitFor();
    await until(async () => (await events()).at(-1)?.type === "complete");
    const all = await events();
    const seqs = all.map(({ seq }) => seq);
    assert.equal(new Set(seqs).size, seqs.length, "no event twice");
    assert.deepEqual(seqs, [...seqs].sort((a, b) => a - b));
    if (what.includes("page")) assert.deepEqual(seqs, seqs.map((_, at) => 1 + at), "none lost");
    assert.deepEqual(all.filter(({ type }) => type === "doc_update").map(({ title }) => title), ["t0", "t1", "t2"]);
    assert.equal(await page.innerHTML(".tiptap"), `<h1>Tea</h1><p>A leaf.</p>${[0, 1, 2].map((at) => `<h2>t${at}</h2><p>t${at}</p>`).join("")}`);
  });
}

test("the database holds no key", async (t) => {
  const server = await model(t, [{ say: "Done." }]);
  const { page, send } = await open(t);
  await page.fill("[name=apiKey]", "sk-very-secret");
  await send(server.baseUrl, "Hi");
  await page.getByText("Done.").waitFor();
  const stored = await page.evaluate(async () => {
    const database = await new Promise((resolve) => (indexedDB.open("copydesk-runs").onsuccess = ({ target }) => resolve(target.result)));
    const all = (name) => new Promise((resolve) => (database.transaction(name).objectStore(name).getAll().onsuccess = ({ target }) => resolve(target.result)));
    return JSON.stringify([await all("runs"), await all("events")]);
  });
  assert.match(stored, /agent_start/);
  assert.ok(!stored.includes("sk-very-secret"));
});
