// Completions at the cursor: shown, taken, dropped and never in the document before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, chunk, model, pageWith, status } from "./model.mjs";

const HTML = "<p>Tea is an old</p><p>After.</p><pre><code>let a</code></pre><ul><li><p>One</p></li></ul>";

/** Opens an editor with completions; `at` is the text that the cursor is behind. */
async function open(t, answers, { html = HTML, options = {}, at = "an old", expected = [], ...rest } = {}) {
  const server = await model(t, answers);
  // A request may be under way when the test has ended.
  const page = await pageWith(t, server.baseUrl, html, { ...rest, expected: [/ERR_CONNECTION|ERR_INCOMPLETE/, ...expected] });
  await page.evaluate(
    ({ html, options, baseUrl }) => {
      const llmConfig = { model: { api: "openai-completions", modelId: "small" }, streamOptions: { baseUrl } };
      edit(html, { extensions: [GhostText.configure({ llmConfig, enabled: true, delay: 5, ...options })] });
      window.states = [];
      editor.on("ghostText", ({ status, text, error }) => states.push([status, error?.code ?? text].filter(Boolean).join(" ")));
      window.behind = (text) => {
        let found = -1;
        editor.state.doc.descendants((node, position) => {
          const index = node.isText ? node.text.indexOf(text) : -1;
          if (index >= 0) found = position + index + text.length;
        });
        editor.view.focus();
        editor.commands.setTextSelection(found);
      };
    },
    { html, options, baseUrl: server.baseUrl },
  );
  if (at) await page.evaluate((at) => behind(at), at);
  return { page, server };
}

const ghost = (page) => page.evaluate(() => document.querySelector(".copydesk-ghost")?.textContent ?? "");
const shows = (page, text) => page.waitForFunction((text) => (document.querySelector(".copydesk-ghost")?.textContent ?? "") === text, text);
const content = (page) => page.evaluate(() => editor.getHTML());
const now = (page) => page.evaluate(() => editor.storage.copydeskGhostText.state.status);
const becomes = (page, status) => page.waitForFunction((status) => editor.storage.copydeskGhostText.state.status === status, status);
const hanging = (response) => void begin(response).write(chunk({ content: "…" }));

test("a pause after a key shows a completion that is not in the document, and Tab takes it as one undo step", async (t) => {
  const { page, server } = await open(t, [{ say: " of the south.\nAnd more." }, { say: "" }]);
  await page.keyboard.insertText(" drink");
  await shows(page, " of the south.");
  assert.ok((await content(page)).startsWith("<p>Tea is an old drink</p>"));
  assert.equal(await page.evaluate(() => document.querySelector(".copydesk-live").textContent), "Suggestion: “of the south.” Tab takes it.");
  assert.equal(await page.getAttribute(".copydesk-ghost", "aria-hidden"), "true");
  const { body } = server.requests.at(-1);
  assert.equal(body.model, "small");
  assert.equal(body.tools, undefined, "the model has no tools");
  assert.equal(body.max_tokens ?? body.max_completion_tokens, 60);
  assert.match(body.messages.at(-1).content, /<data source="after_cursor">\n\n\nAfter\.[^]*<data source="before_cursor">\nTea is an old drink\n<\/data>$/);
  await page.keyboard.press("Tab");
  assert.ok((await content(page)).startsWith("<p>Tea is an old drink of the south.</p>"));
  assert.equal(await ghost(page), "");
  await page.keyboard.press("Control+z");
  assert.ok((await content(page)).startsWith("<p>Tea is an old drink</p>"), "undo takes back what was taken, and no more");
  await page.keyboard.press("Control+z");
  assert.ok((await content(page)).startsWith("<p>Tea is an old</p>"));
});

