// What fails around a run of the route: the model, the order of events, options, clients with ids of their own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "../../pkg/index.js";
import { memoryLog } from "../../pkg/route.js";
import { answer, delta, eventsIn, llmConfigOf, model, post, routeOn, until } from "./route-server.mjs";

await init();

const token = () => ({ "copydesk-run-token": crypto.randomUUID() });
const chunksIn = (text) => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json));

test("ui-message-stream: a step is reset only if it has shown something", async (t) => {
  const fails = (response) => response.end();
  const cut = (response) => response.end(delta("Hal"));
  for (const [first, expected] of [[fails, 0], [cut, 1]]) {
    let count = 0;
    const llm = await model(t, () => (count++ === 0 ? first : (response) => response.end(answer({ say: "Hi." }))));
    const url = await routeOn(t, { format: "ui-message-stream" });
    const body = { messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "x" }] }], llmConfig: llmConfigOf(llm) };
    const chunks = chunksIn(await (await post(url, body)).text());
    assert.equal(count, 2);
    assert.equal(chunks.filter(({ type }) => type === "reset-step").length, expected);
    const text = chunks.slice(chunks.findLastIndex(({ type }) => type === "reset-step") + 1).map(({ type, delta }) => (type === "text-delta" ? delta : ""));
    assert.equal(text.join(""), "Hi.");
  }
});

for (const format of ["copydesk", "ui-message-stream", "ag-ui"])
  test(`${format}: a run that is stopped before it begins has a beginning and an end`, async (t) => {
    let goOn;
    const held = new Promise((resolve) => (goOn = resolve));
    const llm = await model(t, () => async (response) => (await held, response.end(answer({ say: "Hi." }))));
    const url = await routeOn(t, { format, log: memoryLog(), llmConfig: llmConfigOf(llm) });
    const headers = token();
    const ask = async (id) => {
      const body = { copydesk: { message: "x", runId: id, documentId: "d" }, "ui-message-stream": { id, message: "x", documentId: "d" }, "ag-ui": { threadId: id, runId: id, messages: [{ id: "m", role: "user", content: "x" }], forwardedProps: { documentId: "d" } } }[format];
      return post(url, body, { headers: { ...headers, "copydesk-run-id": id } });
    };
    const [first, second] = [await ask("one"), await ask("two")];
    await until(() => llm.requests.length === 1);
    await fetch(`${url}?run=two`, { method: "DELETE", headers });
    goOn();
    await first.text();
    const text = await second.text();
    if (format === "copydesk") assert.deepEqual(eventsIn(text), [{ type: "agent_start", seq: 1 }, { type: "aborted", seq: 2 }]);
    else if (format === "ag-ui") assert.deepEqual(chunksIn(text).map(({ type }) => type), ["RUN_STARTED", "RUN_FINISHED"]);
    else assert.deepEqual(chunksIn(text).map(({ type }) => type), ["start", "abort"]);
  });

test("an id behind the last event of a run that is over is refused", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  for (const format of ["copydesk", "ui-message-stream"]) {
    const url = await routeOn(t, { format, log: memoryLog(), llmConfig: llmConfigOf(llm) });
    const headers = { ...token(), "copydesk-run-id": "r" };
    const ask = (more) => post(url, { message: "x", runId: "r" }, { headers: { ...headers, ...more } });
    const whole = await (await ask({})).text();
    const last = Number([...whole.matchAll(/^id: (\d+)/gm)].at(-1)[1]);
    const refused = await ask({ "last-event-id": String(last + 1) });
    assert.equal(refused.status, 404);
    const { code, details } = await refused.json();
    assert.deepEqual([code, details], ["unknown_event", { given: last + 1, last }]);
    assert.equal((await ask({ "last-event-id": String(last) })).status, 200);
  }
});
