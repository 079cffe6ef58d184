// The agent with real servers on loopback, through the browser's own network.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { atEnd } from "../at-end.mjs";
import { listen, opener } from "./harness.mjs";

const openEditor = opener("editor");

const KEY = "sk-test-0123456789";

/** Runs one prompt in a fresh editor and returns the result. */
async function run(t, { baseUrl, html = "<p></p>", prompt = "Go", services, expected, between, timeout }) {
  const page = await openEditor(t, { expected });
  await page.evaluate(
    ({ html, baseUrl, key, services, timeout }) => {
      edit(html);
      window.events = [];
      window.agent = new Agent({
        document: editor,
        llmConfig: {
          model: { api: "openai-completions", modelId: "gpt-4.1-mini" },
          streamOptions: { apiKey: key, baseUrl, temperature: 0, timeout },
        },
        services,
        // Retries are tested in network.test.mjs.
        maxRetries: 0,
      });
      agent.subscribe((event) => events.push(event));
    },
    { html, baseUrl, key: KEY, services, timeout },
  );
  await between?.(page);
  const result = await page.evaluate((prompt) => agent.prompt(prompt), prompt);
  return page.evaluate((result) => ({ result, events, html: editor.getHTML(), messages: agent.messages }), result);
}

/** A chat completions server that gives the answers in order. */
async function chat(t, answers) {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 7, logLevel: "silent" });
  const queue = [...answers];
  mock.on({ predicate: () => true }, () => queue.shift());
  await mock.start();
  atEnd(t, () => mock.stop());
  return { baseUrl: `${mock.url}/v1`, requests: () => mock.getRequests().map(({ body }) => body) };
}

const call = (id, name, args) => ({ toolCalls: [{ id, name, arguments: JSON.stringify(args) }] });

test("the main task: an article of three sections with an image, over a real stream", async (t) => {
  const pictures = await listen((request, response) => {
    response.setHeader("access-control-allow-origin", "*").setHeader("content-type", "application/json");
    response.end(JSON.stringify({ results: [{ title: "Cup", url: `${pictures.url}cup.png`, creator: "Ann", license: "cc0" }] }));
  });
  const chapter = (title, content) => ({ operation: "append", title, content });
  const server = await chat(t, [
    call("c1", "get_document", {}),
    call("c2", "update_section", { operation: "replace", sectionIndex: 0, title: "Tea", content: "<p>A leaf.</p>" }),
    call("c3", "update_section", chapter("History", "<h2>History</h2><p>Long ago 🍵.</p>")),
    {
      toolCalls: [
        { id: "c4", name: "update_section", arguments: JSON.stringify(chapter("Kinds", "<ul><li>green</li></ul>")) },
        { id: "c5", name: "update_section", arguments: JSON.stringify(chapter("Brewing", "<p>80 °C.</p>")) },
        { id: "c6", name: "search_image", arguments: '{"keywords":"tea","count":"1"}' },
      ],
    },
    call("c7", "insert_image", { sectionIndex: 1, imageUrl: `${pictures.url}cup.png`, imageDescription: "A cup" }),
    { content: "The article is written." },
  ]);
  const seen = await run(t, {
    baseUrl: server.baseUrl,
    prompt: "write an article about tea with three chapters and a picture",
    services: { images: { provider: "openverse", baseUrl: pictures.url } },
    expected: [/cup\.png/, /404/],
  });
  assert.equal(seen.result.status, "complete", JSON.stringify(seen.result));
  assert.equal(seen.result.text, "The article is written.");
  assert.equal(
    seen.html,
    `<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Long ago 🍵.</p><img src="${pictures.url}cup.png" alt="A cup">` +
      "<h2>Kinds</h2><ul><li><p>green</p></li></ul><h2>Brewing</h2><p>80 °C.</p>",
  );
  const count = (type) => seen.events.filter((event) => event.type === type).length;
  assert.deepEqual([count("tool_use"), count("tool_result"), count("doc_update"), count("complete")], [7, 7, 5, 1]);
  assert.ok(count("tool_args") > 7, "arguments are shown while they arrive");
  assert.deepEqual(seen.events.map(({ seq }) => seq), seen.events.map((_, index) => index + 1));
  const requests = server.requests();
  assert.equal(requests.length, 6);
  assert.deepEqual(requests[0].tools.map((tool) => tool.function.name), [
    "get_document",
    "read_lines",
    "edit_current_editor_document",
    "replace_text",
    "set_attributes",
    "update_section",
    "insert_image",
    "move_section",
    "search_web",
    "search_image",
    "read_more",
  ]);
  assert.deepEqual(requests[5].messages.filter(({ role }) => role === "tool").map((message) => message.tool_call_id), [
    "c1", "c2", "c3", "c4", "c5", "c6", "c7",
  ]);
});

test("a SearXNG server is searched over HTTP, without a key", async (t) => {
  const asked = [];
  const searxng = await listen((request, response) => {
    asked.push({ method: request.method, url: request.url, authorization: request.headers.authorization });
    response.setHeader("access-control-allow-origin", "*").setHeader("content-type", "application/json");
    response.end(readFileSync(new URL("../fixtures/searxng/search.json", import.meta.url)));
  });
  const server = await chat(t, [call("c1", "search_web", { query: "tea & milk" }), { content: "Found." }]);
  const services = { web: { provider: "searxng", baseUrl: searxng.url } };
  const { result, events } = await run(t, { baseUrl: server.baseUrl, services });
  assert.equal(result.status, "complete", JSON.stringify(result));
  assert.deepEqual(asked, [{ method: "GET", url: "/search?q=tea%20%26%20milk&format=json", authorization: undefined }]);
  const { content } = events.find(({ type }) => type === "tool_result");
  assert.deepEqual(content.results.map(({ url }) => url), [
    "https://en.wikipedia.org/wiki/Tea",
    "https://tea.example/brewing?temperature=80&minutes=3",
  ]);
});

