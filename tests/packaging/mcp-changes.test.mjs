// Servers whose tools, settings and connections change under calls, and their questions to the user.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mcp } from "copydesk/mcp";
import { connect, until } from "../mcp/host.mjs";
import { hostile, listen } from "../mcp/servers.mjs";

const tool = (name, more = {}) => ({ name, inputSchema: { type: "object" }, ...more });
const done = { content: [{ type: "text", text: "done" }] };

/** Answers a request with these messages as a stream of events. */
function events(response, messages) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const message of messages) response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
}

test("a tool that is announced before a result is there at the next request", async (t) => {
  const tools = [tool("grow")];
  const server = await hostile(t, { "tools/list": () => ({ tools }) }, {
    http(_, response, body) {
      if (body?.method !== "tools/call") return false;
      tools.push(tool(`new${tools.length}`));
      events(response, [{ method: "notifications/tools/list_changed" }, { id: body.id, result: done }]);
      response.end();
      return true;
    },
  });
  const host = connect(t, mcp({ mcpServers: { a: { url: server.url } } }));
  await host.ready();
  for (let count = 1; count <= 5; count++) {
    await host.call("a__grow");
    await host.ready();
    assert.equal(host.names().length, count + 1);
  }
});

test("other approval, time limits and choices of tools need no other connection", async (t) => {
  const server = await hostile(t, { "tools/list": () => ({ tools: [tool("read", { annotations: { readOnlyHint: true } }), tool("write")] }), "tools/call": () => done });
  const handshakes = () => server.requests.filter(({ body }) => body?.method === "initialize").length;
  const plugin = mcp({ mcpServers: { a: { url: server.url } } });
  const host = connect(t, plugin);
  await host.ready();
  const asked = () => host.tools.map(({ name, needsApproval }) => [name, needsApproval]);
  assert.deepEqual(asked(), [["a__read", false], ["a__write", true]]);
  const changes = {
    always: [{ approval: "always" }, [["a__read", true], ["a__write", true]]],
    never: [{ approval: "never", timeoutMs: 20_000 }, [["a__read", false], ["a__write", false]]],
    chosen: [{ tools: ["write"], enabled: true }, [["a__write", true]]],
    again: [{}, [["a__read", false], ["a__write", true]]],
  };
  for (const [name, [settings, expected]] of Object.entries(changes)) {
    plugin.configure({ mcpServers: { a: { ...settings, url: server.url } } });
    assert.deepEqual(asked(), expected, name);
    assert.equal(plugin.servers[0].state, "ready", name);
  }
  assert.equal(handshakes(), 1);
  plugin.configure({ mcpServers: { a: { url: server.url, headers: { "x-key": "another" } } } });
  assert.deepEqual(host.names(), ["a__read", "a__write"], "while it connects again");
  assert.deepEqual((await host.call("a__read")).content[0].text, "done");
  assert.equal(handshakes(), 2);
});

test("a call during a reconnection waits for it", async (t) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  let isHeld = false;
  const initialize = async () => {
    if (isHeld) await held;
    return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } };
  };
  const server = await hostile(t, { initialize, "tools/list": () => ({ tools: [tool("a")] }), "tools/call": () => done });
  const plugin = mcp({ mcpServers: { one: { url: server.url } } });
  const host = connect(t, plugin);
  await host.ready();
  isHeld = true;
  const again = plugin.reconnect("one");
  assert.deepEqual(host.names(), ["one__a"]);
  const result = host.call("one__a");
  const stopped = new AbortController();
  const other = host.call("one__a", {}, { signal: stopped.signal });
  stopped.abort(new Error("stopped"));
  await assert.rejects(other, /stopped/);
  release();
  assert.equal((await result).content[0].text, "done");
  await again;
  // One that is removed does not come back.
  const [{ execute }] = host.tools;
  plugin.configure({ mcpServers: {} });
  await assert.rejects(execute("c", {}, new AbortController().signal, () => {}), /not connected/);
});

test("tools after the last page that is read are named", async (t) => {
  const pages = (count) => ({ cursor = "0" } = {}) => ({ tools: [tool(`t${cursor}`)], ...(Number(cursor) + 1 < count && { nextCursor: String(Number(cursor) + 1) }) });
  for (const [count, locale, expected] of [[20, "en", undefined], [21, "en", /^Some of more than 20 tools of the MCP server a are not used: its list has more pages/], [25, "zh-CN", /^MCP 服务器 a 的 20 个以上的工具中有一部分未被使用：它的列表页数超过读取上限/]]) {
    const server = await hostile(t, { "tools/list": pages(count) });
    const plugin = mcp({ mcpServers: { a: { url: server.url } } });
    const host = connect(t, plugin, { locale });
    await host.ready();
    assert.equal(host.tools.length, 20);
    assert.deepEqual(host.notices.map(({ code }) => code), expected ? ["mcp_tools_left_out"] : []);
    if (expected) assert.match(host.notices[0].message, expected);
    // The app has all that it wants.
    plugin.configure({ mcpServers: { a: { url: server.url, tools: ["t3"] } } });
    const second = connect(t, plugin, { locale });
    await second.ready();
    assert.deepEqual([second.names(), second.notices], [["a__t3"], []]);
  }
});

