// The TipTap side: how an edit changes a real editor, and what it leaves unchanged.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { opener, root } from "./harness.mjs";

const open = opener("editor");

/** Images of the documents; their URLs do not exist. */
const PICTURES = [/\.png/];

const TEA = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

test("an edit is one transaction of small steps, and all other nodes stay the same objects", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    const before = editor.state.doc;
    const transactions = [];
    editor.on("transaction", ({ transaction }) => transaction.docChanged && transactions.push(transaction));
    const result = boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Old. Very old.</p><p>New.</p>" });
    const after = editor.state.doc;
    const kept = [0, 1, 2].every((index) => after.child(index) === before.child(index));
    const keptAfter = [4, 5].every((index) => after.child(index + 1) === before.child(index));
    return { result, kept, keptAfter, html: editor.getHTML(), steps: transactions.map((tr) => tr.steps.map((step) => step.toJSON())) };
  }, TEA);
  assert.equal(seen.html, TEA.replace("<p>Old.</p>", "<p>Old. Very old.</p><p>New.</p>"));
  assert.ok(seen.kept && seen.keptAfter);
  assert.equal(seen.steps.length, 1);
  assert.deepEqual(seen.steps[0].map(({ from, to }) => to - from), [0, 0], "nothing is taken away");
  assert.equal(seen.result.message, "Section 1 'History' updated");
  assert.deepEqual(seen.result.sections.map(({ title }) => title), ["Tea", "History", "Kinds"]);
});

test("a section moves in one transaction that deletes and inserts the shorter side, and one undo takes it back", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    const before = editor.state.doc;
    const transactions = [];
    editor.on("transaction", ({ transaction }) => transaction.docChanged && transactions.push(transaction));
    const result = boundDocument.apply({ operation: "move_section", sectionIndex: 1, toIndex: 2 });
    const after = editor.state.doc;
    const kept = [0, 1].every((index) => after.child(index) === before.child(index)) && after.child(3) === before.child(5);
    const moved = editor.getHTML();
    editor.commands.undo();
    const undone = editor.state.doc.eq(before) && !editor.can().undo();
    return { result, kept, moved, undone, steps: transactions.map((tr) => tr.steps.map((step) => step.toJSON())).at(0) };
  }, TEA.replace("Kinds", "The many kinds"));
  assert.equal(seen.moved, "<h1>Tea</h1><p>About tea.</p><h2>The many kinds</h2><p>Many.</p><h2>History</h2><p>Old.</p>");
  assert.ok(seen.kept && seen.undone);
  assert.deepEqual(seen.steps.map(({ stepType, from, to }) => [stepType, to - from]).sort((a, b) => a[1] - b[1]), [["replace", 0], ["replace", 15]]);
  assert.equal(seen.result.message, "Section 1 moved: it is Section 2 'History' now");
  assert.deepEqual(seen.result.sections.map(({ title }) => title), ["Tea", "The many kinds", "History"]);
});

