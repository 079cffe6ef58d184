// Compares copydesk's parser and serializer with TipTap's in one page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { playCases } from "./budget.mjs";
import { opener } from "./harness.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? 1);
/** The most cases, and cases per call into the page. */
const [MOST, BATCH] = [20_000, 100];

/** Random HTML names images that do not exist. */
const expected = [/outside: /, /Failed to load resource/];
const open = opener("oracle", { expected });

/**
 * Calls `check(seed, count)` of the page for all cases; a difference is reported with its seed and the smallest input.
 */
async function none(page, t, check) {
  await playCases(t, { variable: "COPYDESK_CASES", most: MOST, batch: BATCH, seed: SEED }, async (first, count) => {
    const found = await page.evaluate(([check, ...args]) => window[check](...args), [check, SEED + first, count]);
    assert.deepEqual(found, [], `COPYDESK_SEED=${found[0]?.seed} COPYDESK_CASES=1 makes it again`);
  });
}

test("random HTML gives the same document, HTML, lines and sections as TipTap", async (t) => {
  await none(await open(t), t, "compareHTMLs");
});

test("random documents give the same HTML, lines and sections as TipTap", async (t) => {
  await none(await open(t), t, "compareDocuments");
});

test("a difference is detected and shrunk to its cause", async (t) => {
  const page = await open(t);
  const found = await page.evaluate(() => {
    const real = Document.prototype.lines;
    Document.prototype.lines = function () {
      return real.call(this).filter(({ type }) => type !== "codeBlock");
    };
    try {
      return [compareHTMLs(1, 300)[0], compareDocuments(1, 300)[0]].map(({ what, input }) => ({ what, input }));
    } finally {
      Document.prototype.lines = real;
    }
  });
  assert.deepEqual(found.map(({ what }) => what), ["lines", "lines"]);
  assert.match(found[0].input, /^<pre[^<>]*>?$/i);
  assert.deepEqual(found[1].input, { type: "doc", content: [{ type: "codeBlock" }] });
});

const repeat = (text, times) => ({ text, times });

/** Bad HTML with the code of its error; `null` where the answer is TipTap's. */
const BAD_HTML = {
  "100,000 nested divs": [repeat("<div>", 100_000), "too_deep"],
  "100,000 nested quotes": [repeat("<blockquote>", 100_000), "too_deep"],
  "100,000 nested lists": [repeat("<ul><li>", 100_000), "too_deep"],
  "100,000 nested tables": [repeat("<table><tr><td>", 100_000), "too_deep"],
  "100,000 nested spans and bolds": [repeat("<span><b>", 100_000), "too_deep"],
  "100,000 unclosed paragraphs": [repeat("<p>", 100_000), null],
  "unclosed everything": ["<h1>a<p>b<ul><li>c<li>d<table><tr><td>e<td>f<b>g<i>h<a href=/x>i<pre>j<code>k", null],
  "misnested formatting": [repeat("<b><p></b><i></p>", 200), null],
  "NULs": ["<p>a\0b</p>\0<ul>\0<li>\0c</li></ul><pre>\0d</pre><t\0d>", null],
  "an unclosed tag": ['<p>a</p><p class="', null],
  "an unclosed comment": ["<p>a</p><!-- b <p>c</p>", null],
  "only closing tags": [repeat("</p></b></td></ul>", 1000), null],
  "nothing": ["", null],
  "lone surrogates": ["<p>a\ud83d b \udc00</p>", null],
  "a long attribute": [`<p><a href="/${"x".repeat(1_000_000)}">a</a></p>`, null],
  "a long text": [`<p>${"中文 😀 ".repeat(100_000)}</p>`, null],
  "50 MB and more": [repeat("<p>0123456789</p>", 3_000_000), "too_large"],
};

test("bad HTML gives TipTap's result or a typed error, and the next input is read normally", async (t) => {
  const page = await open(t);
  for (const [name, [html, code]] of Object.entries(BAD_HTML)) {
    const seen = await page.evaluate(
      ({ html, code }) => {
        const text = typeof html === "string" ? html : html.text.repeat(html.times);
        if (code === null) return compareHTML(text);
        try {
          Document.fromHTML(text);
        } catch (error) {
          const alive = Document.fromHTML("<p>a</p>").toHTML() === "<p>a</p>";
          return { is: error instanceof CopydeskError, code: error.code, says: error.message.length > 20, alive };
        }
      },
      { html, code },
    );
    assert.deepEqual(seen, code === null ? null : { is: true, code, says: true, alive: true }, name);
  }
});

