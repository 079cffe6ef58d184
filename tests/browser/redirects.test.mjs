// Servers that redirect, in a browser, which hides the target: no key and no document reaches another origin.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, begin, listenTo, pageWith } from "./model.mjs";

const KEY = "sk-secret-of-redirects";
const APIS = ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"];

const redirect = (status, location) => (response) => response.writeHead(status, { location }).end();

/** Prompts an agent with a format. Returns how the run ended. */
const run = (page, given) =>
  page.evaluate(async ({ baseUrl, api, apiKey, headers }) => {
    const llmConfig = { model: { api, modelId: "m" }, streamOptions: { baseUrl, apiKey, headers } };
    const agent = new Agent({ document: editor, llmConfig, maxRetries: 0 });
    const { status, text, error } = await agent.prompt("My secret plan");
    return { status, text, error };
  }, given);

const LEAKS = /sk-secret-of-redirects|My secret plan|Tea of the document/;

test("no format follows a redirect to another origin, and the error names it", async (t) => {
  const other = await listenTo(t, (response) => begin(response).end(answer({ say: "Stolen." })));
  const first = await listenTo(t, redirect(307, `${other.url}v1/chat/completions`));
  const page = await pageWith(t, first.url, "<p>Tea of the document</p>", { expected: [/./] });
  for (const api of APIS) {
    const { error } = await run(page, { baseUrl: first.url, api, apiKey: KEY, headers: { "x-own": KEY } });
    assert.equal(error.code, "redirected", JSON.stringify(error));
    assert.deepEqual(error.details, { origin: new URL(first.url).origin, target: new URL(other.url).origin });
  }
  const { error } = await run(page, { baseUrl: `${first.url}v1?key=${KEY}`, api: APIS[0] });
  assert.equal(error.code, "redirected", JSON.stringify(error));
  // The request that reveals the target carried nothing.
  assert.doesNotMatch(JSON.stringify([other.requests, other.asked]), LEAKS);
  for (const { headers } of other.requests) {
    for (const name of ["authorization", "x-api-key", "x-goog-api-key", "x-own", "cookie"]) assert.equal(headers[name], undefined, name);
  }
});

test("where CORS blocks even a request without a key, the error says that the browser hides the target", async (t) => {
  const asked = [];
  const other = await listenTo(t, (response, kept) => {
    asked.push(kept);
    response.removeHeader("access-control-allow-origin");
    response.end("secret");
  });
  const first = await listenTo(t, redirect(308, `${other.url}x`));
  const page = await pageWith(t, first.url, "<p>Tea of the document</p>", { expected: [/./] });
  const { error } = await run(page, { baseUrl: first.url, api: APIS[0], apiKey: KEY });
  assert.deepEqual([error.code, error.details.target], ["redirected", null], JSON.stringify(error));
  assert.match(error.message, /does not show/);
  assert.doesNotMatch(JSON.stringify(asked), LEAKS);
});

test("a redirect within the origin is followed with the complete request", async (t) => {
  const first = await listenTo(t, (response, { path }) => {
    if (path.startsWith("/v1/")) return redirect(307, path.replace("/v1/", "/v2/"))(response);
    begin(response).end(answer({ say: "Moved." }));
  });
  const page = await pageWith(t, first.url, "", { expected: [/./] });
  const { text, error } = await run(page, { baseUrl: `${first.url}v1?key=${KEY}&x=1`, api: APIS[0], apiKey: KEY });
  assert.equal(text, "Moved.", JSON.stringify(error));
  const { path, headers, body } = first.requests.at(-1);
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  assert.equal(new URL(path, first.url).searchParams.get("key"), KEY);
  assert.match(body.messages.at(-1).content, /^My secret plan\n\n<document>\n/);
  const withoutKey = first.requests.filter(({ body }) => !body);
  assert.deepEqual(withoutKey.map(({ path }) => path.split("/")[1]), ["v1", "v2"], "one request asks where to, and is redirected");
  assert.doesNotMatch(JSON.stringify(withoutKey.map(({ path, headers }) => [path, headers])), LEAKS);
});

test("an app's fetch that follows the redirect anyway is detected", async (t) => {
  const other = await listenTo(t, (response) => begin(response).end(answer({ say: "Stolen." })));
  const first = await listenTo(t, redirect(307, `${other.url}x`));
  const page = await pageWith(t, first.url, "", { expected: [/./] });
  const { error, text } = await page.evaluate(async (baseUrl) => {
    const careless = (url, { redirect: _, ...init }) => fetch(url, init);
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl } };
    return new Agent({ document: editor, llmConfig, maxRetries: 0, fetch: careless }).prompt("x");
  }, first.url);
  assert.deepEqual([error.code, error.details.target, text], ["redirected", new URL(other.url).origin, ""]);
});
