// Bodies of any shape, in every format: an answer with an error of the client, or a run. Never a failure of the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "../../pkg/index.js";
import { createDocAgentRoute } from "../../pkg/route.js";
import { llmConfigOf, model, random } from "./route-server.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);

const approved = { id: "a", approved: true, descriptor: { shown: { a: 1 } } };
const call = { id: "a", type: "function", function: { name: "update_section", arguments: '{"operation":"append"}' } };
/** A valid body with everything that a format reads. */
const BODIES = {
  copydesk: { message: "x", documentContent: "<p>x</p>", history: [{ role: "user", content: "x" }, { role: "assistant", content: "y", toolCalls: [{ toolName: "read_lines", toolInput: {}, toolResult: {} }] }], documentId: "d", runId: "r" },
  "ui-message-stream": {
    messages: [
      { role: "user", parts: [{ type: "text", text: "x" }] },
      { role: "assistant", parts: [{ type: "step-start" }, { type: "text", text: "y" }, { type: "tool-update_section", toolCallId: "a", state: "approval-responded", input: { operation: "append" }, approval: approved }, { type: "dynamic-tool", toolName: "read_lines", toolCallId: "b", state: "output-available", output: "z" }] },
    ],
    documentContent: "<p>x</p>",
  },
  "ag-ui": {
    threadId: "t",
    runId: "r",
    messages: [{ id: "1", role: "user", content: [{ type: "text", text: "x" }] }, { id: "2", role: "assistant", content: "y", toolCalls: [call, { ...call, id: "b" }] }, { id: "3", role: "tool", toolCallId: "b", content: "{}", error: "e" }],
    state: { documentContent: "<p>x</p>", shown: { a: { lines: [1] } } },
    resume: [{ interruptId: "a", status: "resolved", payload: { approved: true, reason: "r" } }],
  },
};
const STRANGE = [null, true, 0, -1, 1e308, "", "x", "\ud800", "__proto__", [], {}, [null], { a: [] }, "a".repeat(5000), { toString: 1, valueOf: 1 }, { length: 1 }];

/** Returns the paths of all members of a value. */
const pathsIn = (value) => (typeof value === "object" && value !== null ? Object.entries(value).flatMap(([name, member]) => [[name], ...pathsIn(member).map((path) => [name, ...path])]) : []);

/** Returns a copy in which a member is another value. */
function replaced(value, path, member) {
  const copy = structuredClone(value);
  const owner = path.slice(0, -1).reduce((inner, name) => inner[name], copy);
  owner[path.at(-1)] = member;
  return copy;
}

/** Replaces, removes or doubles a few random members of a value. */
function spoilt(value, next, chance) {
  if (next() < chance) return STRANGE[Math.floor(next() * STRANGE.length)];
  if (Array.isArray(value)) return value.flatMap((item) => (next() < chance ? [] : next() < chance ? [item, item] : [spoilt(item, next, chance)]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => (next() < chance ? [] : [[name, spoilt(member, next, chance)]])));
}

/** Returns a body in which every member of every list comes twice. */
const doubled = (value) => {
  if (Array.isArray(value)) return value.flatMap((item) => [doubled(item), doubled(item)]);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, doubled(member)]));
};

for (const [format, body] of Object.entries(BODIES)) {
  test(`${format}: 150 random bodies`, async (t) => {
    const llm = await model(t, () => ({ say: "Hi." }));
    const failures = [];
    const needsApproval = format === "copydesk" ? [] : ["update_section"];
    const route = createDocAgentRoute({ format, needsApproval, llmConfig: llmConfigOf(llm), logger: { error: (message, { code }) => code === "internal" && failures.push(message) } });
    const next = random(seed);
    const statuses = new Map();
    for (let at = 0; at < 150; at++) {
      const text = JSON.stringify(at === 0 ? body : at === 1 ? doubled(body) : spoilt(body, next, 0.06));
      const response = await route.POST(new Request("http://127.0.0.1/api", { method: "POST", body: text }));
      const answer = await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (at < 2) assert.equal(response.status, 200, answer);
      if (response.status === 200) assert.match(answer, /complete|"finish"|RUN_FINISHED|RUN_ERROR|"error"/, text);
      else assert.equal(response.status, 400, `${text}: ${answer}`);
    }
    assert.deepEqual(failures, []);
    t.diagnostic(JSON.stringify([...statuses]));
    assert.ok(statuses.get(200) > 25 && statuses.get(400) > 10);
  });
}

const said = 'data: {"choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
for (const [format, body] of Object.entries(BODIES))
  test(`${format}: each member in turn as an object without a text form`, async () => {
    const failures = [];
    const needsApproval = format === "copydesk" ? [] : ["update_section"];
    const fetch = async () => new Response(said, { headers: { "content-type": "text/event-stream" } });
    const route = createDocAgentRoute({ format, needsApproval, fetch, logger: { error: (message, { code }) => code === "internal" && failures.push(message) } });
    const llmConfig = { model: { api: "openai-completions", modelId: "m", input: ["text"] }, streamOptions: { apiKey: "k", baseUrl: "http://127.0.0.1:1/v1", headers: { "x-a": "b" } }, thinkingLevel: "low" };
    const whole = format === "ag-ui" ? { ...body, forwardedProps: { llmConfig, documentId: "d" } } : { ...body, llmConfig, toolArgs: "delta", id: "c" };
    const paths = pathsIn(whole);
    assert.ok(paths.length > 25);
    for (const path of [[], ...paths])
      for (const member of [{ toString: 1, valueOf: 1 }, [{ toString: 1 }]]) {
        const text = JSON.stringify(path.length ? replaced(whole, path, member) : whole);
        const response = await route.POST(new Request("http://127.0.0.1/api", { method: "POST", body: text }));
        const answer = await response.text();
        if (path.length === 0) assert.equal(response.status, 200, answer);
        assert.ok(response.status < 500, `${path.join(".")}: ${answer}`);
      }
    assert.deepEqual(failures, []);
  });
