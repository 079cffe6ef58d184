// Runs in a page are recorded, and replayed in the same page and in Node, without an editor.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { init, loadMarkdown } from "copydesk";
import { replay } from "copydesk/full";
import { answer, begin, call, chunk, model, pageWith as standardPageWith, status } from "./model.mjs";

const KEYS = { header: "sk-header-0123456789", query: "qk-query/+9876543210", service: "tvly-service-1122334455", hook: "sk-of-the-hook-6677889900" };

// For `loadMarkdown`; `replay` imports its own.
before(() => init());

/** Opens a page with the build that records. */
const pageWith = (t, baseUrl, html, options) => standardPageWith(t, baseUrl, html, { search: "?full", ...options });

/** Returns the comparable part of events: streamed arguments in one event for each call, as `replay` gives them. */
const last = (events) =>
  events.reduce((joined, event) => {
    const before = joined.at(-1);
    const goesOn = event.type === "tool_args" && before?.type === "tool_args" && before.toolId === event.toolId;
    return goesOn ? [...joined.slice(0, -1), { ...event, delta: before.delta + event.delta }] : [...joined, event];
  }, []);

/** Replaces keys as a recording does. */
const blotted = (value) => JSON.parse(Object.values(KEYS).reduce((text, key) => text.replaceAll(key, "…"), JSON.stringify(value)));

/** Replays a recording in the page and in Node, and compares the results with the original run. */
async function playsTheSame(page, { recording, events, json }) {
  const inPage = await page.evaluate(async (recording) => {
    const heard = [];
    return { ...(await replay(recording, { onEvent: (event) => heard.push(event) })), heard };
  }, recording);
  const inNode = await replay(JSON.parse(recording));
  for (const [where, played] of [["page", inPage], ["node", inNode]]) {
    assert.equal(JSON.stringify(played.differs), "null", where);
    assert.deepEqual(played.events, last(blotted(events)), where);
    assert.deepEqual(played.document, json, where);
  }
  assert.deepEqual(inPage.heard, blotted(events));
  return inNode;
}

function holdsNoKey(recording) {
  const told = JSON.parse(recording);
  const chunks = told.requests.map(({ response }) => (response?.chunks ?? []).map(({ text }) => text ?? "").join(""));
  for (const [name, key] of Object.entries(KEYS)) {
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) {
      assert.ok(!recording.includes(form), `the key of ${name} is in the recording`);
      assert.ok(!chunks.some((text) => text.includes(form)), `the key of ${name} came in pieces`);
    }
  }
}

/** Returns the editor's content, the recording and the events at the end. */
const taken = (page) => page.evaluate(() => ({ recording: agent.recording, events, json: boundDocument.toJSON(), html: editor.getHTML() }));

const write = (content, sectionIndex = 1) => ({ operation: "replace", sectionIndex, content });

