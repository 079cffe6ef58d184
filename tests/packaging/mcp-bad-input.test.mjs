// Servers that are down, refuse, misbehave or attack: each failure is named, bounded, and the agent goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { mcp } from "copydesk/mcp";
import { connect, until } from "../mcp/host.mjs";
import { hostile, listen, newEra } from "../mcp/servers.mjs";

const OBJECT = { type: "object" };
const KEY = "sk-very-secret-key";

/** Connects to one server and waits. Returns the agent and the state of the server. */
async function tried(t, config, options = {}) {
  const plugin = mcp({ mcpServers: { one: { timeoutMs: 30_000, ...config } } }, { locale: "en", ...options });
  const host = connect(t, plugin, options);
  await host.ready();
  return { plugin, host, state: () => plugin.servers[0] };
}

/** Asserts that the agent was told one thing, and goes on without tools. */
function failed({ host, state }, code, pattern) {
  assert.deepEqual(host.notices.map((notice) => notice.code), [code], JSON.stringify(host.notices));
  assert.match(host.notices[0].message, pattern);
  assert.deepEqual([state().state, state().error.code, host.names()], ["failed", code, []]);
}

const closedPort = async (t) => {
  const { url, stop } = await listen(t, () => {});
  await stop();
  return url;
};
const answering = async (t, respond) => (await listen(t, (request, response) => respond(response))).url;
const status = (code, type = "text/plain", body = "no") => (response) => response.writeHead(code, { "content-type": type }).end(body);

for (const [title, open, code, pattern] of [
  ["is down", closedPort, "mcp_unreachable", /one cannot be reached at http:\/\/127\.0\.0\.1:\d+\/mcp: .*ECONNREFUSED/],
  ["refuses the key", (t) => answering(t, status(401)), "mcp_unauthorized", /HTTP 401/],
  ["forbids the request", (t) => answering(t, status(403)), "mcp_unauthorized", /HTTP 403/],
  ["never answers", (t) => answering(t, () => {}), "mcp_timeout", /did not answer within 1500 ms/],
  ["sends headers only", (t) => answering(t, (response) => response.writeHead(200, { "content-type": "application/json" }).flushHeaders()), "mcp_timeout", /1500 ms/],
  ["is a page", (t) => answering(t, status(200, "text/html", "<h1>Hello</h1>")), "mcp_not_a_server", /not as an MCP server: .*text\/html/],
  ["is another path", (t) => answering(t, status(404)), "mcp_not_a_server", /HTTP 404/],
  ["sends broken JSON", (t) => answering(t, status(200, "application/json", "{")), "mcp_not_a_server", /JSON/],
  ["sends JSON of another kind", (t) => answering(t, status(200, "application/json", '{"hello":1}')), "mcp_not_a_server", /./],
  ["sends random bytes", (t) => answering(t, status(200, "application/octet-stream", Buffer.from([0, 255, 254, 13, 10]))), "mcp_not_a_server", /octet-stream/],
  ["fails", (t) => answering(t, status(500)), "mcp_server_error", /./],
  ["refuses the handshake", async (t) => (await hostile(t, { initialize: undefined })).url, "mcp_server_error", /no such method/],
  ["redirects elsewhere", (t) => answering(t, (response) => response.writeHead(307, { location: "http://127.0.0.2/mcp" }).end()), "mcp_not_a_server", /307/],
  ["closes connections", (t) => answering(t, (response) => response.destroy()), "mcp_unreachable", /./],
]) {
  test(`a server that ${title} is named in one notice, and the agent goes on`, async (t) => {
    const url = await open(t);
    const seen = await tried(t, { url, ...(code === "mcp_timeout" && { timeoutMs: 1_500 }) });
    failed(seen, code, pattern);
    // A later request does not wait for it, and hears nothing again.
    await seen.host.ready();
    failed(seen, code, pattern);
    const chinese = connect(t, seen.plugin, { locale: "zh-CN" });
    await chinese.ready();
    assert.equal(chinese.notices[0].code, code);
    assert.match(chinese.notices[0].message, /MCP 服务器.*。/);
  });
}

