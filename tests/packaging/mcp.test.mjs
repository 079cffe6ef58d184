// copydesk/mcp in Node, with real servers: server-everything over HTTP and stdio, a gateway, and one of the newer era.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { mcp } from "copydesk/mcp";
import { connect, until } from "../mcp/host.mjs";
import { everything, EVERYTHING_PROCESS, gateway, hostile, newEra } from "../mcp/servers.mjs";

const texts = ({ content }) => content.filter(({ type }) => type === "text").map(({ text }) => text);
/** A program takes a while to start on a busy machine. */
const PROCESS = { ...EVERYTHING_PROCESS, timeoutMs: 60_000 };
const stateOf = (plugin, name) => plugin.servers.find((server) => server.name === name);

for (const [title, open, transport] of [
  ["over Streamable HTTP", everything, "streamable-http"],
  ["as a process", () => EVERYTHING_PROCESS, "stdio"],
  ["behind a gateway", (t) => gateway(t, "streamableHttp"), "streamable-http"],
  ["behind a gateway with the older transport", (t) => gateway(t, "sse"), "sse"],
]) {
  test(`the tools of server-everything ${title} are listed and called`, async (t) => {
    const { command, args, url } = await open(t);
    const plugin = mcp({ mcpServers: { all: { timeoutMs: 60_000, ...(url ? { url } : { command, args }) } } });
    const host = connect(t, plugin);
    await host.ready();
    assert.deepEqual(host.notices, []);
    const state = stateOf(plugin, "all");
    assert.deepEqual([state.state, state.transport, state.protocolVersion], ["ready", transport, "2025-11-25"]);
    assert.ok(host.names().length > 10 && host.names().every((name) => name.startsWith("all__")), host.names().join());
    assert.deepEqual(state.tools.map(({ name }) => name), host.names());

    const sum = host.tool("all__get-sum");
    assert.match(sum.description, /^From the MCP server all: /);
    assert.deepEqual(Object.keys(sum.parameters.properties), ["a", "b"]);
    assert.ok(!sum.trusted);
    assert.deepEqual(texts(await host.call("all__get-sum", { a: 2, b: 3 })), ["The sum of 2 and 3 is 5."]);

    const image = (await host.call("all__get-tiny-image")).content.find(({ type }) => type === "image");
    assert.equal(image.mimeType, "image/png");
    assert.equal(Buffer.from(image.data, "base64").subarray(1, 4).toString(), "PNG");

    const weather = await host.call("all__get-structured-content", { location: "Chicago" });
    assert.deepEqual(Object.keys(weather.details.structuredContent), ["temperature", "conditions", "humidity"]);
    assert.deepEqual(texts(weather).map(JSON.parse), [weather.details.structuredContent]);

    assert.equal((await host.call("all__get-sum", { a: "two" })).isError, true);

    const reports = [];
    await host.call("all__trigger-long-running-operation", { duration: 0.5, steps: 5 }, { onUpdate: (report) => reports.push(report) });
    // The client drops reports that arrive together with the result.
    assert.ok(reports.length > 0);
    assert.deepEqual(reports, reports.map((_, index) => ({ progress: index + 1, total: 5 })));
  });
}

test("a server of 2026-07-28 works without sessions, and its annotations decide about approval", async (t) => {
  const server = await newEra(t);
  const plugin = mcp({ mcpServers: { era: { url: server.url }, all: { url: server.url, approval: "always" }, none: { url: server.url, approval: "never" } } });
  const host = connect(t, plugin);
  await host.ready();
  assert.equal(stateOf(plugin, "era").protocolVersion, "2026-07-28");
  assert.ok(server.requests.every(({ headers }) => !headers["mcp-session-id"]));
  assert.ok(server.requests.some(({ body }) => body?.method === "server/discover"));
  assert.ok(!server.requests.some(({ body }) => body?.method === "initialize"));

  assert.deepEqual(texts(await host.call("era__add", { a: 1, b: 2 })), ["3"]);
  // The server sends no text with it.
  assert.deepEqual(await host.call("era__weather"), { content: [{ type: "text", text: '{"degrees":21}' }], details: { structuredContent: { degrees: 21 } }, isError: false });

  const asking = (prefix) => host.tools.filter(({ name, needsApproval }) => name.startsWith(prefix) && needsApproval).map(({ name }) => name);
  assert.deepEqual(asking("era"), ["era__remove"]);
  assert.equal(asking("all").length, 5);
  assert.deepEqual(asking("none"), []);
});

