// Runs that cannot begin: they leave nothing behind, neither a lease nor a lock, and no page begins them later.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog } from "../../pkg/route.js";
import { eventsIn, llmConfigOf, model, until } from "./route-server.mjs";

await init();

const URL_OF = "http://127.0.0.1/api/doc-agent-chat";
const HOUR = 3_600_000;
const TEA = "<h1>Tea</h1><p>A leaf.</p>";
const headers = () => ({ "copydesk-run-token": crypto.randomUUID() });
const post = (route, body, more) => route.fetch(new Request(URL_OF, { method: "POST", headers: more, body: JSON.stringify(body) }));

/** The intervals that are set and not cleared. */
function intervals(t) {
  const open = new Set();
  const { setInterval: set, clearInterval: clear } = globalThis;
  t.mock.method(globalThis, "setInterval", (...given) => {
    const timer = set(...given);
    open.add(timer);
    return timer;
  });
  t.mock.method(globalThis, "clearInterval", (timer) => {
    open.delete(timer);
    clear(timer);
  });
  return open;
}

test("a run whose model is refused leaves neither its lease nor the lock of its document", async (t) => {
  const llm = await model(t, [{ say: "Done." }]);
  const log = memoryLog();
  const [first, second] = [0, 1].map(() => createDocAgentRoute({ log, lease: HOUR, whenBusy: "refuse" }));
  const llmConfig = llmConfigOf(llm);
  const body = { message: "Work", documentContent: TEA, documentId: "d", runId: "r", llmConfig };
  const wrong = { ...llmConfig, streamOptions: { ...llmConfig.streamOptions, temperature: "hot" } };
  const token = headers();
  const open = intervals(t);
  const refused = await post(first, { ...body, llmConfig: wrong }, token);
  assert.deepEqual([refused.status, open.size], [400, 0], await refused.text());
  // The same run with another model begins at another instance at once.
  const begun = await post(second, body, token);
  assert.equal(begun.status, 200);
  assert.equal(eventsIn(await begun.text()).at(-1).type, "complete");
  await until(() => open.size === 0);
});

test("a run that was refused is not begun by a page that is loaded again, but by its request", async (t) => {
  const answers = [];
  const llm = await model(t, () => (response) => void answers.push(response));
  const options = { log: memoryLog(), lease: HOUR, whenBusy: "refuse", format: "ui-message-stream", llmConfig: llmConfigOf(llm) };
  const route = createDocAgentRoute(options);
  const token = headers();
  const bodyOf = (id) => ({ id, documentContent: TEA, documentId: "d", messages: [{ id: "u", role: "user", parts: [{ type: "text", text: "Work" }] }] });
  const first = await post(route, bodyOf("one"), token);
  await until(() => answers.length === 1);
  const again = { ...token, "copydesk-run-id": "again" };
  assert.equal((await post(route, bodyOf("other"), again)).status, 409);
  await fetchStopped(route, "one", token);
  await first.text();
  await until(async () => (await (await route.fetch(new Request(`${URL_OF}/health`))).json()).runs === 0);
  const loaded = await route.fetch(new Request(`${URL_OF}/other/stream`, { headers: token }));
  assert.equal(loaded.status, 204);
  assert.equal(answers.length, 1);
  const begun = await post(route, bodyOf("other"), again);
  assert.equal(begun.status, 200);
  await until(() => answers.length === 2);
  await fetchStopped(route, "other", token);
  await begun.text();
});

async function fetchStopped(route, id, token) {
  const response = await route.fetch(new Request(`${URL_OF}?run=${id}`, { method: "DELETE", headers: token }));
  assert.equal(response.status, 204);
}
