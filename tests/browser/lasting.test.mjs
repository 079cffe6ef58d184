// Lifetimes: hooks between runs, an agent until `dispose`, a stream until it is cancelled.
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, call, chunk, model, pageWith } from "./model.mjs";

test("configure sets hooks from the next run on; omitted ones stay, and undefined removes one", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "get_document")] }, { say: "." }, { calls: [call("c2", "get_document")] }, { say: "." }, { say: "." }]);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async () => {
    const asked = [];
    agentWith({ getApiKey: () => "key", beforeToolCall: () => void asked.push("first") });
    const stop = agent.subscribe(({ type }) => type === "turn_start" && agent.configure({ beforeToolCall: () => (asked.push("second"), { block: true, reason: "no" }) }));
    await agent.prompt("Go");
    stop();
    await agent.prompt("Go");
    agent.configure({ getApiKey: undefined, maxTurns: 3 });
    await agent.prompt("Go");
    let wrong;
    try {
      agent.configure({ afterToolCall: "no function" });
    } catch ({ name, code, message }) {
      wrong = [name, code, message];
    }
    return { asked, wrong };
  });
  assert.deepEqual(seen.asked, ["first", "second"]);
  assert.match(server.tool(3).c2, /tool_blocked/);
  const keys = server.requests.map(({ headers }) => headers.authorization);
  assert.deepEqual(keys, [...Array(4).fill("Bearer key"), undefined]);
  assert.deepEqual(seen.wrong.slice(0, 2), ["CopydeskError", "invalid_parameter"]);
  assert.match(seen.wrong[2], /afterToolCall/);
});

test("a disposed agent stops, and every later call is a specific error", async (t) => {
  const server = await model(t, [(response) => begin(response).write(chunk({ content: "Once" })), { say: "Still here." }]);
  const page = await pageWith(t, server.baseUrl, "<p>a</p>");
  const seen = await page.evaluate(async () => {
    const gone = agentWith();
    const run = gone.prompt("Go");
    await until(() => saw("content").length);
    const heard = events.length;
    gone.dispose();
    gone.dispose();
    const { status } = await run;
    await gone.waitForIdle();
    const later = events.length - heard;
    const failing = async (use) => {
      try {
        await use();
      } catch (error) {
        return error instanceof CopydeskError ? error.code : String(error);
      }
    };
    const uses = [
      () => gone.prompt("Go"), () => gone.continue(), () => gone.steer("x"), () => gone.followUp("x"), () => gone.clearQueues(), () => gone.approve("c", true),
      () => gone.abort(), () => gone.subscribe(() => {}), () => gone.configure({}), () => gone.reset(), () => gone.messages, () => (gone.messages = []),
      () => gone.usage, () => gone.ledger, () => gone.state, () => gone.recording,
    ];
    const codes = [];
    for (const use of uses) codes.push(await failing(use));
    agentWith();
    return { status, later, codes, has: Symbol.dispose ? typeof gone[Symbol.dispose] : "function", text: (await agent.prompt("And you?")).text };
  });
  assert.deepEqual([seen.status, seen.later, seen.has], ["aborted", 0, "function"]);
  assert.deepEqual(seen.codes, seen.codes.map(() => "disposed"));
  assert.equal(seen.text, "Still here.", "another agent on the same document goes on");
  await server.requests[0].cut;
});

test("a disposed agent is garbage-collected even if its listener and hook reference it", async (t) => {
  const server = await model(t, [{ say: "." }, { say: "." }]);
  const page = await pageWith(t, server.baseUrl);
  const gc = await page.context().newCDPSession(page);
  await page.evaluate(async () => {
    const make = async (disposes) => {
      const agent = agentWith({ transformContext: (messages) => (agent.state, messages) });
      agent.subscribe(() => agent.state);
      await agent.prompt("Go");
      if (disposes) agent.dispose();
      window.agent = undefined;
      return new WeakRef(agent);
    };
    window.refs = [await make(true), await make(false)];
  });
  let left;
  for (let tries = 0; tries < 20 && left?.[0] !== false; tries++) {
    await gc.send("HeapProfiler.collectGarbage");
    left = await page.evaluate(() => refs.map((ref) => !!ref.deref()));
  }
  assert.deepEqual(left, [false, true]);
});

test("a stream of an app's fetch that ignores the signal is cancelled and released", async (t) => {
  const server = await model(t, []);
  const page = await pageWith(t, server.baseUrl);
  const seen = await page.evaluate(async (first) => {
    let cancelled = 0;
    const start = (controller) => controller.enqueue(new TextEncoder().encode(first));
    const body = new ReadableStream({ start, cancel: () => void cancelled++ });
    const odd = { read: () => new Promise(() => {}), cancel: () => { throw new Error("no"); } };
    const answers = [new Response(body, { headers: { "content-type": "text/event-stream" } })];
    answers.push({ status: 200, headers: new Headers(), body: { getReader: () => odd } });
    agentWith({ fetch: async () => answers.shift() });
    const run = agent.prompt("Go");
    await until(() => saw("content").length);
    agent.abort();
    const statuses = [(await run).status];
    await until(() => cancelled);
    const again = agent.prompt("Go");
    await until(() => !answers.length);
    await new Promise((resolve) => setTimeout(resolve, 20));
    agent.abort();
    statuses.push((await again).status);
    return { statuses, cancelled, locked: body.locked };
  }, chunk({ content: "Once" }));
  assert.deepEqual(seen, { statuses: ["aborted", "aborted"], cancelled: 1, locked: false });
});
