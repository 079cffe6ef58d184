// copydesk/mcp in a page: real servers on other origins, and the causes that only pages have.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everything, gateway, hostile, listen, newEra } from "../mcp/servers.mjs";
import { launch, opener, openPage, servePage } from "./harness.mjs";

const open = opener("mcp");

/** A page that has tried to connect to these servers, and what it saw. */
async function opened(t, mcpServers, { expected = [], ...options } = {}) {
  const page = await open(t, { expected });
  const servers = Object.fromEntries(Object.entries(mcpServers).map(([name, config]) => [name, { timeoutMs: 60_000, ...config }]));
  const seen = await page.evaluate(async ([servers, options]) => (await window.open(servers, options), window.seen()), [servers, options]);
  return { page, ...seen };
}

test("a page uses servers of both eras, a gateway and the older transport", async (t) => {
  const [all, era, http, sse] = [await everything(t), await newEra(t), await gateway(t, "streamableHttp"), await gateway(t, "sse")];
  const servers = { all: { url: all.url }, era: { url: era.url }, http: { url: http.url }, sse: { url: sse.url } };
  // The client asks for the newer era first, and the older transport is tried last.
  const { page, ...seen } = await opened(t, servers, { expected: [/40[045]|CORS|ERR_FAILED/] });
  assert.deepEqual(seen.notices, []);
  assert.deepEqual(
    seen.servers.map(({ name, state, transport, protocolVersion }) => [name, state, transport, protocolVersion]),
    [
      ["all", "ready", "streamable-http", "2025-11-25"],
      ["era", "ready", "streamable-http", "2026-07-28"],
      ["http", "ready", "streamable-http", "2025-11-25"],
      ["sse", "ready", "sse", "2025-11-25"],
    ],
  );
  const results = await page.evaluate(async () => {
    const reports = [];
    const sums = await Promise.all(["all__get-sum", "http__get-sum", "sse__get-sum", "era__add"].map((name) => host.call(name, { a: 1, b: 2 })));
    await host.call("all__trigger-long-running-operation", { duration: 0.5, steps: 5 }, { onUpdate: (report) => reports.push(report) });
    const images = (await host.call("all__get-tiny-image")).content.filter(({ type }) => type === "image");
    return { sums: sums.map(({ content }) => content[0].text), reports: reports.length, images: images.map(({ mimeType }) => mimeType), weather: await host.call("era__weather") };
  });
  assert.deepEqual(results.sums, [...Array(3).fill("The sum of 1 and 2 is 3."), "3"]);
  assert.ok(results.reports > 0);
  assert.deepEqual(results.images, ["image/png"]);
  assert.deepEqual(results.weather.details, { structuredContent: { degrees: 21 } });
  await end(page);
});

test("a call that is stopped is cancelled on the server, and new tools are there", async (t) => {
  const server = await newEra(t);
  const { page } = await opened(t, { era: { url: server.url } });
  const message = await page.evaluate(async () => {
    const stop = new AbortController();
    const call = host.call("era__wait", {}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("stopped")), 100);
    return call.catch((error) => error.message);
  });
  assert.equal(message, "stopped");
  server.addTool("later");
  await page.evaluate(() => until(plugin, () => host.names().includes("era__later")));
  assert.equal(await page.evaluate(async () => (await host.call("era__later")).content[0].text), "later");
  await end(page);
});

/** Ends the agent. The page reports connections that are open when their server ends as errors. */
const end = async (page) => {
  await page.evaluate(() => host.close());
  // The server hears of it without the page waiting.
  await page.context().close();
};

/** CORS headers of a server, but for one. */
const cors = (headers) => ({
  http(request, response) {
    const given = { "access-control-allow-origin": "*", "access-control-allow-methods": "GET, POST, DELETE", "access-control-expose-headers": "mcp-session-id", ...headers };
    for (const [name, value] of Object.entries(given)) if (value) response.setHeader(name, value);
    if (request.method === "OPTIONS") response.writeHead(204).end();
    return request.method === "OPTIONS";
  },
  cors: false,
});
const LEGACY = "content-type, mcp-protocol-version, mcp-session-id, last-event-id";

for (const [title, answers, options, header, settings = {}] of [
  ["no CORS header", {}, { cors: false }, /header Access-Control-Allow-Origin: http:\/\/127\.0\.0\.1:\d+\./],
  ["no allowed headers", {}, cors({}), /header Access-Control-Allow-Headers: Content-Type\./],
  ["no header for its key", {}, cors({ "access-control-allow-headers": LEGACY }), /header Access-Control-Allow-Headers: x-key\./, { headers: { "x-key": "sk-very-secret-key" } }],
  ["no header of the protocol", {}, cors({ "access-control-allow-headers": "content-type" }), /header Access-Control-Allow-Headers: Mcp-Protocol-Version, Mcp-Session-Id\./],
]) {
  test(`a server that has ${title} for the page is named with the header`, async (t) => {
    const server = await hostile(t, answers, options);
    const seen = await opened(t, { one: { url: server.url, ...settings } }, { expected: [/CORS|ERR_FAILED|40[05]/], locale: "en" });
    assert.deepEqual(seen.notices.map(({ code }) => code), ["mcp_cors"], JSON.stringify(seen.notices));
    assert.match(seen.notices[0].message, header);
    assert.doesNotMatch(JSON.stringify([seen.notices, server.requests.filter(({ headers }) => headers["x-key"]?.startsWith("sk"))]), /very-secret/);
  });
}

