// The route as strangers use it: foreign servers, foreign hosts, runs of others, bodies that break parsers, errors that tell too much.
import assert from "node:assert/strict";
import { createServer, request as httpRequest } from "node:http";
import { test } from "node:test";
import { Document, init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog, streamDocAgentChat } from "../../pkg/route.js";
import { SourceHTML } from "../../pkg/route/source-html.js";
import { answer, call, delta, eventsIn, listening, llmConfigOf, model, post, random, routeOn, run, until } from "./route-server.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);
const pick = (next, list) => list[Math.floor(next() * list.length)];
const FORMATS = ["copydesk", "ui-message-stream", "ag-ui"];

/** A body of a format. */
function bodyOf(format, { message = "x", llmConfig, history = [], documentContent = "" }) {
  if (format === "copydesk") return { message, history, documentContent, llmConfig };
  if (format === "ui-message-stream") return { messages: [...history, { role: "user", parts: [{ type: "text", text: message }] }], documentContent, llmConfig };
  return { threadId: "t", runId: "r", messages: [...history, { id: "1", role: "user", content: message }], state: { documentContent }, forwardedProps: { llmConfig } };
}

test("no base URL and no id of a model leads out of baseUrls (300 random settings)", async () => {
  const next = random(seed);
  const allowed = "https://gateway.example/tenant/a";
  const requested = [];
  const fetch = async (url) => {
    requested.push(String(url));
    return new Response(answer({ say: "Hi." }), { headers: { "content-type": "text/event-stream" } });
  };
  const route = createDocAgentRoute({ baseUrls: [allowed], fetch, maxRetries: 0 });
  const parts = ["..", ".", "%2e%2E", "%252e%252e", "..%2f", "%5c..", "\u00a0..", "..\u3000", ".\t.", "models", "v1", "a", "", "?", "#", "@", "@evil.example", ":80", "evil.example", "x:y", "..;", "％2e"];
  const apis = ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"];
  const random3 = () => Array.from({ length: 1 + Math.floor(next() * 5) }, () => pick(next, parts)).join(pick(next, ["/", "/", "\\", "%2f", ""]));
  const starts = [allowed, `${allowed}/`, "https://gateway.example", "https://gateway.example/tenant/ab", "https://gateway.example@evil.example/tenant/a", "https:\\\\gateway.example\\tenant\\a", `${allowed}/models`, "https://gateway.example:444/tenant/a", "http://gateway.example/tenant/a"];
  let answered = 0;
  for (let at = 0; at < 300; at++) {
    const baseUrl = pick(next, starts) + (next() < 0.7 ? pick(next, ["/", "\\", "", "?", "#"]) + random3() : "");
    const modelId = next() < 0.5 ? "m" : random3() || "m";
    const body = bodyOf("copydesk", { llmConfig: { model: { api: pick(next, apis), modelId }, streamOptions: { apiKey: "k", baseUrl } } });
    const response = await route.POST(new Request("http://127.0.0.1/api", { method: "POST", body: JSON.stringify(body) }));
    const text = await response.text();
    assert.ok([200, 400, 403].includes(response.status), text);
    if (response.status === 200) answered++;
  }
  // The servers may decode a path before they resolve it.
  const decoded = (path) => (/%[\da-f]{2}/i.test(path) ? decoded(path.replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))) : path);
  for (const url of requested) {
    const { origin, pathname } = new URL(url);
    assert.equal(origin, "https://gateway.example", `${url} COPYDESK_SEED=${seed}`);
    for (const path of [pathname, new URL(`http://x${decoded(pathname).replaceAll("\\", "/").replace(/[?#]/g, "")}`).pathname])
      assert.ok(`${path}/`.startsWith("/tenant/a/"), `${url} COPYDESK_SEED=${seed}`);
  }
  assert.ok(requested.length > 20 && answered > 20, `${requested.length} requests, ${answered} answers`);
});