test("a SearXNG service without its base URL fails with an error that names the setting", async (t) => {
  const server = await chat(t, [{ content: "Never asked." }]);
  const { result } = await run(t, { baseUrl: server.baseUrl, services: { web: { provider: "searxng" } } });
  assert.equal(result.error.code, "config");
  assert.match(result.error.message, /services\.web\.baseUrl/);
  assert.equal(server.requests().length, 0);
});

test("the user types while the agent writes, and loses nothing", async (t) => {
  const write = (content) => ({ operation: "replace", sectionIndex: 1, content });
  const server = await chat(t, [
    call("c0", "get_document", {}),
    call("c1", "update_section", write("<p>one</p>")),
    call("c2", "update_section", write("<p>one two</p>")),
    call("c3", "update_section", write("<p>one two three</p>")),
    { content: "Done." },
  ]);
  const page = await openEditor(t);
  await page.evaluate((baseUrl) => {
    edit("<h2>A</h2><p>x</p><h2>B</h2><p>typed:</p>");
    const model = { api: "openai-completions", modelId: "m" };
    window.agent = new Agent({ document: editor, llmConfig: { model, streamOptions: { baseUrl } } });
    editor.commands.setTextSelection(editor.state.doc.content.size - 1);
    editor.view.focus();
    window.running = agent.prompt("Go");
  }, server.baseUrl);
  await page.keyboard.type("every single letter", { delay: 5 });
  assert.equal((await page.evaluate(() => running)).status, "complete");
  assert.equal(
    await page.evaluate(() => editor.getHTML()),
    "<h2>A</h2><p>one two three</p><h2>B</h2><p>typed:every single letter</p>",
  );
});

/** A server with one fault. */
const answering = (respond) => async () => (await listen((request, response) => {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "authorization, content-type");
  if (request.method === "OPTIONS") response.writeHead(204).end();
  else respond(response, request);
})).url;
const json = (status, body) => answering((response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)));

const whole = 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"update_section","arguments":"{\\"operation\\":\\"delete\\",\\"sectionIndex\\":1}"}}]}}]}\n\n';

const faults = {
  "a wrong key": { server: json(401, { error: { message: `Incorrect API key provided: ${KEY}` } }), code: "unauthorized" },
  "a wrong endpoint": { server: json(404, { detail: "Not Found" }), code: "not_found" },
  "too many requests": { server: json(429, { error: { message: "Rate limit reached" } }), code: "rate_limited" },
  "a failing provider": { server: json(500, { error: { message: "oops" } }), code: "server_error" },
  "a web page instead of a stream": {
    server: answering((response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Hi")),
    code: "not_a_stream",
  },
  "a stream that ends in the middle": {
    server: answering((response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(whole)),
    code: "stream_cut",
  },
  "a connection that breaks in the middle": {
    server: answering((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(whole, () => setTimeout(() => response.destroy(), 50));
    }),
    code: "stream_cut",
  },
  "a server that never answers": { server: answering(() => {}), code: "timeout", timeout: 300 },
  "a server that does not allow this page (CORS)": {
    server: async () => (await listen((_, response) => response.end("{}"))).url,
    code: "blocked_by_cors",
  },
  "a port where nothing listens": { server: async () => "http://127.0.0.1:9/v1", code: "unreachable" },
  "no network": { server: async () => "https://llm.example/v1", code: "offline", between: (page) => page.context().setOffline(true) },
};

for (const [name, { server, code, between, timeout }] of Object.entries(faults)) {
  test(`${name} is one error event with the code ${code}, and the document is unchanged`, async (t) => {
    const html = "<h1>T</h1><h2>A</h2><p>a</p>";
    const seen = await run(t, { baseUrl: await server(), html, between, timeout, expected: [/./] });
    const errors = seen.events.filter((event) => event.type === "error");
    assert.deepEqual(errors.map((event) => event.code), [code]);
    assert.equal(seen.result.status, "error");
    assert.equal(seen.result.error.code, code);
    assert.match(errors[0].error, /^[A-Zh].{15,}\.$/s, "a sentence");
    assert.equal(seen.html, html);
    assert.ok(!JSON.stringify([seen.events, seen.messages, seen.result]).includes(KEY), "the key is shown");
  });
}

test("abort stops the stream at the server, and the agent works again", async (t) => {
  let closed;
  const gone = new Promise((resolve) => (closed = resolve));
  let asked = 0;
  const slow = answering((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (asked++ > 0) {
      response.end('data: {"choices":[{"delta":{"content":"Again."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
      return;
    }
    response.write('data: {"choices":[{"delta":{"content":"Endless"}}]}\n\n');
    response.on("close", closed);
  });
  const page = await openEditor(t);
  const status = await page.evaluate(async (baseUrl) => {
    edit("<p>x</p>");
    const model = { api: "openai-completions", modelId: "m" };
    window.agent = new Agent({ document: editor, llmConfig: { model, streamOptions: { baseUrl } } });
    const stop = agent.subscribe(({ type }) => type === "content" && agent.abort());
    const { status } = await agent.prompt("Go");
    stop();
    return status;
  }, await slow());
  assert.equal(status, "aborted");
  await gone;
  assert.deepEqual(await page.evaluate(() => agent.prompt("Again").then(({ status, text }) => ({ status, text }))), {
    status: "complete",
    text: "Again.",
  });
});
