// Tools and hooks of the app in a real page, called by a model over real HTTP.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, model, pageWith } from "./model.mjs";

test("an app's tool receives its arguments, reports progress, and its result goes to the model", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "weather", { city: "Oslo" })] }, { say: "Cold." }]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const weather = async (id, { city }, signal, onUpdate) => {
      onUpdate({ asked: city });
      await new Promise((resolve) => setTimeout(resolve, 10));
      onUpdate({ id, aborted: signal.aborted });
      setTimeout(() => onUpdate("too late"), 0);
      return { content: [{ type: "text", text: `-4 °C in ${city}` }], details: { station: 7 } };
    };
    agentWith({ tools: [{ name: "weather", description: "How it is outside", parameters, execute: weather }] });
    const result = await agent.prompt("Do I need a coat?");
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { result, messages: agent.messages, calls: events.filter(({ type }) => /^tool_(use|update|result)$/.test(type)) };
  });
  assert.equal(seen.result.status, "complete");
  const of = { toolId: "c1", toolName: "weather" };
  assert.deepEqual(seen.calls.map(({ seq, ...event }) => event), [
    { type: "tool_use", ...of, toolInput: { city: "Oslo" } },
    { type: "tool_update", ...of, partial: { asked: "Oslo" } },
    { type: "tool_update", ...of, partial: { id: "c1", aborted: false } },
    { type: "tool_result", ...of, content: "-4 °C in Oslo", details: { station: 7 }, isError: false },
  ]);
  const offered = server.requests[0].body.tools.find((tool) => tool.function.name === "weather").function;
  assert.equal(offered.description, "How it is outside");
  assert.deepEqual(offered.parameters.required, ["city"]);
  assert.match(server.tool(1).c1, /-4 °C in Oslo/);
  assert.doesNotMatch(JSON.stringify(server.requests[1].body), /station/, "details are for programs");
  assert.deepEqual(seen.messages.map(({ role }) => role), ["user", "assistant", "toolResult", "assistant"]);
  assert.equal(seen.messages[2].untrusted, true, "what it gives is fenced unless the app trusts it");
});

test("arguments that do not match the schema do not reach the tool, and the model receives the reason", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "weather", { city: { name: "Oslo" } }), call("c2", "weather", {})] }, { say: "Hm." }]);
  const page = await pageWith(t, server.baseUrl);
  const ran = await page.evaluate(async () => {
    let ran = 0;
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    agentWith({ tools: [{ name: "weather", description: "", parameters, execute: () => ran++ }] });
    await agent.prompt("Go");
    return ran;
  });
  assert.equal(ran, 0);
  assert.match(server.tool(1).c1, /invalid_parameter/);
  assert.match(server.tool(1).c2, /missing_parameter/);
});

test("a tool that throws is an error for the model only; other calls and the run continue", async (t) => {
  const server = await model(t, [
    { calls: [call("c1", "broken"), call("c2", "fine"), call("c3", "odd"), call("c4", "update_section", { operation: "append", title: "A", content: "<p>a</p>" })] },
    { say: "Two failed." },
  ]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    const broken = async () => {
      throw new Error("the printer is on fire");
    };
    const odd = () => {
      throw undefined;
    };
    agentWith({ tools: [tool("broken", broken), tool("fine", () => 42), tool("odd", odd)] });
    const { status, text } = await agent.prompt("Go");
    return { status, text, html: editor.getHTML(), results: saw("tool_result").map(({ toolId, isError }) => [toolId, isError]).sort() };
  });
  assert.deepEqual([seen.status, seen.text], ["complete", "Two failed."]);
  assert.deepEqual(seen.results, [["c1", true], ["c2", false], ["c3", true], ["c4", false]]);
  assert.match(server.tool(1).c1, /tool_failed.*the printer is on fire/s);
  assert.match(server.tool(1).c2, /42/);
  assert.match(seen.html, /<h2>A<\/h2><p>a<\/p>/);
});