for (const mode of ["auto", "review"]) {
  test(`a run with all features of a page is replayed to the same events and document (${mode})`, async (t) => {
    // The run ends when the user has typed.
    let go;
    const typed = new Promise((resolve) => (go = resolve));
    const server = await model(t, [
      status(429, { "retry-after": "0" }, { error: { message: `Slow down, ${KEYS.header}` } }),
      { calls: [call("c1", "get_document"), call("c2", "weather", { city: "Oslo", key: KEYS.service })] },
      async (response) => {
        begin(response).write(chunk({ content: "I write while you type." }));
        await typed;
        response.end(answer({ calls: [call("c3", "update_section", write("<p>One <strong>two</strong>.</p><ul><li>three</li></ul>")), call("c4", "secret")] }));
      },
      // The key comes back in two chunks.
      async (response) => {
        const text = chunk({ content: `Your keys are ${KEYS.header} and ${KEYS.query}.` }) + answer({ say: "Written." });
        begin(response).write(text.slice(0, text.indexOf(KEYS.header) + 9));
        await new Promise((resolve) => setTimeout(resolve, 20));
        response.end(text.slice(text.indexOf(KEYS.header) + 9));
      },
      { calls: [call("c5", "update_section", { operation: "append", title: "End", content: "## End\n\n- a\n- **b**" }), call("c6", "ask_person", { why: "x" })] },
      { say: "All is done." },
      async (response) => {
        begin(response).write(chunk({ content: "Endless" }));
        await new Promise((resolve) => response.on("close", resolve));
      },
    ]);
    const html = "<h1>T</h1><h2>A</h2><p>old</p><h2>B</h2><p>typed: </p>";
    const page = await pageWith(t, `${server.baseUrl}?api_key=${encodeURIComponent(KEYS.query)}`, html, { expected: [/429/] });
    await page.evaluate(
      ({ keys, mode }) => {
        boundDocument.mode = mode;
        const weather = async (id, { city }, signal, onUpdate) => {
          onUpdate({ asked: city });
          await new Promise((resolve) => setTimeout(resolve, 10));
          return { content: [{ type: "text", text: `-4 °C, said ${keys.service}` }], details: { station: 7 } };
        };
        agentWith({
          record: true,
          apiKey: keys.header,
          services: { web: { provider: "tavily", apiKey: keys.service } },
          tools: [tool("weather", weather), tool("secret", () => "never"), tool("ask_person", () => "asked", { needsApproval: ({ why }) => why === "x" })],
          getApiKey: () => keys.hook,
          beforeToolCall: ({ toolCall }) => (toolCall.name === "secret" ? { block: true, reason: "Not that one." } : undefined),
          afterToolCall: async ({ toolCall }) => (toolCall.name === "weather" ? { content: `Cold (${keys.hook})` } : undefined),
        });
        agent.subscribe((event) => {
          if (event.type === "approval_request") setTimeout(() => agent.approve(event.toolId, true), 5);
          if (event.type === "content" && event.content === "Endless") agent.abort();
          // The user types at the moment the agent has written.
          if (event.type === "doc_update" && event.toolId === "c3") editor.commands.insertContentAt(editor.state.doc.content.size - 1, "!");
        });
        editor.commands.setTextSelection(editor.state.doc.content.size - 1);
        editor.view.focus();
        window.running = agent.prompt(`My key is ${keys.header}. Go`);
      },
      { keys: KEYS, mode },
    );
    await page.evaluate(() => until(() => saw("content").length));
    await page.keyboard.type("every letter", { delay: 3 });
    go();
    const first = await page.evaluate(() => running);
    assert.equal(first.status, "complete", JSON.stringify(first));
    await page.evaluate(() => agent.steer("And be quick"));
    assert.equal((await page.evaluate(() => agent.prompt("Go on"))).status, "complete");
    if (mode === "review") {
      const hunks = await page.evaluate(() => boundDocument.hunks().map(({ id }) => id));
      assert.ok(hunks.length >= 2);
      await page.evaluate(([first]) => boundDocument.accept({ hunk: first }), hunks);
    }
    assert.equal((await page.evaluate(() => agent.prompt("And stop"))).status, "aborted");
    if (mode === "review") await page.evaluate(() => boundDocument.reject("all"));
    else await page.evaluate(() => boundDocument.undoTurn(saw("turn_start").find(({ turnId }) => turnId === "t2").turnId));
    const seen = await taken(page);
    assert.ok(seen.events.some(({ type }) => type === "retry") && seen.events.some(({ type }) => type === "approval_request"));
    assert.match(seen.html, /every letter/);
    holdsNoKey(seen.recording);
    await playsTheSame(page, seen);
  });
}