test("each edit is one undo step, separate from typing before and after it", async (t) => {
  const page = await open(t);
  await page.evaluate((html) => void edit(html), TEA);
  await page.click("#page p >> text=Many.");
  await page.keyboard.press("End");
  await page.keyboard.type(" a");
  await page.evaluate(() => void boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>One.</p>" }));
  await page.evaluate(() => void boundDocument.apply({ operation: "append", title: "End", content: "<p>Two.</p>" }));
  await page.keyboard.type("b");
  const html = () => page.evaluate(() => editor.getHTML());
  const typed = TEA.replace("Many.", "Many. a");
  const steps = [
    typed.replace("Old.", "One.").replace("Many. a", "Many. ab") + "<h2>End</h2><p>Two.</p>",
    typed.replace("Old.", "One.") + "<h2>End</h2><p>Two.</p>",
    typed.replace("Old.", "One."),
    typed,
    TEA,
  ];
  for (const [count, expected] of steps.entries()) {
    assert.equal(await html(), expected, `after ${count} undos`);
    await page.evaluate(() => editor.commands.undo());
  }
  for (const expected of steps.toReversed().slice(1)) {
    await page.evaluate(() => editor.commands.redo());
    assert.equal(await html(), expected);
  }
});

test("the selection stays in its text, and the scroll position does not change", async (t) => {
  const page = await open(t, { viewport: { width: 800, height: 300 } });
  const seen = await page.evaluate((html) => {
    const editor = edit(html + "<p>line</p>".repeat(60));
    const at = editor.state.doc.content.size - 3;
    editor.commands.setTextSelection({ from: at - 2, to: at });
    editor.commands.focus(undefined, { scrollIntoView: false });
    document.querySelectorAll("#page p")[20].scrollIntoView();
    const chosen = () => editor.state.doc.textBetween(editor.state.selection.from, editor.state.selection.to);
    const seen = document.querySelectorAll("#page p")[20];
    const [text, top] = [chosen(), seen.getBoundingClientRect().top];
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Much older.</p><p>And more.</p>" });
    return { before: text, after: chosen(), moved: seen.getBoundingClientRect().top - top, seen: seen.textContent };
  }, TEA);
  assert.equal(seen.after, seen.before);
  assert.deepEqual([seen.before.length, seen.seen], [2, "line"]);
  assert.equal(seen.moved, 0);
});

test("an edit in place of the text with the cursor selects no image, which the next key would replace", async (t) => {
  const page = await open(t, { expected: PICTURES });
  const image = '<img src="https://pictures.example/a.png" alt="A">';
  const contents = [`<p>New.</p>${image}<h2>B</h2>`, `${image}<p>New.</p>`, `<p>New.</p>${image}`, `${image}<hr>${image}`, `<hr><h2>B</h2>${image}`];
  for (const content of contents) {
    const selections = await page.evaluate((content) => {
      const text = "<h2>A</h2><p>one</p><p>two</p>";
      const { size } = edit(text).state.doc.content;
      return Array.from({ length: size - 1 }, (_, at) => {
        const editor = edit(text);
        editor.commands.setTextSelection(at + 1);
        boundDocument.apply({ operation: "replace", sectionIndex: 1, content });
        return editor.state.selection.toJSON().type;
      });
    }, content);
    assert.deepEqual(new Set(selections), new Set(["text"]), content);
    await page.evaluate(() => editor.commands.focus());
    await page.waitForFunction(() => editor.isFocused);
    await page.keyboard.type("x");
    assert.equal(await page.evaluate(() => editor.getHTML().split("<img").length), content.split("<img").length, content);
  }
});

test("content outside the edit keeps its data: images, links, custom nodes and their attributes", async (t) => {
  const page = await open(t);
  const html =
    '<h2>A</h2><aside data-tone="warn"><p>Mind <a href="https://example.org/" title="x">this</a>.</p></aside>' +
    '<img src="data:image/png;base64,AAAA" alt="kept"><p>one two</p>';
  const seen = await page.evaluate((html) => {
    const editor = edit(html, { image: { allowBase64: true } });
    const before = editor.getJSON();
    const content = boundDocument.sections()[1].content.replace("two", "three");
    const result = boundDocument.apply({ operation: "replace", sectionIndex: 1, content });
    return { before, after: editor.getJSON(), changes: result.changes };
  }, html);
  assert.deepEqual(seen.changes.map(({ content }) => content), [[{ type: "text", text: "three" }]]);
  assert.equal(JSON.stringify(seen.after), JSON.stringify(seen.before).replace("one two", "one three"));
  assert.match(JSON.stringify(seen.after), /callout.*warn.*base64/s);
});

test("an image is inserted in a schema with inline images", async (t) => {
  const page = await open(t, { expected: PICTURES });
  const html = await page.evaluate(() => {
    const editor = edit("<h2>A</h2><p>a</p>", { image: { inline: true } });
    const imageUrl = "https://example.org/a.png";
    boundDocument.apply({ operation: "insert_image", sectionIndex: 1, imageUrl, imageDescription: "A" });
    return editor.getHTML();
  });
  assert.equal(html, '<h2>A</h2><p>a</p><p><img src="https://example.org/a.png" alt="A"></p>');
});

test("in a schema that requires a title first, content is parsed for its position", async (t) => {
  const page = await open(t, { expected: PICTURES });
  const seen = await page.evaluate(() => {
    const after = (content, top, updates, extensions = []) => {
      const editor = edit(content, { top, extensions });
      for (const update of updates) boundDocument.apply(update);
      editor.state.doc.check();
      return editor.getHTML();
    };
    const headed = (update) => after("<h1>T</h1><p>a</p>", "heading block*", [update]);
    const title = Node.create({ name: "title", content: "text*", parseHTML: () => [{ tag: "header" }], renderHTML: () => ["header", 0] });
    const titled = (update) => after("<header>T</header><p>a</p><h2>B</h2><p>b</p>", "title block+", [update], [title]);
    const imageUrl = "https://example.org/a.png";
    return {
      append: headed({ operation: "append", title: "N", content: "<p>z</p><h3>y</h3><p>x</p>" }),
      replace: headed({ operation: "replace", sectionIndex: 0, content: "<p>new</p>" }),
      titledAppend: titled({ operation: "append", title: "N", content: "<p>z</p>" }),
      titledReplace: titled({ operation: "replace", sectionIndex: 1, content: "<p>z</p>" }),
      titledImage: titled({ operation: "insert_image", sectionIndex: 1, imageUrl, imageDescription: "A" }),
    };
  });
  assert.deepEqual(seen, {
    append: "<h1>T</h1><p>a</p><h2>N</h2><p>z</p><h3>y</h3><p>x</p>",
    replace: "<h1>T</h1><p>new</p>",
    titledAppend: "<header>T</header><p>a</p><h2>B</h2><p>b</p><h2>N</h2><p>z</p>",
    titledReplace: "<header>T</header><p>a</p><h2>B</h2><p>z</p>",
    titledImage: '<header>T</header><p>a</p><h2>B</h2><p>b</p><img src="https://example.org/a.png" alt="A">',
  });
});

test("content is not padded to a complete document", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(() => {
    const { binding } = (edit("<h1>T</h1><p>a</p>", { top: "heading block+ horizontalRule" }), boundDocument, editor.storage.copydesk);
    return ["<p>b</p>", "<!-- nothing -->"].map((html) => binding.parse(html, 1));
  });
  assert.deepEqual(seen.map((json) => JSON.parse(json).map(({ type }) => type)), [["paragraph"], []]);
});

