// Failures of an app's own fetch: those of the network are retried and reported as such, others are the app's.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Agent, Document, init } from "../../pkg/index.js";
import { listening } from "./route-server.mjs";

await init();

const withCode = (error, code) => Object.assign(error, { code });
const named = (message, name) => Object.assign(new Error(message), { name });
const ANSWER = 'data: {"choices":[{"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** What browsers, runtimes and HTTP clients throw, and the part of it that the user has to read. */
const OF_THE_NETWORK = [
  [() => new TypeError("Failed to fetch"), "Failed to fetch"],
  [() => new TypeError("NetworkError when attempting to fetch resource."), "NetworkError when"],
  [() => new DOMException("A network error occurred.", "NetworkError"), "network error"],
  [() => new DOMException("The operation timed out.", "TimeoutError"), "timed out"],
  [() => new TypeError("fetch failed", { cause: withCode(new Error("getaddrinfo ENOTFOUND llm.example"), "ENOTFOUND") }), "ENOTFOUND"],
  [() => new TypeError("fetch failed", { cause: withCode(new AggregateError([]), "ECONNREFUSED") }), "ECONNREFUSED"],
  // node-fetch, axios, Bun, and an error of another realm
  [() => withCode(named("request to https://llm.example failed", "FetchError"), "ECONNRESET"), "request to"],
  [() => withCode(new Error("Network Error"), "ERR_NETWORK"), "Network Error"],
  [() => withCode(new Error("Unable to connect."), "ConnectionRefused"), "Unable to connect"],
  [() => named("Load failed", "TypeError"), "Load failed"],
];

const OF_THE_APP = [() => new Error("my proxy: quota"), () => named("no", "RangeError"), () => "a text", () => withCode(new Error("x"), "MY_CODE")];

function agentWith(fetch, options = {}) {
  const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://llm.example/v1" } };
  const agent = new Agent({ document: Document.fromHTML("<p>Tea</p>"), llmConfig, locale: "en", fetch, ...options });
  const events = [];
  agent.subscribe((event) => events.push(event));
  return { agent, retries: () => events.filter(({ type }) => type === "retry") };
}

test("what an app's fetch throws for the network is unreachable, with the reason", async () => {
  for (const [make, reason] of OF_THE_NETWORK) {
    for (const give of [() => { throw make(); }, async () => { throw make(); }]) {
      const { agent } = agentWith(give, { maxRetries: 0 });
      const { error } = await agent.prompt("Go");
      assert.equal(error.code, "unreachable", make().message);
      assert.ok(error.message.includes("https://llm.example") && error.message.includes(reason), error.message);
    }
  }
});

test("it is tried again", async () => {
  let calls = 0;
  const once = async () => {
    if (!calls++) throw new TypeError("Failed to fetch");
    return new Response(ANSWER, { headers: { "content-type": "text/event-stream" } });
  };
  const { agent, retries } = agentWith(once);
  const { status, text } = await agent.prompt("Go");
  assert.deepEqual([status, text, calls], ["complete", "Done.", 2]);
  assert.deepEqual(retries().map(({ reason }) => reason), ["unreachable"]);
});

test("other exceptions are errors of the app, and are not tried again", async () => {
  for (const make of OF_THE_APP) {
    let calls = 0;
    const { agent } = agentWith(() => { calls++; throw make(); });
    const { error } = await agent.prompt("Go");
    assert.deepEqual([error.code, calls], ["fetch_failed", 1]);
  }
});

test("fields of streamOptions.body are sent, and those of copydesk's own are refused when they are set", async () => {
  let sent;
  const { agent } = agentWith(async (_, { body }) => {
    sent = JSON.parse(body);
    return new Response(ANSWER, { headers: { "content-type": "text/event-stream" } });
  });
  const config = (body) => ({ model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://llm.example/v1", body } });
  agent.configure({ llmConfig: config({ tool_choice: "required", options: { num_ctx: 8192 }, seed: 7 }) });
  await agent.prompt("Go");
  assert.deepEqual([sent.tool_choice, sent.options, sent.seed], ["required", { num_ctx: 8192 }, 7]);
  for (const name of ["messages", "tools", "stream", "model"])
    assert.throws(() => agent.configure({ llmConfig: config({ [name]: 1 }) }), { code: "config", message: new RegExp(`streamOptions\\.body.*"${name}"`) });
});

test("in Node a connection that breaks is tried again, and nothing else is requested", async (t) => {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request.method);
    if (requests.length === 1) return request.socket.destroy();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(ANSWER);
  });
  const url = await listening(t, server);
  const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: `${url}v1` } };
  const agent = new Agent({ document: Document.fromHTML("<p>Tea</p>"), llmConfig, locale: "en" });
  t.after(() => agent.dispose());
  const { status, text } = await agent.prompt("Go");
  assert.deepEqual([status, text], ["complete", "Done."]);
  assert.deepEqual(requests, ["POST", "POST"]);
});
