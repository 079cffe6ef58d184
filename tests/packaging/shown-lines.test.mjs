// Content as models write it that were shown numbered lines: in that notation, in Markdown, and in both at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Document, init, loadMarkdown } from "copydesk";

await init();
await loadMarkdown();

const lines = (start, end, content) => ({ operation: "replace_lines", edits: [{ start_line: start, end_line: end, content }] });
const whole = (content) => ({ operation: "replace_lines", edits: [{ content }] });
const text = (old, replacement) => ({ operation: "replace_text", old, new: replacement });

/** Applies an update and compares the document with the expected HTML, read by the same schema. */
function expect(html, update, expected) {
  const document = Document.fromHTML(html);
  document.apply(update);
  assert.deepEqual(document.toJSON(), Document.fromHTML(expected).toJSON(), `${JSON.stringify(update)}\n${document.toHTML()}`);
}

const PICTURE = `<img src="https://a.example/c.png" alt="q" title="t" width="300">`;
const MARKED = `See <a href="https://a.example/">docs</a> and <b>go</b>.`;
const TASK = (checked, words) => `<li data-type="taskItem" data-checked="${checked}"><p>${words}</p></li>`;
const TASKS = (...items) => `<ul data-type="taskList">${items.join("")}</ul>`;
const TABLE = `<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><a href="https://a.example/">2</a></td></tr><tr><td><b>3</b></td><td>4</td></tr></table>`;

test("each line is a block, also where Markdown joins lines", () => {
  expect("<h2>H</h2><p>one</p><p>two</p>", lines(1, 3, "### H\none\ntwo"), "<h3>H</h3><p>one</p><p>two</p>");
  expect("<p>一</p><p>二</p><p>三</p>", lines(1, 3, "## 一\n二\n三"), "<h2>一</h2><p>二</p><p>三</p>");
  expect("<p>x: a, b</p><p>w</p>", lines(1, 2, "x:\n- a\n- b\nw"), "<p>x:</p><ul><li>a</li><li>b</li></ul><p>w</p>");
  expect("<blockquote><p>a</p><p>b</p></blockquote>", lines(1, 2, "> **a**\n> b"), "<blockquote><p><b>a</b></p><p>b</p></blockquote>");
  expect(
    "<h1>T</h1><p>one <b>x</b></p><p>two</p><p>three</p>",
    whole("# T\none x\ntwo\n## K\nthree"),
    "<h1>T</h1><p>one <b>x</b></p><p>two</p><h2>K</h2><p>three</p>",
  );
  expect(
    "<p>a</p><pre>x</pre><p>b <i>c</i></p><p>d</p>",
    lines(1, 4, "a\n```js\nx\n```\nb c\nd"),
    `<p>a</p><pre><code class="language-js">x</code></pre><p>b <i>c</i></p><p>d</p>`,
  );
});

test("a line that ends with a break goes on in the next one", () => {
  expect("<p>a</p>", lines(1, 1, "**a**  \nb"), "<p><b>a</b><br>b</p>");
  expect("<p>a<br><b>b</b><br>c</p>", lines(1, 3, "a  \n**b**  \nC"), "<p>a<br><b>b</b><br>C</p>");
});

test("a block of another kind, or with a block below it, keeps the marks of its text", () => {
  for (const [content, expected] of [
    ["### See docs and go.", `<h3>${MARKED}</h3>`],
    ["> See docs and go.", `<blockquote><p>${MARKED}</p></blockquote>`],
    ["- See docs and go.", `<ul><li><p>${MARKED}</p></li></ul>`],
    ["See docs and go.\n\n- a\n- b", `<p>${MARKED}</p><ul><li>a</li><li>b</li></ul>`],
    ["See docs and go.\n\n## New\n\nb", `<p>${MARKED}</p><h2>New</h2><p>b</p>`],
    ["See docs and go.\n\n```\nx\n```", `<p>${MARKED}</p><pre><code>x</code></pre>`],
  ]) {
    expect(`<p>${MARKED}</p>`, lines(1, 1, content), expected);
  }
  expect("<ul><li>a <b>b</b></li><li>c</li></ul>", lines(1, 2, "1. a b\n2. c"), "<ol><li>a <b>b</b></li><li>c</li></ol>");
  expect("<blockquote><p>a <code>x</code></p></blockquote>", lines(1, 1, "> a x\n>\n> — *Ann*"), "<blockquote><p>a <code>x</code></p><p>— <i>Ann</i></p></blockquote>");
  expect(`<p>I</p>${TABLE}`, lines(1, 7, "I!\n\n| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 5 |"), `<p>I!</p>${TABLE.replace("<td>4<", "<td>5<")}`);
});