test("calls of one answer run concurrently, edits among them in order; results are sent in call order", async (t) => {
  const write = (title) => ({ operation: "append", title, content: `<p>${title}</p>` });
  const server = await model(t, [
    {
      calls: [
        call("c1", "meet", { as: "first" }),
        call("c2", "update_section", write("One")),
        call("c3", "meet", { as: "second" }),
        call("c4", "update_section", write("Two")),
      ],
    },
    { say: "Met." },
  ]);
  const page = await pageWith(t, server.baseUrl, "");
  const seen = await page.evaluate(async () => {
    // Each waits until both have started: in sequence they would wait forever.
    const there = [];
    const meet = async (_, { as }) => {
      there.push(as);
      await until(() => there.length === 2);
      if (as === "first") await until(() => saw("tool_result").some(({ toolId }) => toolId === "c3"));
      return as;
    };
    agentWith({ tools: [tool("meet", meet, { timeout: 10000 })] });
    await agent.prompt("Go");
    return { html: editor.getHTML(), ended: saw("tool_result").map(({ toolId, isError }) => `${toolId} ${isError}`), messages: agent.messages };
  });
  assert.deepEqual([...seen.ended].sort(), ["c1 false", "c2 false", "c3 false", "c4 false"]);
  assert.ok(seen.ended.indexOf("c1 false") > seen.ended.indexOf("c3 false"), "the events tell the order in which they ended");
  assert.match(seen.html, /<h2>One<\/h2><p>One<\/p><h2>Two<\/h2><p>Two<\/p>/);
  const ids = seen.messages.filter(({ role }) => role === "toolResult").map(({ toolCallId }) => toolCallId);
  assert.deepEqual(ids, ["c1", "c2", "c3", "c4"]);
  assert.deepEqual(Object.keys(server.tool(1)), ["c1", "c2", "c3", "c4"]);
});

for (const [how, options, mode] of [
  ["toolExecution", { toolExecution: "sequential" }, undefined],
  ["the tool's own executionMode", {}, "sequential"],
]) {
  test(`sequential by ${how}, calls run one after another`, async (t) => {
    const server = await model(t, [{ calls: [call("c1", "slow"), call("c2", "slow"), call("c3", "slow")] }, { say: "Done." }]);
    const page = await pageWith(t, server.baseUrl);
    const log = await page.evaluate(
      async ({ options, mode }) => {
        const log = [];
        const slow = async (id) => {
          log.push(`${id} begins`);
          await new Promise((resolve) => setTimeout(resolve, 5));
          log.push(`${id} ends`);
        };
        agentWith({ tools: [tool("slow", slow, mode ? { executionMode: mode } : {})], ...options });
        await agent.prompt("Go");
        return log;
      },
      { options, mode },
    );
    assert.deepEqual(log, ["c1 begins", "c1 ends", "c2 begins", "c2 ends", "c3 begins", "c3 ends"]);
  });
}

test("a tool that exceeds its timeout is aborted, the model is informed, and the run continues", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "endless"), call("c2", "patient")] }, { say: "So be it." }]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    const raised = [];
    const endless = (id, _, signal) =>
      new Promise(() => signal.addEventListener("abort", () => raised.push(id)));
    agentWith({ toolTimeout: 50, tools: [tool("endless", endless), tool("patient", endless, { timeout: 80 })] });
    const { status } = await agent.prompt("Go");
    return { status, raised: raised.sort(), results: saw("tool_result").map(({ content }) => content.error) };
  });
  assert.deepEqual([seen.status, seen.raised], ["complete", ["c1", "c2"]]);
  assert.deepEqual(seen.results.map(({ code, details }) => [code, details.ms]), [["timeout", 50], ["timeout", 80]]);
});

test("abort signals a running tool; the outcome of each call is recorded, and the conversation can continue", async (t) => {
  const server = await model(t, [
    { calls: [call("c1", "send"), call("c2", "held"), call("c3", "update_section", { operation: "append", title: "A", content: "<p>a</p>" })] },
    { say: "Again." },
  ]);
  const page = await pageWith(t, server.baseUrl, "");
  const seen = await page.evaluate(async () => {
    let raised = false;
    const send = (_, __, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject((raised = true))));
    agentWith({ tools: [tool("send", send), tool("held", () => 1)], needsApproval: ["held"] });
    agent.subscribe(({ type, toolId }) => type === "tool_result" && toolId === "c3" && queueMicrotask(() => agent.abort()));
    const { status } = await agent.prompt("Go");
    const results = agent.messages.filter(({ role }) => role === "toolResult").map(({ toolCallId, content, isError }) => [toolCallId, isError && content.error.code]);
    const again = await agent.prompt("And now?");
    return { status, raised, results, again: again.text, last: events.findLast(({ type }) => /^(complete|aborted|error)$/.test(type)).type, html: editor.getHTML() };
  });
  assert.deepEqual([seen.status, seen.raised], ["aborted", true]);
  assert.deepEqual(seen.results, [["c1", "maybe_ran"], ["c2", "not_run"], ["c3", false]]);
  assert.equal(seen.again, "Again.");
  assert.deepEqual(Object.keys(server.tool(1)).sort(), ["c1", "c2", "c3"], "no call is left without a result");
  assert.match(seen.html, /<h2>A<\/h2>/);
});