test("an editor that is not mounted can be read and edited", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html, { element: null });
    const { version } = boundDocument;
    const same = () => JSON.stringify(boundDocument.toJSON()) === JSON.stringify(editor.getJSON());
    const seen = [];
    editor.commands.insertContentAt(1, "Green ");
    seen.push(same(), boundDocument.sections()[0].title, boundDocument.version !== version);
    boundDocument.apply({ operation: "delete", sectionIndex: 2 });
    seen.push(same(), editor.getText().includes("Kinds"));
    editor.mount(document.querySelector("#page"));
    boundDocument.apply({ operation: "append", title: "End", content: "<p>e</p>" });
    editor.unmount();
    editor.commands.insertContentAt(1, "Very ");
    seen.push(same(), boundDocument.outline()[0].title);
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Gone.</p>" });
    seen.push(same(), editor.getText({ blockSeparator: " " }));
    return seen;
  }, TEA);
  const text = "Very Green Tea About tea. History Gone. End e";
  assert.deepEqual(seen, [true, "Green Tea", true, true, false, true, "Very Green Tea", true, text]);
});

test("content that the wasm refuses does not disturb the editor, and the next read reports it", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(() => {
    const editor = edit("<p>a</p>");
    let updates = 0;
    editor.on("update", () => updates++);
    let deep = { type: "paragraph" };
    for (let depth = 0; depth < 400; depth++) deep = { type: "blockquote", content: [deep] };
    const from = editor.state.doc.content.size;
    const { tr, schema } = editor.state;
    // As a plugin's own transaction; a view cannot draw so deep a document.
    editor.registerPlugin(new Plugin({ props: { nodeViews: { blockquote: () => ({ dom: document.createElement("hr") }) } } }));
    editor.view.dispatch(editor.state.tr.insert(from, schema.nodeFromJSON(deep)));
    const errors = [() => boundDocument.toJSON(), () => boundDocument.version, () => boundDocument.apply({ operation: "append", title: "x", content: "y" })].map((read) => {
      try {
        read();
      } catch (error) {
        return [error instanceof CopydeskError, error.code];
      }
    });
    editor.view.dispatch(editor.state.tr.delete(from, editor.state.doc.content.size));
    return { updates, errors, html: boundDocument.toHTML() };
  });
  assert.deepEqual(seen, { updates: 2, errors: Array(3).fill([true, "too_deep"]), html: "<p>a</p>" });
});

