// The preview: what a model is writing is shown at its position before the edit is made.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";

const openEditor = opener("editor");

const TEA = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

/**
 * A page with an editor and an agent whose model is controlled by the test: `say(part)` sends a part of the arguments
 * of one `update_section` call, `finish()` ends the call, then the answer.
 */
async function open(t, { html = TEA, copydesk = {}, ...options } = {}) {
  const page = await openEditor(t, options);
  await page.evaluate(
    ({ html, copydesk }) => {
      edit(html, { copydesk });
      const encoder = new TextEncoder();
      const sse = (delta, finish = null) => encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
      let turn = 0;
      const fetch = async (_, { signal }) => {
        if (turn++) return new Response(`data: ${JSON.stringify({ choices: [{ delta: { content: "Done." }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
        const body = new ReadableStream({
          start(out) {
            const call = (id, part, index) => out.enqueue(sse({ tool_calls: [{ index, ...(id && { id, type: "function" }), function: { ...(id && { name: "update_section" }), arguments: part } }] }));
            window.begin = (id = "c0", index = 0) => call(id, "", index);
            window.say = (part, index = 0) => call(undefined, part, index);
            window.finish = () => {
              out.enqueue(sse({}, "tool_calls"));
              out.close();
            };
            signal?.addEventListener("abort", () => out.error(signal.reason));
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      };
      const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } };
      window.agent = new Agent({ document: editor, llmConfig, fetch });
      window.run = agent.prompt("Go");
    },
    { html, copydesk },
  );
  await page.waitForFunction(() => window.begin);
  return page;
}

const preview = ".copydesk-preview";
const shown = (page) => page.$$eval(preview, (all) => all.map((element) => element.innerHTML).join("|"));
const documentOf = (page) => page.evaluate(() => editor.getHTML());
/** Sends a part of the arguments and waits until the page has drawn it. */
const say = (page, part) => page.evaluate((text) => (say(text), new Promise((drawn) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(drawn)), 30))), part);
const plain = (html) => html.replace(/ (?:style|draggable|tabindex)="[^"]*"/g, "");

test("content is shown at its position while its call arrives, and the document is not changed", async (t) => {
  const page = await open(t);
  const nodes = await page.evaluateHandle(() => editor.state.doc);
  await page.evaluate(() => begin());
  await say(page, '{"operation":"insert","sectionIndex":2,"title":"New","content":"<p>First wor');
  assert.match(plain(await shown(page)), /<p>First wor<\/p>$/);
  await say(page, "ds <strong>and bo");
  assert.match(plain(await shown(page)), /<p>First words <strong>and bo<\/strong><\/p>$/);
  await say(page, "ld</strong></p><p>Next <em");
  assert.match(plain(await shown(page)), /<p>First words <strong>and bold<\/strong><\/p><p>Next ?<\/p>$/, "a tag that is not whole is not seen");
  const neighbours = await page.$eval(preview, (element) => [element.previousElementSibling.textContent, element.nextElementSibling.textContent]);
  assert.deepEqual(neighbours, ["Old.", "Kinds"]);
  assert.ok(await page.evaluate((doc) => doc === editor.state.doc, nodes));
  assert.equal(await page.evaluate(() => editor.can().undo()), false);

  await say(page, '>end</em></p>"}');
  await page.evaluate(() => (finish(), run));
  assert.equal(await page.locator(preview).count(), 0);
  assert.match(await documentOf(page), /<p>Old\.<\/p><h2>New<\/h2><p>First words <strong>and bold<\/strong><\/p><p>Next <em>end<\/em><\/p><h2>Kinds/);
});

test("unchanged elements are kept while the preview grows", async (t) => {
  const page = await open(t);
  await page.evaluate(() => begin());
  await say(page, '{"operation":"append","title":"New","content":"<p>One.</p><p>Two');
  await page.evaluate(() => (window.one = document.querySelector(".copydesk-preview p")));
  await say(page, " grows.</p><p>Three.</p>");
  assert.deepEqual(await page.evaluate(() => [one.isConnected, one.textContent]), [true, "One."]);
  assert.match(plain(await shown(page)), /<p>Two grows\.<\/p><p>Three\.<\/p>$/);
  await page.evaluate(() => (agent.abort(), run));
});

test("the section that is being replaced is dimmed, and everything is restored when the run is stopped", async (t) => {
  const page = await open(t);
  const look = () => page.$eval(".tiptap", (element) => element.innerHTML);
  const before = await look();
  await page.evaluate(() => begin());
  await say(page, '{"operation":"replace","sectionIndex":1,"content":"<p>Quite new');
  assert.match(await page.$eval(".copydesk-replaced", (element) => element.textContent), /History|Old\./);
  assert.match(await shown(page), /Quite new/);
  await page.evaluate(() => (agent.abort(), run));
  assert.equal(await look(), before);
  assert.equal(await documentOf(page), TEA);
});

test("a failed stream removes the preview, and so does another call", async (t) => {
  const page = await open(t);
  await page.evaluate(() => begin("c0", 0));
  await say(page, '{"operation":"append","title":"A","content":"<p>first call</p>"}');
  assert.match(await shown(page), /first call/);
  await page.evaluate(() => begin("c1", 1));
  await page.evaluate(() => say('{"operation":"append","title":"B","content":"<p>second call', 1));
  await page.waitForFunction((selector) => /second call/.test(document.querySelector(selector)?.textContent), preview);
  assert.equal(await page.locator(preview).count(), 1);
  assert.doesNotMatch(await shown(page), /first call/);
  await page.evaluate(() => (finish(), run));
  assert.equal(await page.locator(preview).count(), 0);
  assert.doesNotMatch(await documentOf(page), /second/, "what was cut off is not written");
});

test("content unknown to the schema is not shown in the page", async (t) => {
  const page = await open(t);
  await page.evaluate(() => begin());
  await say(page, JSON.stringify({ operation: "append", title: "A", content: "<p onclick='x=1'>a<script>x=1</script><iframe src='https://example.org'></iframe><a href='javascript:x=1'>b</a></p><style>*{}</style>" }).slice(0, -2));
  assert.match(await shown(page), /a/);
  assert.deepEqual(await page.$$eval(`${preview} *`, (all) => all.flatMap((one) => [one.localName, ...one.getAttributeNames()]).filter((name) => /script|iframe|style$|onclick/.test(name) && name !== "style")), []);
  assert.equal(await page.locator(`${preview} a[href^="javascript:"]`).count(), 0);
  await page.evaluate(() => (agent.abort(), run));
});

test("typing beside the preview works, and the preview moves along", async (t) => {
  const page = await open(t);
  await page.evaluate(() => begin());
  await say(page, '{"operation":"insert","sectionIndex":2,"title":"New","content":"<p>coming');
  await page.click("#page p >> text=About tea.");
  await page.keyboard.press("End");
  await page.keyboard.type(" More.\n", { delay: 5 });
  await page.keyboard.type("And more.");
  await say(page, " along");
  const neighbours = await page.$eval(preview, (element) => [element.previousElementSibling.textContent, element.nextElementSibling.textContent]);
  assert.deepEqual(neighbours, ["Old.", "Kinds"]);
  await page.evaluate(() => (agent.abort(), run));
  assert.equal(await documentOf(page), TEA.replace("About tea.</p>", "About tea. More.</p><p>And more.</p>"));
});

test("the preview is drawn at most once a frame, and not at all without frames, as in a hidden tab", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const waiting = [];
    const real = window.requestAnimationFrame;
    window.requestAnimationFrame = (callback) => waiting.push(callback);
    const later = () => new Promise((done) => setTimeout(done, 20));
    begin();
    for (const part of ['{"operation":"append","title":"N","content":"<p>', "one ", "two ", "three"]) {
      say(part);
      await later();
    }
    const hidden = [waiting.length, document.querySelectorAll(".copydesk-preview").length];
    waiting.shift()(performance.now());
    const drawn = document.querySelector(".copydesk-preview").textContent;
    window.requestAnimationFrame = real;
    agent.abort();
    await run;
    return { hidden, drawn };
  });
  assert.deepEqual(seen, { hidden: [1, 0], drawn: "None two three" });
});

test("the first words of a call are drawn in the first frame after they arrive", async (t) => {
  const page = await open(t);
  const [came, drawn] = await page.evaluate(async () => {
    // Everything within one frame has one timestamp.
    const frame = () => document.timeline.currentTime;
    const next = new Promise((resolve) => {
      const end = agent.subscribe(({ type, delta }) => {
        if (type !== "tool_args" || !delta.includes("One")) return;
        end();
        requestAnimationFrame(() => resolve(frame()));
      });
    });
    const shown = new Promise((resolve) => {
      const look = () => document.querySelector(".copydesk-preview")?.textContent.includes("One") && resolve(frame());
      new MutationObserver(look).observe(document.querySelector(".tiptap"), { childList: true, subtree: true, characterData: true });
    });
    begin();
    say('{"operation":"append","title":"New","content":"<p>One');
    const frames = await Promise.all([next, shown]);
    agent.abort();
    await run;
    return frames;
  });
  assert.equal(drawn, came);
});

test("the preview can be disabled", async (t) => {
  const page = await open(t, { copydesk: { preview: false } });
  await page.evaluate(() => begin());
  await say(page, '{"operation":"append","title":"New","content":"<p>One.</p>');
  assert.equal(await page.locator(preview).count(), 0);
  await page.evaluate(() => (agent.abort(), run));
});
