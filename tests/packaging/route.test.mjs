// The chat route on a real server: its answers, its errors, its streams and their end.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Document, init } from "../../pkg/index.js";
import { createDocAgentRoute } from "../../pkg/route.js";
import { answer, call, delta, eventsIn, listening, llmConfigOf, model, post, routeOn, run, until } from "./route-server.mjs";

await init();

const TEA = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p>";
const types = (events) => events.map(({ type }) => type);

test("a run is streamed: updates as they are made, then the end, and the connection is over", async (t) => {
  const edits = [
    call("a", "update_section", { operation: "append", title: "Kinds", content: "<p>Green.</p>" }),
    call("b", "update_section", { operation: "replace", sectionIndex: 2, title: "Kinds of tea", content: "<p>Black.</p>" }),
  ];
  const llm = await model(t, [{ calls: [edits[0]] }, { calls: [edits[1]] }, { say: "Done." }]);
  const ends = [];
  const url = await routeOn(t, { onEnd: (end) => void ends.push(end) });
  const response = await post(url, { message: "Add kinds", documentContent: TEA, llmConfig: llmConfigOf(llm) });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("cache-control"), "no-cache");
  assert.equal(response.headers.get("connection"), "keep-alive");
  const events = eventsIn(await response.text());
  assert.deepEqual(events.map(({ seq }) => seq - events[0].seq), events.map((_, at) => at));
  assert.equal(events[0].type, "agent_start");
  assert.equal(events.at(-1).type, "complete");
  const updates = events.filter(({ type }) => type === "doc_update");
  assert.deepEqual(updates.map(({ operation }) => operation), ["append", "replace"]);
  for (const { toolId } of updates) {
    const of = events.filter((event) => event.toolId === toolId && event.type !== "tool_args");
    assert.deepEqual(types(of), ["tool_use", "doc_update", "tool_result"]);
  }
  assert.equal(ends.length, 1);
  assert.equal(ends[0].html, `${TEA}<h2>Kinds of tea</h2><p>Black.</p>`, "the second update saw the first");
  assert.equal(ends[0].result.text, "Done.");
  assert.equal(llm.requests[0].model, "m");
  assert.ok(!("reasoning_effort" in llm.requests[0]), "thinking is off");
});

test("updates arrive while the model is still at work", async (t) => {
  let goOn;
  const held = (response) => void (goOn = () => response.end(answer({ say: "Done." })));
  const llm = await model(t, [{ calls: [call("a", "update_section", { operation: "append", title: "T", content: "<p>x</p>" })] }, held]);
  const url = await routeOn(t, {});
  const { body } = await post(url, { message: "x", llmConfig: llmConfigOf(llm) });
  let text = "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  while (!text.includes('"type":"doc_update"')) text += decoder.decode((await reader.read()).value, { stream: true });
  assert.ok(!text.includes('"complete"'));
  await until(() => goOn);
  goOn();
  for (let read = await reader.read(); !read.done; read = await reader.read()) text += decoder.decode(read.value, { stream: true });
  assert.equal(eventsIn(text).at(-1).type, "complete");
});

test("the history becomes a valid conversation whose calls have ids and results", async (t) => {
  const llm = await model(t, [{ say: "Yes." }]);
  const url = await routeOn(t, { documentInPrompt: false });
  const history = [
    { role: "user", content: "Find tea" },
    {
      role: "assistant",
      content: "Here it is.",
      toolCalls: [
        { toolName: "search_web", toolInput: { query: "tea" }, toolResult: { results: [] } },
        { toolName: "get_document", toolInput: {}, toolResult: { error: "none" } },
      ],
    },
    { role: "user", content: "And?" },
    { role: "assistant", content: "", toolCalls: [{ toolName: "read_lines" }] },
  ];
  const events = await run(url, { message: "Good?", history, llmConfig: llmConfigOf(llm) });
  assert.equal(events.at(-1).type, "complete");
  const messages = llm.requests[0].messages.slice(1);
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool", "tool", "assistant", "user", "assistant", "tool", "user"]);
  const ids = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  assert.equal(new Set(ids).size, 3);
  assert.deepEqual(messages.filter(({ role }) => role === "tool").map(({ tool_call_id }) => tool_call_id), ids);
  assert.deepEqual(JSON.parse(messages[1].tool_calls[0].function.arguments), { query: "tea" });
  assert.equal(messages[4].content, "Here it is.");
});