/** The model of an agent: calls these tools, one per turn, and then ends. */
const CALLING = `(calls) => async () => {
  const call = calls.shift();
  const tool_calls = call && [{ index: 0, id: "c" + calls.length, function: { name: call[0], arguments: JSON.stringify(call[1]) } }];
  const chunk = { choices: [{ delta: tool_calls ? { tool_calls } : { content: "Done." }, finish_reason: tool_calls ? "tool_calls" : "stop" }] };
  return new Response("data: " + JSON.stringify(chunk) + "\\n\\ndata: [DONE]\\n\\n");
}`;
const CONFIG = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } };

test("after an editor is destroyed, its document and the agent's tools report it", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(
    async ({ html, calling, llmConfig }) => {
      const { storage } = edit(html);
      const kept = [boundDocument, storage.copydesk];
      const fetch = eval(calling)([["get_document", {}], ["update_section", { operation: "delete", sectionIndex: 1 }]]);
      const agent = new Agent({ document: editor, llmConfig, fetch, locale: "zh" });
      const results = [];
      agent.subscribe((event) => event.type === "tool_result" && results.push(event.content.error));
      editor.destroy();
      const code = (call) => {
        try {
          return call();
        } catch (error) {
          return error instanceof CopydeskError ? error.code : String(error);
        }
      };
      const codes = [
        () => kept[0].toHTML(),
        () => kept[0].version,
        () => kept[0].apply({ operation: "delete", sectionIndex: 1 }),
        () => kept[1].document.sections(),
      ].map(code);
      const { status } = await agent.prompt("Go");
      return { codes, status, tools: results.map(({ code }) => code), message: results[0].message };
    },
    { html: TEA, calling: CALLING, llmConfig: CONFIG },
  );
  const gone = "editor_destroyed";
  const message = "编辑器已关闭，文档也随之关闭，无法再读取或写入。";
  assert.deepEqual(seen, { codes: [gone, gone, gone, gone], status: "complete", tools: [gone, gone], message });
});

test("destroyed editors and unreferenced agents are garbage-collected", async (t) => {
  const page = await open(t, { search: "?full" });
  await page.evaluate(
    async ({ html, calling, llmConfig }) => {
      const refs = [];
      const fetch = eval(calling)([]);
      await (async () => {
        edit(html);
        const agent = new Agent({ document: editor, llmConfig, fetch });
        await agent.prompt("Go");
        refs.push(new WeakRef(editor), new WeakRef(agent), new WeakRef(new Agent({ document: Document.fromHTML(html), llmConfig, fetch })));
        window.kept = [boundDocument];
        editor.destroy();
        // With decisions in the history and a change that waits.
        edit(html, { copydesk: { mode: "review" } });
        for (const operation of ["append", "append", "append"]) boundDocument.apply({ operation, title: "More", content: "<p>Some more.</p>" });
        editor.commands.acceptHunk();
        editor.commands.undo();
        editor.commands.rejectHunk();
        refs.push(new WeakRef(editor));
        kept.push(boundDocument);
        editor.destroy();
        window.editor = window.boundDocument = undefined;
      })();
      window.refs = refs;
    },
    { html: TEA, calling: CALLING, llmConfig: CONFIG },
  );
  const session = await page.context().newCDPSession(page);
  // The page's last timers and frames may hold a reference for a moment.
  const alive = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return page.evaluate(() => refs.map((ref) => ref.deref() !== undefined));
  };
  for (let at = 0; at < 20 && (await alive()).includes(true); at += 1) await page.waitForTimeout(100);
  assert.deepEqual(await alive(), [false, false, false, false]);
});

test("an edit that a plugin filters fails as a whole, and the document is unchanged", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    editor.registerPlugin(new Plugin({ filterTransaction: (tr) => !tr.docChanged }));
    try {
      boundDocument.apply({ operation: "delete", sectionIndex: 1 });
    } catch (error) {
      return { is: error instanceof CopydeskError, code: error.code, message: error.message, html: editor.getHTML() };
    }
  }, TEA);
  assert.deepEqual({ ...seen, message: "" }, { is: true, code: "editor_refused", message: "", html: TEA });
});

test("a wrong update throws a CopydeskError with its code and details, and nothing changes", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    try {
      boundDocument.apply({ operation: "delete", sectionIndex: 7 });
    } catch (error) {
      return { is: error instanceof CopydeskError, code: error.code, details: error.details, html: editor.getHTML() };
    }
  }, TEA);
  const details = { index: 7, valid: [1, 2], operation: "delete" };
  assert.deepEqual(seen, { is: true, code: "section_out_of_range", details, html: TEA });
});