test("Control+ArrowRight takes a word, typing on keeps the rest, and other letters drop it", async (t) => {
  const { page, server } = await open(t, [{ say: " drink, of the south" }, hanging]);
  await page.keyboard.type(",");
  await shows(page, " drink, of the south");
  await page.keyboard.press("Control+ArrowRight");
  await shows(page, " of the south");
  assert.ok((await content(page)).startsWith("<p>Tea is an old, drink,</p>"));
  const asked = server.requests.length;
  await page.keyboard.type(" of");
  await shows(page, " the south");
  assert.equal(server.requests.length, asked, "nothing is asked while the rest is shown");
  assert.equal(await now(page), "shown");
  await page.keyboard.type("x");
  assert.equal(await ghost(page), "");
  assert.ok((await content(page)).startsWith("<p>Tea is an old, drink, ofx</p>"));
});

test("Escape, the arrow keys, a click and leaving the editor drop it; the document and its history stay", async (t) => {
  const drops = {
    Escape: (page) => page.keyboard.press("Escape"),
    ArrowLeft: (page) => page.keyboard.press("ArrowLeft"),
    Backspace: (page) => page.keyboard.press("Backspace"),
    click: (page) => page.click("text=After."),
    blur: (page) => page.evaluate(() => editor.view.dom.blur()),
    "an undo": (page) => page.keyboard.press("Control+z"),
    "turning it off": (page) => page.evaluate(() => void editor.commands.setGhostText(false)),
  };
  for (const [name, drop] of Object.entries(drops)) {
    await t.test(name, async (t) => {
      const { page } = await open(t, [{ say: " of the south" }]);
      await page.keyboard.type("!");
      await shows(page, " of the south");
      const before = await content(page);
      await drop(page);
      await shows(page, "");
      if (!["Backspace", "an undo"].includes(name)) assert.equal(await content(page), before);
      assert.equal(await page.evaluate(() => document.querySelector(".copydesk-live").textContent), "");
    });
  }
});

test("each key cancels the request under way", async (t) => {
  const { page, server } = await open(t, [hanging, { say: " in time" }], { expected: [/ERR_/] });
  await page.keyboard.type("1");
  await page.waitForFunction(() => states.at(-1) === "waiting");
  while (!server.requests.length) await new Promise(setImmediate);
  await page.keyboard.press("F8");
  await server.requests[0].cut;
  assert.equal(await now(page), "idle", "a key that writes nothing asks for nothing");
  await page.keyboard.type("2");
  await shows(page, " in time");
  assert.equal(server.requests.length, 2);
  assert.match(server.requests[1].body.messages.at(-1).content, /an old12\n/);
});

test("it is off by default, not in code unless asked, not in the middle of a line, and not at a slash", async (t) => {
  const { page, server } = await open(t, [{ say: " = 1" }], { options: { enabled: false } });
  const typed = async (at, text) => {
    await page.evaluate((at) => behind(at), at);
    await page.keyboard.type(text);
    await page.evaluate(() => Promise.resolve());
    return now(page);
  };
  assert.equal(await typed("an old", "!"), "off");
  await page.evaluate(() => editor.commands.setGhostText(true));
  assert.equal(await typed("let a", "b"), "idle", "in code");
  assert.equal(await typed("Tea is", "!"), "idle", "in the middle of a line");
  await page.evaluate(() => editor.commands.insertContentAt(0, "<p></p>"));
  await page.evaluate(() => editor.commands.setTextSelection(1));
  await page.keyboard.type("/");
  assert.equal(await now(page), "idle", "a slash opens menus");
  assert.equal(server.requests.length, 0);
  const { page: other } = await open(t, [{ say: " = 1" }], { options: { inCode: true }, at: "let a" });
  await other.keyboard.type("b");
  await shows(other, " = 1");
});

test("nothing is shown while changes wait for review", async (t) => {
  const { page, server } = await open(t, [{ say: " of the south" }, { say: " again" }]);
  await page.keyboard.type("!");
  await shows(page, " of the south");
  await page.evaluate(() => {
    editor.commands.setReviewMode("review");
    editor.storage.copydesk.document.apply({ operation: "replace_text", old: "After", new: "Before" });
  });
  await shows(page, "");
  await page.keyboard.type("?");
  assert.equal(await now(page), "idle");
  assert.equal(server.requests.length, 1);
  await page.evaluate(() => editor.commands.rejectAll());
  await page.keyboard.type("!");
  await shows(page, " again");
});

