// A route on a real server, a scripted model on another, and a reader of the stream.
import { createServer } from "node:http";
import { serve } from "@hono/node-server";
import { createDocAgentRoute } from "../../pkg/route.js";

const line = (value) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta, finish_reason = null) => line({ choices: [{ index: 0, delta, finish_reason }] });

/** A tool call in an answer. */
export const call = (id, name, args = {}) => ({ id, name, args });

/** A whole answer of the model: its text and its calls. */
export function answer({ say = "", calls = [] }) {
  const parts = calls.map(({ id, name, args }, index) => ({ index, id, type: "function", function: { name, arguments: JSON.stringify(args) } }));
  return (say ? chunk({ content: say }) : "") + (parts.length ? chunk({ tool_calls: parts }) : "") + chunk({}, parts.length ? "tool_calls" : "stop") + "data: [DONE]\n\n";
}

/** One delta of text. */
export const delta = (content) => chunk({ content });

/**
 * A model at `baseUrl` that gives the answers in order: `{say, calls}`, or a function of the response and the request.
 * `requests` has the bodies; `open` the number of connections whose answer has neither ended nor been cut.
 */
export async function model(t, answers) {
  const queue = typeof answers === "function" ? [] : [...answers];
  const state = { requests: [], open: 0 };
  const server = createServer(async (request, response) => {
    state.open++;
    response.on("close", () => state.open--);
    const parts = [];
    for await (const part of request) parts.push(part);
    state.requests.push(JSON.parse(Buffer.concat(parts).toString()));
    const given = typeof answers === "function" ? answers(state.requests.at(-1)) : (queue.shift() ?? { say: "Nothing more." });
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (typeof given === "function") return given(response, request);
    response.end(answer(given));
  });
  // A process that is busy for seconds would close the connection that its client is about to use again.
  server.keepAliveTimeout = 0;
  state.baseUrl = `${await listening(t, server)}v1`;
  return state;
}

export async function listening(t, server) {
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => new Promise((closed) => (server.closeAllConnections(), server.close(closed))));
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Serves a route with Hono's adapter for Node. Returns its URL. */
export async function routeOn(t, options) {
  const route = createDocAgentRoute(options);
  const server = await new Promise((ready) => {
    const started = serve({ fetch: route.fetch, port: 0, hostname: "127.0.0.1" }, () => ready(started));
  });
  t.after(() => new Promise((closed) => (server.closeAllConnections(), server.close(closed))));
  return `http://127.0.0.1:${server.address().port}/api/doc-agent-chat`;
}

/** `llmConfig` as a front end sends it. */
export const llmConfigOf = ({ baseUrl }) => ({ model: { api: "openai-completions", modelId: "m" }, streamOptions: { apiKey: "sk-test", baseUrl } });

export const post = (url, body, init = {}) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json", ...init.headers }, body: typeof body === "string" ? body : JSON.stringify(body), signal: init.signal });

/** Returns the parsed events of a stream's text; fails for a line that the format does not have. */
export function eventsIn(text) {
  return text.split("\n\n").filter((block) => block && !block.startsWith(":")).map((block) => {
    const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
    if (data === undefined) throw new Error(`not an event: ${block}`);
    const event = JSON.parse(data);
    if (event.seq !== Number(id)) throw new Error(`the id ${id} of ${data}`);
    return event;
  });
}

/** Posts and returns all events. */
export async function run(url, body) {
  const response = await post(url, body);
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return eventsIn(text);
}

/** Resolves when a condition holds. */
export async function until(holds) {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A seeded generator of numbers from 0 to below 1 (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