test("bad input is answered with JSON and a status", async (t) => {
  const llm = { baseUrl: "http://127.0.0.1:1/v1" };
  const url = await routeOn(t, { maxBodyBytes: 1000 });
  const llmConfig = llmConfigOf(llm);
  const cases = [
    ["{", 400, "not_json"],
    ["[]", 400, "not_json"],
    ["", 400, "not_json"],
    [{ llmConfig }, 400, "missing_parameter", "message"],
    [{ message: " ", llmConfig }, 400, "invalid_parameter", "message"],
    [{ message: "x" }, 400, "missing_parameter", "llmConfig"],
    [{ message: "x", llmConfig: { model: { api: "soap", modelId: "m" } } }, 400, "invalid_parameter", "llmConfig.model.api"],
    [{ message: "x", llmConfig: { model: { api: "openai-completions" } } }, 400, "missing_parameter", "llmConfig.model.modelId"],
    [{ message: "x", llmConfig: llmConfigOf({ baseUrl: "file:///etc/passwd" }) }, 400, "invalid_parameter", "llmConfig.streamOptions.baseUrl"],
    [{ message: "x", llmConfig, documentContent: 1 }, 400, "invalid_parameter", "documentContent"],
    [{ message: "x", llmConfig, runId: "../x" }, 400, "invalid_parameter", "runId"],
    [{ message: "x", llmConfig, history: {} }, 400, "invalid_parameter", "history"],
    [{ message: "x", llmConfig, history: [{ role: "system", content: "x" }] }, 400, "invalid_parameter", "history[0].role"],
    [{ message: "x", llmConfig, history: [{ role: "assistant", content: "", toolCalls: [{}] }] }, 400, "missing_parameter", "history[0].toolCalls[0].toolName"],
    [{ message: "x".repeat(2000), llmConfig }, 413, "too_large"],
  ];
  for (const [body, status, code, name] of cases) {
    const response = await post(url, body);
    assert.equal(response.headers.get("content-type"), "application/json");
    const answered = await response.json();
    assert.deepEqual([response.status, answered.code, answered.details.name], [status, code, name], JSON.stringify(answered));
    assert.ok(answered.error.length > 20);
  }
  // A body of unknown length is read no further than the limit.
  const chunked = await fetch(url, { method: "POST", duplex: "half", body: new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(600).fill(32)) }) });
  assert.equal(chunked.status, 413);
});

test("errors are in the language of the route", async () => {
  const { POST } = createDocAgentRoute({ locale: "zh-CN" });
  const response = await POST(new Request("http://x.example/api", { method: "POST", body: "{}" }));
  assert.match((await response.json()).error, /缺少 message/);
});

test("a document that cannot be read and settings that an agent refuses are errors before the stream", async (t) => {
  const url = await routeOn(t, {});
  const llmConfig = llmConfigOf({ baseUrl: "http://127.0.0.1:1/v1" });
  const deep = await post(url, { message: "x", llmConfig, documentContent: "<blockquote>".repeat(2000) });
  assert.deepEqual([deep.status, (await deep.json()).code], [400, "too_deep"]);
  llmConfig.streamOptions.temperature = "hot";
  const wrong = await post(url, { message: "x", llmConfig });
  assert.equal(wrong.status, 400);
  assert.match((await wrong.json()).error, /temperature/);
});

test("other methods are refused, preflight requests answered", async (t) => {
  const url = await routeOn(t, { origins: ["https://app.example"] });
  for (const method of ["PUT", "PATCH", "GET"]) {
    const { status, headers } = await fetch(url, { method });
    assert.deepEqual([status, headers.get("allow")], [405, "POST, OPTIONS"]);
  }
  assert.equal((await fetch(`${url}/config`, { method: "POST" })).status, 405);
  const asked = { origin: "https://app.example", "access-control-request-method": "POST", "access-control-request-headers": "content-type, x-app" };
  const allowed = await fetch(url, { method: "OPTIONS", headers: asked });
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example");
  assert.equal(allowed.headers.get("access-control-allow-headers"), "content-type, x-app");
  assert.match(allowed.headers.get("access-control-allow-methods"), /POST/);
  const foreign = await fetch(url, { method: "OPTIONS", headers: { ...asked, origin: "https://evil.example" } });
  assert.deepEqual([foreign.status, foreign.headers.get("access-control-allow-origin")], [403, null]);
});

