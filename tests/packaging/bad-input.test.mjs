// Every public method of the package with invalid values: each refusal is a package error that names the value and what was
// wrong, nothing is left pending, and the wasm keeps working.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, CopydeskError, Document, init } from "../../pkg/index.js";
import { replay } from "../../pkg/full.js";

await init();

const cyclic = () => {
  const value = { operation: "append", role: "user", content: "<p>x</p>" };
  return Object.assign(value, { itself: value, list: [value, { value }] });
};
const deep = (depth = 18_000) => {
  let value = { type: "text", text: "x" };
  for (let level = 0; level < depth; level++) value = { type: "blockquote", content: [value] };
  return value;
};
const deepList = () => Array.from({ length: 18_000 }).reduce((inside) => [inside], []);
const throwing = () => new Proxy({}, Object.fromEntries(Reflect.ownKeys(Reflect).filter((trap) => typeof trap === "string").map((trap) => [trap, () => { throw new Error("a trap"); }])));
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const getter = () => ({ get operation() { throw new Error("a getter"); }, get role() { throw new TypeError("a getter"); }, get type() { throw "a text"; } });

/** Returns invalid values, created for each call. */
const VALUES = {
  "a cyclic object": cyclic,
  "a bigint": () => 1n,
  "an object with a bigint": () => ({ operation: "append", content: 1n, role: "user", type: 1n }),
  "a function": () => () => {},
  "a symbol": () => Symbol("x"),
  "an object with a symbol": () => ({ operation: Symbol("x"), role: Symbol("x") }),
  "a proxy that throws": throwing,
  "a revoked proxy": revoked,
  "a getter that throws": getter,
  "an object without a prototype": () => Object.create(null),
  "a toJSON that throws": () => ({ toJSON() { throw new Error("toJSON"); } }),
  "a toString that throws": () => ({ toString() { throw new Error("toString"); } }),
  "NaN": () => NaN,
  "an object with NaN": () => ({ operation: "replace_lines", sectionIndex: NaN, edits: [{ start_line: NaN }], role: "user", content: NaN }),
  "JSON 18,000 deep": deep,
  "JSON 3,000 deep": () => deep(3_000),
  "a list 18,000 deep": deepList,
  "a Map": () => new Map([[1, 2]]),
  "null": () => null,
  "a number": () => 7,
  "a lone surrogate": () => "\ud800".repeat(10),
  "a huge text with lone surrogates": () => "a\udc00".repeat(500_000),
  "HTML 18,000 deep": () => "<blockquote>".repeat(18_000) + "x",
};

const CODES = new Set([
  "invalid_parameter", "invalid_document", "invalid_schema", "unknown_type", "too_deep", "too_large", "config", "missing_parameter",
  "unknown_operation", "invalid_arguments", "unknown_hunk", "unknown_turn", "not_waiting", "nothing_to_continue", "invalid_recording",
  "would_drop", "section_out_of_range", "not_in_schema", "lines_not_shown", "line_out_of_range", "text_not_found", "markdown_not_loaded", "not_recording",
]);