test("a server that refuses what follows its handshake is named at once", async (t) => {
  const server = await hostile(t, {}, {
    http(request, response, body) {
      // A stream that never says where to post, as an older server does.
      if (request.method === "GET") response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      else if (body.method === "initialize") return false;
      else response.writeHead(400, { "content-type": "text/plain" }).end("Bad Request: no session");
      return true;
    },
  });
  const seen = await tried(t, { url: server.url });
  failed(seen, "mcp_server_error", /Bad Request: no session/);
  assert.ok(!server.requests.some(({ method }) => method === "GET"));
});

test("a request that waits for a server ends with the run", async (t) => {
  const url = await answering(t, () => {});
  const host = connect(t, mcp({ mcpServers: { one: { url, timeoutMs: 600_000 } } }));
  const run = new AbortController();
  const ready = host.ready(run.signal);
  run.abort();
  await ready;
  assert.deepEqual(host.names(), []);
});

for (const [title, config, pattern] of [
  ["does not exist", { command: "/no/such/program" }, /\/no\/such\/program: .*ENOENT/],
  ["ends at once", { command: process.execPath, args: ["-e", "process.exit(1)"] }, /node.*: /],
  ["prints garbage and ends", { command: process.execPath, args: ["-e", "console.log('hello'); setTimeout(() => {}, 50)"] }, /./],
]) {
  test(`a program that ${title} is named`, async (t) => {
    failed(await tried(t, config), "mcp_process", pattern);
  });
}

test("a program that prints garbage and never answers is named, and ended", async (t) => {
  const command = { command: process.execPath, args: ["-e", "setInterval(() => console.log('x'.repeat(100)), 20)"] };
  failed(await tried(t, { ...command, timeoutMs: 1_500 }), "mcp_timeout", /1500 ms/);
});

test("a program that prints a line without end is named", async (t) => {
  const command = { command: process.execPath, args: ["-e", "const x = 'x'.repeat(1e6); const more = () => process.stdout.write(x, more); more();"] };
  failed(await tried(t, { ...command }), "mcp_too_large", /more than 10000000 bytes/);
});

test("keys are in no notice, state, log entry or error", async (t) => {
  const echo = (response, request) => response.writeHead(500, { "content-type": "text/plain" }).end(`no: ${request.headers.authorization} ${request.headers["x-key"]}`);
  const server = await listen(t, (request, response) => echo(response, request));
  const headers = { authorization: `Bearer ${KEY}`, "x-key": "another-secret" };
  const url = `${server.url}?token=third-secret`;
  const failing = await tried(t, { url, headers });
  assert.equal(server.requests[0].headers.authorization, `Bearer ${KEY}`);
  const calling = await hostile(t, { "tools/list": () => ({ tools: [{ name: "echo", inputSchema: OBJECT }, { name: "say", inputSchema: OBJECT }] }), "tools/call": () => ({ content: [{ type: "text", text: `key: ${KEY}` }], structuredContent: { key: KEY } }) }, {
    http(request, response, body) {
      if (body?.method !== "tools/call" || body.params.name !== "echo") return false;
      echo(response, request);
      return true;
    },
  });
  const called = await tried(t, { url: calling.url, headers });
  const error = await called.host.call("one__echo").catch((thrown) => thrown);
  const said = [inspect(failing.plugin, { depth: 9, showHidden: true }), failing.host.notices, failing.host.problems, failing.plugin.servers, called.host.problems, called.plugin.servers, error.message, (await called.host.call("one__say")).content];
  assert.ok(error instanceof Error);
  assert.doesNotMatch(JSON.stringify(said), new RegExp(`${KEY}|another-secret|third-secret`));
  assert.match(error.message, /\[key\]/);
});