test("pages of foreign origins are refused unless they are listed", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const body = { message: "x", llmConfig: llmConfigOf(llm) };
  const url = await routeOn(t, {});
  const statusFor = async (url, origin) => {
    const response = await post(url, body, { headers: origin ? { origin } : {} });
    await response.text();
    return [response.status, response.headers.get("access-control-allow-origin")];
  };
  assert.deepEqual(await statusFor(url), [200, null]);
  assert.deepEqual(await statusFor(url, new URL(url).origin), [200, new URL(url).origin]);
  for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"]) assert.deepEqual(await statusFor(url, origin), [403, null], origin);
  assert.equal(llm.requests.length, 2);
  const listed = await routeOn(t, { origins: ["https://app.example"] });
  assert.deepEqual(await statusFor(listed, "https://app.example"), [200, "https://app.example"]);
  assert.deepEqual(await statusFor(listed, "https://app.example.evil.example"), [403, null]);
  assert.deepEqual(await statusFor(await routeOn(t, { origins: "any" }), "https://else.example"), [200, "https://else.example"]);
});

test("the own origin is that of the host that was asked, whatever a framework makes of the URL", async () => {
  const { OPTIONS } = createDocAgentRoute();
  const statusOf = async (url, headers) => (await OPTIONS(new Request(url, { method: "OPTIONS", headers }))).status;
  const origin = "https://app.example:8443";
  assert.equal(await statusOf("http://localhost:3000/api", { host: "app.example:8443", origin }), 204);
  assert.equal(await statusOf("https://app.example:8443/api", { origin }), 204);
  assert.equal(await statusOf("https://app.example:8443/api", { host: "localhost:3000", origin }), 403);
});

test("base URLs of bodies can be limited", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const url = await routeOn(t, { baseUrls: [new URL(llm.baseUrl).origin + "/v1"] });
  const { status } = await post(url, { message: "x", llmConfig: llmConfigOf(llm) });
  assert.equal(status, 200);
  for (const baseUrl of ["http://169.254.169.254/v1", llm.baseUrl.replace("/v1", "/v10"), llm.baseUrl.replace("http://", "http://user@evil.example/")]) {
    const refused = await post(url, { message: "x", llmConfig: llmConfigOf({ baseUrl }) });
    assert.deepEqual([refused.status, (await refused.json()).code], [403, "base_url_not_allowed"], baseUrl);
  }
  assert.equal(llm.requests.length, 1);
});

test("the model of the route replaces that of the body", async (t) => {
  const llm = await model(t, [{ say: "Hi." }]);
  const url = await routeOn(t, { llmConfig: llmConfigOf(llm) });
  const events = await run(url, { message: "x", llmConfig: llmConfigOf({ baseUrl: "http://127.0.0.1:1/v1" }) });
  assert.equal(events.at(-1).type, "complete");
  assert.equal((await run(url, { message: "x" })).at(-1).type, "complete");
  assert.equal(llm.requests.length, 2);
});

test("a failure of the model is an event", async (t) => {
  const url = await routeOn(t, { maxRetries: 0 });
  const events = await run(url, { message: "x", llmConfig: llmConfigOf({ baseUrl: "http://127.0.0.1:1/v1" }) });
  assert.deepEqual([events.at(-1).type, events.at(-1).code], ["error", "unreachable"]);
});

test("the total time of a request to the model is limited, also if the body asks for more", async (t) => {
  const dripping = (response) => {
    const timer = setInterval(() => response.write(delta("a")), 5);
    response.on("close", () => clearInterval(timer));
  };
  const llm = await model(t, () => dripping);
  const llmConfig = llmConfigOf(llm);
  llmConfig.streamOptions.totalTimeout = 1e8;
  const url = await routeOn(t, { totalTimeout: 60, maxRetries: 0 });
  const events = await run(url, { message: "x", llmConfig });
  assert.deepEqual([events.at(-1).type, events.at(-1).code], ["error", "timeout"]);
  await until(() => llm.open === 0);
});

