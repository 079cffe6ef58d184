// Markdown with the real parser in real TipTap; the parser is loaded only when it is needed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";

const openEditor = opener("editor");

/** A page, and the URLs of the scripts that it has requested. */
async function open(t) {
  const scripts = [];
  const page = await openEditor(t, {
    expected: [/\.png/],
    prepare: (page) => page.on("request", (request) => request.url().endsWith(".js") && scripts.push(request.url())),
  });
  await page.evaluate(() => void edit("<h2>A</h2><p>a</p>"));
  return { page, scripts };
}

const paragraphs = (...texts) => texts.map((text) => `<p>${text}</p>`).join("");
const TASK = (checked, content) =>
  `<li data-checked="${checked}" data-type="taskItem"><label><input type="checkbox"${checked ? ' checked="checked"' : ""}><span></span></label><div>${content}</div></li>`;
const LINK = 'target="_blank" rel="noopener noreferrer nofollow"';

/** Markdown, and the HTML that TipTap's own serializer writes of the result. */
const SAMPLES = [
  ["a heading and bold text", "### Kinds\n\nThere are **many** and *old* ones.", `<h3>Kinds</h3>${paragraphs("There are <strong>many</strong> and <em>old</em> ones.")}`],
  ["Chinese text", "### 历史\n\n茶的历史**非常**悠久。\n\n- 绿茶\n- 红茶", "<h3>历史</h3><p>茶的历史<strong>非常</strong>悠久。</p><ul><li><p>绿茶</p></li><li><p>红茶</p></li></ul>"],
  [
    "a table",
    "| Tea | Place |\n|-----|-------|\n| Green | **Hangzhou** |",
    `<tr><th><p>Tea</p></th><th><p>Place</p></th></tr><tr><td><p>Green</p></td><td><p><strong>Hangzhou</strong></p></td></tr>`,
  ],
  [
    "a task list",
    "- [x] boil\n- [ ] pour\n  - [ ] wait",
    `<ul data-type="taskList">${TASK(true, "<p>boil</p>")}${TASK(false, `<p>pour</p><ul data-type="taskList">${TASK(false, "<p>wait</p>")}</ul>`)}</ul>`,
  ],
  ["a code fence", "Run:\n\n```js\nlet a = \"<b>\" && 1;\n\nb();\n```", '<p>Run:</p><pre><code class="language-js">let a = "&lt;b&gt;" &amp;&amp; 1;\n\nb();</code></pre>'],
  [
    "a nested list",
    "1. one\n   - inner\n     1. innermost\n2. two",
    "<ol><li><p>one</p><ul><li><p>inner</p><ol><li><p>innermost</p></li></ol></li></ul></li><li><p>two</p></li></ol>",
  ],
  ["a list that starts elsewhere", "3. three\n4. four", '<ol start="3"><li><p>three</p></li><li><p>four</p></li></ol>'],
  ["strikethrough, a rule and a quote", "~~old~~ **new**\n\n---\n\n> said", "<p><s>old</s> <strong>new</strong></p><hr><blockquote><p>said</p></blockquote>"],
  [
    "a link with a title",
    'See [the "page"](https://a.example/?a=1&b=2 "A & B").',
    `<p>See <a ${LINK} href="https://a.example/?a=1&amp;b=2" title="A &amp; B">the "page"</a>.</p>`,
  ],
  ["a picture", "**Cup**\n\n![A cup](/cup.png)\n\nEnd.", '<p><strong>Cup</strong></p><img src="/cup.png" alt="A cup"><p>End.</p>'],
  [
    "a task before an item that is none",
    "- [ ] task\n- plain",
    '<ul data-type="taskList"><li data-checked="false" data-type="taskItem"><label><input type="checkbox"><span></span></label><div><p>task</p></div></li></ul><ul><li><p>plain</p></li></ul>',
  ],
];

for (const [what, markdown, expected] of SAMPLES) {
  test(`${what} becomes TipTap's node for it`, async (t) => {
    const { page } = await open(t);
    const { converted, html } = await page.evaluate(async (content) => {
      await loadMarkdown();
      const { converted } = boundDocument.apply({ operation: "replace", sectionIndex: 1, content });
      return { converted, html: editor.getHTML() };
    }, markdown);
    assert.equal(converted, "markdown");
    const inner = html.replace(/<table[^>]*>.*?<tbody>(.*)<\/tbody><\/table>/, "$1");
    // StarterKit keeps an empty paragraph at the end.
    assert.equal(inner.replace("<h2>A</h2>", "").replace(/<p><\/p>$/, ""), expected);
  });
}

test("the parser is loaded once, and not before the first Markdown", async (t) => {
  const { page, scripts } = await open(t);
  const atStart = scripts.length;
  const refused = await page.evaluate(() => {
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>HTML</p>" });
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "text" });
    try {
      boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "**b**" });
    } catch ({ name, code, message }) {
      return { name, code, wayOut: message.includes("loadMarkdown()"), html: editor.getHTML() };
    }
  });
  assert.deepEqual(refused, { name: "CopydeskError", code: "markdown_not_loaded", wayOut: true, html: "<h2>A</h2><p>text</p>" });
  assert.equal(scripts.length, atStart, "nothing is loaded for HTML, for text, or for Markdown that is refused");
  await page.evaluate(() => Promise.all([loadMarkdown(), loadMarkdown()]));
  assert.equal(scripts.length, atStart + 1);
  assert.equal(await page.evaluate(() => boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "**b**" }).converted), "markdown");
  assert.equal(scripts.length, atStart + 1);
});