test("headers of a body do not choose another site of an allowed server", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const url = await routeOn(t, {});
  for (const name of ["host", "Host", "connection", "Transfer-Encoding", "proxy-authorization", "sec-fetch-site", "content-length", "upgrade"]) {
    const llmConfig = llmConfigOf(llm);
    llmConfig.streamOptions.headers = { [name]: "x" };
    const response = await post(url, { message: "x", llmConfig });
    assert.deepEqual([response.status, (await response.json()).code], [400, "invalid_parameter"], name);
  }
  const llmConfig = llmConfigOf(llm);
  llmConfig.streamOptions.headers = { "x-title": "tea" };
  assert.equal((await run(url, { message: "x", llmConfig })).at(-1).type, "complete");
  assert.equal(llm.requests.length, 1);
});

/** Sends a request with a Host header, which `fetch` does not set. Returns its status and the code of its error. */
const asked = (url, { host, origin, method = "POST", body }) =>
  new Promise((resolve, reject) => {
    const headers = { host, ...(origin && { origin }), "content-type": "application/json" };
    const request = httpRequest(url, { method, headers }, async (response) => {
      const parts = [];
      for await (const part of response) parts.push(part);
      const text = Buffer.concat(parts).toString();
      resolve([response.statusCode, response.statusCode === 200 ? undefined : JSON.parse(text).code]);
    });
    request.on("error", reject);
    request.end(body && JSON.stringify(body));
  });

test("a page whose name was rebound to this server is refused, and one of its own hosts is not", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const body = { message: "x", llmConfig: llmConfigOf(llm) };
  const url = await routeOn(t, {});
  const { port } = new URL(url);
  const status = (url, host, origin = `http://${host}`, more = {}) => asked(url, { host, origin, body, ...more });
  const refused = [403, "host_not_allowed"];
  for (const name of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost", "xn--lcalhost-o3a"])
    assert.deepEqual(await status(url, `${name}:${port}`), refused, name);
  assert.equal(llm.requests.length, 0);
  for (const name of ["localhost", "LOCALHOST", "app.localhost", "127.0.0.1", "[::1]", "192.168.1.4"])
    assert.deepEqual(await status(url, `${name}:${port}`, `http://${name.toLowerCase()}:${port}`), [200, undefined], name);
  // A name without a certificate of this server is not loaded from it by https; programs send no origin.
  assert.deepEqual(await status(url, "app.example", "https://app.example"), [200, undefined]);
  assert.deepEqual(await asked(url, { host: "backend:8787", body }), [200, undefined]);

  const listed = await routeOn(t, { hosts: ["app.example", "*.apps.example"], origins: ["https://front.example"] });
  for (const host of ["app.example", "APP.example.", "a.apps.example:81", "front.example", "localhost:1", "[::1]:2"])
    assert.deepEqual(await asked(listed, { host, body }), [200, undefined], host);
  for (const host of ["evil.example", "apps.example", "xapps.example", "app.example.evil.example"])
    assert.deepEqual(await asked(listed, { host, body }), refused, host);
  assert.deepEqual(await status(listed, "evil.example", "https://evil.example"), refused);
  // Servers refuse these themselves.
  const { OPTIONS } = createDocAgentRoute({ hosts: ["app.example"] });
  for (const host of ["app.example@evil.example", "evil.example/app.example", "evil.example#app.example", "a b", "", "evil.example\\app.example", "%61pp.example.evil"]) {
    const { status } = await OPTIONS(new Request("http://app.example/api", { method: "OPTIONS", headers: { host } }));
    assert.equal(status, 403, host);
  }
  const any = await routeOn(t, { hosts: "any" });
  assert.deepEqual(await status(any, "evil.example"), [200, undefined]);

  // Keys go to known hosts only: a page that was rebound sends no origin with GET.
  const keys = await routeOn(t, { exposeKeys: true, searchService: { type: "tavily", apiKey: "k" } });
  assert.deepEqual(await asked(`${keys}/config`, { host: "evil.example", method: "GET" }), refused);
  assert.deepEqual(await asked(`${keys}/config`, { host: `localhost:${port}`, method: "GET" }), [200, undefined]);
  for (const hosts of [["https://app.example"], ["app.example:80"], [1], "app.example", ["*"]])
    assert.throws(() => createDocAgentRoute({ hosts }), { code: "invalid_parameter" }, JSON.stringify(hosts));
});