test("of 5,000 tools some are used, and the user is told", async (t) => {
  const tools = Array.from({ length: 5_000 }, (_, index) => ({ name: `t${index}`, description: "x".repeat(100), inputSchema: OBJECT }));
  const server = await hostile(t, { "tools/list": () => ({ tools }) });
  const { host, plugin } = await tried(t, { url: server.url });
  assert.equal(host.tools.length, 64);
  assert.deepEqual(host.notices.map(({ code }) => code), ["mcp_tools_left_out"]);
  assert.match(host.notices[0].message, /4936 of 5000 tools of the MCP server one .* more tools than a model takes/);
  // The app chooses.
  plugin.configure({ mcpServers: { one: { url: server.url, tools: ["t4999", "t7"] }, two: { url: server.url, timeoutMs: 30_000 }, three: { url: server.url, timeoutMs: 30_000 } } });
  await host.ready();
  assert.deepEqual(host.names().slice(0, 2), ["one__t7", "one__t4999"]);
  // All servers together leave room for the agent's own tools.
  assert.equal(host.tools.length, 96);
});

test("a list of tools without end is cut", async (t) => {
  let page = 0;
  const server = await hostile(t, { "tools/list": () => ({ tools: [{ name: `t${++page}`, inputSchema: OBJECT }], nextCursor: `c${page}` }) });
  const { host } = await tried(t, { url: server.url });
  assert.equal(host.tools.length, 20);
  assert.ok(server.requests.length < 60);
});

test("long descriptions are cut, and bounded in all", async (t) => {
  const tools = Array.from({ length: 64 }, (_, index) => ({ name: `t${index}`, description: "x".repeat(100_000), inputSchema: OBJECT }));
  const server = await hostile(t, { "tools/list": () => ({ tools }) });
  const { host } = await tried(t, { url: server.url });
  assert.ok(host.tools.length > 50 && host.tools.length < 64);
  assert.ok(host.tools.every(({ description }) => description.length === 2_000));
  assert.ok(JSON.stringify(host.tools).length < 140_000);
  assert.match(host.notices[0].message, /descriptions of all tools together are too long/);
});

test("an answer of 100 MB ends at the limit, as a body, an event and a list", async (t) => {
  let sent = 0;
  const flood = (response, type) => {
    response.writeHead(200, { "content-type": type });
    if (type === "text/event-stream") response.write("data: ");
    const part = "x".repeat(1_000_000);
    const more = () => {
      if (sent < 100 && !response.destroyed) response.write(part, () => (sent++, more()));
    };
    more();
  };
  const tool = (name) => ({ name, inputSchema: OBJECT });
  const server = await hostile(t, { "tools/list": () => ({ tools: [tool("body"), tool("event")] }) }, {
    http(request, response, body) {
      if (body?.method !== "tools/call") return false;
      flood(response, body.params.name === "body" ? "application/json" : "text/event-stream");
      return true;
    },
  });
  const { host, state } = await tried(t, { url: server.url });
  for (const name of ["body", "event"]) {
    sent = 0;
    await assert.rejects(host.call(`one__${name}`), /more than 10000000 bytes/);
    assert.ok(sent < 60, `${sent} MB`);
  }
  await host.ready();
  assert.equal(state().state, "ready");
  const list = await hostile(t, {}, {
    http(request, response, body) {
      if (body?.method !== "tools/list") return false;
      sent = 0;
      flood(response, "application/json");
      return true;
    },
  });
  failed(await tried(t, { url: list.url }), "mcp_too_large", /more than 10000000 bytes/);
});

