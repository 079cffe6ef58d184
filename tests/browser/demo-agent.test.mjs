// The demo while the assistant works: queued messages, approvals, retries, costs, API formats.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, html, lowContrasts, offline, openDemo, openSettings, text } from "./demo-page.mjs";
import { begin, call, chunk, model, status } from "./model.mjs";

const at = (server, rest = "") => `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m${rest}`;
const append = (title) => call(`c-${title}`, "update_section", { operation: "append", title, content: `<p>About ${title}.</p>` });

/** An answer that pauses in the middle until `go()` is called. */
function paused(then) {
  let go;
  const gate = new Promise((resolve) => (go = resolve));
  const answer = async (response) => {
    begin(response).write(chunk({ content: "Let me see. " }));
    await gate;
    response.end(then);
  };
  return { answer, go };
}

test("messages sent while the assistant works are queued, and sent after the current step", async (t) => {
  const parts = [{ index: 0, id: "c1", function: { name: "get_document", arguments: "{}" } }];
  const first = paused(chunk({ tool_calls: parts }, "tool_calls") + "data: [DONE]\n\n");
  const server = await model(t, [first.answer, { say: "In British spelling, then." }, { say: "And short." }]);
  const page = await openDemo(t, { search: at(server) });
  await ask(page, "Write about colour");
  await page.waitForSelector(".assistant-message");
  assert.ok(await page.isVisible(".send[data-mode=stop]"));
  assert.equal(await page.isVisible(".send-later"), false);
  for (const more of ["British spelling, please", "never mind this", "and keep it short"]) {
    await page.fill("#composer", more);
    assert.ok(await page.isVisible(".send-later"));
    assert.ok(await page.isVisible(".send[data-mode=stop]"), "stop stays visible");
    await page.press("#composer", "Enter");
  }
  assert.deepEqual(await text(page, ".queue-text"), ["British spelling, please", "never mind this", "and keep it short"]);
  assert.deepEqual([...new Set(await text(page, ".queue-label"))], ["After this step"]);
  await page.click(".queue-item:nth-child(2) .remove");
  assert.deepEqual(await text(page, ".queue-text"), ["British spelling, please", "and keep it short"]);
  first.go();
  await ended(page);
  assert.equal(await page.isVisible(".queue"), false);
  assert.deepEqual(await text(page, ".user-message"), ["You: Write about colour", "You: British spelling, please", "You: and keep it short"]);
  assert.equal((await page.$$(".run")).length, 1, "it is one run");
  const said = server.requests.map(({ body }) => body.messages.findLast(({ role }) => role === "user").content);
  // The document follows the words of the user.
  const words = said.map((content) => content.split("\n\n<document>")[0]);
  assert.deepEqual(words, ["Write about colour", "British spelling, please", "and keep it short"]);
});

test("queued messages return to the composer when the run is stopped", async (t) => {
  const server = await model(t, [paused("").answer, { say: "Fresh." }]);
  const page = await openDemo(t, { search: at(server), expected: [/ERR_/] });
  await ask(page, "Write");
  await page.waitForSelector(".assistant-message");
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
  assert.equal(JSON.stringify(server.requests[1].body).split("wait, about tea").length, 2, "and is sent once");
});

test("in ask mode each edit waits for approval, with a preview; denying it leaves the document unchanged", async (t) => {
  const server = await model(t, [{ calls: [append("History")] }, { calls: [append("Taste")] }, { say: "One of two." }]);
  const page = await openDemo(t, { search: at(server), mode: "review" });
  await page.selectOption(".mode-select", "ask");
  assert.match(await page.textContent(".welcome"), /asks before each edit/);
  await ask(page, "Write");
  await page.waitForSelector(".row[data-state=approval]");
  assert.equal(await page.textContent(".progress-text"), "Waiting for your approval…");
  assert.equal(await page.textContent(".row-text"), "Write “History”?");
  assert.deepEqual(await text(page, ".row-approval button"), ["Allow", "Deny"]);
  await page.waitForSelector(".copydesk-preview");
  assert.match(await page.textContent(".copydesk-preview"), /About History\./);
  assert.doesNotMatch(await page.evaluate(() => document.querySelector(".tiptap").editor.getHTML()), /History/);
  await page.click(".row-approval button:text-is('Allow')");
  await page.waitForSelector(".row:nth-child(1)[data-state=done]");
  assert.match(await page.evaluate(() => document.querySelector(".tiptap").editor.getHTML()), /<h2>History<\/h2><p>About History\.<\/p>/);

  // With the keyboard as well.
  await page.waitForSelector("[data-call='c-Taste'][data-state=approval]");
  await page.focus("[data-call='c-Taste'] .row-approval button:nth-child(2)");
  await page.keyboard.press("Enter");
  await ended(page);
  assert.equal(await page.getAttribute("[data-call='c-Taste']", "data-state"), "rejected");
  assert.doesNotMatch(await html(page), /Taste/);
  assert.equal(await page.isVisible(".row-approval"), false);
  assert.match(server.tool(2)["c-Taste"], /rejected/);
  assert.match(await page.textContent(".run-end"), /^1 edit/);

  // The choice is saved.
  assert.equal(await page.evaluate(() => localStorage.getItem("copydesk.mode")), "ask");
});