test("an editor's own parsing, serializing and additions are replayed without an editor", async (t) => {
  const server = await model(t, [
    { calls: [call("c1", "get_document")] },
    { calls: [call("c2", "update_section", write('<aside data-tone="loud">Mind the step.</aside><p>x</p>'))] },
    { calls: [call("c3", "update_section", { operation: "append", title: "End", content: "<pre><code>end</code></pre>" })] },
    { say: "Done." },
  ]);
  const page = await pageWith(t, server.baseUrl);
  await page.evaluate(async () => {
    // A plugin stamps each paragraph that begins with an x, which no parser could know.
    const stamps = new Plugin({
      appendTransaction: (_, __, state) => {
        let stamped = null;
        state.doc.forEach((node, at) => {
          if (node.textContent === "x") stamped = state.tr.insertText(" (stamped)", at + 2);
        });
        return stamped;
      },
    });
    edit('<h2>A</h2><aside data-tone="soft"><p>old</p></aside><p>p</p>');
    editor.registerPlugin(stamps);
    agentWith({ record: true });
    await agent.prompt("Go");
  });
  const seen = await taken(page);
  assert.match(seen.html, /x \(stamped\)/);
  assert.match(seen.html, /<\/pre><p>/, "the editor adds a paragraph after code");
  await playsTheSame(page, seen);
});

test("two agents on one document are replayed separately; earlier turns keep their ids", async (t) => {
  const write = (title) => ({ calls: [call(`c-${title}`, "get_document"), call(`d-${title}`, "update_section", { operation: "append", title, content: `<p>${title}</p>` })] });
  for (const mode of ["auto", "review"]) {
    const server = await model(t, [write("Zero"), { say: "0" }, write("One"), { say: "1" }, write("Two"), { say: "2" }, write("Three"), { say: "3" }]);
    const page = await pageWith(t, server.baseUrl, "<h2>A</h2><p>a</p>");
    const seen = await page.evaluate(async (mode) => {
      boundDocument.mode = mode;
      await agentWith().prompt("Before");
      boundDocument.setGuards({ locked: ["A"] });
      const [first, second] = [agentWith({ record: true }), agentWith({ record: true })];
      const told = [[], []];
      [first, second].forEach((agent, at) => agent.subscribe((event) => told[at].push(event)));
      await first.prompt("One");
      await second.prompt("Two");
      boundDocument.apply({ operation: "append", title: "Mine", content: "<p>m</p>" });
      boundDocument.setGuards(null);
      await first.prompt("Three");
      return [first, second].map((agent, at) => ({ recording: agent.recording, events: told[at], json: boundDocument.toJSON() }));
    }, mode);
    for (const one of seen) await playsTheSame(page, one);
    await page.close();
  }
});

test("a file that was saved during a run is replayed to its end", async (t) => {
  let end;
  const server = await model(t, [
    { calls: [call("c1", "get_document")] },
    (response) => {
      begin(response).write(chunk({ content: "Half an " }));
      end = () => response.end(answer({ say: "answer." }));
    },
  ]);
  const page = await pageWith(t, server.baseUrl);
  await page.evaluate(async () => {
    agentWith({ record: true });
    window.running = agent.prompt("Go");
    await until(() => saw("content").length);
  });
  const seen = await taken(page);
  end();
  await page.evaluate(() => running);
  await playsTheSame(page, seen);
});

test("a recording is replayed in real time on request", async (t) => {
  const server = await model(t, [
    async (response) => {
      begin(response).write(chunk({ content: "Wait " }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      response.end(answer({ say: "for it." }));
    },
  ]);
  const page = await pageWith(t, server.baseUrl);
  await page.evaluate(() => agentWith({ record: true }).prompt("Go"));
  const { recording } = await taken(page);
  const order = await page.evaluate(async (recording) => {
    const order = [];
    const slow = replay(recording, { pace: "recorded", onEvent: ({ type }) => order.push(`slow ${type}`) });
    await until(() => order.includes("slow content"));
    await replay(recording, { onEvent: ({ type }) => order.push(`fast ${type}`) });
    await slow;
    return order;
  }, recording);
  assert.ok(order.indexOf("fast complete") < order.indexOf("slow complete"), order.join());
});

test("an invalid file, and a run that differs from its recording, are reported", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "get_document")] }, { say: "Done." }]);
  const page = await pageWith(t, server.baseUrl, "<h2>A</h2><p>old</p>");
  await page.evaluate(() => agentWith({ record: true }).prompt("Go"));
  const { recording } = await taken(page);
  const code = (promise) => promise.then(() => "played", (error) => error.code);
  assert.equal(await code(replay("{}")), "invalid_recording");
  assert.equal(await code(replay("nonsense")), "invalid_recording");
  assert.equal(await code(replay(7)), "invalid_parameter");
  assert.equal(await code(replay({}, { pace: "slow" })), "invalid_parameter");

  const other = JSON.parse(recording);
  other.before.content[1].content[0].text = "new";
  const { differs, events } = await replay(other);
  assert.deepEqual([differs.what, differs.request], ["body", 2]);
  assert.match(differs.recorded, /^old/);
  assert.match(differs.replayed, /^new/);
  assert.equal(events.at(-1).code, "replay_differs");

  const edited = JSON.parse(recording);
  edited.after.content[1].content[0].text = "other";
  assert.equal((await replay(edited)).differs.what, "document");

  // What would come next is not in the file: nothing waits forever.
  const hole = JSON.parse(recording);
  hole.requests[1].response.chunks.length = 0;
  delete hole.requests[1].response.end;
  hole.timers.push({ order: 999, number: 999, at: 1, ms: 1 });
  hole.random.length = 0;
  assert.ok((await replay(hole)).differs);

  const refused = await page.evaluate(() => {
    try {
      return agentWith().recording;
    } catch (error) {
      return [error instanceof CopydeskError, error.code];
    }
  });
  assert.deepEqual(refused, [true, "not_recording"]);
});