test("an endless stream of small events is no reason to stop", async (t) => {
  const server = await hostile(t, { "tools/list": () => ({ tools: [{ name: "long", inputSchema: OBJECT }] }) }, {
    http(request, response, body) {
      if (body?.method !== "tools/call") return false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const { progressToken } = body.params._meta;
      const report = (progress) => `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress, message: "m".repeat(10_000) } })}\r\n\r\n`;
      for (let progress = 0; progress < 1_050; progress++) response.write(report(progress));
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: body.id, result: { content: [{ type: "text", text: "done" }] } })}\n\n`);
      return true;
    },
  });
  const { host } = await tried(t, { url: server.url });
  const reports = [];
  const result = await host.call("one__long", {}, { onUpdate: (report) => reports.push(report) });
  assert.equal(result.content[0].text, "done");
  assert.equal(reports.length, 1_000);
  assert.ok(reports.every(({ message }) => message.length === 300));
});

test("a call that a server never answers ends with its signal", async (t) => {
  const server = await hostile(t, { "tools/list": () => ({ tools: [{ name: "never", inputSchema: OBJECT }] }), "tools/call": () => new Promise(() => {}) });
  const { host } = await tried(t, { url: server.url });
  await assert.rejects(host.call("one__never", {}, { signal: AbortSignal.timeout(100) }), { name: "TimeoutError" });
});

test("results of other kinds are named, and invalid ones are errors", async (t) => {
  const results = {
    odd: { content: [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }, { type: "resource_link", uri: "a://b", name: "b" }, { type: "resource", resource: { uri: "c://d", blob: "AAAA", mimeType: "image/png" } }, { type: "resource", resource: { uri: "e://f", blob: "AAAA" } }] },
    wrong: { content: "text" },
    nothing: null,
    newer: { content: [{ type: "hologram", data: "x" }] },
  };
  const tools = Object.keys(results).map((name) => ({ name, inputSchema: OBJECT }));
  const server = await hostile(t, { "tools/list": () => ({ tools }), "tools/call": ({ name }) => results[name] });
  const { host } = await tried(t, { url: server.url });
  assert.deepEqual((await host.call("one__odd")).content, [
    { type: "text", text: "[audio: audio/wav]" },
    { type: "text", text: "[b](a://b)" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "text", text: "[e://f: application/octet-stream]" },
  ]);
  // The message is for the model: what is wrong, not the beginning of a list.
  for (const name of ["wrong", "nothing", "newer"]) await assert.rejects(host.call(`one__${name}`), /Invalid input|expected/, name);
});

test("names are unique, valid and the same in each connection", async (t) => {
  const names = ["read_file", "a b", "a_b", "x".repeat(100), `${"x".repeat(99)}y`, "文件", "", "__proto__", "read_file"];
  const server = await hostile(t, { "tools/list": () => ({ tools: names.map((name) => ({ name, inputSchema: OBJECT })) }), "tools/call": ({ name }) => ({ content: [{ type: "text", text: name }] }) });
  const mcpServers = { one: { url: server.url }, "我的 server": { url: server.url }, one__a: { url: server.url, tools: ["a_b"] } };
  const listed = async () => {
    const host = connect(t, mcp({ mcpServers }));
    await host.ready();
    return host;
  };
  const host = await listed();
  assert.deepEqual(host.names(), (await listed()).names());
  assert.equal(new Set(host.names()).size, host.names().length);
  assert.equal(host.names().length, 15);
  for (const name of host.names()) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
  // A tool of a server never replaces one of the agent.
  assert.ok(host.names().includes("one__read_file") && !host.names().includes("read_file"));
  const called = await Promise.all(host.names().slice(0, 7).map(async (name) => (await host.call(name)).content[0].text));
  assert.deepEqual(called, [...new Set(names)].filter(Boolean));
});

test("schemas become objects that providers accept", async (t) => {
  const deep = (depth) => (depth ? { type: "object", properties: { next: deep(depth - 1) } } : { type: "string" });
  const wide = (length, rest = {}) => ({ type: "object", properties: Object.fromEntries(Array.from({ length }, (_, index) => [`p${index}`, { type: "string", description: "d".repeat(150), ...rest }])) });
  const schemas = {
    plain: { type: "object", properties: { a: { type: "string", enum: ["x"] } }, required: ["a"], additionalProperties: false },
    refs: { $schema: "s", type: "object", $defs: { id: { type: "integer" }, "a/b": { type: "string" } }, properties: { id: { $ref: "#/$defs/id", description: "the id" }, other: { $ref: "#/$defs/a~1b" }, far: { $ref: "http://127.0.0.1:1/schema" }, missing: { $ref: "#/$defs/none" } } },
    cycle: { type: "object", $defs: { node: { type: "object", properties: { child: { $ref: "#/$defs/node" } } } }, properties: { tree: { $ref: "#/$defs/node" }, self: { $ref: "#" } } },
    choice: { type: "object", anyOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { properties: { b: { type: "number" } } }], allOf: [{ properties: { c: { type: "string" } }, required: ["c"] }] },
    list: { type: "object", properties: { items: { type: "array" }, any: true } },
    deep: deep(60),
    wide: wide(100),
    huge: wide(5_000),
    names: { type: "object", properties: { "a b": { type: "string" } } },
    odd: { type: "object", properties: { a: 5, b: null }, required: "a" },
    inherited: JSON.parse('{"type":"object","properties":{"constructor":{"type":"string"},"__proto__":{"type":"number"}},"required":["constructor"]}'),
    bomb: { type: "object", $defs: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`d${index}`, { type: "object", properties: { l: { $ref: `#/$defs/d${index + 1}` }, r: { $ref: `#/$defs/d${index + 1}` } } }])), properties: { start: { $ref: "#/$defs/d0" } } },
  };
  const tools = Object.entries(schemas).map(([name, inputSchema]) => ({ name, inputSchema }));
  const server = await hostile(t, { "tools/list": () => ({ tools: [...tools, { name: "array", inputSchema: [] }, { name: "none" }, { name: "text", inputSchema: { type: "string" } }, 7, null] }) });
  const { host } = await tried(t, { url: server.url });
  const of = (name) => host.tool(`one__${name}`)?.parameters;
  assert.deepEqual(host.names().map((name) => name.slice(5)), ["plain", "refs", "cycle", "choice", "list", "deep", "wide", "odd", "inherited", "bomb"]);
  assert.match(host.notices[0].message, /7 of 17 tools .* names or parameters cannot be used/);
  for (const { parameters } of host.tools) {
    const text = JSON.stringify(parameters);
    assert.ok(parameters.type === "object" && text.length <= 20_000, text.length);
    assert.doesNotMatch(text, /\$ref|\$defs|\$schema/);
  }
  assert.deepEqual(of("plain"), schemas.plain);
  assert.deepEqual(of("refs").properties, { id: { type: "integer", description: "the id" }, other: { type: "string" }, far: {}, missing: {} });
  assert.deepEqual(of("choice"), { type: "object", properties: { a: { type: "string" }, b: { type: "number" }, c: { type: "string" } }, required: ["c"] });
  assert.deepEqual(of("list").properties, { items: { type: "array", items: {} }, any: {} });
  assert.deepEqual(Object.entries(of("inherited").properties), [["constructor", { type: "string" }], ["__proto__", { type: "number" }]]);
  assert.deepEqual(of("inherited").required, ["constructor"]);
  assert.deepEqual([of("odd").properties, of("odd").required], [{ a: {}, b: {} }, []]);
  assert.equal(Object.keys(of("wide").properties).length, 100);
});