test("who has the id of a run but not its token neither reads nor stops nor blocks it", async (t) => {
  let goOn;
  const llm = await model(t, ({ messages }) => {
    if (!JSON.stringify(messages.at(-1)).includes("secret question")) return { say: "Something else." };
    return (response) => void (response.write(delta("secret ")), (goOn = () => response.end(answer({ say: "answer" }))));
  });
  const url = await routeOn(t, { log: memoryLog() });
  const body = { message: "secret question", documentContent: "<p>secret text</p>", runId: "known", llmConfig: llmConfigOf(llm) };
  const own = await post(url, body);
  const token = own.headers.get("copydesk-run-token");
  assert.match(token, /^\w{32,}$/);
  await until(() => goOn);
  const next = random(seed);
  const changed = (text) => {
    const at = Math.floor(next() * text.length);
    return text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
  };
  const guesses = [undefined, "", "0".repeat(64), token.toUpperCase(), token.slice(0, -1), `${token}0`, ...Array.from({ length: 10 }, () => changed(token))].filter((guess) => guess !== token);
  for (const guess of guesses) {
    const headers = guess === undefined ? {} : { "copydesk-run-token": guess };
    const stop = await fetch(`${url}?run=known`, { method: "DELETE", headers });
    assert.ok([400, 404].includes(stop.status), guess);
    const log = await post(url, body, { headers: { ...headers, "last-event-id": "-1" } });
    assert.ok([400, 404].includes(log.status), guess);
    assert.ok(!/secret (?:text|question|answer)/.test(await log.text()), guess);
  }
  // A run of somebody else under the same id is another run.
  const other = eventsIn(await (await post(url, { ...body, message: "x", documentContent: "" }, { headers: { "copydesk-run-token": "t".repeat(20) } })).text());
  assert.equal(other.at(-1).type, "complete");
  assert.ok(!/secret (?:text|question|answer)/.test(JSON.stringify(other)));
  goOn();
  const events = eventsIn(await own.text());
  assert.deepEqual([events.at(-1).type, events.filter(({ type }) => type === "content").map(({ content }) => content).join("")], ["complete", "secret answer"]);
  const again = await post(url, body, { headers: { "copydesk-run-token": token, "last-event-id": "0" } });
  assert.deepEqual(eventsIn(await again.text()), events);
  for (const bad of ["x", "1.5", "1e3", "-", "9".repeat(20), "1; 2"]) {
    const response = await post(url, body, { headers: { "copydesk-run-token": token, "last-event-id": bad } });
    assert.deepEqual([response.status, (await response.json()).code], [400, "invalid_parameter"], bad);
  }
});

test("the reader chooses the token before the first answer, and goes on with the one it is given", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const route = createDocAgentRoute({ log: memoryLog() });
  const tokens = [];
  let cut = true;
  const fetchOf = async (url, init) => {
    const request = new Request(url, init);
    tokens.push(request.headers.get("copydesk-run-token"));
    const response = await route.fetch(request);
    // The connection breaks before the page has the headers of the answer.
    if (cut) throw ((cut = false), response.body.cancel(), new TypeError("network error"));
    return response;
  };
  const read = async (body, options) => {
    const events = [];
    for await (const event of streamDocAgentChat("http://127.0.0.1/api", body, { fetch: fetchOf, ...options })) events.push(event);
    return events;
  };
  const body = { message: "x", runId: "r", llmConfig: llmConfigOf(llm) };
  assert.equal((await read(body)).at(-1).type, "complete");
  assert.equal(tokens.length, 2);
  assert.ok(tokens[0] === tokens[1] && tokens[0].length >= 32);
  assert.equal(llm.requests.length, 1, "the run went on");
  const runToken = crypto.randomUUID();
  const all = await read({ ...body, runId: "s" }, { runToken });
  assert.deepEqual(await read({ ...body, runId: "s" }, { runToken, lastEventId: 2 }), all.slice(2));
  await assert.rejects(read({ ...body, runId: "s" }, { lastEventId: 2 }), { code: "unknown_run" });
  await assert.rejects(read({ ...body, runId: "s" }, { runToken: "short" }), { code: "invalid_parameter" });
  assert.ok(!("copydesk-run-token" in Object.fromEntries(new Headers())) && tokens.at(-1) === "short");
});