test("reading needs no approval, and stop ends a run that waits for approval", async (t) => {
  const server = await model(t, [{ calls: [call("c1", "get_document")] }, { calls: [append("History")] }]);
  const page = await openDemo(t, { search: at(server), mode: "ask" });
  await ask(page, "Write");
  await page.waitForSelector("[data-call='c1'][data-state=done]");
  await page.waitForSelector(".row[data-state=approval]");
  await page.keyboard.press("Escape");
  await ended(page);
  assert.equal(await page.getAttribute("[data-call='c-History']", "data-state"), "stopped");
  assert.equal(await page.isVisible(".row-approval"), false);
  assert.doesNotMatch(await html(page), /History/);
});

test("a retry shows when and why, discards the partial answer, and leaves no trace when it succeeds", async (t) => {
  let cut;
  const server = await model(t, [
    (response) => {
      begin(response).write(chunk({ content: "Half an ans" }) + chunk({ tool_calls: [{ index: 0, id: "c1", function: { name: "update_section", arguments: '{"operation":"append","title":"Half' } }] }));
      cut = () => response.destroy();
    },
    status(429, { "retry-after": "2" }),
    { say: "A whole answer." },
  ]);
  const page = await openDemo(t, { search: at(server), expected: [/ERR_|429/] });
  await ask(page, "Hello");
  await page.waitForSelector(".row");
  cut();
  await page.waitForSelector(".retrying");
  assert.match(await page.textContent(".retrying"), /^Retrying (in \d+ s|now) \(the connection was cut\)$/);
  assert.equal(await page.locator(".assistant-message, .row").count(), 0, "the partial answer is gone");
  await page.waitForFunction(() => /^Retrying in [12] s \(too many requests\)$/.test(find(".retrying")?.textContent));
  assert.match(await page.textContent(".progress-text"), /Retrying/);
  await ended(page);
  assert.equal(await page.locator(".retrying, .row").count(), 0);
  assert.deepEqual(await text(page, ".assistant-message"), ["A whole answer."]);
});

test("Try again continues a failed run", async (t) => {
  const server = await model(t, [{ calls: [append("History")] }, status(429, { "retry-after": "600" }), { say: "There it is." }]);
  const page = await openDemo(t, { search: at(server), expected: [/429/] });
  await ask(page, "Write");
  await page.waitForSelector(".failure");
  await page.click(".failure button");
  await ended(page);
  assert.deepEqual(await text(page, ".assistant-message"), ["There it is."]);
  assert.equal(await page.locator(".failure").count(), 0);
  assert.equal(await page.locator(".run").count(), 1);
  assert.equal(await page.locator(".undo-run").count(), 1);
  const { messages } = server.requests.at(-1).body;
  assert.deepEqual(messages.map(({ role }) => role), ["system", "user", "assistant", "tool"], "nothing is sent or done twice");
});

test("a run ends with its tokens, or with its cost if prices are set", async (t) => {
  const usage = { prompt_tokens: 9000, completion_tokens: 1000, total_tokens: 10000 };
  const server = await model(t, [{ calls: [append("History")], usage }, { say: "Done.", usage }, { say: "Done.", usage }]);
  const page = await openDemo(t, { search: at(server) });
  await ask(page, "Write");
  await ended(page);
  assert.match(await page.textContent(".run-end"), /^1 edit · [\d.]+ s · 20,000 tokens$/);
  await openSettings(page);
  await page.click(".more summary");
  const price = (name) => page.locator(".settings .field", { hasText: name }).locator("input");
  await price("Input price").fill("-1");
  await page.click(".settings button[type=submit]");
  assert.equal(await page.textContent(".field-problem:visible"), "Enter a number of 0 or more.");
  await price("Input price").fill("2");
  await price("Output price").fill("10");
  await page.selectOption(".settings .more select", "low");
  await page.click(".settings button[type=submit]");
  await page.waitForSelector(".settings", { state: "detached" });
  await ask(page, "Again");
  await ended(page, 2);
  assert.match((await text(page, ".run-end")).at(-1), /^No edits · [\d.]+ s · \$0\.028$/);
  assert.equal(server.requests[2].body.reasoning_effort, "low");
});