for (const [annotations, needsApproval] of [
  [{ readOnlyHint: true }, false],
  [{ destructiveHint: false }, false],
  [{ readOnlyHint: false, destructiveHint: false }, false],
  [{}, true],
  [{ readOnlyHint: "false" }, true],
  [{ readOnlyHint: "no", destructiveHint: true }, true],
  [{ readOnlyHint: "true" }, true],
  [{ readOnlyHint: 1 }, true],
  [{ destructiveHint: 0 }, true],
  [{ destructiveHint: "false" }, true],
  [{ readOnlyHint: null, destructiveHint: null }, true],
]) {
  test(`with the annotations ${JSON.stringify(annotations)} a call ${needsApproval ? "needs" : "does not need"} approval`, async (t) => {
    const server = await hostile(t, { "tools/list": () => ({ tools: [{ name: "a", inputSchema: OBJECT, annotations }] }) });
    const { host, state } = await tried(t, { url: server.url });
    assert.deepEqual([host.tool("one__a").needsApproval, state().tools[0].needsApproval], [needsApproval, needsApproval]);
  });
}

const nested = (levels) => `{"type":"object","properties":${'{"a":{"type":"object","properties":'.repeat(levels)}{}${"}}".repeat(levels)}}`;

for (const [title, tool] of [
  ["annotations that are null", '{"name":"bad","inputSchema":{"type":"object"},"annotations":null}'],
  ["annotations that are a text", '{"name":"bad","inputSchema":{"type":"object"},"annotations":"x"}'],
  ["a schema that is null", '{"name":"bad","inputSchema":null}'],
  ["a name that is null", '{"name":null,"inputSchema":{"type":"object"}}'],
  ["a schema of 100,000 levels", `{"name":"bad","inputSchema":${nested(100_000)}}`],
  ["100,000 levels elsewhere", `{"name":"bad","_meta":${nested(100_000)},"inputSchema":5}`],
]) {
  test(`a tool with ${title} is left out, and the others are used`, async (t) => {
    const server = await hostile(t, {}, {
      http(request, response, body) {
        if (body?.method !== "tools/list") return false;
        const list = `{"tools":[{"name":"good","inputSchema":{"type":"object"}},${tool},{"name":"other","inputSchema":{"type":"object"}}]}`;
        response.writeHead(200, { "content-type": "application/json" }).end(`{"jsonrpc":"2.0","id":${body.id},"result":${list}}`);
        return true;
      },
    });
    const { host, state } = await tried(t, { url: server.url });
    assert.deepEqual([state().state, host.names()], ["ready", ["one__good", "one__other"]], JSON.stringify(host.notices));
    assert.deepEqual(host.notices.map(({ code }) => code), ["mcp_tools_left_out"]);
    assert.match(host.notices[0].message, /1 of 3 tools/);
  });
}