for (const [way, leave] of [
  ["the connection is closed", (controller) => controller.abort()],
  ["the stream is cancelled", (_, body) => body.cancel()],
]) {
  test(`when ${way}, the run is stopped and its request to the model closed`, async (t) => {
    const llm = await model(t, () => (response) => response.write(delta("word ")));
    const ended = [];
    const url = await routeOn(t, { onEnd: ({ result }) => void ended.push(result.status) });
    const controller = new AbortController();
    const { body } = await post(url, { message: "x", llmConfig: llmConfigOf(llm) }, { signal: controller.signal });
    const reader = body.getReader();
    for (let text = ""; !text.includes('"content"');) text += new TextDecoder().decode((await reader.read()).value);
    reader.releaseLock();
    assert.equal(llm.open, 1);
    await leave(controller, body);
    await until(() => llm.open === 0 && ended.length);
    assert.deepEqual(ended, ["aborted"]);
  });
}

test("a request that was aborted in the same process ends with the event", async (t) => {
  const llm = await model(t, () => (response) => response.write(delta("word ")));
  const { POST } = createDocAgentRoute();
  const controller = new AbortController();
  const body = JSON.stringify({ message: "x", llmConfig: llmConfigOf(llm) });
  const ask = (signal) => POST(new Request("http://127.0.0.1/api", { method: "POST", body, signal }));
  const response = await ask(controller.signal);
  await until(() => llm.open === 1);
  controller.abort();
  assert.equal(eventsIn(await response.text()).at(-1).type, "aborted");
  assert.deepEqual(types(eventsIn(await (await ask(AbortSignal.abort())).text())), ["agent_start", "aborted"]);
});

test("comments keep a silent stream awake", async (t) => {
  const llm = await model(t, () => () => {});
  const url = await routeOn(t, { keepAlive: 5 });
  const controller = new AbortController();
  const { body } = await post(url, { message: "x", llmConfig: llmConfigOf(llm) }, { signal: controller.signal });
  const reader = body.getReader();
  for (let text = ""; (text.match(/^: keep-alive$/gm) ?? []).length < 3;) text += new TextDecoder().decode((await reader.read()).value);
  controller.abort();
});

test("without an option there is a comment every 15 s, and none after the end", async (t) => {
  let end;
  const llm = await model(t, () => (response) => void (end = () => response.end(answer({ say: "Hi." }))));
  const { POST } = createDocAgentRoute();
  const intervals = [];
  const original = setInterval;
  t.mock.method(globalThis, "setInterval", (tick, ms) => {
    intervals.push([tick, ms]);
    return original(tick, ms);
  });
  const response = await POST(new Request("http://127.0.0.1/api", { method: "POST", body: JSON.stringify({ message: "x", llmConfig: llmConfigOf(llm) }) }));
  await until(() => end);
  const [[comment]] = intervals.filter(([, ms]) => ms === 15_000);
  const reader = response.body.getReader();
  let text = "";
  const readUntil = async (wanted) => {
    while (!text.includes(wanted)) text += new TextDecoder().decode((await reader.read()).value);
  };
  await readUntil("turn_start");
  assert.ok(!text.includes(": keep-alive"));
  comment();
  await readUntil(": keep-alive\n");
  end();
  await readUntil('"complete"');
  comment();
  assert.equal((await reader.read()).done, true);
});

test("the time of a run is limited", async (t) => {
  const llm = await model(t, ({ messages }) => (messages.length ? (response) => response.write(delta("word ")) : {}));
  const url = await routeOn(t, { runTimeout: 60 });
  const events = await run(url, { message: "x", llmConfig: llmConfigOf(llm) });
  assert.deepEqual([events.at(-1).type, events.at(-1).code], ["error", "timeout"]);
  await until(() => llm.open === 0);
});