test("a server of the older era needs no headers of the newer one", async (t) => {
  const server = await hostile(t, { "tools/list": () => ({ tools: [{ name: "a", inputSchema: { type: "object" } }] }) }, cors({ "access-control-allow-headers": LEGACY }));
  const seen = await opened(t, { one: { url: server.url } }, { expected: [/CORS|ERR_FAILED|405/] });
  assert.deepEqual([seen.notices, seen.names], [[], ["one__a"]]);
  await end(seen.page);
});

for (const [title, hasStream] of [["", false], [" and that has a stream", true]]) test(`a server whose session id the page may not read${title} is named at once`, async (t) => {
  const { http } = cors({ "access-control-allow-headers": LEGACY, "access-control-expose-headers": "" });
  const server = await hostile(t, {}, {
    cors: false,
    http(request, response, body) {
      if (http(request, response)) return true;
      if (body?.method === "initialize") response.setHeader("mcp-session-id", "session-1");
      if (!body && hasStream) {
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        return true;
      }
      if (!body || body.method === "initialize" || body.method === "server/discover" || request.headers["mcp-session-id"]) return false;
      response.writeHead(400).end("no session");
      return true;
    },
  });
  const seen = await opened(t, { one: { url: server.url } }, { expected: [/CORS|ERR_FAILED|40[05]/], locale: "en" });
  assert.deepEqual(seen.notices.map(({ code }) => code), ["mcp_cors"], JSON.stringify(seen.notices));
  assert.match(seen.notices[0].message, /Access-Control-Expose-Headers: Mcp-Session-Id/);
});

test("a server that is down, one that is silent, one that refuses, and a program are named", async (t) => {
  const down = await listen(t, () => {});
  await down.stop();
  const silent = await listen(t, () => {});
  const closed = await listen(t, (request, response) => response.writeHead(401).end());
  const servers = {
    down: { url: down.url },
    silent: { url: silent.url, timeoutMs: 500 },
    closed: { url: closed.url, headers: { authorization: "Bearer sk-very-secret-key" } },
    program: { command: "node" },
  };
  for (const locale of ["en", "zh-CN"]) {
    const seen = await opened(t, servers, { expected: [/ERR_|401/], locale });
    assert.deepEqual(seen.notices.map(({ code }) => code).sort(), ["mcp_no_processes", "mcp_timeout", "mcp_unauthorized", "mcp_unreachable"], JSON.stringify(seen.notices));
    assert.ok(seen.notices.every(({ message }) => /[一-鿿]/.test(message) === (locale === "zh-CN")));
    assert.doesNotMatch(JSON.stringify(seen), /very-secret/);
  }
});

test("a page without servers does not load the client, and the page itself works without it", async (t) => {
  const page = await open(t);
  const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.startsWith(location.origin)).length);
  const before = await loaded();
  await page.evaluate(() => window.open({}));
  assert.equal(await loaded(), before);
  const server = await newEra(t);
  await page.evaluate((url) => window.open({ era: { url } }), server.url);
  assert.ok((await loaded()) > before);
  await end(page);
});

test("a server in the local network is named if the browser does not let the page reach it, and is used if it does", async (t) => {
  const server = await newEra(t);
  const { port } = new URL(await servePage("mcp"));
  const origin = `http://app.test:${port}`;
  // The page counts as one of the internet, with https.
  const browser = await launch("127.0.0.1", [`--ip-address-space-overrides=127.0.0.1:${port}=public`, `--unsafely-treat-insecure-origin-as-secure=${origin}`]);
  const tried = async (options) => {
    const page = await openPage(t, `${origin}/`, { browser, ...options });
    await page.waitForFunction(() => window.ready);
    const seen = await page.evaluate(async (url) => (await window.open({ one: { url } }, { locale: "en" }), window.seen()), server.url);
    await end(page);
    return seen;
  };
  const refused = await tried({ expected: [/address space|ERR_FAILED|app\.test/] });
  assert.deepEqual(refused.notices.map(({ code }) => code), ["mcp_local_network"], JSON.stringify(refused.notices));
  const allowed = await tried({ permissions: ["local-network-access"], expected: [/app\.test|ERR_FAILED/] });
  assert.deepEqual([allowed.notices, allowed.servers[0].state], [[], "ready"]);
});