test("the command applies an update, returns whether it is valid, and can be dry-run", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    const update = { operation: "delete", sectionIndex: 2 };
    const can = editor.can().applyDocUpdate(update);
    const unchanged = editor.getHTML() === html;
    const did = editor.commands.applyDocUpdate(update);
    const again = editor.commands.applyDocUpdate(update);
    return { can, unchanged, did, again, html: editor.getHTML() };
  }, TEA);
  const html = TEA.replace("<h2>Kinds</h2><p>Many.</p>", "");
  assert.deepEqual(seen, { can: true, unchanged: true, did: true, again: false, html });
});

test("in a chain the command runs first, and nothing of the chain is lost", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (html) => {
    const editor = edit(html);
    const update = { operation: "delete", sectionIndex: 1 };
    const seen = {};
    seen.can = [editor.can().applyDocUpdate(update), editor.can().applyDocUpdate({ ...update, sectionIndex: 9 }), editor.getHTML() === html];
    seen.late = [editor.chain().insertContentAt(1, "My ").applyDocUpdate(update).run(), editor.getHTML()];
    seen.first = [editor.chain().applyDocUpdate(update).insertContentAt(1, "So: ").run(), editor.getHTML()];
    await undefined;
    editor.commands.undo();
    seen.undone = editor.getHTML();
    return seen;
  }, TEA);
  const late = TEA.replace("Tea", "My Tea");
  const first = late.replace("My Tea", "So: My Tea").replace("<h2>History</h2><p>Old.</p>", "");
  assert.deepEqual(seen, { can: [true, false, true], late: [false, late], first: [true, first], undone: late });
});

test("with the undo of a shared document, an edit is a separate step too", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (html) => {
    const said = [];
    const editor = edit(html);
    // The part of TipTap's collaboration plugin that copydesk looks at.
    const undoManager = { stopCapturing: () => said.push("stop") };
    const key = new PluginKey("y-undo");
    const apply = (tr, value) => (tr.docChanged && said.push("edit"), value);
    editor.registerPlugin(new Plugin({ key, state: { init: () => ({ undoManager }), apply } }));
    boundDocument.apply({ operation: "delete", sectionIndex: 2 });
    editor.can().applyDocUpdate({ operation: "delete", sectionIndex: 1 });
    editor.commands.applyDocUpdate({ operation: "delete", sectionIndex: 1 });
    await undefined;
    return said.join(" ");
  }, TEA);
  assert.equal(seen, "stop edit stop stop edit stop");
});

test("values of wrong types throw a CopydeskError that names the valid ones, and language tags are understood", async (t) => {
  const page = await open(t, { search: "?full" });
  const seen = await page.evaluate(
    async ({ html, llmConfig }) => {
      edit(html);
      const agent = new Agent({ document: boundDocument, llmConfig });
      const calls = {
        prompt: () => agent.prompt(undefined),
        subscribe: () => agent.subscribe(undefined),
        apply: () => boundDocument.apply(undefined),
        fromHTML: () => Document.fromHTML(undefined),
        fromJSON: () => Document.fromJSON(undefined),
        start: () => boundDocument.numbered({ start: -1 }),
        end: () => boundDocument.numbered({ end: 1.5 }),
        style: () => boundDocument.numbered({ style: "fine" }),
      };
      const said = {};
      for (const [name, call] of Object.entries(calls)) {
        try {
          await call();
        } catch (error) {
          said[name] = error instanceof CopydeskError && error.code === "invalid_parameter" ? error.message : String(error);
        }
      }
      const chinese = Document.fromHTML(html, { locale: "zh-TW" });
      said.locale = chinese.apply({ operation: "delete", sectionIndex: 2 }).message;
      new Agent({ document: chinese, llmConfig, locale: "zh" }).configure({ locale: "en-GB" });
      return said;
    },
    { html: TEA, llmConfig: CONFIG },
  );
  assert.deepEqual(seen, {
    prompt: "prompt is undefined; it must be a text, a message or an array of messages.",
    subscribe: "listener is undefined; it must be a function.",
    apply: "update is undefined; it must be an object with an operation.",
    fromHTML: "html is undefined; it must be a string.",
    fromJSON: "json is undefined; it must be a document as JSON.",
    start: "start is -1; it must be a line number, counted from 1.",
    end: "end is 1.5; it must be a line number, counted from 1.",
    style: 'style is "fine"; it must be "plain" or "structure".',
    locale: "Section 2 'Kinds' 已删除",
  });
});