test("beforeToolCall blocks a call with a reason; afterToolCall changes the result for the model", async (t) => {
  const server = await model(t, [
    { calls: [call("c1", "update_section", { operation: "delete", sectionIndex: 1 }), call("c2", "secret")] },
    { say: "Not allowed." },
  ]);
  const html = "<h2>A</h2><p>a</p>";
  const page = await pageWith(t, server.baseUrl, html);
  const seen = await page.evaluate(async () => {
    const asked = [];
    agentWith({
      tools: [tool("secret", () => ({ name: "Ann", phone: "555" }), { trusted: true })],
      async beforeToolCall({ toolCall, args, assistantMessage, context }, signal) {
        const around = [assistantMessage.content.length, context.isStreaming, context.messages.length];
        asked.push([toolCall.type, toolCall.id, toolCall.name, args, toolCall.arguments, signal.aborted, ...around]);
        return args.operation === "delete" ? { block: true, reason: "Nothing is deleted here." } : undefined;
      },
      async afterToolCall({ toolCall, result, isError }) {
        return toolCall.name === "secret" ? { content: { name: result.name, isError } } : undefined;
      },
    });
    const { status } = await agent.prompt("Go");
    return { status, asked, html: editor.getHTML(), used: saw("tool_use").map(({ toolId }) => toolId), results: saw("tool_result").map(({ content }) => content) };
  });
  assert.equal(seen.status, "complete");
  const args = { operation: "delete", sectionIndex: 1 };
  assert.deepEqual([...seen.asked].sort(), [
    ["toolCall", "c1", "update_section", args, args, false, 2, true, 2],
    ["toolCall", "c2", "secret", {}, {}, false, 2, true, 2],
  ]);
  assert.equal(seen.html, html);
  assert.deepEqual(seen.used, ["c2"]);
  assert.match(server.tool(1).c1, /tool_blocked.*Nothing is deleted here\./s);
  assert.match(server.tool(1).c2, /Ann/);
  assert.doesNotMatch(server.tool(1).c2, /555/);
});

test("a hook that throws blocks the call, or ends the run with its name", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "fine")] }, { say: "Hm." }]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    let ran = false;
    const judge = () => {
      throw new Error("no judge");
    };
    agentWith({ tools: [tool("fine", () => (ran = true))], beforeToolCall: judge });
    const first = await agent.prompt("Go");
    agentWith({ transformContext: () => "no messages" });
    const second = await agent.prompt("Go");
    return { ran, first: first.status, second: second.error };
  });
  assert.deepEqual([seen.ran, seen.first], [false, "complete"]);
  assert.match(server.tool(1).c1, /hook_failed.*no judge/s);
  assert.equal(seen.second.code, "hook_failed");
  assert.match(seen.second.message, /transformContext/);
});

test("getApiKey is called before each request, with the host", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "get_document")] }, { say: "One." }, { say: "Two." }]);
  const page = await pageWith(t, server.baseUrl);
  const hosts = await page.evaluate(async () => {
    const hosts = [];
    const getApiKey = async (provider) => (hosts.push(provider) < 3 ? `key-${hosts.length}` : undefined);
    agentWith({ apiKey: "of-the-settings", getApiKey });
    await agent.prompt("Go");
    await agent.prompt("Go");
    return hosts;
  });
  assert.deepEqual(server.requests.map(({ headers }) => headers.authorization), ["Bearer key-1", "Bearer key-2", "Bearer of-the-settings"]);
  const { host } = new URL(server.baseUrl);
  assert.deepEqual(hosts, [host, host, host]);
});

