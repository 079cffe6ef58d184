// Real MCP servers on loopback, for tests in Node and in pages.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { atEnd } from "../at-end.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const EVERYTHING = at("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const GATEWAY = at("../../node_modules/supergateway/dist/index.js");
const LOOPBACK = new URL("loopback.mjs", import.meta.url).href;

/** The settings of server-everything as a process. */
export const EVERYTHING_PROCESS = { command: process.execPath, args: [EVERYTHING, "stdio"] };

/** Starts a program that listens on a port, for a test. Returns its origin and a function that ends it. */
export async function start(t, args, env = {}) {
  const options = { stdio: ["ignore", "ignore", "ignore", "ipc"], detached: true, env: { ...process.env, ...env } };
  const child = spawn(process.execPath, ["--import", LOOPBACK, ...args], options);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // Its own group: a gateway has a server as its child.
  const stop = async () => {
    child.ref();
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  atEnd(t, stop);
  const port = await Promise.race([
    new Promise((resolve) => child.once("message", (message) => resolve(message.port))),
    ended.then((code) => assert.fail(`${args[0]} ended with ${code}`)),
  ]);
  child.channel?.unref();
  child.unref();
  return { origin: `http://127.0.0.1:${port}`, port, stop };
}

/** Starts server-everything over Streamable HTTP: sessions of 2025-11-25. Returns its URL. */
export async function everything(t, port = 0) {
  const started = await start(t, [EVERYTHING, "streamableHttp"], { PORT: String(port) });
  return { ...started, url: `${started.origin}/mcp` };
}

/** Starts supergateway in front of server-everything over stdio. `kind` is "streamableHttp" or "sse". */
export async function gateway(t, kind) {
  const command = `"${process.execPath}" "${EVERYTHING}" stdio`;
  const stateful = kind === "sse" ? [] : ["--stateful"];
  const { origin } = await start(t, [GATEWAY, "--stdio", command, "--outputTransport", kind, ...stateful, "--port", "0", "--cors", "--logLevel", "none"]);
  return { url: `${origin}/${kind === "sse" ? "sse" : "mcp"}` };
}

/** Serves on a free port, for a test. Returns `{origin, url, requests}`: `respond(request, response, body)`. */
export async function listen(t, respond, { cors = true, port = 0 } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    if (cors) {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-expose-headers", "mcp-session-id");
      response.setHeader("access-control-allow-methods", "GET, POST, DELETE");
      response.setHeader("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "");
      if (request.method === "OPTIONS") return response.writeHead(204).end();
    }
    const parts = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const kept = { method: request.method, headers: request.headers, body: text ? JSON.parse(text) : undefined };
    requests.push(kept);
    return respond(request, response, kept.body);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  atEnd(t, stop);
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, url: `${origin}/mcp`, port: server.address().port, requests, stop };
}

/**
 * Starts a server of 2026-07-28, without sessions, of the official package. `state` tells what its tools saw;
 * `addTool(name)` adds a tool and notifies clients.
 */
export async function newEra(t, options = {}) {
  const state = { cancelled: 0, running: 0, most: 0, release: undefined };
  const added = [];
  const text = (given) => ({ content: [{ type: "text", text: given }] });
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "new-era", version: "1.0.0" }, { capabilities: { tools: { listChanged: true } } });
      const readOnly = { annotations: { readOnlyHint: true } };
      server.registerTool("add", { description: "Adds", inputSchema: z.object({ a: z.number(), b: z.number() }), ...readOnly }, async ({ a, b }) => text(String(a + b)));
      server.registerTool("remove", { description: "Removes", inputSchema: z.object({ path: z.string() }) }, async ({ path }) => text(`removed ${path}`));
      server.registerTool("rename", { description: "Renames", inputSchema: z.object({}), annotations: { destructiveHint: false } }, async () => text("renamed"));
      server.registerTool("weather", { description: "Structured", inputSchema: z.object({}), outputSchema: z.object({ degrees: z.number() }), ...readOnly }, async () => ({ content: [], structuredContent: { degrees: 21 } }));
      server.registerTool("wait", { description: "Waits", inputSchema: z.object({}), ...readOnly }, async (_, { mcpReq: { signal } }) => {
        state.running++;
        state.most = Math.max(state.most, state.running);
        await new Promise((resolve) => {
          signal.addEventListener("abort", () => (state.cancelled++, resolve()));
          (state.release ??= []).push(resolve);
        });
        state.running--;
        return text("waited");
      });
      for (const name of added) server.registerTool(name, { description: name, inputSchema: z.object({}), ...readOnly }, async () => text(name));
      return server;
    },
    { legacy: "reject" },
  );
  const serve = toNodeHandler(handler);
  const served = await listen(t, (request, response, body) => serve(request, response, body), options);
  atEnd(t, () => handler.close());
  const addTool = (name) => {
    added.push(name);
    handler.notify.toolsChanged();
  };
  return { ...served, state, addTool };
}

/**
 * Serves 2025-11-25 by hand, to misbehave: `answers` are functions of the parameters by method, whose results are those
 * of JSON-RPC; `http(request, response, body)` may respond itself by returning true.
 */
export async function hostile(t, answers, { http = () => false, ...options } = {}) {
  const defaults = {
    initialize: () => ({ protocolVersion: "2025-11-25", capabilities: { tools: { listChanged: true } }, serverInfo: { name: "hostile", version: "1" } }),
    "tools/list": () => ({ tools: [] }),
  };
  return listen(
    t,
    async (request, response, body) => {
      if (await http(request, response, body)) return;
      if (request.method !== "POST") return response.writeHead(405).end();
      if (body.id === undefined) return response.writeHead(202).end();
      const answer = { ...defaults, ...answers }[body.method];
      const error = { code: -32601, message: "no such method" };
      const said = { jsonrpc: "2.0", id: body.id, ...(answer ? { result: await answer(body.params) } : { error }) };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(said));
    },
    options,
  );
}
