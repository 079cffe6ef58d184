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
const STRANGE = [null, true, 0, -1, 1e308, "", "x", "\ud800", "__proto__", [], {}, [null], { a: [] }, "a".repeat(5000)];

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
