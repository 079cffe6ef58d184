// The four wire formats in a page: what a browser sends, and a complete tool call.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listenTo, openEditor } from "./model.mjs";

const KEY = "sk-test-0123456789abcdef";
const event = (value, named = false) => `${named ? `event: ${value.type}\n` : ""}data: ${JSON.stringify(value)}\n\n`;
const args = { operation: "append", title: "Tea", content: "<p>A leaf.</p>" };

const formats = {
  "openai-completions": {
    base: "/v1",
    path: "/v1/chat/completions",
    headers: { authorization: `Bearer ${KEY}` },
    calls: event({ choices: [{ delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "update_section", arguments: JSON.stringify(args) } }] }, finish_reason: "tool_calls" }] }) + "data: [DONE]\n\n",
    says: event({ choices: [{ delta: { content: "Done." }, finish_reason: "stop" }] }) + event({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } }) + "data: [DONE]\n\n",
    result: ({ messages }) => messages.find(({ role }) => role === "tool").tool_call_id,
  },
  "openai-responses": {
    base: "/v1",
    path: "/v1/responses",
    headers: { authorization: `Bearer ${KEY}` },
    calls: [
      { type: "response.output_item.added", output_index: 0, item: { type: "function_call", id: "fc1", call_id: "c1", name: "update_section", arguments: "" } },
      { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc1", delta: JSON.stringify(args) },
      { type: "response.output_item.done", output_index: 0, item: { type: "function_call", id: "fc1", call_id: "c1", name: "update_section", arguments: JSON.stringify(args) } },
      { type: "response.completed", response: { status: "completed" } },
    ].map((one) => event(one, true)).join(""),
    says: [
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m1", role: "assistant", content: [] } },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "m1", delta: "Done." },
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "m1", role: "assistant", content: [{ type: "output_text", text: "Done." }] } },
      { type: "response.completed", response: { status: "completed", usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 } } },
    ].map((one) => event(one, true)).join(""),
    result: ({ input }) => input.find(({ type }) => type === "function_call_output").call_id,
  },
  "anthropic-messages": {
    base: "",
    path: "/v1/messages",
    headers: { "x-api-key": KEY, "anthropic-dangerous-direct-browser-access": "true" },
    calls: [
      { type: "message_start", message: { id: "m1", usage: { input_tokens: 5 } } },
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "c1", name: "update_section", input: {} } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: JSON.stringify(args) } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } },
      { type: "message_stop" },
    ].map((one) => event(one, true)).join(""),
    says: [
      { type: "message_start", message: { id: "m2", usage: { input_tokens: 10 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Done." } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ].map((one) => event(one, true)).join(""),
    result: ({ messages }) => messages.flatMap(({ content }) => content).find(({ type }) => type === "tool_result").tool_use_id,
  },
  "google-generative-ai": {
    base: "/v1beta",
    path: "/v1beta/models/some-model:streamGenerateContent?alt=sse",
    headers: { "x-goog-api-key": KEY },
    calls: event({ candidates: [{ content: { role: "model", parts: [{ functionCall: { name: "update_section", args } }] }, finishReason: "STOP" }] }),
    says: event({ candidates: [{ content: { role: "model", parts: [{ text: "Done." }] }, finishReason: "STOP" }], usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 } }),
    result: ({ contents }) => contents.flatMap(({ parts }) => parts).find((part) => part.functionResponse).functionResponse.name,
  },
};

for (const [api, { base, path, headers, calls, says, result }] of Object.entries(formats)) {
  test(`${api}: an edit and an answer, with headers that a browser may send`, async (t) => {
    const answers = [calls, says];
    const server = await listenTo(t, (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(answers.shift()));
    const page = await openEditor(t);
    const seen = await page.evaluate(
      async ({ api, baseUrl, key }) => {
        edit("");
        const events = [];
        const agent = new Agent({ document: editor, llmConfig: { model: { api, modelId: "some-model" }, streamOptions: { baseUrl, apiKey: key } } });
        agent.subscribe((event) => events.push(event));
        const result = await agent.prompt("Write");
        return { result, html: editor.getHTML(), messages: agent.messages, failed: events.filter(({ type }) => type === "error") };
      },
      { api, baseUrl: server.url + base.slice(1), key: KEY },
    );
    assert.deepEqual(seen.failed, []);
    assert.deepEqual([seen.result.status, seen.result.text], ["complete", "Done."]);
    assert.match(seen.html, /<h2>Tea<\/h2><p>A leaf\.<\/p>/);
    assert.deepEqual(seen.messages.map(({ role }) => role), ["user", "document", "assistant", "toolResult", "assistant"]);
    assert.equal(seen.messages[4].api, api);
    assert.ok(seen.result.usage.totalTokens >= 12);
    assert.deepEqual(server.requests.map((request) => request.path), [path, path]);
    for (const [name, value] of Object.entries(headers)) assert.equal(server.requests[0].headers[name], value);
    assert.ok(!server.requests[0].path.includes(KEY), "a key in an address would be in logs");
    assert.match(result(server.requests[1].body), api === "google-generative-ai" ? /^update_section$/ : /^c1$/);
    // Servers that allow browsers allow these headers, and mostly no others.
    const allowed = new Set(["content-type", "authorization", "x-api-key", "anthropic-version", "anthropic-beta", "anthropic-dangerous-direct-browser-access", "x-goog-api-key"]);
    assert.deepEqual(server.asked.filter((name) => !allowed.has(name)), []);
  });

  test(`${api}: an error that repeats the key does not show it`, async (t) => {
    const server = await listenTo(t, (response) => response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: `The key ${KEY} is wrong`, type: "authentication_error" } })));
    const page = await openEditor(t, { expected: [/401/] });
    const seen = await page.evaluate(
      async ({ api, baseUrl, key }) => {
        edit("");
        const all = [];
        const write = (message, fields) => all.push([message, fields]);
        const logger = { debug: write, info: write, warning: write, error: write };
        const agent = new Agent({ document: editor, logger, llmConfig: { model: { api, modelId: "some-model" }, streamOptions: { baseUrl, apiKey: key } } });
        agent.subscribe((event) => all.push(event));
        all.push(await agent.prompt("Write"));
        return { code: all.at(-1).error.code, all: JSON.stringify([all, agent.messages, agent.ledger]) };
      },
      { api, baseUrl: server.url + base.slice(1), key: KEY },
    );
    assert.equal(seen.code, "unauthorized");
    assert.ok(!seen.all.includes(KEY), "the key is shown");
  });
}