test("whatever the user does, the wasm's document equals the editor's", async (t) => {
  const page = await open(t);
  const differences = await page.evaluate((html) => {
    const editor = edit(html);
    const found = [];
    const check = (what) => {
      const same = JSON.stringify(boundDocument.toJSON()) === JSON.stringify(editor.getJSON());
      if (!same) found.push(what);
    };
    const acts = {
      typing: () => editor.commands.insertContentAt(3, "x"),
      splitting: () => editor.chain().setTextSelection(8).splitBlock().run(),
      list: () => editor.chain().setTextSelection(20).toggleBulletList().run(),
      table: () => editor.chain().setTextSelection(2).insertTable({ rows: 2, cols: 2 }).run(),
      setContent: () => editor.commands.setContent("<p>all new</p><hr><h2>x</h2>"),
      undo: () => editor.commands.undo(),
      redo: () => editor.commands.redo(),
      deleting: () => editor.commands.deleteRange({ from: 2, to: editor.state.doc.content.size - 2 }),
      surrogate: () => editor.commands.insertContentAt(2, "a\ud83d b"),
      clearing: () => editor.commands.clearContent(),
    };
    check("beginning");
    for (const [name, act] of Object.entries(acts)) {
      act();
      if (name !== "surrogate") check(name);
      else if (boundDocument.lines().at(-1).to !== new TextLengths(editor).end()) found.push("positions after a lone surrogate");
    }
    return found;

    function TextLengths({ state }) {
      this.end = () => {
        let end = 0;
        state.doc.descendants((node, position) => void (node.isTextblock && (end = position + 1 + node.content.size)));
        return end;
      };
    }
  }, TEA);
  assert.deepEqual(differences, []);
});

test("an update gives the same document with and without an editor, for all recorded inputs", async (t) => {
  const page = await open(t, { expected: PICTURES, search: "?full" });
  const { cases } = JSON.parse(readFileSync(join(root, "tests/fixtures/documents/cases.json"), "utf8"));
  const different = await page.evaluate((inputs) => {
    const updates = [
      { operation: "replace", sectionIndex: 0, title: "New", content: "<p>one <strong>two</strong></p><ul><li>a</li></ul>" },
      { operation: "append", title: "End", content: "plain & text" },
      { operation: "insert", sectionIndex: 1, title: "Between", content: "<table><tr><td>x</td></tr></table>" },
      { operation: "delete", sectionIndex: 1 },
      { operation: "insert_image", sectionIndex: 0, imageUrl: "https://example.org/a.png", imageDescription: "a" },
    ];
    const outcome = (document, update) => {
      try {
        document.apply(update);
        return JSON.stringify(document.toJSON());
      } catch (error) {
        return error.code;
      }
    };
    const found = [];
    let count = 0;
    for (const { id, html } of inputs) {
      for (const update of updates) {
        // Plugins that add a paragraph at the end belong to a live editor only.
        edit(html);
        const live = editor.getJSON();
        const alone = Document.fromJSON(live, schemaData(editor.schema));
        const [bound, unbound] = [outcome(boundDocument, update), outcome(alone, update)];
        const trailing = '{"type":"paragraph"}]}';
        count += 1;
        const same = bound === unbound || bound === unbound.replace(/\]\}$/, `,${trailing}`);
        if (!same) found.push({ id, operation: update.operation, bound, unbound });
      }
    }
    return { found, count };
  }, cases.map(({ id, html }) => ({ id, html })));
  assert.deepEqual(different, { found: [], count: cases.length * 5 });
});

test("the result of `replace_text` names the way in which the text was found", async (t) => {
  const page = await open(t);
  const found = await page.evaluate(() =>
    [{ old: "leaf" }, { old: "leaf", near_line: 2 }].map((given) => {
      edit("<p>A stem.</p><p>A leaf.</p>");
      return boundDocument.apply({ operation: "replace_text", new: "bud", ...given }).diffs.map(({ foundBy }) => foundBy);
    }),
  );
  assert.deepEqual(found, [["text"], ["lines"]]);
});