test("a log in memory keeps to its limits, and a run that it has removed is unknown, never a stream with a gap", async (t) => {
  const next = random(seed);
  for (let round = 0; round < 20; round++) {
    const [maxRuns, maxBytes] = [1 + Math.floor(next() * 6), 2000 + Math.floor(next() * 20_000)];
    const log = memoryLog(maxRuns, maxBytes);
    const owner = { owner: "one", lease: 60_000 };
    const ids = [];
    const seqs = new Map();
    for (let step = 0; step < 200; step++) {
      if (next() < 0.15 || !ids.length) {
        const id = `run-${ids.length}`;
        ids.push(id);
        seqs.set(id, 0);
        await log.claim(id, owner, "d".repeat(next() * 1000));
        continue;
      }
      const id = pick(next, ids);
      const seq = seqs.get(id) + 1;
      seqs.set(id, seq);
      const state = next() < 0.3 ? { messages: [{ role: "user", content: "m".repeat(next() * 500) }], document: { type: "doc" } } : undefined;
      await log.append(id, owner, seq > 1 ? seq - 1 : -1, { events: [{ seq, text: "e".repeat(next() * 300) }], state, isOver: next() < 0.1 });
      const found = (await Promise.all(ids.map((one) => log.find(one).then((run) => [one, run])))).filter(([, run]) => run);
      assert.ok(found.length <= maxRuns, `COPYDESK_SEED=${seed}`);
      let bytes = 0;
      for (const [one, stored] of found) {
        const events = await log.eventsAfter(one, -1);
        // All events or none.
        assert.deepEqual(events.map((event) => event.seq), Array.from({ length: seqs.get(one) }, (_, at) => at + 1), `COPYDESK_SEED=${seed}`);
        bytes += 2 * (stored.request.length + events.reduce((sum, { text }) => sum + text.length, 0) + (stored.state ? JSON.stringify(stored.state).length : 0));
      }
      assert.ok(bytes <= maxBytes, `${bytes} of ${maxBytes} COPYDESK_SEED=${seed}`);
    }
  }
  // One run that is under way, and larger than the log.
  let goOn;
  const llm = await model(t, () => (response) => void (response.write(delta("w".repeat(5000))), (goOn = () => response.end(answer({ say: "end" })))));
  const url = await routeOn(t, { log: memoryLog(10, 3000) });
  const headers = { "copydesk-run-token": "t".repeat(32) };
  const body = { message: "x", runId: "r", llmConfig: llmConfigOf(llm) };
  const { body: stream } = await post(url, body, { headers });
  let text = "";
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  while (!text.includes("wwww")) text += decoder.decode((await reader.read()).value, { stream: true });
  const late = await post(url, body, { headers: { ...headers, "last-event-id": "1" } });
  assert.deepEqual([late.status, (await late.json()).code], [404, "unknown_run"]);
  goOn();
  for (let read = await reader.read(); !read.done; read = await reader.read()) text += decoder.decode(read.value, { stream: true });
  assert.equal(eventsIn(text).at(-1).type, "complete", "the first client has the whole stream");
});

