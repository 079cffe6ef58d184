// The log of an agent, and the redaction of keys everywhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, call, chunk, model, pageWith, status } from "./model.mjs";

const KEY = "sk-test-0123456789abcdef";

test("without a logger nothing is logged, not even to the console", async (t) => {
  const server = await model(t, [status(503), { calls: [call("c1", "broken")] }, { say: "Done." }]);
  const page = await pageWith(t, server.baseUrl, "", { expected: [/503/] });
  const written = [];
  page.on("console", (message) => written.push(message.text()));
  await page.evaluate(async () => {
    const broken = () => {
      throw new Error("no");
    };
    await agentWith({ tools: [tool("broken", broken)] }).prompt("Go");
  });
  assert.deepEqual(written.filter((text) => !/503/.test(text)), [], "the browser itself tells of the 503");
});

test("a logger receives each request and call in order, with ids and durations, and no text above debug", async (t) => {
  const secret = "the secret plan";
  const server = await model(t, [
    status(503),
    { say: `About ${secret}`, calls: [call("c1", "get_document"), call("c2", "broken", { note: secret })] },
    { say: "Done." },
  ]);
  const page = await pageWith(t, server.baseUrl, `<h2>${secret}</h2><p>x</p>`, { expected: [/503/] });
  const entries = await page.evaluate(async (secret) => {
    const entries = [];
    const level = (name) => (message, fields) => entries.push({ level: name, message, ...fields });
    const logger = { debug: level("debug"), info: level("info"), warning: level("warning"), error: level("error") };
    const broken = ({ note }) => {
      throw new Error(note);
    };
    await agentWith({ logger, tools: [tool("broken", broken)] }).prompt(`Write about ${secret}`);
    return entries;
  }, secret);
  const told = entries.filter(({ level }) => level !== "debug");
  const { origin } = new URL(server.baseUrl);
  const short = told.map(({ level, message, requestId, toolId, status, code, attempt }) =>
    [level, message, requestId ?? toolId ?? attempt, status ?? code].filter((part) => part !== undefined).join(" "),
  );
  assert.deepEqual(short.filter((line) => !/ c\d/.test(line)), [
    "info request started 1",
    "warning request answered 1 503",
    "warning retry 1 overloaded",
    "info request started 2",
    "info request answered 2 200",
    "info request started 3",
    "info request answered 3 200",
    "info run finished complete",
  ]);
  assert.deepEqual(short.filter((line) => line.includes(" c1")), ["info tool started c1", "info tool finished c1"]);
  assert.deepEqual(short.filter((line) => line.includes(" c2")), ["info tool started c2", "error tool finished c2 tool_failed"]);
  const turns = new Set(told.filter(({ message }) => message === "tool started").map(({ turnId }) => turnId));
  assert.equal(turns.size, 1);
  for (const entry of told) {
    if (/answered|finished/.test(entry.message)) assert.equal(typeof entry.ms, "number", entry.message);
    if (entry.message === "request started") assert.deepEqual([entry.method, entry.origin], ["POST", origin]);
  }
  assert.doesNotMatch(JSON.stringify(told), new RegExp(secret));
  assert.match(JSON.stringify(entries), new RegExp(secret), "what was sent is there for whoever looks for a fault");
});

test("an edit that was applied is logged", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "update_section", { operation: "append", title: "New", content: "<p>x</p>" })] }, { say: "Done." }]);
  const page = await pageWith(t, server.baseUrl, "<h2>Tea</h2><p>x</p>");
  const applied = await page.evaluate(async () => {
    const entries = [];
    await agentWith({ logger: { info: (message, fields) => entries.push({ message, ...fields }) } }).prompt("Write");
    return entries.filter(({ message }) => message === "apply").map(({ toolId, operation, changes, version }) => [toolId, operation, changes, version === boundDocument.version]);
  });
  assert.deepEqual(applied, [["c1", "append", 1, true]]);
});

test("a logger with some levels receives only those; one that throws disturbs nothing", async (t) => {
  const server = await model(t, [status(503), { say: "Done." }]);
  const page = await pageWith(t, server.baseUrl, "", { expected: [/503/] });
  const seen = await page.evaluate(async () => {
    let told = 0;
    const warning = () => {
      told++;
      throw new Error("the disk is full");
    };
    const { status } = await agentWith({ logger: { warning } }).prompt("Go");
    return { told, status };
  });
  assert.deepEqual(seen, { told: 2, status: "complete" });
});

/** Texts with the key in it that a server might send back. */
const echoes = {
  "an error page": { first: (response) => status(401, {}, { error: { message: `Incorrect API key provided: ${KEY}` } })(response), result: "error" },
  "an error in the stream": { first: (response) => begin(response).end(`data: ${JSON.stringify({ error: { message: `No quota for ${KEY}` } })}\n\n`), result: "error" },
  "a web page": { first: (response) => response.writeHead(200, { "content-type": "text/html" }).end(`<p>${KEY}</p>`), result: "error" },
  "a redirect to an address with it": { first: (response) => response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ detail: `/v1?key=${KEY}` })), result: "error" },
};

for (const [name, { first, result }] of Object.entries(echoes)) {
  for (const given of ["apiKey", "getApiKey"]) {
    test(`a key that ${name} repeats is redacted in events, errors, messages, log and ledger (${given})`, async (t) => {
      const server = await model(t, [first]);
      const page = await pageWith(t, server.baseUrl, "", { expected: [/40[14]/] });
      const seen = await page.evaluate(
        async ({ key, given }) => {
          const entries = [];
          const write = (message, fields) => entries.push([message, fields]);
          const logger = { debug: write, info: write, warning: write, error: write };
          agentWith({ maxRetries: 0, logger, ...(given === "apiKey" ? { apiKey: key } : { getApiKey: () => key }) });
          const outcome = await agent.prompt("Go");
          const { tools, pendingToolCalls, ...state } = agent.state;
          return { status: outcome.status, all: JSON.stringify([outcome, events, entries, agent.messages, agent.ledger, agent.usage, state]), entries: entries.length };
        },
        { key: KEY, given },
      );
      assert.equal(server.requests[0].headers.authorization, `Bearer ${KEY}`);
      assert.equal(seen.status, result);
      assert.ok(seen.entries > 2);
      assert.ok(!seen.all.includes(KEY), seen.all);
    });
  }
}

test("a key that the user pastes into the conversation is in the request, and redacted in the log", async (t) => {
  const search = await model(t, [(response) => response.writeHead(200, { "content-type": "application/json" }).end('{"results":[]}')]);
  const server = await model(t, [{ calls: [call("c1", "search_web", { query: "tea" })] }, { say: "Fine." }]);
  const page = await pageWith(t, server.baseUrl);
  const log = await page.evaluate(
    async ({ key, baseUrl }) => {
      const entries = [];
      const write = (message, fields) => entries.push([message, fields]);
      const services = { web: { provider: "tavily", apiKey: "tvly-98765432", baseUrl } };
      await agentWith({ apiKey: key, services, logger: { debug: write, info: write } }).prompt(`My key is ${key}, and tvly-98765432 too`);
      return JSON.stringify(entries);
    },
    { key: KEY, baseUrl: search.baseUrl },
  );
  assert.match(JSON.stringify(server.requests[0].body), new RegExp(KEY));
  assert.match(log, /My key is /);
  assert.ok(!log.includes(KEY) && !log.includes("tvly-98765432"), "a key is in the log");
});