test("a call that is stopped is cancelled on the server, in both eras", async (t) => {
  const older = await hostile(t, {
    "tools/list": () => ({ tools: [{ name: "wait", inputSchema: { type: "object" } }] }),
    "tools/call": () => new Promise(() => {}),
  });
  const newer = await newEra(t);
  const plugin = mcp({ mcpServers: { older: { url: older.url }, newer: { url: newer.url } } });
  const host = connect(t, plugin);
  await host.ready();
  for (const [name, isRunning, isCancelled] of [
    ["older__wait", () => older.requests.some(({ body }) => body?.method === "tools/call"), () => older.requests.some(({ body }) => body?.method === "notifications/cancelled")],
    ["newer__wait", () => newer.state.running === 1, () => newer.state.cancelled === 1],
  ]) {
    const stop = new AbortController();
    const call = host.call(name, {}, { signal: stop.signal });
    await eventually(isRunning);
    stop.abort(new Error("stopped by the user"));
    await assert.rejects(call, /stopped by the user/);
    await eventually(isCancelled);
  }
});

test("at most four calls of a server run at once, and one that waits can be stopped", async (t) => {
  const server = await newEra(t);
  const host = connect(t, mcp({ mcpServers: { era: { url: server.url } } }));
  await host.ready();
  const stop = new AbortController();
  const calls = Array.from({ length: 6 }, () => host.call("era__wait"));
  const stopped = host.call("era__wait", {}, { signal: stop.signal });
  await eventually(() => server.state.running === 4);
  stop.abort(new Error("stopped"));
  await assert.rejects(stopped, /stopped/);
  for (let left = 6; left > 0; left--) {
    await eventually(() => server.state.release?.length > 0);
    server.state.release.shift()();
  }
  assert.equal((await Promise.all(calls)).length, 6);
  assert.equal(server.state.most, 4);
});