test("a log that fails for a moment does not end a run for its client", async (t) => {
  let goOn;
  const llm = await model(t, () => (response) => void (response.write(delta("word ")), (goOn = () => response.end(answer({ say: "end" })))));
  const log = memoryLog();
  let failures = 0;
  const failing = (method) => (...given) => (failures-- > 0 ? Promise.reject(new Error("busy")) : log[method](...given));
  const route = createDocAgentRoute({ log: { ...log, find: failing("find"), eventsAfter: failing("eventsAfter") }, logger: { error: () => {} } });
  let cut = true;
  const fetchOf = async (url, init) => {
    const response = await route.fetch(new Request(url, init));
    if (!cut) return response;
    cut = false;
    const reader = response.body.getReader();
    const { value } = await reader.read();
    failures = 4;
    reader.cancel();
    return new Response(new ReadableStream({ start: (out) => out.enqueue(value), pull: (out) => out.error(new TypeError("network error")) }), response);
  };
  const events = [];
  for await (const event of streamDocAgentChat("http://127.0.0.1/api?x=1#top", { message: "x", runId: "r", llmConfig: llmConfigOf(llm) }, { fetch: fetchOf })) {
    events.push(event);
    if (event.type === "content") goOn();
  }
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, at) => 1 + at));
  assert.equal(events.at(-1).type, "complete");
  assert.equal(llm.requests.length, 1);
});

test("a log that cannot be read ends the stream instead of leaving events out", async (t) => {
  const llm = await model(t, () => (response) => response.write(delta("word ")));
  const log = memoryLog();
  const failing = { ...log, eventsAfter: () => Promise.reject(new Error("gone")) };
  const errors = [];
  const url = await routeOn(t, { log: failing, logger: { error: (message) => void errors.push(message) } });
  const headers = { "copydesk-run-token": "t".repeat(32) };
  const body = { message: "x", runId: "r", llmConfig: llmConfigOf(llm) };
  const first = await post(url, body, { headers });
  await first.body.getReader().read();
  const second = await post(url, body, { headers: { ...headers, "last-event-id": "0" } });
  assert.equal(await second.text(), ": log_failed\n\n");
  assert.ok(errors.length > 0);
  await fetch(`${url}?run=r`, { method: "DELETE", headers });
});

