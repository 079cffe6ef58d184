// Runs when the network, the server or the tab fails: real servers on loopback.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { answer, begin, call, chunk, model, pageWith, status } from "./model.mjs";

const append = (title) => ({ operation: "append", title, content: `<p>${title}</p>` });

test("a request to an overloaded or rate-limited server is retried, and the answer is complete", async (t) => {
  const server = await model(t, [
    status(503),
    status(429, { "retry-after": "1" }, { error: { message: "Slow down" } }),
    { calls: [call("c1", "update_section", append("A"))] },
    status(500),
    { say: "Written." },
  ]);
  const page = await pageWith(t, server.baseUrl, "", { expected: [/50[03]|429/] });
  const seen = await page.evaluate(async () => {
    agentWith();
    const { status, text } = await agent.prompt("Go");
    return { status, text, retries: saw("retry"), html: editor.getHTML(), roles: agent.messages.map(({ role }) => role), failed: saw("error").length };
  });
  assert.deepEqual([seen.status, seen.text, seen.failed], ["complete", "Written.", 0]);
  assert.deepEqual(seen.retries.map(({ attempt, reason }) => [attempt, reason]), [[1, "overloaded"], [2, "rate_limited"], [1, "server_error"]]);
  assert.equal(seen.retries[1].delayMs, 1000, "as the server says");
  for (const at of [0, 2]) assert.ok(seen.retries[at].delayMs >= 750 && seen.retries[at].delayMs <= 1250, "a second, give or take a quarter");
  for (const { message } of seen.retries) assert.match(message, /^[A-Z].{15,}\.$/s);
  assert.match(seen.html, /<h2>A<\/h2><p>A<\/p>/);
  assert.equal(seen.html.match(/<h2>/g).length, 1);
  assert.deepEqual(seen.roles, ["user", "assistant", "toolResult", "assistant"]);
});

test("the content of a cut connection is discarded: its calls never run, and the next answer counts", async (t) => {
  const half = chunk({ content: "I will " }) + chunk({ tool_calls: [{ index: 0, id: "c1", function: { name: "update_section", arguments: JSON.stringify(append("Half")) } }] });
  // The page says when it has read the first half: a chunk that is sent right before the cut may never arrive.
  let cut;
  const server = await model(t, [
    (response) => {
      begin(response).write(half);
      cut = () => response.destroy();
    },
    { say: "I will.", calls: [call("c2", "update_section", append("Whole"))] },
    { say: "Done." },
  ]);
  const page = await pageWith(t, server.baseUrl, "", { expected: [/ERR_/] });
  await page.exposeFunction("cut", () => void cut());
  const seen = await page.evaluate(async () => {
    agentWith();
    const running = agent.prompt("Go");
    await until(() => saw("content").length && saw("tool_args").length);
    await window.cut();
    const { status, text } = await running;
    const order = events.map((event) => (event.type === "content" ? event.content : event.type)).filter((type) => type !== "tool_args");
    return { status, text, order, retry: saw("retry")[0], used: saw("tool_use").map(({ toolId }) => toolId), html: editor.getHTML(), messages: agent.messages };
  });
  assert.deepEqual([seen.status, seen.text, seen.retry.reason], ["complete", "Done.", "stream_cut"]);
  assert.deepEqual(seen.order.slice(0, 5), ["agent_start", "turn_start", "I will ", "retry", "I will."]);
  assert.deepEqual(seen.used, ["c2"]);
  assert.doesNotMatch(seen.html, /Half/);
  assert.deepEqual(seen.messages.map(({ role }) => role), ["user", "assistant", "toolResult", "assistant"]);
  assert.doesNotMatch(JSON.stringify(server.requests[1].body), /Half|I will/);
});