test("transformContext and convertToLlm change what is sent, and the conversation is unchanged", async (t) => {
  const server = await model(t, [{ say: "One." }, { say: "Two." }]);
  const page = await pageWith(t, server.baseUrl);
  const messages = await page.evaluate(async () => {
    agentWith({
      transformContext: (messages) => messages.slice(-2),
      convertToLlm: async (messages) => messages.map((message) => (message.role === "customNote" ? { role: "user", content: `Note: ${message.text}` } : message)),
    });
    await agent.prompt("First");
    await agent.prompt([{ role: "customNote", text: "the person looks tired" }, { role: "user", content: "Second" }]);
    return agent.messages;
  });
  const sent = server.requests.map(({ body }) => body.messages.slice(1).map(({ content }) => content));
  assert.deepEqual(sent, [["First"], ["Note: the person looks tired\n\nSecond"]], "what one side says in a row is one message");
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "customNote", "user", "assistant"]);
});

test("without convertToLlm the app's own messages are kept and not sent", async (t) => {
  const server = await model(t, [{ say: "One." }]);
  const page = await pageWith(t, server.baseUrl);
  const roles = await page.evaluate(async () => {
    agentWith();
    await agent.prompt([{ role: "customNote", text: "quiet" }, { role: "user", content: "Aloud" }]);
    return agent.messages.map(({ role }) => role);
  });
  assert.deepEqual(roles, ["customNote", "user", "assistant"]);
  assert.doesNotMatch(JSON.stringify(server.requests[0].body), /quiet/);
});

test("invalid tools and settings are named in the error, and none of them is applied", async (t) => {
  const server = await model(t, [{ say: "Fine." }]);
  const page = await pageWith(t, server.baseUrl);
  const wrong = await page.evaluate(() => {
    agentWith({ maxTurns: 3 });
    const wrong = (settings) => {
      try {
        agent.configure(settings);
      } catch ({ name, code, message }) {
        return [name, code, message];
      }
    };
    return [
      wrong({ tools: [tool("ok", () => 1), tool("no good", () => 1)] }),
      wrong({ tools: [{ name: "none" }] }),
      wrong({ tools: [tool("odd", () => 1, { executionMode: "both" })] }),
      wrong({ steeringMode: "some" }),
      wrong({ toolExecution: "whatever", tools: [tool("ok", () => 1)] }),
      wrong({ maxTurns: "many" }),
    ];
  });
  const expected = [/tools\[1\]\.name/, /tools\[0\]\.execute/, /tools\[0\]\.executionMode/, /steeringMode/, /toolExecution/, /maxTurns/];
  wrong.forEach(([name, code, message], at) => {
    assert.equal(name, "CopydeskError");
    assert.match(code, /^(config|invalid_parameter)$/);
    assert.match(message, expected[at]);
  });
  assert.deepEqual(await page.evaluate(async () => [(await agent.prompt("Go")).text, agent.state.tools]), ["Fine.", []]);
  assert.ok(!server.requests[0].body.tools.some((tool) => tool.function.name === "ok"));
});

test("a call has the tool of the moment in which it runs, and configure applies to the next request", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "which")] }, { say: "." }, { calls: [call("c2", "which")] }, { say: "." }]);
  const page = await pageWith(t, server.baseUrl);
  const given = await page.evaluate(async () => {
    agentWith({ tools: [tool("which", () => "old", { trusted: true })] });
    const stop = agent.subscribe(({ type }) => type === "turn_end" && agent.configure({ tools: [tool("which", () => "new", { trusted: true })] }));
    await agent.prompt("Go");
    stop();
    await agent.prompt("Go");
    return saw("tool_result").map(({ content }) => content);
  });
  assert.deepEqual(given, ["old", "new"]);
});

test("an app's tool may replace a built-in one", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "search_web", { query: "tea" })] }, { say: "." }]);
  const page = await pageWith(t, server.baseUrl);
  await page.evaluate(() => agentWith({ tools: [tool("search_web", () => "from our own index")] }).prompt("Go"));
  assert.match(server.tool(1).c1, /from our own index/);
  assert.equal(server.requests[0].body.tools.filter((tool) => tool.function.name === "search_web").length, 1);
});