for (const format of FORMATS) {
  test(`${format}: JSON of any depth and odd names is an error of the client or a run`, async (t) => {
    const llm = await model(t, () => ({ say: "Hi." }));
    const failures = [];
    const route = createDocAgentRoute({ format, logger: { error: (message) => void failures.push(message) } });
    const send = async (text) => {
      const response = await route.POST(new Request("http://127.0.0.1/api", { method: "POST", body: text }));
      return [response.status, await response.text()];
    };
    const body = JSON.stringify(bodyOf(format, { llmConfig: llmConfigOf(llm), documentContent: "<p>x</p>" }));
    const within = (depth, [open, close]) => open.repeat(depth) + "1" + close.repeat(depth);
    for (const depth of [90, 200, 5000]) {
      for (const brackets of [["[", "]"], ['{"a":', "}"], ['[{"__proto__":', "}]"]]) {
        const deep = within(depth, brackets);
        const texts = [
          deep,
          body.replace(/^\{/, `{"extra":${deep},`),
          body.replace(/("(?:history|messages)":\[)(.)/, (_, start, next) => `${start}${deep}${next === "]" ? "" : ","}${next}`),
          body.replace('"apiKey":', `"temperature":${deep},"apiKey":`),
          body.replace('"model":{', `"model":{"compat":${deep},`),
          body.replace(/"message":"x"|"text":"x"|"content":"x"/, (member) => member.replace('"x"', deep)),
          body.replace('"documentContent":"<p>x</p>"', `"documentContent":${deep}`),
        ];
        for (const [at, text] of texts.entries()) {
          assert.ok(text !== body || (at === 6 && format === "ag-ui"), `${at}`);
          const [status, answered] = await send(text);
          assert.ok(status === 200 || status === 400, `${depth} ${brackets} ${at}: ${status} ${answered.slice(0, 300)}`);
          if (depth > 200) assert.equal(JSON.parse(answered).code, "too_deep", `${at}`);
        }
      }
    }
    const [status, answered] = await send(within(7_000_000, ["[", "]"]));
    assert.deepEqual([status, JSON.parse(answered).code], [400, "too_deep"]);
    // Quotes, escapes and brackets in strings do not count.
    const flat = JSON.stringify({ extra: ['[{'.repeat(300), '\\"[', '"', "\\"].concat(Array.from({ length: 300 }, () => [{}])) });
    assert.notEqual(JSON.parse((await send(flat))[1]).code, "too_deep");
    // JSON in a string of a body.
    if (format === "ag-ui") {
      for (const depth of [40, 100, 100_000]) {
        const deep = within(depth, ['{"a":', "}"]);
        const calls = [{ id: "c", type: "function", function: { name: "read_lines", arguments: deep } }];
        const history = [{ id: "0", role: "user", content: "y" }, { id: "2", role: "assistant", toolCalls: calls }, { id: "3", role: "tool", toolCallId: "c", content: deep }];
        const [status, answered] = await send(JSON.stringify(bodyOf(format, { llmConfig: llmConfigOf(llm), history })));
        assert.ok(status === 200 && answered.includes("RUN_FINISHED"), `${depth}: ${status} ${answered.slice(0, 300)}`);
      }
    }
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      for (const value of ['{"polluted":1}', "null", '"x"', "[]"]) {
        const texts = [
          body.replace(/^\{/, `{"${name}":${value},`),
          body.replace('"model":{', `"model":{"${name}":${value},`),
          body.replace('"streamOptions":{', `"streamOptions":{"${name}":${value},`),
          body.replace('"api":"openai-completions"', `"api":"${name}"`),
          body.replace('"modelId":"m"', `"modelId":"${name}"`),
          body.replace(/"role":"user"/, `"role":"${name}"`),
        ];
        for (const text of texts) {
          const [status, answered] = await send(text);
          assert.ok(status === 200 || status === 400, `${text}: ${answered}`);
        }
      }
    }
    assert.equal({}.polluted, undefined);
    assert.deepEqual(failures, []);
  });
}

test("answers and names of servers behind the route are for its log, unless the client has named a listed server", async (t) => {
  const inside = "db.internal: password of root is hunter2";
  const bodies = [
    [500, "application/json", JSON.stringify({ error: { message: inside } })],
    [400, "text/plain", inside],
    [401, "application/json", JSON.stringify({ detail: inside })],
    [404, "text/html", `<title>${inside}</title>`],
    [429, "application/json", JSON.stringify({ message: inside })],
    [200, "text/html", `<html><title>${inside}</title>${inside}</html>`],
    [200, "application/json", JSON.stringify({ error: { message: inside, code: 503 } })],
    [200, "text/event-stream", `data: ${JSON.stringify({ error: { message: inside } })}\n\n`],
    [302, "text/plain", inside],
  ];
  let at = 0;
  const secret = await listening(t, createServer((_, response) => {
    const [status, type, text] = bodies[at];
    response.writeHead(status, { "content-type": type, ...(status === 302 && { location: "http://metadata.internal/" }) }).end(text);
  }));
  const llmConfig = llmConfigOf({ baseUrl: `${secret}v1` });
  const logged = [];
  const logger = { error: (_, { reason }) => void logged.push(reason) };
  const options = { maxRetries: 0, logger };
  for (const format of FORMATS) {
    const foreign = await routeOn(t, { ...options, format });
    const listed = await routeOn(t, { ...options, format, baseUrls: [secret] });
    const own = await routeOn(t, { ...options, format, llmConfig });
    const open = await routeOn(t, { ...options, format, llmConfig, exposeErrors: true });
    const said = async (url) => (await post(url, bodyOf(format, { llmConfig }))).text();
    const tells = (text) => /hunter2|internal/.test(text);
    for (at = 0; at < bodies.length; at++) {
      for (const url of [foreign, own]) {
        const text = await said(url);
        assert.ok(!tells(text), `${format} ${at}: ${text}`);
        assert.match(text, /its log has the reason/, `${format} ${at}`);
      }
      // A redirect tells no words of the server.
      if (at < bodies.length - 1 && bodies[at][1] !== "text/html") for (const url of [listed, open]) assert.ok(tells(await said(url)), `${format} ${at}`);
    }
  }
  at = 0;
  const retried = await run(await routeOn(t, { ...options, maxRetries: 1 }), { message: "x", llmConfig });
  assert.equal(retried.filter(({ type, reason }) => type === "retry" && reason === "server_error").length, 1);
  assert.ok(!JSON.stringify(retried).includes("hunter2"));
  assert.ok(logged.some((reason) => reason?.includes("hunter2")), "the log has them");
  const unreachable = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { apiKey: "k", baseUrl: "http://127.0.0.1:1/v1" } };
  const events = await run(await routeOn(t, { ...options, llmConfig: unreachable }), { message: "x" });
  assert.ok(!JSON.stringify(events).includes("127.0.0.1"));
  assert.equal(events.at(-1).code, "unreachable");
});

test("exceptions of the server and answers of its searches are for its log", async (t) => {
  const llm = await model(t, ({ messages }) => (messages.at(-1).role === "tool" ? { say: "Done." } : { calls: [call("s", "search_web", { query: "tea" }), call("i", "search_image", { keywords: "tea" })] }));
  const logged = [];
  const logger = { error: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`) };
  const body = { message: "x", llmConfig: llmConfigOf(llm) };
  const failing = await routeOn(t, { logger, document: () => Promise.reject(new Error("ECONNREFUSED 10.0.0.7:5432")) });
  const response = await post(failing, body);
  const text = await response.text();
  assert.deepEqual([response.status, JSON.parse(text).code], [500, "internal"]);
  assert.ok(!text.includes("10.0.0.7") && logged.some((line) => line.includes("10.0.0.7")));
  const searx = await listening(t, createServer((_, response) => response.writeHead(500, { "content-type": "application/json" }).end('{"error":"engine at 10.0.0.8 failed"}')));
  const services = { web: { provider: "searxng", baseUrl: searx }, images: { provider: "openverse", baseUrl: searx } };
  const events = await run(await routeOn(t, { logger, services }), body);
  const results = events.filter(({ type }) => type === "tool_result");
  assert.equal(results.length, 2);
  for (const { content, isError } of results) assert.deepEqual([isError, content.error.code, content.error.details], [true, "service_error", { status: 500 }]);
  assert.ok(!JSON.stringify(events).includes("10.0.0.8") && logged.some((line) => line.includes("10.0.0.8")));
  const plugin = { name: "p", connect: () => ({ ready: () => Promise.reject(new Error("ECONNREFUSED 10.0.0.9")), close: () => {} }) };
  const plugged = await run(await routeOn(t, { logger, plugins: [plugin] }), body);
  assert.equal(plugged.filter(({ type, code }) => type === "notice" && code === "plugin_failed").length, 1);
  assert.ok(!JSON.stringify(plugged).includes("10.0.0.9") && logged.some((line) => line.includes("10.0.0.9")));
  const hooked = await routeOn(t, { logger, services: {}, beforeToolCall: () => Promise.reject(new Error("table secrets")) });
  const after = await run(hooked, body);
  assert.ok(!JSON.stringify(after.at(-1)).includes("table secrets"));
});

test("a configuration that failed or has changed is read again at the next request", async (t) => {
  let config = "{";
  let status = 200;
  const file = await listening(t, createServer((_, response) => response.writeHead(status).end(config)));
  const llm = await model(t, () => ({ say: "Hi." }));
  const warnings = [];
  const url = await routeOn(t, { searchService: file, logger: { warning: (message) => void warnings.push(message) } });
  const described = async () => (await (await fetch(`${url}/config`)).json()).searchService;
  const keyed = (key) => JSON.stringify({ searchServices: [{ id: "a", type: "tavily", apiKeys: [key] }] });
  assert.deepEqual(await described(), { type: "tavily", configured: false });
  assert.equal((await run(url, { message: "x", llmConfig: llmConfigOf(llm) })).at(-1).type, "complete");
  config = keyed("k1");
  assert.deepEqual(await described(), { type: "tavily", configured: true });
  config = JSON.stringify({ searchServices: [{ id: "a", type: "searxng", baseUrl: "http://127.0.0.1:1" }] });
  assert.deepEqual(await described(), { type: "searxng", configured: true });
  // A failure leaves what was read before.
  status = 500;
  assert.deepEqual(await described(), { type: "searxng", configured: true });
  assert.equal(warnings.length, 2, warnings.join("\n"));
  status = 200;
  config = keyed("k2");
  assert.deepEqual(await described(), { type: "tavily", configured: true });
});

test("ag-ui: an id that every event repeats has a limit", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const url = await routeOn(t, { format: "ag-ui" });
  const body = bodyOf("ag-ui", { llmConfig: llmConfigOf(llm) });
  const odd = '\n\ndata: {"type":"RUN_ERROR"}\n\n\u2028__proto__';
  for (const name of ["threadId", "runId"]) {
    const response = await post(url, { ...body, [name]: "r".repeat(501) });
    assert.deepEqual([response.status, (await response.json()).details.name], [400, name]);
    const text = await (await post(url, { ...body, [name]: odd })).text();
    const events = text.split("\n\n").filter((block) => block && !block.startsWith(":")).map((block) => JSON.parse(block.slice("data: ".length)));
    assert.deepEqual([events[0][name], events.at(-1).type], [odd, "RUN_FINISHED"]);
  }
});

test("calls and headers beyond any use are refused", async (t) => {
  const llm = await model(t, () => ({ say: "Hi." }));
  const url = await routeOn(t, {});
  const headers = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, "y"]));
  const calls = (count) => [{ role: "assistant", content: "", toolCalls: Array.from({ length: count }, () => ({ toolName: "read_lines" })) }];
  const body = (headerCount, callCount) => {
    const llmConfig = llmConfigOf(llm);
    llmConfig.streamOptions.headers = headers(headerCount);
    return { message: "x", llmConfig, history: calls(callCount) };
  };
  assert.equal((await run(url, body(50, 100))).at(-1).type, "complete");
  const long = (part, name, value) => {
    const given = body(1, 1);
    given.llmConfig[part][name] = value;
    return given;
  };
  for (const [given, name] of [
    [long("model", "modelId", "m".repeat(501)), "llmConfig.model.modelId"],
    [long("streamOptions", "baseUrl", `${llm.baseUrl}${"/".repeat(100_000)}x`), "llmConfig.streamOptions.baseUrl"],
    [body(51, 1), "llmConfig.streamOptions.headers"],
    [body(1, 1001), "history"],
  ]) {
    const response = await post(url, given);
    const { code, details } = await response.json();
    assert.deepEqual([response.status, code, details.name], [400, "invalid_parameter", name]);
  }
});

test("sources that are hard to read come back as they are", async () => {
  for (const source of [
    "<![CDATA[".repeat(10_000),
    "<b".repeat(20_000),
    '<a "'.repeat(1000),
    `${"<b>".repeat(100)}${"</i>".repeat(20_000)}`,
    `<p>${"<b>x</b>".repeat(1000)}</p>`,
    `<table>${"x<tr>".repeat(300)}`,
    `${"<p>x</p>".repeat(5000)}<p>y</p>`,
  ]) {
    const document = Document.fromHTML(source);
    const read = new SourceHTML(source, document, "en");
    assert.equal(read.render(document), source, source.slice(0, 30));
    document.apply({ operation: "append", title: "End", content: "<p>z</p>" });
    const edited = read.render(document);
    assert.deepEqual(Document.fromHTML(edited).toJSON(), Document.fromHTML(document.toHTML()).toJSON(), source.slice(0, 30));
    document.dispose?.();
  }
});
