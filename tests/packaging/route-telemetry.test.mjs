// Metrics and traces of a route, read with the exporters of OpenTelemetry's own SDK.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as api from "@opentelemetry/api";
import { InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog } from "../../pkg/route.js";
import { read, tables } from "../browser/docs.mjs";
import { answer, call, delta, llmConfigOf, model, until } from "./route-server.mjs";

await init();

const URL_OF = "http://127.0.0.1/api/doc-agent-chat";
const TEA = "<h1>Tea</h1><p>A secret leaf.</p>";
const usage = (input, output, cached, reasoning) => `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, prompt_tokens_details: { cached_tokens: cached }, completion_tokens_details: { reasoning_tokens: reasoning } } })}\n\n`;
/** An answer with its usage before the end. */
const counted = (given, ...tokens) => (response) => response.end(answer(given).replace("data: [DONE]", `${usage(...tokens)}data: [DONE]`));

/** Contexts as Node's context manager of OpenTelemetry keeps them. */
const storage = new AsyncLocalStorage();
api.context.setGlobalContextManager({
  active: () => storage.getStore() ?? api.ROOT_CONTEXT,
  with: (context, run, self, ...given) => storage.run(context, () => run.call(self, ...given)),
  bind: (_context, target) => target,
  enable() { return this; },
  disable() { return this; },
});

/** The API with providers of its own, and what they export. */
function telemetry(t) {
  const metrics = new InMemoryMetricExporter(1);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  t.after(() => Promise.all([meters.shutdown(), tracers.shutdown()]));
  const trace = { getTracer: (name) => tracers.getTracer(name), setSpan: api.trace.setSpan };
  return {
    openTelemetry: { ...api, metrics: meters, trace },
    spans: () => spans.getFinishedSpans(),
    /** The series of each metric: `[attributes, value]`; of a histogram, its number of values. */
    async series() {
      await reader.forceFlush();
      const all = metrics.getMetrics().at(-1)?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
      return Object.fromEntries(all.map(({ descriptor, dataPoints }) => [descriptor.name, { unit: descriptor.unit, points: dataPoints.map(({ attributes, value }) => ({ attributes, value, count: value.count, sum: value.sum })) }]));
    },
  };
}

async function send(route, body, headers = {}) {
  const response = await route.fetch(new Request(URL_OF, { method: "POST", headers, body: JSON.stringify(body) }));
  return response.text();
}

/** Resolves when no run is under way. */
const idle = (route) => until(async () => (await (await route.fetch(new Request(`${URL_OF}/health`))).json()).runs === 0);
const total = ({ points }, where = () => true) => points.filter(({ attributes }) => where(attributes)).reduce((sum, { value, count }) => sum + (count ?? value), 0);
const body = (more) => ({ message: "Write", documentContent: TEA, ...more });
const tool = (execute) => ({ name: "look", description: "Looks.", parameters: { type: "object", properties: { at: { type: "string" } } }, execute });
const looks = call("c", "look", { at: "hidden argument" });