test("tools that a server adds are there at the next request, in both eras", async (t) => {
  const newer = await newEra(t);
  const tools = [{ name: "first", inputSchema: { type: "object" } }];
  let stream;
  const older = await hostile(t, { "tools/list": () => ({ tools }) }, {
    http(request, response) {
      if (request.method !== "GET") return false;
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      stream.flushHeaders();
      return true;
    },
  });
  const plugin = mcp({ mcpServers: { newer: { url: newer.url }, older: { url: older.url } } });
  const host = connect(t, plugin);
  await host.ready();
  assert.ok(!host.names().includes("newer__later"));
  newer.addTool("later");
  await until(plugin, () => host.names().includes("newer__later"));
  assert.deepEqual(texts(await host.call("newer__later")), ["later"]);

  tools.push({ name: "second", inputSchema: { type: "object" } });
  await eventually(() => stream);
  stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n\n`);
  await until(plugin, () => host.names().includes("older__second"));
});

test("a long list of tools is read page by page", async (t) => {
  const server = await hostile(t, {
    "tools/list": ({ cursor = "0" } = {}) => ({
      tools: [1, 2].map((number) => ({ name: `t${cursor}-${number}`, inputSchema: { type: "object" } })),
      ...(cursor < "3" && { nextCursor: String(Number(cursor) + 1) }),
    }),
  });
  const host = connect(t, mcp({ mcpServers: { paged: { url: server.url } } }));
  await host.ready();
  assert.deepEqual(host.names(), ["0-1", "0-2", "1-1", "1-2", "2-1", "2-2", "3-1", "3-2"].map((name) => `paged__t${name}`));
});

test("a server that was started again is used in a new session, and the call is repeated", async (t) => {
  const first = await everything(t);
  const plugin = mcp({ mcpServers: { all: { url: first.url, timeoutMs: 60_000 } } });
  const host = connect(t, plugin);
  await host.ready();
  await first.stop();
  await everything(t, first.port);
  assert.deepEqual(texts(await retried(() => host.call("all__echo", { message: "again" }))), ["Echo: again"]);
  assert.equal(stateOf(plugin, "all").state, "ready");
});

test("a process that ends is started again", async (t) => {
  const script = `
    const readline = require("node:readline").createInterface({ input: process.stdin });
    readline.on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "tools/call") process.exit(3);
      const result = method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "short", version: "1" } }
        : { tools: [{ name: "die", inputSchema: { type: "object" } }] };
      const said = method === "server/discover" ? { error: { code: -32601, message: "none" } } : { result };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
    });`;
  const plugin = mcp({ mcpServers: { short: { command: process.execPath, args: ["-e", script] } } }, { locale: "en" });
  const host = connect(t, plugin);
  await host.ready();
  await assert.rejects(host.call("short__die"), /lost before it answered|Connection closed/);
  await host.ready();
  assert.deepEqual([stateOf(plugin, "short").state, host.names()], ["ready", ["short__die"]]);
});

test("agents share the connections of a plugin, which end with the last agent", async (t) => {
  const server = await hostile(t, {}, {
    http(request, response, body) {
      if (request.method === "DELETE") return response.writeHead(200).end();
      if (body?.method === "initialize") response.setHeader("mcp-session-id", "session-1");
      return false;
    },
  });
  const plugin = mcp({ mcpServers: { one: { url: server.url } } });
  const [first, second] = [connect(t, plugin), connect(t, plugin)];
  await Promise.all([first.ready(), second.ready()]);
  const handshakes = () => server.requests.filter(({ body }) => body?.method === "initialize").length;
  assert.equal(handshakes(), 1);
  first.close();
  await second.ready();
  assert.equal(stateOf(plugin, "one").state, "ready");
  second.close();
  await eventually(() => server.requests.some(({ method, headers }) => method === "DELETE" && headers["mcp-session-id"] === "session-1"));

  const third = connect(t, plugin);
  await third.ready();
  assert.equal(handshakes(), 2);
});

test("servers are added, removed and switched off while agents work", async (t) => {
  const server = await newEra(t);
  const plugin = mcp({ mcpServers: { a: { url: server.url }, off: { url: server.url, enabled: false } } });
  const host = connect(t, plugin);
  let changes = 0;
  const stop = plugin.subscribe(() => changes++);
  await host.ready();
  assert.deepEqual(plugin.servers.map(({ name, state }) => [name, state]), [["a", "ready"], ["off", "disabled"]]);
  assert.equal(host.names().filter((name) => name.startsWith("a__")).length, 5);

  plugin.configure({ mcpServers: { a: { url: server.url }, b: { url: server.url, tools: ["add", "remove"] } } });
  await host.ready();
  assert.deepEqual(host.names().filter((name) => name.startsWith("b__")), ["b__add", "b__remove"]);
  assert.equal(host.names().length, 7);
  // The server whose settings are the same was not connected again.
  assert.equal(server.requests.filter(({ body }) => body?.method === "server/discover").length, 2);

  plugin.configure({ mcpServers: {} });
  await host.ready();
  assert.deepEqual([host.names(), plugin.servers, host.notices], [[], [], []]);
  assert.ok(changes > 2);
  stop();
});

test("a server asks the user through the app", async (t) => {
  const questions = [];
  const elicit = (question) => (questions.push(question), { action: "accept", content: { name: "Ann" } });
  const plugin = mcp({ mcpServers: { all: PROCESS } }, { elicit });
  const host = connect(t, plugin);
  await host.ready();
  const result = await host.call("all__trigger-elicitation-request");
  assert.match(texts(result).join("\n"), /Ann/);
  assert.equal(questions[0].server, "all");
  assert.ok(questions[0].schema.properties.name);
});

test("the module for CommonJS connects to servers, too", async (t) => {
  const server = await newEra(t);
  const { mcp: required } = createRequire(import.meta.url)("copydesk/mcp");
  const host = connect(t, required({ mcpServers: { era: { url: server.url }, all: PROCESS } }));
  await host.ready();
  assert.deepEqual(texts(await host.call("era__add", { a: 1, b: 2 })), ["3"]);
  assert.deepEqual(texts(await host.call("all__echo", { message: "hi" })), ["Echo: hi"]);
});

test("a wrong configuration is refused with the field that is wrong", () => {
  for (const [mcpServers, expected] of [
    [{ a: {} }, /mcpServers\.a/],
    [{ a: { url: "http://x/", command: "x" } }, /mcpServers\.a/],
    [{ a: { url: "ftp://x/" } }, /mcpServers\.a\.url/],
    [{ a: { url: "http://x/", headers: { "a b": "c" } } }, /mcpServers\.a\.headers/],
    [{ a: { url: "http://x/", timeoutMs: 0 } }, /mcpServers\.a\.timeoutMs/],
    [{ a: { url: "http://x/", approval: "sometimes" } }, /mcpServers\.a\.approval/],
    [{ a: { url: "http://x/", tools: "all" } }, /mcpServers\.a\.tools/],
    [{ a: { url: "http://x/", enabled: "no" } }, /mcpServers\.a\.enabled/],
    [{ a: { command: "x", args: [1] } }, /mcpServers\.a\.args/],
    [{ a: { command: "x", env: { A: 1 } } }, /mcpServers\.a\.env/],
    [{ a: { command: "x", cwd: 1 } }, /mcpServers\.a\.cwd/],
    [{ a: null }, /mcpServers\.a/],
    [{ " ": { url: "http://x/" } }, /name/],
    [undefined, /mcpServers/],
  ]) {
    assert.throws(() => mcp({ mcpServers }), (error) => error.code === "invalid_parameter" && expected.test(error.message), JSON.stringify(mcpServers));
  }
});

/** Resolves when `holds()` is true; fails after ten seconds. */
async function eventually(holds) {
  for (let tries = 0; tries < 1_000; tries++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`never: ${holds}`);
}

/** A pooled connection of `fetch` to a server that was stopped fails once. */
async function retried(run) {
  try {
    return await run();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return run();
  }
}
