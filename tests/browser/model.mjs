// A scripted model over real HTTP on loopback, and a page with an agent that uses it.
import { atEnd } from "../at-end.mjs";
import { listen, opener } from "./harness.mjs";

export const openEditor = opener("editor");

/** A tool call in an answer. */
export const call = (id, name, args = {}) => ({ id, name, args });

const line = (value) => `data: ${JSON.stringify(value)}\n\n`;
export const chunk = (delta, finish_reason = null) => line({ choices: [{ index: 0, delta, finish_reason }] });

/** A complete answer: its text and its calls. */
export function answer({ say = "", calls = [], usage }) {
  const parts = calls.map(({ id, name, args }, index) => ({ index, id, type: "function", function: { name, arguments: JSON.stringify(args) } }));
  const counted = usage ? line({ choices: [], usage }) : "";
  const said = say ? chunk({ content: say }) : "";
  return said + (parts.length ? chunk({ tool_calls: parts }) : "") + chunk({}, parts.length ? "tool_calls" : "stop") + counted + "data: [DONE]\n\n";
}

export const begin = (response) => response.writeHead(200, { "content-type": "text/event-stream" });

/** An answer that is a server error. */
export const status = (code, headers = {}, body = {}) => (response) =>
  response.writeHead(code, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

/**
 * A server with CORS. Each request is recorded with its body, headers, path and `cut`, a promise that resolves when the
 * connection was closed before its end; `asked` are the header names of preflight requests.
 */
export async function listenTo(t, respond) {
  const requests = [];
  const asked = [];
  const server = await listen(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-expose-headers", "retry-after, retry-after-ms");
    if (request.method === "OPTIONS") {
      const headers = request.headers["access-control-request-headers"] ?? "";
      asked.push(...headers.split(",").map((name) => name.trim()));
      return response.writeHead(204, { "access-control-allow-headers": headers }).end();
    }
    const parts = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const cut = new Promise((resolve) => response.on("close", () => response.writableFinished || resolve()));
    const kept = { body: text && JSON.parse(text), headers: request.headers, path: request.url, cut };
    requests.push(kept);
    return respond(response, kept);
  });
  atEnd(t, () => server.close());
  return { url: server.url, requests, asked };
}

/** A model that gives the answers in order: `{say, calls, usage}`, or a function of the response and the request. */
export async function model(t, answers) {
  const queue = [...answers];
  const { url, requests } = await listenTo(t, (response, asked) => {
    const given = queue.shift() ?? { say: "Nothing more." };
    if (typeof given === "function") return given(response, asked);
    begin(response).end(answer(given));
  });
  return { baseUrl: `${url}v1`, requests, tool: (at) => results(requests[at]) };
}

/** Returns the tool results in a request, by call id. */
function results({ body }) {
  return Object.fromEntries(body.messages.filter(({ role }) => role === "tool").map((message) => [message.tool_call_id, message.content]));
}

/** Opens an editor with this content; `agentWith(options)` in the page creates an agent and collects its events. */
export async function pageWith(t, baseUrl, html = "<p></p>", options) {
  const page = await openEditor(t, options);
  await give(page, baseUrl, html);
  return page;
}

export async function give(page, baseUrl, html) {
  await page.evaluate(
    ({ baseUrl, html }) => {
      edit(html);
      window.events = [];
      window.agentWith = ({ apiKey, cost, timeout, contextWindow, ...options } = {}) => {
        const streamOptions = { baseUrl, apiKey, timeout };
        const llmConfig = { model: { api: "openai-completions", modelId: "m", cost, contextWindow }, streamOptions };
        // Most tests compare messages, and have the model read; selection.test.mjs sets it.
        window.agent = new Agent({ document: editor, llmConfig, documentInPrompt: false, ...options });
        agent.subscribe((event) => events.push(event));
        return agent;
      };
      window.tool = (name, execute, rest = {}) => ({ name, description: name, parameters: { type: "object" }, execute, ...rest });
      window.until = async (holds) => {
        while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      window.saw = (type) => events.filter((event) => event.type === type);
    },
    { baseUrl, html },
  );
}