test("an input method composes without completions, and what it has written is completed", async (t) => {
  const { page, server } = await open(t, [{ say: "很好喝" }, { say: "，也很香" }]);
  const session = await page.context().newCDPSession(page);
  await page.keyboard.type("茶");
  await shows(page, "很好喝");
  await session.send("Input.imeSetComposition", { text: "hen", selectionStart: 3, selectionEnd: 3 });
  await shows(page, "");
  assert.equal(await page.evaluate(() => editor.view.composing), true);
  assert.equal(server.requests.length, 1, "nothing is asked for a composition");
  await session.send("Input.insertText", { text: "很香" });
  await shows(page, "，也很香");
  assert.match(await content(page), /Tea is an old茶很香/);
});

test("text that is typed right after a completion is an undo step of its own", async (t) => {
  const { page } = await open(t, [{ say: " of the south" }, { say: "" }]);
  await page.keyboard.type(",");
  await shows(page, " of the south");
  await page.keyboard.press("Tab");
  await page.keyboard.type("!");
  await page.keyboard.press("Control+z");
  assert.match(await content(page), /old, of the south</);
  await page.keyboard.press("Control+z");
  assert.match(await content(page), /old,</);
});

test("can() changes nothing", async (t) => {
  const { page } = await open(t, [{ say: " of the south" }]);
  await page.keyboard.type(",");
  await shows(page, " of the south");
  const answers = await page.evaluate(() => [editor.can().setGhostText(false), editor.can().acceptGhostText(), editor.can().dismissGhostText()]);
  assert.deepEqual(answers, [true, true, true]);
  assert.equal(await now(page), "shown");
  await shows(page, " of the south");
});

test("a failure is an event; one that only settings can mend ends the asking", async (t) => {
  const { page, server } = await open(t, [status(500), status(401), { say: " back" }], { expected: [/500|401/] });
  await page.keyboard.type("1");
  await becomes(page, "failed");
  await page.keyboard.type("2");
  await page.waitForFunction(() => states.at(-1) === "failed unauthorized");
  await page.keyboard.type("3");
  assert.equal(await now(page), "failed");
  assert.equal(server.requests.length, 2);
  await page.evaluate(() => editor.commands.setGhostText(true));
  await page.keyboard.type("4");
  await shows(page, " back");
});

test("what an answer repeats of the line is left out, and words are those of the language", async (t) => {
  const { page } = await open(t, [{ say: "an old drink" }, { say: "\n" }, { say: "绿茶和红茶" }]);
  await page.keyboard.insertText(" dr");
  await shows(page, "ink");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => states.at(-1) === "idle" && states.filter((one) => one === "waiting").length === 2);
  await page.keyboard.type("有");
  await shows(page, "绿茶和红茶");
  await page.keyboard.press("Control+ArrowRight");
  assert.match(await content(page), /drink有绿茶/);
});

test("the edits of others and of the agent ask for nothing, and leave what is shown elsewhere", async (t) => {
  const { page, server } = await open(t, [{ say: " of the south" }]);
  await page.keyboard.type("!");
  await shows(page, " of the south");
  await page.evaluate(() => editor.view.dispatch(editor.state.tr.insertText("Long ", editor.state.doc.content.size - 5).setMeta("addToHistory", false)));
  assert.equal(await ghost(page), " of the south");
  await page.evaluate(() => editor.storage.copydesk.document.apply({ operation: "replace_text", old: "After", new: "Before" }));
  assert.equal(await ghost(page), " of the south");
  assert.equal(server.requests.length, 1);
  await page.keyboard.press("Tab");
  assert.match(await content(page), /an old! of the south/);
});

test("Tab in a list takes the completion, and indents without one", async (t) => {
  const { page } = await open(t, [{ say: " and two" }, { say: "" }], { at: "One" });
  await page.keyboard.type(",");
  await shows(page, " and two");
  await page.keyboard.press("Tab");
  assert.match(await content(page), /<li><p>One, and two<\/p><\/li>/);
});