test("an image that is repeated beside Markdown stays", () => {
  const html = `<p>x</p>${PICTURE}<p>y</p>`;
  const picture = "![q](https://a.example/c.png)";
  expect(html, lines(2, 2, `${picture}\n\n*cap*`), `<p>x</p>${PICTURE}<p><i>cap</i></p><p>y</p>`);
  expect(html, lines(1, 2, `**x**\n\n${picture}`), `<p><b>x</b></p>${PICTURE}<p>y</p>`);
  expect(html, lines(2, 3, `${picture}\n\ny and [z](https://z.example/)`), `<p>x</p>${PICTURE}<p>y and <a href="https://z.example/">z</a></p>`);
});

test("signs say the state, the level and the kind", () => {
  expect(TASKS(TASK(false, "a b")), text("- [ ] a b", "- [x] a b"), TASKS(TASK(true, "a b")));
  expect("<h2>a b</h2>", text("## a b", "### a b"), "<h3>a b</h3>");
  expect("<ol><li>a</li><li>b</li></ol>", text("1. a\n2. b", "1. a\n2. x\n3. b"), "<ol><li>a</li><li>x</li><li>b</li></ol>");
  expect("<ul><li>a b</li></ul>", text("- a b", "* a c"), "<ul><li>a c</li></ul>");
  expect("<ul><li>a</li><li>c</li></ul>", lines(1, 2, "- [ ] a\n- [x] c"), TASKS(TASK(false, "a"), TASK(true, "c")));
  expect(`<ol start="3"><li>a</li><li>c</li></ol>`, lines(1, 1, "3. a\n   - x\n   - y"), `<ol start="3"><li>a<ul><li>x</li><li>y</li></ul></li><li>c</li></ol>`);
  expect("<ul><li>a</li></ul>", lines(1, 1, "- a\n  1. x"), "<ul><li>a<ol><li>x</li></ol></li></ul>");
});

test("items of several levels may have marks", () => {
  expect("<ul><li>a</li></ul>", lines(1, 1, "- a\n  - **new**"), "<ul><li>a<ul><li><b>new</b></li></ul></li></ul>");
  expect("<ul><li>a</li></ul>", lines(1, 1, "- **a**\n  - n"), "<ul><li><b>a</b><ul><li>n</li></ul></li></ul>");
});

test("one item without its indent stays at its level if its text changes, and moves if it does not", () => {
  const html = (second) => `<ul><li>a<ul><li>${second}</li><li>c</li></ul></li><li>d</li></ul>`;
  expect(html("b"), lines(2, 2, "- B2"), html("B2"));
  expect(html("b"), lines(3, 3, "- c"), "<ul><li>a<ul><li>b</li></ul></li><li>c</li><li>d</li></ul>");
});

test("a rule, code and numbers between other lines are read as they were shown", () => {
  expect("<p>a</p><hr><p>b</p>", lines(1, 3, "a2\n\n***\n\nb"), "<p>a2</p><hr><p>b</p>");
  expect("<p>a</p><pre>x</pre><p>b</p>", lines(1, 3, "1: a\n```\n2: x\n```\n3: c"), "<p>a</p><pre>x</pre><p>c</p>");
  expect(`<pre><code class="language-js">a\nb</code></pre>`, lines(1, 2, "```js\na\nc\n```\n\nText."), `<pre><code class="language-js">a\nc</code></pre><p>Text.</p>`);
});

test("a line that is added to text has no marks of the text before", () => {
  expect("<ul><li>a <b>b</b></li></ul>", text("a b", "a b\nc"), "<ul><li>a <b>b</b></li><li>c</li></ul>");
  expect("<p>a <b>b</b></p>", text("a b", "a b\n\nc d"), "<p>a <b>b</b></p><p>c d</p>");
});

test("a whole document given back as it is shown changes only what differs", () => {
  const html = [
    "<h1>Tea</h1><p>See <b>the</b> docs.</p><h2>Brewing</h2><p>Water first.</p>",
    "<ul><li>Boil<ul><li>To 80 °C</li></ul></li><li>Pour</li></ul>",
    TASKS(TASK(false, "Buy tea"), TASK(true, "Clean <i>pot</i>")),
    TABLE,
    "<blockquote><p>One.</p><p>Two with <code>x</code>.</p></blockquote>",
    '<pre><code class="language-js">if (a &lt; 2) {\n  log(`$a`);\n}</code></pre>',
    PICTURE,
    "<hr><p>Line one<br>Line <b>two</b></p><h2>End</h2><p>Last.</p>",
  ].join("");
  const bare = (rows) => rows.map((row) => row.replace(/^\d+: /, ""));
  for (const style of ["structure", "plain"]) {
    const rows = Document.fromHTML(html).numbered({ style }).split("\n").slice(1);
    for (const shown of [rows, bare(rows)]) {
      const change = (from, to) => whole(shown.join("\n").replace(from, to));
      expect(html, change("Water first", "Water last"), html.replace("Water first", "Water last"));
      expect(html, change("log(`$a`)", "log(`$b`)"), html.replace("log(`$a`)", "log(`$b`)"));
      if (style === "structure") expect(html, change("- [ ] Buy tea", "- [x] Buy tea"), html.replace(TASK(false, "Buy tea"), TASK(true, "Buy tea")));
    }
  }
});