test("each API format has its URL, and choosing one selects a provider that supports it", async (t) => {
  const page = await openDemo(t);
  await openSettings(page);
  const format = page.locator("copydesk-settings select").first();
  const url = page.locator(".settings .field", { hasText: "Base URL" }).locator("input").first();
  const chosen = () => page.$eval(".settings input[name=preset]:checked", (radio) => radio.value);
  assert.deepEqual(await format.locator("option").allTextContents(), [
    "OpenAI Chat Completions", "OpenAI Responses", "Anthropic Messages", "Google Generative AI",
  ]);
  const seen = [];
  for (const api of ["openai-responses", "anthropic-messages", "google-generative-ai", "openai-completions"]) {
    await format.selectOption(api);
    seen.push([await chosen(), await url.inputValue(), await format.inputValue()]);
  }
  assert.deepEqual(seen, [
    ["openai", "https://api.openai.com/v1", "openai-responses"],
    ["anthropic", "https://api.anthropic.com", "anthropic-messages"],
    ["google", "https://generativelanguage.googleapis.com/v1beta", "google-generative-ai"],
    ["openai", "https://api.openai.com/v1", "openai-completions"],
  ]);
  await page.click(".settings label:has(input[value=custom])");
  await format.selectOption("anthropic-messages");
  assert.equal(await chosen(), "custom", "a custom endpoint supports all formats");
  assert.equal(await url.getAttribute("placeholder"), "https://api.anthropic.com");
  await page.click(".settings label:has(input[value=anthropic])");
  await page.fill(".settings input[type=password] >> nth=0", "sk-ant");
  await page.click(".settings button[type=submit]");
  await page.waitForSelector(".model-name");
  assert.match(await page.textContent(".model-name"), /^claude\S+ · api\.anthropic\.com$/);
});

test("Anthropic's format is sent to Anthropic's path", async (t) => {
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
  assert.deepEqual(await text(page, ".assistant-message"), ["Bonjour."]);
  assert.equal(server.requests[0].path, "/v1/messages");
});

test("the demo model works in ask mode, and in Chinese", async (t) => {
  const page = await openDemo(t, { mode: "ask", locale: "zh-CN", expected: offline });
  await ask(page, "写一篇关于茶的文章，分三章，配一张图");
  for (const words of [/^写入.*？$/, /^写入.*？$/, /^写入.*？$/, /^写入.*？$/, /^为.*插入图片？$/]) {
    const row = await page.waitForSelector(".row[data-state=approval]");
    assert.match(await page.textContent(".row[data-state=approval] .row-text"), words);
    assert.deepEqual(await text(page, ".row[data-state=approval] .row-approval button"), ["允许", "拒绝"]);
    await page.click(".row[data-state=approval] .row-approval button");
    await page.waitForFunction((row) => row.dataset.state !== "approval", row);
  }
  await ended(page);
  assert.equal(await page.locator(".tiptap > h2").count(), 3);
});

for (const [colorScheme, viewport] of [
  ["light", { width: 1440, height: 900 }],
  ["dark", { width: 900, height: 1000 }],
  ["light", { width: 390, height: 844 }],
]) {
  test(`approval, retry and queue are readable and within the viewport at ${viewport.width} px, ${colorScheme}`, async (t) => {
    const server = await model(t, [{ calls: [append("History")] }, status(429, { "retry-after": "2" }), { calls: [append("Taste")] }, { say: "Done." }]);
    const page = await openDemo(t, { search: at(server), mode: "ask", viewport, colorScheme, hasTouch: viewport.width < 700, expected: [/429/] });
    const fits = async (when) => {
      assert.deepEqual(await lowContrasts(page), [], when);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, when);
      const out = await page.$$eval(".queue, .queue *, .composer *", (found) => {
        const { left, right } = find(".composer").getBoundingClientRect();
        return found.filter((one) => one.checkVisibility() && !one.matches(".visually-hidden")).map((one) => [one.className, one.getBoundingClientRect()]).filter(([, box]) => box.left < left || box.right > right).map(([name]) => name);
      });
      assert.deepEqual(out, [], when);
    };
    await ask(page, "Write about tea");
    await page.waitForSelector(".row[data-state=approval]");
    await page.fill("#composer", "A long remark that does not fit into one line of the chip, whatever the width of the chat may be");
    await page.press("#composer", "Enter");
    await page.fill("#composer", "and another one");
    await fits("approval");
    await page.click(".row-approval button");
    await page.waitForSelector(".retrying");
    await fits("before a retry");
    await page.waitForSelector("[data-call='c-Taste'][data-state=approval]");
    await page.click("[data-call='c-Taste'] .row-approval button:nth-child(2)");
    await ended(page);
    await fits("done");
  });
}