test("a page with the page build cannot record, names the build to load, and still replays a file", async (t) => {
  const server = await model(t, [{ calls: [call("c0", "get_document")] }, { calls: [call("c1", "update_section", write("<p>new</p>"))] }, { say: "Done." }]);
  const recorded = await pageWith(t, server.baseUrl, "<h2>A</h2><p>old</p>");
  await recorded.evaluate(() => agentWith({ record: true }).prompt("Go"));
  const { recording, json } = await taken(recorded);

  const page = await standardPageWith(t, server.baseUrl, "<h2>A</h2><p>of the page</p>");
  const { code, message, played, html } = await page.evaluate(async (recording) => {
    let refused;
    try {
      agentWith({ record: true });
    } catch (error) {
      refused = error;
    }
    const played = await replay(recording);
    // The page's document belongs to the other wasm and is unchanged.
    return { code: refused.code, message: refused.message, played, html: boundDocument.toHTML() };
  }, recording);
  assert.equal(code, "full_build_needed");
  assert.match(message, /init\(undefined, full\).*copydesk\/full/);
  assert.deepEqual([played.differs, played.document], [null, json]);
  assert.equal(html, "<h2>A</h2><p>of the page</p>");
});

test("an agent that was garbage-collected is not recorded any more, nor is its editor", async (t) => {
  const server = await model(t, [{ calls: [call("c0", "get_document")] }, { calls: [call("c1", "update_section", write("<p>new</p>"))] }, { say: "Done." }]);
  const page = await pageWith(t, server.baseUrl, "<h2>A</h2><p>old</p>");
  const seen = await page.evaluate(async () => {
    agentWith({ record: true });
    await agent.prompt("Go");
    const json = boundDocument.toJSON();
    editor.destroy();
    return { recording: agent.recording, events, json };
  });
  await playsTheSame(page, seen);
});

test("Markdown is parsed in a replay as in the run, whether the parser was loaded or not", async (t) => {
  const read = { calls: [call("c0", "get_document")] };
  const markdown = { calls: [call("c1", "update_section", write("### Kinds\n\n- **green**\n- black"))] };
  const server = await model(t, [read, markdown, { say: "1" }, read, markdown, { say: "2" }]);
  const page = await pageWith(t, server.baseUrl, "<h2>A</h2><p>old</p>");
  await loadMarkdown();
  for (const is of ["loaded on the way", "there already"]) {
    await page.evaluate(() => (window.events = [], agentWith({ record: true }).prompt("Go")));
    const seen = await taken(page);
    assert.equal(/loadMarkdown/.test(seen.recording), is === "loaded on the way");
    assert.match(seen.html, /<strong>green<\/strong>/);
    await playsTheSame(page, seen);
    await page.evaluate(() => edit("<h2>A</h2><p>old</p>"));
  }
});