test("a run is a span with its requests and calls, and their metrics, by the conventions", async (t) => {
  const seen = telemetry(t);
  let inside;
  const look = tool(async () => {
    await Promise.resolve();
    inside = api.trace.getSpan(api.context.active());
    return "hidden result";
  });
  const llm = await model(t, [counted({ say: "hidden text", calls: [looks] }, 100, 20, 60, 5), counted({ say: "Done." }, 130, 10, 90, 0)]);
  const route = createDocAgentRoute({ openTelemetry: seen.openTelemetry, tools: [look], llmConfig: llmConfigOf(llm), log: memoryLog() });
  const tracer = seen.openTelemetry.trace.getTracer("app");
  const parent = tracer.startSpan("POST");
  await api.context.with(api.trace.setSpan(api.ROOT_CONTEXT, parent), () => send(route, body({ runId: "r" })));
  await idle(route);
  parent.end();
  const spans = seen.spans();
  assert.deepEqual(spans.map(({ name }) => name).sort(), ["POST", "chat m", "chat m", "execute_tool look", "invoke_agent copydesk"]);
  const [run] = spans.filter(({ name }) => name.startsWith("invoke_agent"));
  const port = Number(new URL(llm.baseUrl).port);
  const server = { "gen_ai.provider.name": "openai", "gen_ai.request.model": "m", "server.address": "127.0.0.1", "server.port": port };
  assert.deepEqual(run.attributes, {
    "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "copydesk", ...server, "copydesk.run.id": "r", "copydesk.run.status": "complete",
    "gen_ai.usage.input_tokens": 230, "gen_ai.usage.output_tokens": 30, "gen_ai.usage.cache_read.input_tokens": 150, "gen_ai.usage.cache_write.input_tokens": 0, "gen_ai.usage.reasoning.output_tokens": 5,
  });
  assert.equal(run.parentSpanContext.spanId, parent.spanContext().spanId);
  const children = spans.filter(({ name }) => /^(chat|execute)/.test(name));
  for (const { parentSpanContext, kind, name, status } of children) {
    assert.equal(parentSpanContext.spanId, run.spanContext().spanId);
    assert.equal(kind, name.startsWith("chat") ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL);
    assert.equal(status.code, api.SpanStatusCode.UNSET);
  }
  const [executed] = children.filter(({ name }) => name.startsWith("execute"));
  assert.deepEqual(executed.attributes, { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.type": "function", "gen_ai.tool.call.id": "c" });
  assert.equal(inside.spanContext().spanId, executed.spanContext().spanId, "spans of the tool are within its call");
  const [chat] = children.filter(({ name }) => name.startsWith("chat"));
  const { "gen_ai.response.time_to_first_chunk": first, ...rest } = chat.attributes;
  assert.deepEqual(rest, { "gen_ai.operation.name": "chat", "gen_ai.request.stream": true, ...server });
  assert.ok(first >= 0);

  const series = await seen.series();
  const chats = { "gen_ai.operation.name": "chat", ...server };
  const agent = { "gen_ai.agent.name": "copydesk", ...server };
  const expected = {
    "gen_ai.invoke_agent.duration": ["s", [[{ ...agent, "copydesk.run.status": "complete" }, 1]]],
    "gen_ai.invoke_agent.inference_calls": ["{inference_call}", [[agent, 1]]],
    "gen_ai.invoke_agent.tool_calls": ["{tool_call}", [[agent, 1]]],
    "copydesk.run.turns": ["{turn}", [[agent, 1]]],
    "copydesk.run.active": ["{run}", [[{}, 0]]],
    "copydesk.run.time_to_first_event": ["s", [[server, 1]]],
    "gen_ai.client.inference.duration": ["s", [[chats, 2]]],
    "gen_ai.client.inference.time_to_first_chunk": ["s", [[chats, 2]]],
    "gen_ai.execute_tool.duration": ["s", [[{ "gen_ai.agent.name": "copydesk", "gen_ai.tool.name": "look", "gen_ai.tool.type": "function" }, 1]]],
    ...Object.fromEntries(
      Object.entries({ input_tokens: 230, output_tokens: 30, "cache_read.input_tokens": 150, "reasoning.output_tokens": 5 }).map(([kind, count]) => [
        `gen_ai.client.inference.usage.${kind}`,
        ["{token}", [[{ ...chats, "gen_ai.token.modality": "unknown" }, count]]],
      ]),
    ),
  };
  const found = Object.entries(series).map(([name, { unit, points }]) => [name, [unit, points.map(({ attributes, count, value }) => [attributes, count ?? value])]]);
  assert.deepEqual(Object.fromEntries(found), expected);
  assert.deepEqual(["inference_calls", "tool_calls"].map((name) => series[`gen_ai.invoke_agent.${name}`].points[0].sum), [2, 1]);
  assert.equal(series["copydesk.run.turns"].points[0].sum, 2);
  const text = JSON.stringify([series, spans.map(({ name, attributes, events, status }) => [name, attributes, events, status])]);
  for (const secret of ["hidden", "secret leaf", "Write", "sk-test"]) assert.ok(!text.includes(secret), secret);
});

test("what fails has its code: requests that are sent again, calls, runs; refused calls are none that ran", async (t) => {
  const seen = telemetry(t);
  const cut = (response) => (response.write(delta("lost ")), setTimeout(() => response.destroy(), 5));
  const look = tool(() => {
    throw new Error("hidden reason");
  });
  const llm = await model(t, [cut, { calls: [looks, call("u", `made_up_${"x".repeat(50)}`)] }, { say: "Done." }]);
  const route = createDocAgentRoute({ openTelemetry: seen.openTelemetry, tools: [look], llmConfig: llmConfigOf(llm), logger: {} });
  await send(route, body());
  const dead = createDocAgentRoute({ openTelemetry: seen.openTelemetry, llmConfig: llmConfigOf({ baseUrl: "http://127.0.0.1:1/v1" }), maxRetries: 0, logger: {} });
  assert.match(await send(dead, body()), /"type":"error"/);
  await Promise.all([route, dead].map(idle));
  const series = await seen.series();
  const errors = (name) => series[name].points.flatMap(({ attributes, count }) => (attributes["error.type"] ? [[attributes["error.type"], count]] : []));
  assert.deepEqual(errors("gen_ai.client.inference.duration").map(([, count]) => count), [1, 1]);
  assert.match(String(errors("gen_ai.client.inference.duration")), /stream_cut/);
  assert.deepEqual(errors("gen_ai.execute_tool.duration"), [["tool_failed", 1]]);
  assert.equal(errors("gen_ai.invoke_agent.duration").length, 1);
  assert.equal(total(series["gen_ai.execute_tool.duration"]), 1);
  assert.ok(!JSON.stringify(series).includes("made_up"), "names that a model makes up are no series");
  assert.deepEqual(series["gen_ai.invoke_agent.tool_calls"].points.map(({ sum }) => sum).sort(), [0, 2]);
  assert.deepEqual(series["gen_ai.invoke_agent.inference_calls"].points.map(({ sum }) => sum).sort(), [1, 3]);
  const failed = seen.spans().filter(({ status }) => status.code === api.SpanStatusCode.ERROR);
  assert.deepEqual(failed.map(({ name }) => name).sort(), ["chat m", "chat m", "execute_tool look", "invoke_agent copydesk"]);
});

test("a run that is stopped, and one that waits for approval, end their spans and are counted", async (t) => {
  const seen = telemetry(t);
  const llm = await model(t, [(response) => void response.write(delta("word ")), { calls: [looks] }]);
  const controller = new AbortController();
  const look = { ...tool(() => "seen"), needsApproval: true };
  const route = createDocAgentRoute({ format: "ui-message-stream", openTelemetry: seen.openTelemetry, tools: [look], llmConfig: llmConfigOf(llm) });
  const response = await route.fetch(new Request(URL_OF, { method: "POST", body: JSON.stringify(body({ id: "conversation" })), signal: controller.signal }));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  await until(async () => (text += (await reader.read()).value).includes("word "));
  assert.equal(total((await seen.series())["copydesk.run.active"]), 1);
  controller.abort();
  await idle(route);
  await send(route, body({ id: "conversation" }));
  await idle(route);
  const series = await seen.series();
  assert.deepEqual(series["gen_ai.invoke_agent.duration"].points.map(({ attributes }) => attributes["copydesk.run.status"]).sort(), ["aborted", "waiting"]);
  assert.equal(total(series["copydesk.run.active"]), 0);
  const runs = seen.spans().filter(({ name }) => name.startsWith("invoke_agent"));
  assert.deepEqual(runs.map(({ attributes }) => attributes["gen_ai.conversation.id"]), ["conversation", "conversation"]);
  assert.equal(seen.spans().filter(({ name }) => name.startsWith("chat")).length, 2);
});

test("names that clients choose are no attributes of metrics", async (t) => {
  const seen = telemetry(t);
  const llm = await model(t, () => ({ say: "Done." }));
  const route = createDocAgentRoute({ openTelemetry: seen.openTelemetry });
  const modelOf = (modelId) => ({ ...llmConfigOf(llm), model: { api: "openai-completions", modelId } });
  for (let at = 0; at < 20; at += 1) await send(route, body({ llmConfig: modelOf(`chosen-${at}`) }));
  await idle(route);
  const series = await seen.series();
  assert.ok(!JSON.stringify(series).includes("chosen"));
  assert.deepEqual(series["gen_ai.client.inference.duration"].points.map(({ count }) => count), [20]);
  assert.ok(seen.spans().some(({ attributes }) => attributes["gen_ai.request.model"] === "chosen-7"));
});

test("the API itself, without an SDK, is accepted, and the package does not import it", async (t) => {
  const llm = await model(t, [{ calls: [looks] }, { say: "Done." }]);
  const route = createDocAgentRoute({ openTelemetry: api, tools: [tool(() => "seen")], llmConfig: llmConfigOf(llm) });
  assert.match(await send(route, body()), /"type":"complete"/);
  const { peerDependencies, peerDependenciesMeta, dependencies = {} } = JSON.parse(readFileSync(new URL("../../pkg/package.json", import.meta.url), "utf8"));
  assert.ok(peerDependencies["@opentelemetry/api"] && peerDependenciesMeta["@opentelemetry/api"].optional && !dependencies["@opentelemetry/api"]);
  const built = readFileSync(new URL("../../pkg/route/telemetry.js", import.meta.url), "utf8");
  assert.doesNotMatch(built, /from "@opentelemetry|import\("@opentelemetry/);
});

test("an API of another shape is refused when the route is created", () => {
  for (const given of [{}, { metrics: api.metrics }, null, 7, "api", { metrics: {}, trace: {}, context: {} }])
    assert.throws(() => createDocAgentRoute({ openTelemetry: given }), { code: "invalid_parameter", message: /^openTelemetry / });
});

test("the table of docs/route.md has the metrics of the route", async () => {
  const source = read("pkg-template/src/route/telemetry.ts");
  const tokens = [...source.matchAll(/tokens\("([\w.]+)"\)/g)].map(([, kind]) => `gen_ai.client.inference.usage.${kind}`);
  const defined = [...source.matchAll(/(?:histogram|UpDownCounter)\(\s*"([\w.]+)"/g)].map(([, name]) => name);
  const { rows } = tables("docs/route.md").find(({ comment }) => comment === "metrics of route/telemetry.ts");
  assert.deepEqual(rows.flatMap(([cell]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).sort(), [...defined, ...tokens].sort());
  assert.ok(defined.length >= 9);
});