const answer = (text) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n` +
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
const call = (name) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "c1", function: { name, arguments: "{}" } }] }, finish_reason: null }] })}\n\n` +
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] })}\n\ndata: [DONE]\n\n`;
const stream = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://127.0.0.1:9/v1" } };
const article = () => Document.fromHTML("<h1>Tea</h1><p>Old.</p><h2>Kinds</h2><p>Many.</p>");
const agent = (options = {}) => new Agent({ document: article(), llmConfig, maxRetries: 0, fetch: async () => stream(answer("Done.")), ...options });
const NOTE = { name: "note", description: "Notes.", parameters: { type: "object" }, execute: () => "noted" };

/** Calls every public method, with the value as each argument. */
const METHODS = {
  "Document.fromHTML": (value) => Document.fromHTML(value),
  "Document.fromHTML options": (value) => Document.fromHTML("<p>x</p>", value),
  "Document.fromHTML locale": (value) => Document.fromHTML("<p>x</p>", { locale: value }),
  "Document.fromJSON": (value) => Document.fromJSON(value),
  "Document.fromJSON content": (value) => Document.fromJSON({ type: "doc", content: [value] }),
  "Document.fromJSON attrs": (value) => Document.fromJSON({ type: "doc", content: [{ type: "heading", attrs: { level: value } }] }),
  "Document.fromJSON schema": (value) => Document.fromJSON({ type: "doc", content: [] }, value),
  "Document.fromJSON options": (value) => Document.fromJSON({ type: "doc", content: [{ type: "paragraph" }] }, undefined, value),
  "document.apply": (value) => article().apply(value),
  "document.apply content": (value) => article().apply({ operation: "append", title: "A", content: value }),
  "document.apply title": (value) => article().apply({ operation: "append", title: value, content: "<p>x</p>" }),
  "document.apply sectionIndex": (value) => article().apply({ operation: "replace", sectionIndex: value, content: "<p>x</p>" }),
  "document.apply edits": (value) => article().apply({ operation: "replace_lines", edits: value }),
  "document.apply an edit": (value) => article().apply({ operation: "replace_lines", edits: [{ start_line: value, content: "x" }] }),
  "document.apply format": (value) => article().apply({ operation: "append", content: "<p>x</p>", format: value }),
  "document.setGuards": (value) => article().setGuards(value),
  "document.setGuards scope": (value) => article().setGuards({ scope: value }),
  "document.setGuards locked": (value) => article().setGuards({ locked: [value] }),
  "document.setGuards images": (value) => article().setGuards({ images: { hosts: [value] } }),
  "document.numbered": (value) => article().numbered(value),
  "document.numbered start": (value) => article().numbered({ start: value }),
  "document.numbered style": (value) => article().numbered({ style: value }),
  "document.mode": (value) => void (article().mode = value),
  "document.accept": (value) => article().accept(value),
  "document.accept hunk": (value) => article().accept({ hunk: value }),
  "document.reject": (value) => article().reject(value),
  "document.undoDecision": (value) => article().undoDecision(value),
  "document.undoTurn": (value) => article().undoTurn(value),
  "a method of another object": (value) => Document.prototype.toHTML.call(value),
  "new Agent": (value) => new Agent(value),
  "new Agent document": (value) => agent({ document: value }),
  "new Agent llmConfig": (value) => agent({ llmConfig: value }),
  "new Agent model": (value) => agent({ llmConfig: { ...llmConfig, model: value } }),
  "new Agent modelId": (value) => agent({ llmConfig: { ...llmConfig, model: { ...llmConfig.model, modelId: value } } }),
  "new Agent headers": (value) => agent({ llmConfig: { ...llmConfig, streamOptions: { baseUrl: "http://a.example", headers: value } } }),
  "new Agent apiKey": (value) => agent({ llmConfig: { ...llmConfig, streamOptions: { baseUrl: "http://a.example", apiKey: value } } }),
  "new Agent fetch": (value) => agent({ fetch: value ?? 7 }),
  "new Agent logger": (value) => agent({ logger: value ?? 7 }),
  "new Agent services": (value) => agent({ services: value }),
  "new Agent locale": (value) => agent({ locale: value }),
  "new Agent systemPrompt": (value) => agent({ systemPrompt: value }),
  "new Agent tools": (value) => agent({ tools: value }),
  "new Agent a tool": (value) => agent({ tools: [value] }),
  "new Agent a tool's name": (value) => agent({ tools: [{ ...NOTE, name: value }] }),
  "new Agent a tool's parameters": (value) => agent({ tools: [{ ...NOTE, parameters: value }] }),
  "new Agent a tool's timeout": (value) => agent({ tools: [{ ...NOTE, timeout: value }] }),
  "new Agent maxTurns": (value) => agent({ maxTurns: value }),
  "new Agent needsApproval": (value) => agent({ needsApproval: value }),
  "new Agent a hook": (value) => agent({ beforeToolCall: value }),
  "agent.configure": (value) => agent().configure(value),
  "agent.configure llmConfig": (value) => agent().configure({ llmConfig: value }),
  "agent.configure tools": (value) => agent().configure({ tools: [value] }),
  "agent.prompt": (value) => agent().prompt(value),
  "agent.prompt a message": (value) => agent().prompt([value]),
  "agent.prompt content": (value) => agent().prompt({ role: "user", content: value }),
  "agent.prompt images": (value) => agent().prompt("x", value),
  "agent.prompt an image": (value) => agent().prompt("x", [value]),
  "agent.steer": (value) => agent().steer(value),
  "agent.followUp": (value) => agent().followUp(value),
  "agent.approve": (value) => agent().approve(value, true),
  "agent.approve approved": (value) => agent().approve("c1", value),
  "agent.approve reason": (value) => agent().approve("c1", true, value),
  "agent.subscribe": (value) => agent().subscribe(value),
  "agent.messages": (value) => void (agent().messages = value),
  "agent.messages one": (value) => void (agent().messages = [value]),
  replay: (value) => replay(value),
  "replay options": (value) => replay("{}", value),
};

/** Returns the outcome of a call: an error, null, or `pending` where it did not end. */
async function outcome(run) {
  const late = Symbol();
  let timer;
  try {
    const ended = await Promise.race([run(), new Promise((resolve) => (timer = setTimeout(resolve, 20_000, late)))]);
    return ended === late ? "pending" : null;
  } catch (thrown) {
    return thrown;
  } finally {
    clearTimeout(timer);
  }
}

/** Asserts that an error is one of the package and says what was wrong. */
function assertTyped(error, what) {
  assert.notEqual(error, "pending", `${what}: it never ends`);
  if (error === null) return;
  assert.ok(error instanceof CopydeskError, `${what}: ${error?.stack ?? String(error)}`);
  assert.ok(CODES.has(error.code), `${what}: ${error.code}: ${error.message}`);
  assert.match(error.message, /\S{3}.*[.)"]$/s, what);
  assert.ok(error.message.length < 3_000, `${what}: it quotes ${error.message.length} characters`);
}

for (const [method, invoke] of Object.entries(METHODS)) {
  test(`${method} refuses invalid values with a typed error, or accepts them`, async () => {
    for (const [name, make] of Object.entries(VALUES)) {
      assertTyped(await outcome(() => invoke(make())), `${method} of ${name}`);
    }
    assert.equal(article().lines().length, 4, "the wasm goes on");
  });
}

test("values that are certainly invalid are not accepted", async () => {
  const refused = { "document.apply": "update", "document.setGuards": "guards", "Document.fromJSON": "json", "new Agent": "options", "agent.configure": "settings" };
  for (const [method, name] of Object.entries(refused)) {
    for (const value of ["a cyclic object", "a bigint", "a function", "a symbol", "a proxy that throws", "a revoked proxy", "NaN", "JSON 18,000 deep"]) {
      const error = await outcome(() => METHODS[method](VALUES[value]()));
      assert.ok(error instanceof CopydeskError, `${method} takes ${value}`);
      if (method !== "Document.fromJSON" && error.code === "invalid_parameter") assert.match(error.details.name, new RegExp(`^(${name}|llmConfig|document|options)`), `${method} of ${value}: ${error.message}`);
    }
  }
  const named = await outcome(() => article().apply({ operation: "replace_lines", edits: [{ start_line: NaN, content: "x" }] }));
  assert.equal(named.details.name, "update.edits[0].start_line");
});

/** Runs a prompt with an app that returns the value. Returns the result and the events. */
async function ran(options, bodies) {
  const queue = [...bodies];
  const one = agent({ fetch: async () => stream(queue.shift() ?? answer("Done.")), runTimeout: 15_000, ...options });
  const events = [];
  one.subscribe((event) => events.push(event));
  let result;
  const error = await outcome(async () => (result = await one.prompt("Go")));
  return { error, result, events };
}

// A TypeError of the app's fetch is what a browser throws for the network.
const CODES_OF_RUNS = new Set([...CODES, "unreachable", "hook_failed", "tool_failed", "tool_blocked", "fetch_failed", "malformed_stream", "stream_cut", "not_a_stream", "bad_request", "server_error"]);

for (const hook of ["transformContext", "convertToLlm", "getApiKey", "beforeToolCall", "afterToolCall"]) {
  test(`whatever ${hook} returns or throws, the run ends with a typed error or continues`, async () => {
    for (const [name, make] of Object.entries(VALUES)) {
      for (const give of [() => make(), async () => make(), () => { throw make(); }]) {
        const { error, result } = await ran({ [hook]: give, tools: [NOTE] }, [call("note")]);
        assert.equal(error, null, `${hook} with ${name}: ${error?.stack ?? error}`);
        if (result.error) assert.ok(CODES_OF_RUNS.has(result.error.code), `${hook} with ${name}: ${JSON.stringify(result.error)}`);
      }
    }
  });
}

test("whatever a tool returns, reports or throws, its call has a result and the run continues", async () => {
  for (const [name, make] of Object.entries(VALUES)) {
    for (const execute of [() => make(), (_id, _args, _signal, update) => (update(make()), "reported"), () => { throw make(); }, () => ({ content: [{ type: "text", text: make() }], details: make() })]) {
      const { error, result, events } = await ran({ tools: [{ ...NOTE, execute }] }, [call("note")]);
      assert.equal(error, null, `a tool with ${name}: ${error?.stack ?? error}`);
      assert.equal(result.status, "complete", `a tool with ${name}: ${JSON.stringify(result.error)}`);
      const given = events.find(({ type }) => type === "tool_result");
      assert.ok(given, `a tool with ${name}`);
      const { code } = given.content?.error ?? {};
      assert.ok(!given.isError || CODES_OF_RUNS.has(code), `a tool with ${name}: ${JSON.stringify(given.content).slice(0, 300)}`);
    }
  }
});

test("whatever the app's fetch returns or throws, the run fails with a typed error", async () => {
  for (const [name, make] of Object.entries(VALUES)) {
    const shapes = [
      () => make(),
      () => { throw make(); },
      () => ({ status: make(), headers: new Headers(), body: null }),
      () => ({ status: 200, headers: make(), body: null }),
      () => ({ status: 200, headers: new Headers(), body: make() }),
      () => ({ status: 200, headers: new Headers(), body: { getReader: () => ({ read: async () => ({ done: false, value: make() }) }) } }),
      () => ({ status: 200, headers: new Headers(), body: null, redirected: make(), url: make(), type: make() }),
      () => ({ status: 302, headers: { get: () => make() }, body: null }),
    ];
    for (const fetch of shapes) {
      const { error, result } = await ran({ fetch }, []);
      assert.equal(error, null, `fetch with ${name}: ${error?.stack ?? error}`);
      assert.equal(result.status, "error", `fetch with ${name}`);
      assert.ok(CODES_OF_RUNS.has(result.error.code) || result.error.code === "redirected", `fetch with ${name}: ${JSON.stringify(result.error)}`);
    }
  }
});