test("an agent loads the parser by itself when its model writes Markdown", async (t) => {
  const { page, scripts } = await open(t);
  const atStart = scripts.length;
  const seen = await page.evaluate(async () => {
    const call = { operation: "append", title: "B", content: "- **one**\n- two" };
    const deltas = [{ tool_calls: [{ index: 0, id: "c1", function: { name: "update_section", arguments: JSON.stringify(call) } }] }, { content: "Done." }];
    const fetch = async () => {
      const chunk = { choices: [{ delta: deltas.shift(), finish_reason: "stop" }] };
      return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    };
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://localhost/v1" } };
    const agent = new Agent({ document: editor, fetch, llmConfig });
    const updates = [];
    agent.subscribe((event) => event.type === "doc_update" && updates.push(event.converted));
    const { status } = await agent.prompt("Go");
    return { status, updates, html: editor.getHTML() };
  });
  assert.deepEqual(seen, { status: "complete", updates: ["markdown"], html: "<h2>A</h2><p>a</p><h2>B</h2><ul><li><p><strong>one</strong></p></li><li><p>two</p></li></ul><p></p>" });
  assert.equal(scripts.length, atStart + 1);
});

test("a parser that cannot be fetched is an error, and loading can be retried", async (t) => {
  const { page } = await open(t);
  let cut = true;
  page.problems.length = 0;
  await page.route("**/*.js", (route) => (cut ? route.abort() : route.continue()));
  const failed = () => page.evaluate(() => loadMarkdown().then(() => "ok", ({ name, code, cause }) => [name, code, cause instanceof Error]));
  assert.deepEqual(await failed(), ["CopydeskError", "markdown_not_loaded", true]);
  cut = false;
  page.problems.length = 0;
});

test("harmful content in Markdown is refused as in HTML", async (t) => {
  const { page } = await open(t);
  const codes = await page.evaluate(async () => {
    await loadMarkdown();
    const contents = ["**x** [a](javascript:alert(1))", "**x** <a href='javascript:alert(1)'>a</a>", "**x** ![a](data:text/html,x)"];
    return contents.map((content) => {
      try {
        return boundDocument.apply({ operation: "replace", sectionIndex: 1, content, format: "markdown" }).operation;
      } catch (error) {
        return error.code;
      }
    });
  });
  assert.deepEqual(codes, ["invalid_url", "invalid_url", "invalid_url"]);
});

test("Markdown that would take long to parse, or would become far longer, is refused as too large", async (t) => {
  const { page } = await open(t);
  const texts = {
    // The limits of the work itself are tested by tests/packaging/markdown-growth.test.mjs.
    table: `# A\n\n${"|a".repeat(600)}|\n${"|-".repeat(600)}|\n${"|x|\n".repeat(600)}`,
    references: `# A\n\n[a]: https://a.example/${"x".repeat(20_000)}\n\n` + "[a] ".repeat(2_000),
  };
  const seen = await page.evaluate(async (texts) => {
    await loadMarkdown();
    const before = editor.getHTML();
    const codes = {};
    for (const [name, content] of Object.entries(texts)) {
      try {
        boundDocument.apply({ operation: "append", title: "A", content, format: "markdown" });
        codes[name] = "applied";
      } catch ({ code, message, details }) {
        codes[name] = [code, details, /split|HTML/.test(message)];
      }
    }
    return { codes, same: editor.getHTML() === before };
  }, texts);
  assert.deepEqual(seen.codes.table, ["too_large", { length: Buffer.byteLength(texts.table) }, true]);
  const [code, { limit }] = seen.codes.references;
  assert.deepEqual([code, limit], ["too_large", 10_000_000]);
  assert.ok(seen.same);
});

test("a failure of the parser is not reported as a missing parser", async (t) => {
  const { page } = await open(t);
  const seen = await page.evaluate(async () => {
    await loadMarkdown();
    // On a busy machine the time limit would be exceeded first.
    performance.now = () => 0;
    const failed = (content) => {
      try {
        boundDocument.apply({ operation: "append", title: "A", content, format: "markdown" });
      } catch ({ code, message, details }) {
        return [code, message, details];
      }
    };
    // Too deep for any stack: how deep is too deep depends on the code of the parser being compiled yet.
    return [">".repeat(20_000) + " deep", "1. ".repeat(20_000) + "deep", "*".repeat(20_000) + "a" + "*".repeat(20_000)].map(failed);
  });
  for (const [code, message, details] of seen) {
    assert.equal(code, "markdown_failed", message);
    assert.match(details.reason, /more than 200 levels/);
    assert.match(message, /HTML/);
  }
});