test("a schema of 600 levels is used without its depths", async (t) => {
  const tools = [{ name: "good", inputSchema: OBJECT }, { name: "deep", inputSchema: JSON.parse(nested(600)), title: 5, description: {} }];
  const server = await hostile(t, { "tools/list": () => ({ tools }) });
  const { host, state } = await tried(t, { url: server.url });
  assert.deepEqual([state().state, host.names(), host.notices], ["ready", ["one__good", "one__deep"], []]);
  assert.ok(JSON.stringify(host.tool("one__deep").parameters).length < 2_000);
  assert.equal(host.tool("one__deep").description, "From the MCP server one: ");
});

test("tools that change in mid-run are called by what the server has then", async (t) => {
  const server = await newEra(t);
  const plugin = mcp({ mcpServers: { era: { url: server.url } } });
  const host = connect(t, plugin);
  await host.ready();
  const before = host.tool("era__add");
  for (let number = 0; number < 5; number++) server.addTool(`new${number}`);
  await until(plugin, () => host.names().includes("era__new4"));
  // A call that the model made for the old list.
  const { signal } = new AbortController();
  assert.equal((await before.execute("c", { a: 1, b: 1 }, signal, () => {})).content[0].text, "2");
});

test("a server that ends each connection is not connected again without a pause", async (t) => {
  let handshakes = 0;
  const server = await hostile(t, {}, {
    http(request, response, body) {
      if (body?.method === "initialize") handshakes++;
      if (request.method !== "GET") return false;
      // The stream opens, and the next one says that the session is gone.
      const isFirst = !request.headers["last-event-id"];
      response.writeHead(isFirst ? 200 : 404, { "content-type": "text/event-stream" });
      response.end("retry: 0\nid: 1\ndata: \n\n");
      return true;
    },
  });
  const { plugin } = await tried(t, { url: server.url });
  await until(plugin, () => plugin.servers[0].state === "failed");
  assert.equal(handshakes, 2);
  assert.equal(plugin.servers[0].error.code, "mcp_server_error");
});

