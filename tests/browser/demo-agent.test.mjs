// The demo while the agent works: saying more, asking before edits, retries, costs, the formats.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, html, lowContrasts, offline, openDemo, text } from "./demo-page.mjs";
import { begin, call, chunk, model, status } from "./model.mjs";

const at = (server, rest = "") => `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m${rest}`;
const append = (title) => call(`c-${title}`, "update_section", { operation: "append", title, content: `<p>About ${title}.</p>` });

/** An answer that waits in the middle until the test says so. */
function held(then) {
  let go;
  const gate = new Promise((resolve) => (go = resolve));
  const answer = async (response) => {
    begin(response).write(chunk({ content: "Let me see. " }));
    await gate;
    response.end(then);
  };
  return { answer, go };
}

test("what is said while the desk works waits in a chip, and is heard after the step", async (t) => {
  const parts = [{ index: 0, id: "c1", function: { name: "get_document", arguments: "{}" } }];
  const first = held(chunk({ tool_calls: parts }, "tool_calls") + "data: [DONE]\n\n");
  const server = await model(t, [first.answer, { say: "In British spelling, then." }, { say: "And short." }]);
  const page = await openDemo(t, { search: at(server) });
  await ask(page, "Write about colour");
  await page.waitForSelector(".said");
  assert.ok(await page.isVisible(".send[data-mode=stop]"));
  assert.equal(await page.isVisible(".later"), false);
  for (const more of ["British spelling, please", "never mind this", "and keep it short"]) {
    await page.fill("#composer", more);
    assert.ok(await page.isVisible(".later"));
    assert.ok(await page.isVisible(".send[data-mode=stop]"), "stop stays in reach");
    await page.press("#composer", "Enter");
  }
  assert.deepEqual(await text(page, ".queue-text"), ["British spelling, please", "never mind this", "and keep it short"]);
  assert.deepEqual([...new Set(await text(page, ".queue-when"))], ["After this step"]);
  await page.click(".queue-chip:nth-child(2) .queue-drop");
  assert.deepEqual(await text(page, ".queue-text"), ["British spelling, please", "and keep it short"]);
  first.go();
  await ended(page);
  assert.equal(await page.isVisible(".queue"), false);
  assert.deepEqual(await text(page, ".asked"), ["You: Write about colour", "You: British spelling, please", "You: and keep it short"]);
  assert.equal((await page.$$(".run")).length, 1, "it is one run");
  const said = server.requests.map(({ body }) => body.messages.findLast(({ role }) => role === "user").content);
  assert.deepEqual(said, ["Write about colour", "British spelling, please", "and keep it short"]);
});

test("what a stopped desk has not heard comes back into the composer", async (t) => {
  const server = await model(t, [held("").answer, { say: "Fresh." }]);
  const page = await openDemo(t, { search: at(server), expected: [/ERR_/] });
  await ask(page, "Write");
  await page.waitForSelector(".said");
  await page.fill("#composer", "wait, about tea");
  await page.press("#composer", "Enter");
  await page.fill("#composer", "with milk");
  await page.press("#composer", "Escape");
  await ended(page);
  assert.equal(await page.isVisible(".queue"), false);
  assert.equal(await page.inputValue("#composer"), "wait, about tea\nwith milk");
  await page.press("#composer", "Enter");
  await ended(page, 2);
  assert.equal(server.requests[1].body.messages.filter(({ role }) => role === "user").at(-1).content.includes("wait, about tea\nwith milk"), true);
  assert.equal(JSON.stringify(server.requests[1].body).split("wait, about tea").length, 2, "and is said once");
});

test("where it is so chosen, each edit waits for a yes, with its content in the page; a no leaves the page as it is", async (t) => {
  const server = await model(t, [{ calls: [append("History")] }, { calls: [append("Taste")] }, { say: "One of two." }]);
  const page = await openDemo(t, { search: at(server), mode: "review" });
  await page.selectOption(".mode-switch", "ask");
  assert.match(await page.textContent(".start"), /asks you before each edit/);
  await ask(page, "Write");
  await page.waitForSelector(".row[data-state=asking]");
  assert.equal(await page.textContent(".doing-words"), "Waiting for your answer…");
  assert.equal(await page.textContent(".row-words"), "Write “History”?");
  assert.deepEqual(await text(page, ".row-ask button"), ["Allow", "Don’t allow"]);
  await page.waitForSelector(".copydesk-preview");
  assert.match(await page.textContent(".copydesk-preview"), /About History\./);
  assert.doesNotMatch(await page.evaluate(() => document.querySelector(".tiptap").editor.getHTML()), /History/);
  await page.click(".row-ask button:text-is('Allow')");
  await page.waitForSelector(".row:nth-child(1)[data-state=done]");
  assert.match(await page.evaluate(() => document.querySelector(".tiptap").editor.getHTML()), /<h2>History<\/h2><p>About History\.<\/p>/);

  // By the keyboard as well.
  await page.waitForSelector("[data-call='c-Taste'][data-state=asking]");
  await page.focus("[data-call='c-Taste'] .row-ask button:nth-child(2)");
  await page.keyboard.press("Enter");
  await ended(page);
  assert.equal(await page.getAttribute("[data-call='c-Taste']", "data-state"), "refused");
  assert.doesNotMatch(await html(page), /Taste/);
  assert.equal(await page.isVisible(".row-ask"), false);
  assert.match(server.tool(2)["c-Taste"], /rejected/);
  assert.match(await page.textContent(".run-end"), /^1 edit/);

  // The choice is kept.
  assert.equal(await page.evaluate(() => localStorage.getItem("copydesk.mode")), "ask");
});