test("a run fails with the cause where Retry-After is too long or all retries are used up", async (t) => {
  const server = await model(t, [status(429, { "retry-after": "3600" }), status(503), status(503)]);
  const page = await pageWith(t, server.baseUrl, "", { expected: [/503|429/] });
  const seen = await page.evaluate(async () => {
    agentWith();
    const first = await agent.prompt("Go");
    agent.configure({ maxRetries: 1 });
    const second = await agent.continue();
    return { codes: [first.error.code, second.error.code], retries: saw("retry").length };
  });
  assert.deepEqual(seen, { codes: ["rate_limited", "overloaded"], retries: 1 });
  assert.equal(server.requests.length, 3);
});

test("abort ends the wait for a retry", async (t) => {
  const server = await model(t, [status(429, { "retry-after": "50" })]);
  const page = await pageWith(t, server.baseUrl, "", { expected: [/429/] });
  const result = await page.evaluate(async () => {
    agentWith();
    agent.subscribe(({ type }) => type === "retry" && agent.abort());
    return (await agent.prompt("Go")).status;
  });
  assert.equal(result, "aborted");
  assert.equal(server.requests.length, 1);
});

test("abort closes the connections of the model and of the tools: their servers see it", async (t) => {
  const silent = await model(t, [() => {}]);
  const server = await model(t, [
    { calls: [call("c1", "search_web", { query: "tea" }), call("c2", "ask")] },
    (response) => begin(response).write(chunk({ content: "Endless" })),
  ]);
  const other = await model(t, [() => {}]);
  const page = await pageWith(t, server.baseUrl, "", { expected: [/ERR_ABORTED/] });
  const seen = await page.evaluate(
    async ({ search, asked }) => {
      const ask = (_, __, signal) => fetch(asked, { signal });
      agentWith({ services: { web: { provider: "wikipedia", baseUrl: search } }, tools: [tool("ask", ask)] });
      const running = agent.prompt("Go");
      await until(() => saw("tool_use").length === 2);
      await new Promise((resolve) => setTimeout(resolve, 150));
      agent.abort();
      const first = await running;
      const stop = agent.subscribe(({ type }) => type === "content" && agent.abort());
      const second = await agent.prompt("Again");
      stop();
      return [first.status, second.status];
    },
    { search: silent.baseUrl, asked: other.baseUrl },
  );
  assert.deepEqual(seen, ["aborted", "aborted"]);
  await Promise.all([silent.requests[0].cut, other.requests[0].cut, server.requests[1].cut]);
});

test("a run that nobody awaits stops on abort, and its server sees it", async (t) => {
  const server = await model(t, [(response) => begin(response).write(chunk({ content: "Endless" }))]);
  const page = await pageWith(t, server.baseUrl);
  await page.evaluate(async () => {
    void agentWith().prompt("Go");
    await until(() => saw("content").length);
    agent.abort();
    await agent.waitForIdle();
  });
  await server.requests[0].cut;
});

test("an answer of 20,000 chunks arrives complete and in order", async (t) => {
  const words = Array.from({ length: 20000 }, (_, at) => `${at.toString(36)} `);
  const server = await model(t, [
    async (response) => {
      begin(response);
      for (let at = 0; at < words.length; at += 50) {
        const part = words.slice(at, at + 50).map((content) => chunk({ content })).join("");
        if (!response.write(part)) await new Promise((resolve) => response.once("drain", resolve));
      }
      response.end(chunk({}, "stop") + "data: [DONE]\n\n");
    },
  ]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    agentWith();
    const { status, text } = await agent.prompt("Go");
    const said = saw("content").map(({ content }) => content);
    const inOrder = events.every(({ seq }, at) => seq === at + 1);
    return { status, text, joined: said.join("") === text, inOrder, kept: agent.messages[1].content[0].text === text };
  });
  assert.equal(seen.text, words.join(""));
  assert.deepEqual({ ...seen, text: "" }, { status: "complete", text: "", joined: true, inOrder: true, kept: true });
});

/** Hides the page as browsers report it. */
const hide = (page) =>
  page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });

