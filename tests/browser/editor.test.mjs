// The TipTap side: what an edit does to a real editor, and what it leaves alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { openPage, root, servePage } from "./harness.mjs";

let url;
before(async () => (url = await servePage("editor")));

async function open(t, options) {
  const page = await openPage(t, url, options);
  await page.waitForFunction(() => window.ready);
  return page;
}

/** Pictures of documents whose addresses lead nowhere. */
const PICTURES = [/\.png/];

const TEA = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

test("an edit is one transaction of small steps, and all other nodes stay the same objects", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    const before = editor.state.doc;
    const transactions = [];
    editor.on("transaction", ({ transaction }) => transaction.docChanged && transactions.push(transaction));
    const result = held.apply({ operation: "replace", sectionIndex: 1, content: "<p>Old. Very old.</p><p>New.</p>" });
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

test("each edit is one step of undo, and what is typed before and after are steps of their own", async (t) => {
  const page = await open(t);
  await page.evaluate((html) => void edit(html), TEA);
  await page.click("#page p >> text=Many.");
  await page.keyboard.press("End");
  await page.keyboard.type(" a");
  await page.evaluate(() => void held.apply({ operation: "replace", sectionIndex: 1, content: "<p>One.</p>" }));
  await page.evaluate(() => void held.apply({ operation: "append", title: "End", content: "<p>Two.</p>" }));
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

test("the selection stays with the text it is in, and what is on the screen stays where it is", async (t) => {
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
    held.apply({ operation: "replace", sectionIndex: 1, content: "<p>Much older.</p><p>And more.</p>" });
    return { before: text, after: chosen(), moved: seen.getBoundingClientRect().top - top, seen: seen.textContent };
  }, TEA);
  assert.equal(seen.after, seen.before);
  assert.deepEqual([seen.before.length, seen.seen], [2, "line"]);
  assert.equal(seen.moved, 0);
});

test("what the edit does not mean keeps its data: pictures, links, custom nodes and their attributes", async (t) => {
  const page = await open(t);
  const html =
    '<h2>A</h2><aside data-tone="warn"><p>Mind <a href="https://example.org/" title="x">this</a>.</p></aside>' +
    '<img src="data:image/png;base64,AAAA" alt="kept"><p>one two</p>';
  const seen = await page.evaluate((html) => {
    const editor = edit(html, { image: { allowBase64: true } });
    const before = editor.getJSON();
    const content = held.sections()[1].content.replace("two", "three");
    const result = held.apply({ operation: "replace", sectionIndex: 1, content });
    return { before, after: editor.getJSON(), changes: result.changes };
  }, html);
  assert.deepEqual(seen.changes.map(({ content }) => content), [[{ type: "text", text: "three" }]]);
  assert.equal(JSON.stringify(seen.after), JSON.stringify(seen.before).replace("one two", "one three"));
  assert.match(JSON.stringify(seen.after), /callout.*warn.*base64/s);
});

test("a picture finds its place in a schema where pictures stand in the text", async (t) => {
  const page = await open(t, { expected: PICTURES });
  const html = await page.evaluate(() => {
    const editor = edit("<h2>A</h2><p>a</p>", { image: { inline: true } });
    const imageUrl = "https://example.org/a.png";
    held.apply({ operation: "insert_image", sectionIndex: 1, imageUrl, imageDescription: "A" });
    return editor.getHTML();
  });
  assert.equal(html, '<h2>A</h2><p>a</p><p><img src="https://example.org/a.png" alt="A"></p>');
});

test("an edit that a plugin filters fails as a whole, and the document stays", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    editor.registerPlugin(new Plugin({ filterTransaction: (tr) => !tr.docChanged }));
    try {
      held.apply({ operation: "delete", sectionIndex: 1 });
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
      held.apply({ operation: "delete", sectionIndex: 7 });
    } catch (error) {
      return { is: error instanceof CopydeskError, code: error.code, details: error.details, html: editor.getHTML() };
    }
  }, TEA);
  const details = { index: 7, valid: [1, 2], operation: "delete" };
  assert.deepEqual(seen, { is: true, code: "section_out_of_range", details, html: TEA });
});

test("the command applies an update, says whether it fits, and can be asked without effect", async (t) => {
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

test("whatever the person does, the wasm holds what the editor holds", async (t) => {
  const page = await open(t);
  const differences = await page.evaluate((html) => {
    const editor = edit(html);
    const found = [];
    const check = (what) => {
      const same = JSON.stringify(held.toJSON()) === JSON.stringify(editor.getJSON());
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
      else if (held.lines().at(-1).to !== new TextLengths(editor).end()) found.push("positions after a lone surrogate");
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

test("an update comes to the same document with an editor and without one, for all recorded inputs", async (t) => {
  const page = await open(t, { expected: PICTURES });
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
        const [bound, unbound] = [outcome(held, update), outcome(alone, update)];
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