test("reading is never asked for, and stop ends a run that asks", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "get_document")] }, { calls: [append("History")] }]);
  const page = await openDemo(t, { search: at(server), mode: "ask" });
  await ask(page, "Write");
  await page.waitForSelector("[data-call='c1'][data-state=done]");
  await page.waitForSelector(".row[data-state=asking]");
  await page.keyboard.press("Escape");
  await ended(page);
  assert.equal(await page.getAttribute("[data-call='c-History']", "data-state"), "stopped");
  assert.equal(await page.isVisible(".row-ask"), false);
  assert.doesNotMatch(await html(page), /History/);
});

test("a retry says when and why, voids the half answer, and leaves nothing behind when it works", async (t) => {
  const server = await model(t, [
    (response) => {
      begin(response).write(chunk({ content: "Half an ans" }) + chunk({ tool_calls: [{ index: 0, id: "c1", function: { name: "update_section", arguments: '{"operation":"append","title":"Half' } }] }));
      setTimeout(() => response.destroy(), 250);
    },
    status(429, { "retry-after": "2" }),
    { say: "A whole answer." },
  ]);
  const page = await openDemo(t, { search: at(server), expected: [/ERR_|429/] });
  await ask(page, "Hello");
  await page.waitForSelector(".row");
  await page.waitForSelector(".retrying");
  assert.match(await page.textContent(".retrying"), /^Trying again (in \d+ s|now) \(the answer broke off\)$/);
  assert.equal(await page.locator(".said, .row").count(), 0, "what was half is gone");
  await page.waitForFunction(() => /^Trying again in [12] s \(too many requests\)$/.test(document.querySelector(".retrying")?.textContent));
  assert.match(await page.textContent(".doing-words"), /Trying again/);
  await ended(page);
  assert.equal(await page.locator(".retrying, .row").count(), 0);
  assert.deepEqual(await text(page, ".said"), ["A whole answer."]);
});

test("after a failure Try again goes on in the same run", async (t) => {
  const server = await model(t, [{ calls: [append("History")] }, status(429, { "retry-after": "600" }), { say: "There it is." }]);
  const page = await openDemo(t, { search: at(server), expected: [/429/] });
  await ask(page, "Write");
  await page.waitForSelector(".failure");
  await page.click(".failure button");
  await ended(page);
  assert.deepEqual(await text(page, ".said"), ["There it is."]);
  assert.equal(await page.locator(".failure").count(), 0);
  assert.equal(await page.locator(".run").count(), 1);
  assert.equal(await page.locator(".undo-run").count(), 1);
  const { messages } = server.requests.at(-1).body;
  assert.deepEqual(messages.map(({ role }) => role), ["system", "user", "assistant", "tool"], "nothing is said or done twice");
});

test("a run ends with its tokens, or with its cost where prices are set", async (t) => {
  const usage = { prompt_tokens: 9000, completion_tokens: 1000, total_tokens: 10000 };
  const server = await model(t, [{ calls: [append("History")], usage }, { say: "Done.", usage }, { say: "Done.", usage }]);
  const page = await openDemo(t, { search: at(server) });
  await ask(page, "Write");
  await ended(page);
  assert.match(await page.textContent(".run-end"), /^1 edit · [\d.]+ s · 20,000 tokens$/);
  await page.click(".actions .tool:last-child");
  await page.click(".more summary");
  const price = (name) => page.locator(".settings .field", { hasText: name }).locator("input");
  await price("tokens in").fill("-1");
  await page.click(".settings button[type=submit]");
  assert.equal(await page.textContent(".field-problem:visible"), "This must be a number from 0 on");
  await price("tokens in").fill("2");
  await price("tokens out").fill("10");
  await page.selectOption(".settings .more select", "low");
  await page.click(".settings button[type=submit]");
  await page.waitForSelector(".settings", { state: "detached" });
  await ask(page, "Again");
  await ended(page, 2);
  assert.match((await text(page, ".run-end")).at(-1), /^No edits · [\d.]+ s · \$0\.028$/);
  assert.equal(server.requests[2].body.reasoning_effort, "low");
});

