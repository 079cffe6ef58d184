// Many streams at once whose clients go away at random moments.
import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { test } from "node:test";
import { init } from "../../pkg/index.js";
import { answer, call, delta, llmConfigOf, model, post, random, routeOn, run, until } from "./route-server.mjs";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);

const TEA = `<h1>Tea</h1>${"<p class=x>A leaf.</p>".repeat(50)}<h2>History</h2><p>Old.</p>`;

/** Heap after objects with finalizers are gone too. */
async function heap() {
  for (let at = 0; at < 6; at++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed;
}

test("200 concurrent streams, each cancelled at a random moment: memory is returned, nothing is left open", async (t) => {
  const unhandled = [];
  const onUnhandled = (reason) => void unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  t.after(() => process.off("unhandledRejection", onUnhandled));
  const next = random(seed);
  // An edit, then text until the client has gone.
  const llm = await model(t, ({ messages }) => (response) => {
    if (messages.at(-1).role !== "tool") return response.end(answer({ calls: [call("a", "update_section", { operation: "append", title: "T", content: "<p>x</p>" })] }));
    const more = () => {
      if (response.destroyed) return;
      response.write(delta("word ".repeat(20)));
      setTimeout(more, 2);
    };
    more();
  });
  let [begun, ended] = [0, 0];
  const url = await routeOn(t, { onEnd: () => void ended++ });
  const body = { message: "x", documentContent: TEA, llmConfig: llmConfigOf(llm) };
  /** Reads a number of chunks, or none, and leaves in one of several ways. */
  const visit = async (way, chunks) => {
    const controller = new AbortController();
    const asked = post(url, body, { signal: controller.signal });
    if (way === 0) {
      // Perhaps before the answer.
      const over = asked.then((response) => response.body.cancel(), ({ name }) => assert.equal(name, "AbortError"));
      for (; chunks > 0; chunks--) await new Promise(setImmediate);
      controller.abort();
      return over.catch(({ name }) => assert.equal(name, "AbortError"));
    }
    const { status, body: stream } = await asked;
    assert.equal(status, 200);
    begun++;
    const reader = stream.getReader();
    for (; chunks > 0; chunks--) await reader.read();
    if (way === 1) controller.abort();
    else await reader.cancel();
  };
  const all = () => Promise.all(Array.from({ length: 200 }, () => visit(Math.floor(next() * 3), Math.floor(next() * 20))));
  const quiet = () => until(() => llm.open === 0 && ended >= begun);
  // The first rounds fill caches and pools.
  for (let round = 0; round < 2; round++) {
    await all();
    await quiet();
    llm.requests.length = 0;
  }
  const before = await heap();
  for (let round = 0; round < 2; round++) {
    await all();
    await quiet();
    llm.requests.length = 0;
  }
  let after = await heap();
  // Pools may still grow; what a stream does not give back is there after every round.
  for (let round = 0; round < 4 && after >= before * 1.1; round++) {
    await all();
    await quiet();
    llm.requests.length = 0;
    after = await heap();
  }
  t.diagnostic(`${(before / 1e6).toFixed(1)} MB before, ${(after / 1e6).toFixed(1)} MB after; ${begun} streams`);
  assert.ok(begun > 200);
  assert.ok(after < before * 1.1, `${before} bytes before, ${after} after`);
  assert.deepEqual(unhandled, []);
  // And the server still works.
  const whole = await model(t, [{ say: "Hi." }]);
  assert.equal((await run(url, { ...body, llmConfig: llmConfigOf(whole) })).at(-1).type, "complete");
});
