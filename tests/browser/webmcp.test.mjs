// The document tools for agents outside of the page, called through the WebMCP of a real Chromium.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countOf } from "./budget.mjs";
import { launch, opener, openPage, servePage, theBrowser } from "./harness.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = countOf("COPYDESK_WEBMCP", 4, 1);
/** The tools of a document, in the order of their registration. */
const NAMES = ["get_document", "read_lines", "edit_current_editor_document", "replace_text", "set_attributes", "update_section", "insert_image", "move_section", "read_more"];
const TEA = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><p>Very old.</p>";

let withFlag;
const opened = opener("webmcp");

/** Opens the page in a Chromium that has WebMCP. */
async function open(t, { prepare, ...options } = {}) {
  const browser = await (withFlag ??= launch("~NOTFOUND", ["--enable-experimental-web-platform-features"]));
  const routed = async (page) => {
    await page.route("https://known.example/**", (route) => route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }));
    await prepare?.(page);
  };
  return opened(t, { browser, prepare: routed, ...options });
}

// They wait for the calls of a step most of the time.
describe("outside calls have the results, hunks and undo steps of an agent's own", { concurrency: true }, () => {
  for (const [mode, guards, isGuarded] of [["auto", "no guards", false], ["auto", "guards", true], ["review", "no guards", false], ["review", "guards", true]]) {
    test(`with ${guards} in mode ${mode}`, async (t) => {
      t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another`);
      const page = await open(t);
      const seen = {};
      for (let round = 0; round < ROUNDS; round++) {
        const options = { mode, isGuarded, locale: round % 2 ? "zh-CN" : "en" };
        const { difference, codes } = await page.evaluate(([seed, options]) => compare(seed, options), [SEED + round, options]);
        assert.equal(difference, null, `COPYDESK_SEED=${SEED + round} COPYDESK_WEBMCP=1: ${JSON.stringify(difference, null, 1)}`);
        for (const [code, count] of Object.entries(codes)) seen[code] = (seen[code] ?? 0) + count;
      }
      t.diagnostic(JSON.stringify(seen));
      const expected = ["ok", "undone", "invalid_parameter", "missing_parameter", "line_out_of_range", ...(isGuarded ? ["locked"] : [])];
      if (ROUNDS >= 4) for (const code of expected) assert.ok(seen[code] > 0, `${code} occurs`);
    });
  }
});

test("names, descriptions and schemas are those that an agent's own model gets, with the hints, in both languages", async (t) => {
  const page = await open(t);
  for (const locale of ["en", "zh-CN"]) {
    const seen = await page.evaluate(
      async ([locale, content]) => {
        const guards = { lossless: "reject" };
        const editor = edit(content, { locale, guards: locale === "en" ? guards : undefined });
        const exposed = await exposeTools(editor, { locale, guards: locale === "en" ? undefined : guards });
        const own = edit(content, { guards });
        const { agent, run, requests } = agentOf(own, { locale });
        await run([]);
        const tools = Object.values(await toolsOf()).map(({ name, description, inputSchema, annotations }) => ({ name, description, parameters: inputSchema, annotations }));
        const names = exposed.tools;
        agent.dispose();
        for (const one of [editor, own]) one.destroy();
        return { tools, names, own: requests[0].tools.map((tool) => tool.function), left: Object.keys(await toolsOf()) };
      },
      [locale, TEA],
    );
    assert.deepEqual(seen.names, NAMES);
    const byName = new Map(seen.tools.map((tool) => [tool.name, tool]));
    const own = seen.own.filter(({ name }) => !name.startsWith("search_"));
    assert.deepEqual(own.map(({ name }) => name), NAMES);
    assert.ok(own.some(({ parameters }) => parameters.properties.confirmDrop), "guards of either kind ask for a confirmation");
    for (const tool of own) {
      const { annotations, ...spec } = byName.get(tool.name);
      assert.deepEqual(spec, tool);
      assert.equal(annotations.untrustedContentHint, true);
      assert.equal(annotations.readOnlyHint, ["get_document", "read_lines", "read_more"].includes(tool.name), tool.name);
    }
    assert.match(byName.get("read_lines").description, locale === "en" ? /^[\x00-\x7f’“”…–]+$/ : /[\u4e00-\u9fff]/);
    assert.deepEqual(seen.left, [], "the tools are gone with their editor");
  }
});

test("only what was shown can be changed, an edit is stale after the user's, and errors are results", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (content) => {
    const editor = edit(content);
    const events = [];
    await exposeTools(editor, { locale: "en", emit: ({ type, toolName }) => events.push(`${type} ${toolName}`) });
    const change = (content) => outside("edit_current_editor_document", { start_line: 2, content });
    const results = [await change("A cup."), await outside("read_lines"), await change("A cup.")];
    const typed = editor.state.tr.insertText("My ", editor.state.doc.child(0).nodeSize + 1);
    editor.view.dispatch(typed);
    results.push(await change("A pot."), await outside("read_lines", { start_line: "x" }), await outside("replace_text", [1]));
    results.push(await outside("update_section", { operation: "burn" }), await outside("replace_text", { old: "x".repeat(1_000_000), new: "y" }));
    const html = editor.getHTML();
    editor.commands.undo();
    editor.commands.undo();
    return { results, html, undone: editor.getHTML(), events };
  }, TEA);
  const codes = seen.results.map((text) => (text.startsWith("{") ? JSON.parse(text).error?.code : "text"));
  assert.deepEqual(codes, ["lines_not_shown", "text", undefined, "stale", "invalid_parameter", "invalid_arguments", "invalid_parameter", "text_not_found"]);
  assert.match(seen.results[3], /My A cup\./, "the refusal has the current line");
  assert.match(seen.html, /<p>My A cup\.<\/p>/);
  assert.match(seen.undone, /<p>A leaf\.<\/p>/);
  assert.deepEqual(seen.events.slice(0, 2), ["tool_use edit_current_editor_document", "tool_result edit_current_editor_document"]);
  assert.equal(seen.events.filter((event) => event.startsWith("doc_update")).length, 1);
});

test("a read-only editor is read, and not changed, from outside", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (content) => {
    const editor = edit(content, { mode: "review" });
    await exposeTools(editor, { locale: "en" });
    editor.setEditable(false);
    const results = [await outside("get_document"), await outside("replace_text", { old: "A leaf", new: "A bud" })];
    const hunks = () => editor.storage.copydesk.document.hunks().length;
    const refused = hunks();
    editor.setEditable(true);
    results.push(await outside("replace_text", { old: "A leaf", new: "A bud" }));
    return { results: results.map((text) => (text.startsWith("{") ? (JSON.parse(text).error?.code ?? "ok") : "ok")), refused, proposed: hunks() };
  }, TEA);
  assert.deepEqual(seen, { results: ["ok", "read_only", "ok"], refused: 0, proposed: 1 });
});

const THREE = `${TEA}<h2>Kinds</h2><p>Many.</p>`;

test("guards given with the tools narrow outside calls only, and never widen those of the document", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (content) => {
    const editor = edit(content, { guards: { locked: [0], images: "any", links: { hosts: ["a.example"] } } });
    const { agent, run } = agentOf(editor);
    await exposeTools(editor, { locale: "en", guards: { scope: { sections: ["History"] }, locked: ["History"], images: { hosts: ["b.example"] }, links: { hosts: ["b.example"] } } });
    await outside("get_document");
    await run([{ name: "get_document", args: {} }]);
    const updates = [
      { operation: "replace", sectionIndex: 0, title: "Tea", content: "<p>Cup.</p>" },
      { operation: "append", title: "More", content: "<p>x</p>" },
      { operation: "replace", sectionIndex: 2, content: "<p>Few.</p>" },
      { operation: "replace", sectionIndex: 1, content: '<p><a href="https://a.example/">Old.</a></p>' },
      { operation: "replace", sectionIndex: 1, content: '<p><a href="https://b.example/">Old.</a></p>' },
      { operation: "replace", sectionIndex: 1, content: "<p>Ancient.</p>" },
    ];
    const code = (text) => JSON.parse(text).error?.code ?? "ok";
    const codes = { outside: [], own: [] };
    for (const args of updates) codes.outside.push(code(await outside("update_section", args)));
    const before = editor.getHTML();
    for (const args of updates) codes.own.push(code((await run([{ name: "update_section", args }]))[0]));
    agent.dispose();
    return { codes, before };
  }, THREE);
  assert.deepEqual(seen.codes.outside, ["locked", "out_of_scope", "out_of_scope", "url_not_allowed", "url_not_allowed", "locked"]);
  assert.equal(seen.before, THREE);
  assert.deepEqual(seen.codes.own, ["locked", "ok", "ok", "ok", "url_not_allowed", "ok"]);
});

/** Holds the request for the Markdown parser, on which edits with Markdown wait. Resolves `asked` when it is made. */
async function holdMarkdown(page) {
  let [ask, release] = [];
  const asked = new Promise((resolve) => (ask = resolve));
  const released = new Promise((resolve) => (release = resolve));
  await page.route(/markdown/, async (route) => {
    ask();
    await released;
    // The page may have been closed.
    await route.continue().catch(() => {});
  });
  return { asked, release };
}

const MARKDOWN = "Some **bold** text";

test("a call that is cancelled changes nothing, and the next calls work", async (t) => {
  let held;
  const page = await open(t, { prepare: async (page) => (held = await holdMarkdown(page)) });
  await page.evaluate(async (content) => {
    window.editor = edit(content);
    await exposeTools(editor, { locale: "en" });
    await outside("read_lines");
  }, TEA);
  const unbegun = await page.evaluate(async () => {
    const controller = new AbortController();
    const call = outside("replace_text", { old: "leaf", new: "cup" }, { signal: controller.signal });
    const failed = call.then(() => "resolved", (error) => error.message);
    await toolsOf();
    controller.abort(new Error("not needed"));
    return failed;
  });
  assert.equal(unbegun, "not needed");
  const cancelled = page.evaluate(async (content) => {
    window.controller = new AbortController();
    const call = outside("edit_current_editor_document", { start_line: 2, content }, { signal: controller.signal });
    return call.then(() => "resolved", (error) => error.message);
  }, MARKDOWN);
  await held.asked;
  await page.evaluate(() => controller.abort(new Error("no longer needed")));
  assert.equal(await cancelled, "no longer needed");
  held.release();
  const seen = await page.evaluate(async (content) => {
    await loadMarkdown();
    const [first, html] = [await outside("read_lines"), editor.getHTML()];
    return { first, html, next: await outside("edit_current_editor_document", { start_line: 2, content }), after: editor.getHTML() };
  }, MARKDOWN);
  assert.equal(seen.html, TEA);
  assert.match(seen.first, /2: A leaf\./);
  assert.match(seen.next, /"success":true/);
  assert.match(seen.after, /Some <strong>bold<\/strong> text/);
});

for (const [how, end] of [
  ["its editor is destroyed", () => editor.destroy()],
  ["its tools are taken back", () => exposed.dispose()],
  ["the signal aborts", () => controller.abort()],
]) {
  test(`a call is stopped and told so when ${how}`, async (t) => {
    let held;
    const page = await open(t, { prepare: async (page) => (held = await holdMarkdown(page)) });
    await page.evaluate(async (content) => {
      window.editor = edit(content);
      window.controller = new AbortController();
      window.edits = [];
      const emit = (event) => void (event.type === "doc_update" && edits.push(event));
      window.exposed = await exposeTools(editor, { locale: "en", signal: controller.signal, emit });
      await outside("read_lines");
    }, TEA);
    const running = page.evaluate((content) => outside("edit_current_editor_document", { start_line: 2, content }), MARKDOWN);
    await held.asked;
    const late = page.evaluate(() => outside("replace_text", { old: "leaf", new: "cup" }));
    // The second call has reached the page when the tools are listed once more.
    await page.evaluate(() => toolsOf());
    await page.evaluate(end);
    const codes = [await running, await late].map((text) => JSON.parse(text).error.code);
    assert.deepEqual(codes, ["not_run", "not_run"]);
    held.release();
    const seen = await page.evaluate(async () => {
      await loadMarkdown();
      return { tools: Object.keys(await toolsOf()), exposed: exposed.tools, edits };
    });
    assert.deepEqual([seen.tools, seen.exposed, seen.edits], [[], [], []]);
  });
}

test("a call that was made before another one's result was known counts as the document was shown before both", async (t) => {
  let held;
  const page = await open(t, { prepare: async (page) => (held = await holdMarkdown(page)) });
  await page.evaluate(async (content) => {
    window.editor = edit(content);
    await exposeTools(editor, { locale: "en" });
    await outside("read_lines");
    await outside("get_document");
  }, TEA);
  const first = page.evaluate(() => outside("edit_current_editor_document", { start_line: 2, content: "A **leaf**.\n\nAnd water.\n\nAnd a cup." }));
  await held.asked;
  const second = page.evaluate(() => outside("edit_current_editor_document", { start_line: 5, content: "Ancient." }));
  const third = page.evaluate(() => outside("update_section", { operation: "append", title: "Kinds", content: "<p>Many.</p>" }));
  await page.evaluate(() => toolsOf());
  held.release();
  for (const text of await Promise.all([first, second, third])) assert.match(text, /"success":true/);
  const seen = await page.evaluate(async () => [editor.getHTML(), await outside("edit_current_editor_document", { start_line: 7, content: "Truly ancient." }), editor.getHTML()]);
  assert.equal(seen[0], "<h1>Tea</h1><p>A <strong>leaf</strong>.</p><p>And water.</p><p>And a cup.</p><h2>History</h2><p>Old.</p><p>Ancient.</p><h2>Kinds</h2><p>Many.</p>");
  assert.match(seen[1], /"success":true/);
  assert.match(seen[2], /<p>Old\.<\/p><p>Truly ancient\.<\/p>/, "the numbers of the results count now");
});

test("tools of several editors have different names, each works on its own editor, and names become free again", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (content) => {
    const editors = [edit(content), edit(content), edit(content)];
    const exposed = await Promise.all(editors.map((editor, at) => exposeTools(editor, { locale: at === 2 ? "zh-CN" : "en", tools: ["read_lines", "replace_text"] })));
    const names = exposed.map(({ tools }) => tools);
    const tools = await toolsOf();
    await outside("replace_text_2", { old: "leaf", new: "cup" });
    const texts = editors.map((editor) => editor.getText());
    const unshown = await outside("replace_text_3", { old: "A leaf", new: "B", near_line: 2 });
    editors[1].destroy();
    const left = Object.keys(await toolsOf());
    const again = await exposeTools(edit("<p>x</p>"), { tools: ["read_lines"] });
    return { names, description: tools.replace_text_2.description, chinese: tools.read_lines_3.description, texts, unshown, left, again: again.tools };
  }, TEA);
  assert.deepEqual(seen.names, ["", "_2", "_3"].map((suffix) => ["read_lines", "replace_text", "read_more"].map((name) => name + suffix)));
  assert.match(seen.description, /^For another document of this page, whose tools all end in _2: .* replace_text is replace_text_2 here\. /);
  assert.match(seen.chinese, /^用于本页面的另一个文档，其工具名均以 _3 结尾/);
  assert.deepEqual(seen.texts.map((text) => text.includes("cup")), [false, true, false]);
  assert.ok(JSON.parse(seen.unshown));
  assert.deepEqual(seen.left.sort(), ["read_lines", "read_lines_3", "read_more", "read_more_3", "replace_text", "replace_text_3"]);
  assert.deepEqual(seen.again, ["read_lines_2", "read_more_2"]);
});

test("an action of the user asks the editor's agent, and an edit from outside is in the editor's review", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (content) => {
    const editor = edit(content, { mode: "review" });
    const { agent, requests } = agentOf(editor);
    await exposeTools(editor, { locale: "en" });
    const result = await outside("replace_text", { old: "leaf", new: "cup" });
    const shown = document.querySelectorAll("[data-copydesk-hunk]").length;
    editor.commands.setTextSelection({ from: 6, to: 12 });
    editor.commands.askAgent({ instruction: "Shorten this" });
    await agent.waitForIdle();
    const [hunk] = editor.storage.copydesk.document.hunks();
    editor.commands.acceptHunk(hunk.id);
    return { result, shown, asked: JSON.stringify(requests[0].messages), hunk, text: editor.getText() };
  }, TEA);
  assert.match(seen.result, /"pending":true/);
  assert.ok(seen.shown > 0);
  assert.match(seen.asked, /Shorten this/);
  assert.deepEqual([seen.hunk.originalText, seen.hunk.newText], ["leaf", "cup"]);
  assert.match(seen.text, /A cup\./);
});

test("nothing is registered after the signal has aborted, and wrong options are named", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (content) => {
    const editor = edit(content);
    const late = await exposeTools(editor, { signal: AbortSignal.abort() });
    const controller = new AbortController();
    const during = exposeTools(editor, { signal: controller.signal });
    controller.abort();
    const [aborted, left] = [await during, Object.keys(await toolsOf())];
    const given = [
      [editor, { tools: ["burn"] }],
      [editor, { tools: ["search_web"] }],
      [editor, { tools: [] }],
      [editor, { tools: "read_lines" }],
      [editor, { guards: { scop: 1 } }],
      [editor, { guards: { locked: ["Nowhere"] } }],
      [editor, { signal: true }],
      [editor, { emit: 1 }],
      [editor, { locale: 7 }],
      [editor, null],
      [null, {}],
      [{ on() {}, storage: {} }, {}],
    ];
    const codes = [];
    for (const [target, options] of given) codes.push(await exposeTools(target, options).then(() => "exposed", ({ code, message }) => `${code} ${message}`));
    return { late: late.tools, aborted: aborted.tools, left, codes, after: Object.keys(await toolsOf()) };
  }, TEA);
  assert.deepEqual([seen.late, seen.aborted, seen.left, seen.after], [[], [], [], []]);
  assert.deepEqual(seen.codes.map((code) => code.split(" ")[0]), ["invalid_parameter", "invalid_parameter", "invalid_parameter", "invalid_parameter", "config", "config", ...Array(6).fill("invalid_parameter")]);
  assert.match(seen.codes[0], /tools\[0\] is "burn"; it must be one of get_document, read_lines/);
});

test("a browser without WebMCP gets a handle that says so; the member of navigator is used where it is", async (t) => {
  const without = await opened(t, { browser: await theBrowser() });
  const seen = await without.evaluate(async (content) => {
    const { isSupported, tools } = await exposeTools(edit(content));
    return { isSupported, tools, inDocument: "modelContext" in document };
  }, TEA);
  assert.deepEqual(seen, { isSupported: false, tools: [], inDocument: false });

  const page = await open(t);
  const older = await page.evaluate(async (content) => {
    const { modelContext } = document;
    Object.defineProperty(document, "modelContext", { value: undefined });
    // An earlier draft: without a signal and promises, and with a method that unregisters.
    const controllers = new Map();
    const draft = {
      registerTool(tool) {
        controllers.set(tool.name, new AbortController());
        void modelContext.registerTool({ ...tool, execute: (input) => tool.execute(input) }, { signal: controllers.get(tool.name).signal });
      },
      unregisterTool: (name) => controllers.get(name).abort(),
    };
    Object.defineProperty(navigator, "modelContext", { value: draft, configurable: true });
    const editor = edit(content);
    const exposed = await exposeTools(editor);
    const tools = await toolsOf(modelContext);
    const result = await modelContext.executeTool(tools.replace_text, { old: "leaf", new: "cup" });
    const text = editor.getText();
    exposed.dispose();
    return { isSupported: exposed.isSupported, result, text, left: Object.keys(await toolsOf(modelContext)), names: Object.keys(tools) };
  }, TEA);
  assert.deepEqual([older.isSupported, older.left, older.names.length], [true, [], NAMES.length]);
  assert.match(older.result, /"success":true/);
  assert.match(older.text, /A cup\./);
});

test("a page that may not register tools gets tools_refused with the reason, in both languages", async (t) => {
  const url = await servePage("webmcp", { headers: { "permissions-policy": "tools=()" } });
  await open(t);
  const page = await openPage(t, url, { browser: await withFlag });
  await page.waitForFunction(() => window.ready);
  const refused = await page.evaluate(async (content) => {
    const failures = [];
    for (const locale of ["en", "zh-CN"]) failures.push(await exposeTools(edit(content), { locale }).then(() => null, ({ code, message, details }) => ({ code, message, details })));
    return failures;
  }, TEA);
  for (const { code, details } of refused) assert.deepEqual([code, typeof details.reason], ["tools_refused", "string"]);
  assert.match(refused[0].message, /<iframe allow="tools">/);
  assert.match(refused[1].message, /浏览器不允许此页面注册工具/);
});