test("a server that loses a call is connected again at once, and one that is down then is named as down", async (t) => {
  let handshakes = 0;
  const server = await hostile(t, { "tools/list": () => ({ tools: [{ name: "a", inputSchema: OBJECT }] }) }, {
    http(request, response, body) {
      if (body?.method === "initialize") handshakes++;
      if (body?.method === "tools/call") response.destroy();
      return body?.method === "tools/call";
    },
  });
  const { host, state } = await tried(t, { url: server.url });
  for (const expected of [2, 3]) {
    await assert.rejects(host.call("one__a"), /lost before it answered/);
    await host.ready();
    assert.deepEqual([state().state, handshakes], ["ready", expected]);
  }
  await server.stop();
  await assert.rejects(host.call("one__a"), /lost before it answered/);
  await host.ready();
  assert.deepEqual([state().state, state().error.code], ["failed", "mcp_unreachable"]);
});

test("a server that was down is used when it is there, and `reconnect` does not wait for the pause", async (t) => {
  const { url, port, stop } = await listen(t, () => {});
  await stop();
  const { plugin, host, state } = await tried(t, { url });
  assert.equal(state().state, "failed");
  await hostile(t, { "tools/list": () => ({ tools: [{ name: "a", inputSchema: OBJECT }] }) }, { port });
  await plugin.reconnect("one");
  assert.deepEqual([state().state, state().error, host.names()], ["ready", undefined, ["one__a"]]);
  await assert.rejects(plugin.reconnect("two"), { code: "invalid_parameter" });
});

test("a server that was down is connected again by itself", async (t) => {
  const { url, port, stop } = await listen(t, () => {});
  await stop();
  const { plugin, host, state } = await tried(t, { url });
  await hostile(t, { "tools/list": () => ({ tools: [{ name: "a", inputSchema: OBJECT }] }) }, { port });
  await until(plugin, () => state().state === "ready");
  assert.deepEqual(host.names(), ["one__a"]);
});

test("a server that announces a change after each list does not hold up the run", async (t) => {
  let lists = 0;
  let stream;
  const changed = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n\n`;
  const list = () => {
    stream?.write(changed);
    return { tools: [{ name: `t${++lists}`, inputSchema: OBJECT }] };
  };
  const server = await hostile(t, { "tools/list": list }, {
    http(request, response) {
      if (request.method !== "GET") return false;
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      stream.write(changed);
      return true;
    },
  });
  const { plugin, host } = await tried(t, { url: server.url });
  await until(plugin, () => lists >= 4);
  await host.ready();
  assert.equal(host.names().length, 1);
});

test("thousands of tools that cannot be used, and schemas that multiply, are read only in part", async (t) => {
  const names = Array.from({ length: 20 }, (_, index) => `d${index}`);
  const $defs = Object.fromEntries(names.map((name, index) => [name, { type: "object", properties: Object.fromEntries(["l", "r", "m"].map((key) => [key, { $ref: `#/$defs/d${index + 1}` }])) }]));
  const bomb = { type: "object", $defs, properties: { "not a name": { $ref: "#/$defs/d0" } } };
  const tools = Array.from({ length: 4_000 }, (_, index) => ({ name: `t${index}`, inputSchema: bomb }));
  const server = await hostile(t, { "tools/list": () => ({ tools }) });
  const { host } = await tried(t, { url: server.url });
  assert.deepEqual(host.names(), []);
  assert.match(host.notices[0].message, /4000 of 4000 tools .* names or parameters cannot be used; there are more tools/);
});