test("each format has its address, and choosing one leads to who speaks it", async (t) => {
  const page = await openDemo(t);
  await page.click(".actions .tool:last-child");
  const format = page.locator(".settings select").first();
  const address = page.locator(".settings .field", { hasText: "Base URL" }).locator("input").first();
  const chosen = () => page.$eval(".settings input[name=preset]:checked", (radio) => radio.value);
  assert.deepEqual(await format.locator("option").allTextContents(), [
    "OpenAI Chat Completions", "OpenAI Responses", "Anthropic Messages", "Google Generative AI",
  ]);
  const seen = [];
  for (const api of ["openai-responses", "anthropic-messages", "google-generative-ai", "openai-completions"]) {
    await format.selectOption(api);
    seen.push([await chosen(), await address.inputValue(), await format.inputValue()]);
  }
  assert.deepEqual(seen, [
    ["openai", "https://api.openai.com/v1", "openai-responses"],
    ["anthropic", "https://api.anthropic.com", "anthropic-messages"],
    ["google", "https://generativelanguage.googleapis.com/v1beta", "google-generative-ai"],
    ["openai", "https://api.openai.com/v1", "openai-completions"],
  ]);
  await page.click(".settings label:has(input[value=custom])");
  await format.selectOption("anthropic-messages");
  assert.equal(await chosen(), "custom", "one's own endpoint may speak any");
  assert.equal(await address.getAttribute("placeholder"), "https://api.anthropic.com");
  await page.click(".settings label:has(input[value=anthropic])");
  await page.fill(".settings input[type=password] >> nth=0", "sk-ant");
  await page.click(".settings button[type=submit]");
  await page.waitForSelector(".model-line");
  assert.match(await page.textContent(".model-line"), /^claude\S+ · api\.anthropic\.com$/);
});

test("Anthropic's format is asked as Anthropic wants it", async (t) => {
  const lines = (events) => events.map(([type, rest]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`).join("");
  const server = await model(t, [
    (response) =>
      begin(response).end(
        lines([
          ["message_start", { message: { id: "m1", role: "assistant", content: [], usage: { input_tokens: 5, output_tokens: 1 } } }],
          ["content_block_start", { index: 0, content_block: { type: "text", text: "" } }],
          ["content_block_delta", { index: 0, delta: { type: "text_delta", text: "Bonjour." } }],
          ["content_block_stop", { index: 0 }],
          ["message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } }],
          ["message_stop", {}],
        ]),
      ),
  ]);
  const page = await openDemo(t, { search: at(server, "&api=anthropic-messages").replace("%2Fv1", "") });
  await ask(page, "Hello");
  await ended(page);
  assert.deepEqual(await text(page, ".said"), ["Bonjour."]);
  assert.equal(server.requests[0].path, "/v1/messages");
});

test("the demo model works the same when edits are asked for, and in Chinese", async (t) => {
  const page = await openDemo(t, { mode: "ask", locale: "zh-CN", expected: offline });
  await ask(page, "写一篇关于茶的文章，分一章");
  for (const _ of [1, 2]) {
    await page.waitForSelector(".row[data-state=asking]");
    assert.match(await page.textContent(".row[data-state=asking] .row-words"), /^写入.*？$/);
    assert.deepEqual(await text(page, ".row[data-state=asking] .row-ask button"), ["允许", "不允许"]);
    await page.click(".row[data-state=asking] .row-ask button");
  }
  await ended(page);
  assert.equal(await page.locator(".tiptap > h2").count(), 1);
});

for (const [colorScheme, viewport] of [
  ["light", { width: 1440, height: 900 }],
  ["dark", { width: 900, height: 1000 }],
  ["light", { width: 390, height: 844 }],
]) {
  test(`while the desk asks, waits and is told more, all is readable and in reach at ${viewport.width} px, ${colorScheme}`, async (t) => {
    const server = await model(t, [{ calls: [append("History")] }, status(429, { "retry-after": "2" }), { calls: [append("Taste")] }, { say: "Done." }]);
    const page = await openDemo(t, { search: at(server), mode: "ask", viewport, colorScheme, hasTouch: viewport.width < 700, expected: [/429/] });
    const fits = async (when) => {
      assert.deepEqual(await lowContrasts(page), [], when);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, when);
      const out = await page.$$eval(".queue, .queue *, .composer *", (found) => {
        const { left, right } = document.querySelector(".composer").getBoundingClientRect();
        return found.filter((one) => one.checkVisibility() && !one.matches(".sr")).map((one) => [one.className, one.getBoundingClientRect()]).filter(([, box]) => box.left < left || box.right > right).map(([name]) => name);
      });
      assert.deepEqual(out, [], when);
    };
    await ask(page, "Write about tea");
    await page.waitForSelector(".row[data-state=asking]");
    await page.fill("#composer", "A long remark that does not fit into one line of the chip, whatever the width of the desk may be");
    await page.press("#composer", "Enter");
    await page.fill("#composer", "and another one");
    await fits("asking");
    await page.click(".row-ask button");
    await page.waitForSelector(".retrying");
    await fits("before a retry");
    await page.waitForSelector("[data-call='c-Taste'][data-state=asking]");
    await page.click("[data-call='c-Taste'] .row-ask button:nth-child(2)");
    await ended(page);
    await fits("done");
  });
}