test("a slow reader holds the model back", async (t) => {
  let sent = 0;
  const text = delta("word ".repeat(200)).repeat(10);
  const endless = (response) => {
    const more = () => {
      while (!response.destroyed && response.write(text)) sent += text.length;
    };
    response.on("drain", more);
    more();
  };
  const llm = await model(t, () => endless);
  const { POST } = createDocAgentRoute({});
  const controller = new AbortController();
  const body = JSON.stringify({ message: "x", llmConfig: llmConfigOf(llm) });
  const response = await POST(new Request("http://127.0.0.1/api", { method: "POST", body, signal: controller.signal }));
  const reader = response.body.getReader();
  await reader.read();
  // The sockets' buffers fill up; then nothing more is sent.
  let before = -1;
  await until(async () => {
    const same = sent === before;
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return same && sent === before;
  });
  assert.ok(sent < 32e6, `${sent} bytes`);
  // It goes on with the reader.
  let read = 0;
  while (read < 4 * before) read += (await reader.read()).value.length;
  assert.ok(sent > before);
  controller.abort();
  await until(() => llm.open === 0);
});

test("two runs on one document wait for each other, or the second is refused", async (t) => {
  const edit = (title) => ({ calls: [call(title, "update_section", { operation: "append", title, content: "<p>x</p>" })] });
  for (const whenBusy of ["queue", "refuse"]) {
    const document = Document.fromHTML("");
    const holds = [];
    let at = 0;
    const llm = await model(t, () => (at++ % 2 ? (response) => void holds.push(() => response.end(answer({ say: "Done." }))) : edit(`T${at}`)));
    const url = await routeOn(t, { whenBusy, document: (body) => (body.shared ? document : undefined) });
    const body = { message: "x", shared: true, llmConfig: llmConfigOf(llm) };
    const first = run(url, body);
    await until(() => holds.length === 1);
    const second = await post(url, body);
    // Another document is not concerned.
    const other = run(url, { ...body, shared: false });
    await until(() => holds.length === 2);
    holds[1]();
    assert.equal((await other).at(-1).type, "complete");
    assert.equal(llm.requests.length, 4, "the second run has not begun");
    holds[0]();
    assert.equal((await first).at(-1).type, "complete");
    if (whenBusy === "refuse") {
      assert.deepEqual([second.status, (await second.json()).code], [409, "document_busy"]);
    } else {
      await until(() => holds.length === 3);
      holds[2]();
      assert.equal(eventsIn(await second.text()).at(-1).type, "complete");
    }
    assert.equal(document.outline().length, whenBusy === "queue" ? 3 : 2);
  }
});

test("a queued run whose client goes away does not begin", async (t) => {
  const holds = [];
  const llm = await model(t, () => (response) => void holds.push(() => response.end(answer({ say: "Done." }))));
  const ended = [];
  // In one process, so that the route knows at once who has gone.
  const { POST } = createDocAgentRoute({ onEnd: ({ result }) => void ended.push(result.status) });
  const body = JSON.stringify({ message: "x", documentId: "d", llmConfig: llmConfigOf(llm) });
  const ask = (signal) => POST(new Request("http://127.0.0.1/api", { method: "POST", body, signal }));
  const first = await ask();
  await until(() => holds.length === 1);
  const controller = new AbortController();
  await ask(controller.signal);
  controller.abort();
  const third = await ask();
  holds[0]();
  await first.text();
  await until(() => holds.length === 2);
  holds[1]();
  await third.text();
  assert.deepEqual(ended, ["complete", "aborted", "complete"]);
  assert.equal(llm.requests.length, 2);
});