test("a run continues in a hidden tab, tools and edits included", async (t) => {
  const server = await model(t, [
    async (response) => {
      begin(response);
      for (const word of ["One ", "two ", "three."]) {
        response.write(chunk({ content: word }));
        await sleep(150);
      }
      response.end(answer({ calls: [call("c1", "update_section", append("A")), call("c2", "wait")] }));
    },
    status(503),
    { say: "Done." },
  ]);
  const page = await pageWith(t, server.baseUrl, "", { expected: [/503/] });
  const other = await page.context().newPage();
  await other.goto("about:blank");
  await other.bringToFront();
  await hide(page);
  const seen = await page.evaluate(async () => {
    // A hidden page gets timers once a second at most, and no frames.
    const timer = window.setTimeout;
    window.setTimeout = (then, ms, ...rest) => timer(then, Math.ceil(Math.max(ms ?? 0, 1) / 1000) * 1000, ...rest);
    window.requestAnimationFrame = () => 0;
    agentWith({ tools: [tool("wait", () => new Promise((resolve) => setTimeout(() => resolve("waited"), 10)))] });
    const { status, text } = await agent.prompt("Go");
    return { status, text, html: editor.getHTML(), retries: saw("retry").length };
  });
  assert.deepEqual([seen.status, seen.text, seen.retries], ["complete", "Done.", 1]);
  assert.match(seen.html, /<h2>A<\/h2>/);
});

test("a page that was suspended during an answer continues, and the pause is no timeout", async (t) => {
  const server = await model(t, [
    async (response) => {
      begin(response).write(chunk({ content: "Before. " }));
      await sleep(1800);
      response.end(chunk({ content: "After." }) + chunk({}, "stop") + "data: [DONE]\n\n");
    },
  ]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    agentWith({ timeout: 300 });
    const stop = agent.subscribe(({ type }) => {
      if (type !== "content") return;
      stop();
      // Nothing in the page runs, as when the browser freezes it: no timer, no read. Headless Chromium never freezes a page.
      const woken = performance.now() + 1600;
      queueMicrotask(() => {
        while (performance.now() < woken);
      });
    });
    const { status, text } = await agent.prompt("Go");
    return { status, text, retries: saw("retry").length };
  });
  assert.deepEqual(seen, { status: "complete", text: "Before. After.", retries: 0 });
});

test("a conversation that outgrows the model's context window is summarized, and an event reports it", async (t) => {
  const server = await model(t, [{ say: "They spoke of tea." }, { say: "Where were we." }]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    agentWith({ contextWindow: 8000 });
    const long = "All about tea and its leaves. ".repeat(60);
    const earlier = Array.from({ length: 20 }, (_, at) => [
      { role: "user", content: `${at}: ${long}` },
      { role: "assistant", content: [{ type: "text", text: long }], stopReason: "stop" },
    ]);
    agent.messages = earlier.flat();
    const { status, text } = await agent.prompt("Go on");
    return { status, text, compactions: saw("compaction"), roles: agent.messages.map(({ role }) => role), first: agent.messages[0].content };
  });
  assert.deepEqual([seen.status, seen.text], ["complete", "Where were we."]);
  assert.equal(seen.compactions.length, 1);
  assert.ok(seen.compactions[0].after < seen.compactions[0].before / 2);
  assert.equal(seen.roles[0], "summary");
  assert.match(seen.first, /They spoke of tea\./);
  assert.ok(seen.roles.length < 20 && seen.roles.at(-1) === "assistant");
  // Only the second request has tools.
  const [summarized, asked] = server.requests.map(({ body }) => JSON.stringify(body.messages).length);
  assert.ok(asked < summarized);
});

test("a result that is too long is shown in part, and more can be read", async (t) => {
  const server = await model(t, [
    { calls: [call("c1", "archive")] },
    (response, { body }) => {
      const shown = body.messages.at(-1).content;
      const id = /read_more[^]*?"?id"?[^\w]+([\w-]+)/.exec(shown)?.[1];
      const offset = Number(/offset[^\d]+(\d+)/.exec(shown)?.[1]);
      begin(response).end(answer({ calls: [call("c2", "read_more", { id, offset })] }));
    },
    { say: "Read." },
  ]);
  const page = await pageWith(t, server.baseUrl);
  const lines = Array.from({ length: 600 }, (_, at) => `Line ${at} of the archive.`).join("\n");
  await page.evaluate((lines) => agentWith({ resultBytes: 4000, tools: [tool("archive", () => lines)] }).prompt("Go"), lines);
  const { c1 } = server.tool(1);
  assert.ok(c1.length < 6000 && c1.includes("Line 0 of") && !c1.includes("Line 599"), c1);
  const { c2 } = server.tool(2);
  assert.doesNotMatch(c2, /"error"/, c2);
  assert.match(c2, /Line 2\d\d of/);
  assert.doesNotMatch(c2, /Line 0 of/);
});