test("a failure of a server is logged as an error, also before the first request, and once", async (t) => {
  const { url, stop } = await listen(t, () => {});
  await stop();
  const plugin = mcp({ mcpServers: { down: { url } } });
  const errors = [];
  const host = connect(t, plugin);
  host.logger.error = (message, fields) => errors.push([message, fields]);
  await until(plugin, () => plugin.servers[0].state === "failed");
  assert.deepEqual(errors, [["mcp server failed", { server: "down", code: "mcp_unreachable" }]]);
  assert.deepEqual(host.notices, []);
  await host.ready();
  await plugin.reconnect("down");
  assert.deepEqual([errors.length, host.notices.length], [2, 2], "a new attempt of the user is a new failure");
});

/** Serves a tool whose call asks questions: `ask(body)` returns the messages before the result, which waits for the answers. */
async function asking(t, count, message = "Which?") {
  const answers = [];
  const waiting = new Map();
  const server = await hostile(t, { "tools/list": () => ({ tools: [tool("ask")] }) }, {
    http(request, response, body) {
      if (body?.method === "tools/call") {
        const questions = Array.from({ length: count }, (_, at) => ({ id: `q${body.id}-${at}`, method: "elicitation/create", params: { message: `${message} ${at}`, requestedSchema: { type: "object", properties: {} } } }));
        const all = questions.map(({ id }) => new Promise((resolve) => waiting.set(id, resolve)));
        events(response, questions);
        void Promise.all(all).then(() => {
          response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: body.id, result: done })}\n\n`);
          response.end();
        });
        return true;
      }
      if (!body || body.method) return false;
      answers.push(body.result ?? body.error);
      waiting.get(body.id)?.();
      response.writeHead(202).end();
      return true;
    },
  });
  return { ...server, answers };
}

test("a server asks one question at a time, and only so many", async (t) => {
  let [open, most, asked] = [0, 0, 0];
  const elicit = async () => {
    asked++;
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 1));
    open--;
    return { action: "accept", content: { name: "Ann" } };
  };
  const server = await asking(t, 30);
  const host = connect(t, mcp({ mcpServers: { a: { url: server.url } } }, { elicit }));
  await host.ready();
  await host.call("a__ask");
  assert.deepEqual([asked, most], [10, 1]);
  assert.deepEqual(server.answers.map(({ action }) => action).sort(), [...Array(10).fill("accept"), ...Array(20).fill("cancel")]);
  assert.ok(host.problems.some((text) => text.includes("more than 10 questions")));
  // The next call has its own.
  await host.call("a__ask");
  assert.equal(asked, 20);
  const long = await asking(t, 1, "x".repeat(30_000));
  const other = connect(t, mcp({ mcpServers: { a: { url: long.url } } }, { elicit }));
  await other.ready();
  await other.call("a__ask");
  assert.deepEqual([asked, long.answers], [20, [{ action: "cancel" }]]);
});

test("what the app throws or returns instead of an answer stays with the app", async (t) => {
  const secret = "the user's secret";
  const wrong = [() => Promise.reject(new Error(secret)), () => { throw new Error(secret); }, () => undefined, () => secret, () => ({ action: secret }), () => null];
  for (const elicit of wrong) {
    const server = await asking(t, 1);
    const host = connect(t, mcp({ mcpServers: { a: { url: server.url } } }, { elicit }));
    await host.ready();
    await host.call("a__ask");
    assert.deepEqual(server.answers, [{ action: "cancel" }], String(elicit));
    assert.equal(host.problems.length > 0, true);
  }
});

test("a question without a call is not asked, and one whose call is stopped is withdrawn", async (t) => {
  const asked = [];
  const elicit = (question, signal) => new Promise((_, reject) => (asked.push(signal), signal.addEventListener("abort", () => reject(signal.reason))));
  const server = await asking(t, 2);
  const plugin = mcp({ mcpServers: { a: { url: server.url } } }, { elicit });
  const host = connect(t, plugin);
  await host.ready();
  const stopped = new AbortController();
  const call = host.call("a__ask", {}, { signal: stopped.signal });
  while (!asked.length) await new Promise((resolve) => setImmediate(resolve));
  stopped.abort(new Error("stopped"));
  await assert.rejects(call, /stopped/);
  assert.deepEqual([asked.length, asked[0].aborted], [1, true], "the second one was not asked");

  // A server that asks on its own stream, when nobody has called it.
  const alone = [];
  const idle = await hostile(t, { initialize: () => ({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } }), "tools/list": () => ({ tools: [tool("a")] }) }, {
    http(request, response, body) {
      if (request.method === "GET") {
        events(response, [{ id: "q", method: "elicitation/create", params: { message: "Your password?", requestedSchema: { type: "object", properties: {} } } }]);
        return true;
      }
      if (!body || body.method) return false;
      alone.push(body.result ?? body.error);
      response.writeHead(202).end();
      return true;
    },
  });
  const quiet = connect(t, mcp({ mcpServers: { a: { url: idle.url } } }, { elicit }));
  await quiet.ready();
  while (!alone.length) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([alone, asked.length], [[{ action: "cancel" }], 1]);
});