test("services come from an object, a URL or a file, and their keys take turns", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "copydesk-services-%23-"));
  t.after(() => rmSync(home, { recursive: true }));
  const searches = [];
  const config = { defaultServiceId: "b", searchServices: [{ id: "a", type: "searxng", baseUrl: "http://127.0.0.1:1" }, { id: "b", type: "tavily", apiKeys: ["k1", "k2"] }] };
  const images = { imageServices: [{ id: "u", type: "unsplash", apiKeys: ["iu"] }] };
  const file = join(home, "search-service-configs.json");
  writeFileSync(file, JSON.stringify(config));
  writeFileSync(join(home, "image-service-configs.json"), JSON.stringify(images));
  const search = { calls: [call("s", "search_web", { query: "tea" })] };
  const llm = await model(t, ({ messages }) => (messages.at(-1).role === "tool" ? { say: "Done." } : search));
  const fetchOf = (url, init) => {
    if (!String(url).includes("tavily")) return fetch(url, init);
    searches.push(JSON.stringify(init));
    return Promise.resolve(Response.json({ results: [{ title: "Tea", url: "https://tea.example/", content: "A leaf", score: 1 }] }));
  };
  const served = await listening(t, createServer((_, response) => response.end(JSON.stringify(config))));
  const sources = [config, file, pathToFileURL(file), pathToFileURL(file).href, served, new URL(served)];
  for (const searchService of sources) {
    searches.length = 0;
    const url = await routeOn(t, { searchService, imageService: join(home, "image-service-configs.json"), fetch: fetchOf });
    for (let at = 0; at < 3; at++) {
      const events = await run(url, { message: "x", llmConfig: llmConfigOf(llm) });
      assert.equal(events.find(({ type }) => type === "tool_result").content.totalResults, 1);
    }
    assert.deepEqual(searches.map((init) => /k[12]/.exec(init)[0]), ["k1", "k2", "k1"]);
    const { searchService: search, imageService: image } = await (await fetch(`${url}/config`)).json();
    assert.deepEqual([search, image], [{ type: "tavily", configured: true }, { type: "unsplash", configured: true }]);
  }
  const single = await routeOn(t, { searchService: { type: "tavily", apiKey: "one" }, exposeKeys: true });
  assert.deepEqual(await (await fetch(`${single}/config`)).json(), { searchService: { type: "tavily", apiKey: "one" }, imageService: { type: "openverse", apiKey: "" } });
});

test("a missing or broken file is a warning with its name, and the tool says that it is not configured", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "copydesk-services-"));
  t.after(() => rmSync(home, { recursive: true }));
  const write = (name, text) => (writeFileSync(join(home, name), text), join(home, name));
  const search = { calls: [call("s", "search_web", { query: "tea" }), call("i", "search_image", { keywords: "tea" })] };
  const llm = await model(t, ({ messages }) => (messages.at(-1).role === "tool" ? { say: "Done." } : search));
  const broken = [
    join(home, "missing.json"),
    write("broken.json", "{"),
    write("empty.json", '{"searchServices": []}'),
    write("wrong-id.json", '{"defaultServiceId": "x", "searchServices": [{"id": "y", "type": "tavily", "apiKeys": ["k"]}]}'),
    write("no-key.json", '{"searchServices": [{"id": "y", "type": "tavily", "apiKeys": []}]}'),
    write("wrong-type.json", '{"searchServices": [{"id": "y", "type": "altavista", "apiKeys": ["k"]}]}'),
    "http://127.0.0.1:1/search-service-configs.json",
  ];
  for (const searchService of broken) {
    const warnings = [];
    const url = await routeOn(t, { searchService, imageService: join(home, "no-images.json"), logger: { warning: (message) => void warnings.push(message) } });
    const events = await run(url, { message: "x", llmConfig: llmConfigOf(llm) });
    const results = events.filter(({ type }) => type === "tool_result").map(({ content }) => content.error?.code);
    assert.deepEqual(results, ["missing_key", "missing_key"]);
    assert.equal(events.at(-1).type, "complete");
    await run(url, { message: "x", llmConfig: llmConfigOf(llm) });
    const about = warnings.filter((warning) => warning.startsWith("The configuration"));
    assert.deepEqual(about.map((warning) => [searchService, "no-images.json"].find((name) => warning.includes(name))), [searchService, "no-images.json"]);
    assert.deepEqual((await (await fetch(`${url}/config`)).json()).searchService, { type: "tavily", configured: false });
  }
});

