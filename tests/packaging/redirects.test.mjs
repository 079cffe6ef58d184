// Servers that redirect, and the package in Node: no key and no document reaches another origin.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Agent, Document, init } from "../../pkg/index.js";

await init();

const KEY = "sk-secret-of-redirects";
const APIS = ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"];

/** A server that records all requests. */
async function listen(t, respond) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const kept = { method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() };
    requests.push(kept);
    respond(response, kept);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => new Promise((closed) => (server.closeAllConnections(), server.close(closed))));
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}

const redirect = (status, location) => (response) => response.writeHead(status, { location }).end();
const STREAM = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Moved." }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

function agent(baseUrl, api = "openai-completions", more = {}, options = {}) {
  const llmConfig = { model: { api, modelId: "m" }, streamOptions: { baseUrl, apiKey: KEY, ...more } };
  return new Agent({ document: Document.fromHTML("<p>Tea.</p>"), llmConfig, maxRetries: 0, ...options });
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect with ${status} to another origin is not followed, in any format`, async (t) => {
    const other = await listen(t, (response) => response.end(STREAM));
    const first = await listen(t, redirect(status, `${other.url}/v1/chat/completions`));
    for (const api of APIS) {
      const { error } = await agent(first.url, api).prompt("My secret plan");
      assert.equal(error.code, "redirected", JSON.stringify(error));
      assert.deepEqual(error.details, { origin: first.url, target: other.url });
      assert.ok(error.message.includes(other.url));
    }
    assert.deepEqual(other.requests, []);
    assert.equal(first.requests.length, APIS.length);
  });
}

test("a redirect within the origin is followed, a few times, with the complete request", async (t) => {
  const first = await listen(t, (response, { url }) => {
    if (url.startsWith("/v1/")) return redirect(308, "/v2/chat/completions?key=in-the-query-1")(response);
    if (url.startsWith("/v2/")) return redirect(307, `//${response.req.headers.host}/v3`)(response);
    response.writeHead(200, { "content-type": "text/event-stream" }).end(STREAM);
  });
  const { text } = await agent(`${first.url}/v1`).prompt("My secret plan");
  assert.equal(text, "Moved.");
  const { method, headers, body } = first.requests.at(-1);
  assert.deepEqual([method, headers.authorization], ["POST", `Bearer ${KEY}`]);
  assert.match(body, /My secret plan/);

  const round = await listen(t, (response, { url }) => redirect(307, `/${url.length}${url}`)(response));
  const { error } = await agent(`${round.url}/v1`).prompt("x");
  assert.equal(error.code, "fetch_failed", error.message);
  assert.ok(round.requests.length <= 6);
});

test("an app's fetch that follows the redirect anyway is detected before its response is read", async (t) => {
  const other = await listen(t, (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(STREAM));
  const first = await listen(t, redirect(307, `${other.url}/x`));
  const careless = (url, { redirect: _, ...init }) => fetch(url, init);
  const { error, text } = await agent(first.url, undefined, undefined, { fetch: careless }).prompt("x");
  assert.deepEqual([error.code, error.details.target, text], ["redirected", other.url, ""]);
});

test("a search with a key follows no redirect to another origin, and one without may", async (t) => {
  const call = (name, args) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "c1", function: { name, arguments: JSON.stringify(args) } }] }, finish_reason: "tool_calls" }] })}\n\ndata: [DONE]\n\n`;
  const found = JSON.stringify({ results: [{ title: "Tea", url: "https://tea.example/", content: "Leaves." }], query: { search: [{ title: "Tea", snippet: "Leaves." }], pages: {} } });
  const other = await listen(t, (response) => response.writeHead(200, { "content-type": "application/json" }).end(found));
  const moved = await listen(t, redirect(307, `${other.url}/search`));
  for (const [name, args, services, refused] of [
    ["search_web", { query: "tea" }, { web: { provider: "tavily", apiKey: KEY, baseUrl: moved.url } }, true],
    ["search_image", { keywords: "tea" }, { images: { provider: "unsplash", apiKey: KEY, baseUrl: moved.url } }, true],
    ["search_image", { keywords: "tea" }, { images: { provider: "openverse", baseUrl: `${moved.url}/?token=a-key-in-the-query` } }, true],
    ["search_image", { keywords: "tea" }, { images: { provider: "openverse", baseUrl: moved.url } }, false],
    ["search_web", { query: "tea" }, { web: { provider: "wikipedia", baseUrl: moved.url } }, false],
  ]) {
    const answers = [call(name, args), STREAM];
    const model = await listen(t, (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(answers.shift()));
    other.requests.length = 0;
    const one = agent(model.url, undefined, undefined, { services });
    const results = [];
    one.subscribe((event) => event.type === "tool_result" && results.push(event.content));
    await one.prompt("Look");
    assert.equal(results[0]?.error?.code === "redirected", refused, JSON.stringify(results));
    assert.equal(other.requests.length, refused ? 0 : 1);
    assert.ok(!JSON.stringify(other.requests).includes(KEY));
  }
});