test("bad JSON gives a typed error, and the next document is read normally", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(() => {
    const doc = (...content) => ({ type: "doc", content });
    const nested = (depth) => {
      let node = { type: "paragraph" };
      for (let left = depth; left > 0; left--) node = { type: "blockquote", content: [node] };
      return doc(node);
    };
    const bad = {
      "deep nesting": nested(2000),
      "an unknown node": doc({ type: "spaceship" }),
      "an unknown mark": doc({ type: "paragraph", content: [{ type: "text", text: "a", marks: [{ type: "glitter" }] }] }),
      "text in the document": doc({ type: "text", text: "a" }),
      "a row without a table": doc({ type: "tableRow" }),
      "an empty list": doc({ type: "bulletList" }),
      "an empty document": doc(),
      "an empty text": doc({ type: "paragraph", content: [{ type: "text", text: "" }] }),
      "bold code": doc({ type: "codeBlock", content: [{ type: "text", text: "a", marks: [{ type: "bold" }] }] }),
      "content in a rule": doc({ type: "horizontalRule", content: [{ type: "paragraph" }] }),
      "no type": doc({ content: [] }),
      "another top node": { type: "paragraph" },
      "a number": 7,
      null: null,
      "a list": [],
    };
    const outcomes = Object.entries(bad).map(([name, json]) => {
      try {
        Document.fromJSON(json);
        return [name, "accepted"];
      } catch (error) {
        return [name, error instanceof CopydeskError ? error.code : String(error)];
      }
    });
    return { outcomes: Object.fromEntries(outcomes), alive: Document.fromJSON(doc({ type: "paragraph" })).toHTML() };
  });
  const { outcomes, alive } = seen;
  assert.equal(alive, "<p></p>");
  const { "deep nesting": deep, "an unknown node": node, "an unknown mark": mark, ...rest } = outcomes;
  assert.deepEqual([deep, node, mark], ["too_deep", "unknown_type", "unknown_type"]);
  for (const [name, code] of Object.entries(rest)) assert.equal(code, "invalid_document", name);
});

test("lone surrogates in JSON become U+FFFD, and no position moves", async (t) => {
  const page = await open(t);
  const difference = await page.evaluate(() => {
    const text = (text) => ({ type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }, { type: "paragraph" }] });
    return ["\ud83d", "a\udc00b", "\ud83d\ud83d\ude00", "\\ud83d", "\\\\\ud83d"].map((part) => compareDocument(text(part))).find(Boolean) ?? null;
  });
  assert.equal(difference, null);
});

test("nodes unknown to copydesk keep their data, have their sizes and form lines", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(() => {
    const mention = { type: "mention", attrs: { id: "7", label: "Ada" } };
    const text = (text) => ({ type: "text", text });
    const footnote = { type: "footnote", content: [text("note")] };
    const paragraph = { type: "paragraph", content: [text("a "), mention, text(" b"), footnote, { type: "hardBreak" }, text("c")] };
    const math = { type: "mathBlock", attrs: { latex: "a^2" } };
    const callout = { type: "callout", attrs: { tone: "warn" }, content: [paragraph, math, { type: "heading", attrs: { level: 2 }, content: [text("no section")] }] };
    const editor = customEditor({ type: "doc", content: [paragraph, callout, { type: "heading", attrs: { level: 2 }, content: [text("S"), mention] }, math] });
    const differences = differencesOf(editor);
    const lines = editor.storage.copydesk.document.lines().map(({ type, from, to, text }) => `${type} ${from}–${to} ${text}`);
    // They are still correct and unchanged after edits by the user and by the agent.
    editor.commands.insertContentAt(3, "x");
    editor.storage.copydesk.document.apply({ operation: "replace", sectionIndex: 1, content: "<p>new</p>" });
    differences.push(...differencesOf(editor));
    const kept = JSON.stringify(editor.getJSON().content[1]) === JSON.stringify(callout);
    editor.destroy();
    return { differences, lines, kept };
  });
  assert.deepEqual(seen.differences, []);
  assert.ok(seen.kept);
  assert.deepEqual(seen.lines.slice(0, 3), ["paragraph 1–12 a @Ada b\ufffcnote\ufffc", "paragraph 13–14 c", "paragraph 17–28 a @Ada b\ufffcnote\ufffc"]);
  assert.equal(seen.lines[4], "mathBlock 31–32 ");
});