test("tools, hooks and guards of the route are those of its agents", async (t) => {
  const seen = [];
  const llm = await model(t, [
    { calls: [call("w", "weather", { city: "Oslo" }), call("d", "get_document")] },
    { calls: [call("u", "update_section", { operation: "delete", sectionIndex: 1 })] },
    { say: "Cold." },
  ]);
  const weather = { name: "weather", description: "", parameters: { type: "object" }, execute: (_, { city }) => `cold in ${city}` };
  const afterToolCall = ({ toolCall, result }) => {
    seen.push(toolCall.name);
    if (toolCall.name === "get_document") return { content: { ...result, note: "n" } };
  };
  const url = await routeOn(t, { tools: [weather], afterToolCall, guards: { locked: [1] } });
  const documentContent = "<p  class=x>A leaf.</p><h2>History</h2>";
  const events = await run(url, { message: "x", documentContent, llmConfig: llmConfigOf(llm) });
  const results = events.filter(({ type }) => type === "tool_result");
  assert.equal(results.find(({ toolName }) => toolName === "weather").content, "cold in Oslo");
  const read = results.find(({ toolName }) => toolName === "get_document").content;
  assert.deepEqual([read.rawHtml, read.note], [documentContent, "n"]);
  assert.equal(results.at(-1).content.error.code, "locked");
  assert.deepEqual(seen.sort(), ["get_document", "update_section", "weather"]);
});

test("a failing onEnd is reported and does not change the stream", async (t) => {
  const llm = await model(t, [{ say: "Hi." }]);
  const errors = [];
  const logger = { error: (message, fields) => void errors.push([message, fields.reason]) };
  const url = await routeOn(t, { logger, onEnd: () => Promise.reject(new Error("disk full")) });
  assert.equal((await run(url, { message: "x", llmConfig: llmConfigOf(llm) })).at(-1).type, "complete");
  assert.deepEqual(errors, [["onEnd failed", "Error: disk full"]]);
});

test("a connection that breaks during the body is no error of the server", async (t) => {
  const url = await routeOn(t, {});
  const socket = httpRequest(url, { method: "POST", headers: { "content-length": 1000 } });
  const broken = new Promise((resolve) => socket.on("error", resolve));
  socket.write("{");
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  await broken;
  const { status } = await post(url, "{}");
  assert.equal(status, 400);
});

test("a reader that splits events at blank lines sees no event without data", async (t) => {
  let end;
  const llm = await model(t, () => (response) => void (end = () => response.end(answer({ say: "Hi." }))));
  const url = await routeOn(t, { keepAlive: 2 });
  const { body } = await post(url, { message: "x", llmConfig: llmConfigOf(llm) });
  let text = "";
  for await (const bytes of body) {
    text += new TextDecoder().decode(bytes);
    if (end && (text.match(/^: keep-alive$/gm) ?? []).length > 2) (end(), (end = undefined));
  }
  const blocks = text.split("\n\n").filter((block) => block !== "");
  for (const block of blocks) assert.match(block, /^data: /m);
  assert.match(text, /"type":"complete"/);
});

test("arguments that arrive are deltas, or all of them if the request asks for it", async (t) => {
  const content = "<p>Tea.</p>".repeat(2_000);
  const args = JSON.stringify({ operation: "append", title: "T", content });
  const parts = args.match(/[^]{1,100}/g).map((part, at) => ({ index: 0, ...(!at && { id: "c" }), function: { ...(!at && { name: "update_section" }), arguments: part } }));
  const chunk = (tool_calls, finish_reason = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls }, finish_reason }] })}\n\n`;
  const calls = (response) => response.end(parts.map((part) => chunk([part])).join("") + chunk([], "tool_calls") + "data: [DONE]\n\n");
  const llm = await model(t, ({ messages }) => (messages.at(-1).role === "tool" ? { say: "Done." } : calls));
  const url = await routeOn(t, {});
  const argsOf = async (more) => (await run(url, { message: "x", llmConfig: llmConfigOf(llm), ...more })).filter(({ type }) => type === "tool_args");
  const deltas = await argsOf({});
  const joined = deltas.map(({ delta }) => delta).join("");
  assert.ok(args.startsWith(joined) && joined.length > args.length * 0.95, `${joined.length} of ${args.length}`);
  assert.ok(deltas.every((event) => !("partial" in event)));
  const partial = await argsOf({ toolArgs: "partial" });
  assert.ok(content.startsWith(partial.at(-1).partial.content) && partial.every((event) => !("delta" in event)));
  const refused = await post(url, { message: "x", llmConfig: llmConfigOf(llm), toolArgs: "all" });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /toolArgs/);
});