test("sixty agents of a page share four concurrent requests per origin, and all get their turn", async (t) => {
  let [open, most] = [0, 0];
  const server = await model(
    t,
    Array.from({ length: 80 }, () => async (response) => {
      most = Math.max(most, ++open);
      response.on("close", () => open--);
      begin(response).write(chunk({ content: "Some" }));
      await sleep(20);
      response.end(chunk({ content: "thing." }, "stop") + "data: [DONE]\n\n");
    }),
  );
  const page = await pageWith(t, server.baseUrl, "<p></p>", { search: "?full" });
  const seen = await page.evaluate(async (baseUrl) => {
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl } };
    const agents = Array.from({ length: 60 }, () => new Agent({ document: Document.fromHTML("<p>x</p>"), llmConfig, maxRetries: 0 }));
    const runs = agents.map((agent) => agent.prompt("Go"));
    // Stopped and disposed agents release their slots, in use or waiting.
    agents[1].abort();
    agents[2].dispose();
    agents[30].abort();
    agents[31].dispose();
    const results = await Promise.all(runs);
    return results.map(({ status, text }) => `${status} ${text}`);
  }, server.baseUrl);
  assert.ok(most <= 4, `${most} were under way`);
  assert.equal(seen.filter((one) => one === "complete Something.").length, 56, seen.join(", "));
  assert.equal(seen.filter((one) => one.startsWith("aborted")).length, 4, seen.join(", "));
});

test("a key that a model repeats is redacted everywhere in the page", async (t) => {
  const key = "sk-secret-of-the-page";
  const split = (text) => [...text].map((letter) => chunk({ content: letter })).join("");
  const server = await model(t, [
    (response) => {
      const args = JSON.stringify({ operation: "append", title: "Key", content: `<p>It is ${key}.</p>` });
      begin(response).end(split(`Bearer ${key} is yours.`) + answer({ calls: [call("c1", "update_section", JSON.parse(args)), call("c2", "echo", { key })] }));
    },
    status(401, {}, { error: { message: `Wrong key ${key}` } }),
  ]);
  const page = await pageWith(t, server.baseUrl, "<p></p>", { expected: [/401/], search: "?full" });
  const seen = await page.evaluate(async (key) => {
    const states = [];
    const logged = [];
    const write = (...entry) => logged.push(JSON.stringify(entry));
    const logger = { debug: write, info: write, warning: write, error: write };
    agentWith({ apiKey: key, record: true, logger, tools: [tool("echo", (_id, _args, _signal, update) => (update({ key }), { [key]: key, bearer: `Bearer ${key}` }))] });
    agent.subscribe(() => states.push(JSON.stringify(agent.state)));
    const result = await agent.prompt("Go");
    return {
      said: saw("content").map(({ content }) => content).join(""),
      echoed: saw("tool_result").find(({ toolName }) => toolName === "echo").content,
      all: [JSON.stringify(events), states.join(), logged.join(), JSON.stringify(agent.messages), JSON.stringify(result), agent.recording, editor.getHTML()],
    };
  }, key);
  for (const text of seen.all) assert.ok(!text.includes(key) && !text.includes("secret-of-the-page"), text);
  assert.match(seen.said, /^Bearer .{0,4}… is yours\.$/);
  assert.deepEqual(seen.echoed, { "…": "…", bearer: "Bearer …" });
  assert.match(seen.all.at(-1), /It is …\./);
});
