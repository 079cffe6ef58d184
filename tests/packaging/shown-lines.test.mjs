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

test("lines with few signs are blocks in ranges, sections and whole documents", () => {
  const section = (content) => ({ operation: "replace", sectionIndex: 1, content });
  const head = "<h1>T</h1><h2>K</h2>";
  for (const [content, expected] of [
    ["x\n- y", "<p>x</p><ul><li>y</li></ul>"],
    ["x\n2. y\n3. z", "<p>x</p><ol start='2'><li>y</li><li>z</li></ol>"],
    ["x\n> y\nz", "<p>x</p><blockquote><p>y</p></blockquote><p>z</p>"],
    ["# 标题\n正文", "<h1>标题</h1><p>正文</p>"],
    ["x\n---\ny", "<p>x</p><hr><p>y</p>"],
    ["one **y**\ntwo", "<p>one <b>y</b></p><p>two</p>"],
    ["1. a\n  - x\n2. b", "<ol><li>a<ul><li>x</li></ul></li><li>b</li></ol>"],
    ["```\n# T\n\n```js\nx\n```\n\nc\n```", `<h1>T</h1><pre><code class="language-js">x</code></pre><p>c</p>`],
  ]) {
    expect("<p>a</p><p>b</p>", lines(1, 2, content), expected);
    expect("<p>a</p><p>b</p>", { ...whole(content), whole: true }, expected);
    if (!content.includes("# ")) expect(`${head}<p>a</p>`, section(content), head + expected);
  }
  for (const html of ["<p>- one</p><p>- two</p>", "<p>1. one</p><p>2. two</p>"]) {
    const content = html.replace("two", "three").replaceAll("</p><p>", "\n").replaceAll(/<.?p>/g, "");
    expect(html, lines(1, 2, content), html.replace("two", "three"));
  }
});

test("signs say what kind of list it is, and words keep their marks", () => {
  const items = (list) => `<${list}><li>a <b>x</b></li><li>b</li></${list}>`;
  expect(items("ol"), lines(1, 2, "- a x\n- b"), items("ul"));
  expect(items("ul"), lines(1, 2, "1. a x\n2. b"), items("ol"));
  expect(TASKS(TASK(true, "a <b>x</b>"), TASK(false, "b")), lines(1, 2, "- a x\n- b"), items("ul"));
  expect(TASKS(TASK(true, "a"), TASK(false, "b")), lines(1, 2, "- a\n- c"), TASKS(TASK(true, "a"), TASK(false, "c")));
  expect(items("ol"), lines(1, 2, "1、a x\n2、c"), items("ol").replace("<li>b", "<li>c"));
  for (const content of ["> - a x\n> - b", "- a x\n- b"]) {
    expect(`<blockquote><p>p</p>${items("ol")}</blockquote>`, lines(2, 3, content), `<blockquote><p>p</p>${items("ul")}</blockquote>`);
  }
  expect(items("ol"), lines(2, 2, "- c"), items("ol").replace("<li>b", "<li>c"));
  expect(`<p>p</p>${items("ol")}`, lines(1, 3, "p\n- a x\n- b"), `<p>p</p>${items("ul")}`);
  expect("<ul><li>a<ol><li>x</li></ol></li><li>b</li></ul>", lines(1, 3, "- a\n  - x\n- b"), "<ul><li>a<ul><li>x</li></ul></li><li>b</li></ul>");
  expect(`<p>p</p>${TABLE}`, lines(2, 7, "- A\n- 2"), `<p>p</p><ul><li>A</li><li><a href="https://a.example/">2</a></li></ul>`);
});

test("marks move with the text of cells", () => {
  const rows = [`<td>1</td><td><a href="https://a.example/">2</a></td>`, "<td><b>3</b></td><td>4</td>"].map((row) => `<tr>${row}</tr>`);
  const sorted = TABLE.replace(rows.join(""), rows.toReversed().join(""));
  for (const content of ["| 3 | 4 |\n| 1 | 2 |", "3\n4\n1\n2"]) expect(TABLE, lines(3, 6, content), sorted);
  expect(TABLE, lines(1, 6, "| A | B |\n|---|---|\n| 3 | 4 |\n| 1 | 2 |"), sorted);
  expect(TABLE, whole("| A | B |\n|---|---|\n| 3 | 4 |\n| 1 | 2 |"), sorted);
  const added = (cells) => TABLE.replace("</table>", `<tr>${cells}</tr></table>`);
  expect(TABLE, lines(5, 6, "| 3\n| 4\n| 5\n| 6"), added("<td>5</td><td>6</td>"));
  expect(TABLE, lines(5, 6, "3\n4\n5\n**6**"), added("<td>5</td><td><b>6</b></td>"));
});

test("leaves stay the nodes that they are, and blocks keep what their new kind has", () => {
  const attrs = { textAlign: { default: null } };
  const schema = {
    topNode: "doc",
    nodes: [
      { name: "paragraph", content: "inline*", group: "block", attrs },
      { name: "heading", content: "inline*", group: "block", attrs: { ...attrs, level: { default: 1 } } },
      { name: "blockMath", group: "block", atom: true, attrs: { latex: { default: "" } } },
      { name: "doc", content: "block+" },
      { name: "text", group: "inline", inline: true },
    ],
    marks: [{ name: "bold" }],
  };
  const paragraph = (text, textAlign) => ({ type: "paragraph", attrs: { textAlign }, content: [{ type: "text", text }] });
  const heading = (text, textAlign) => ({ ...paragraph(text), type: "heading", attrs: { textAlign, level: 2 } });
  const formula = { type: "blockMath", attrs: { latex: "x_1^2" } };
  const old = [paragraph("one", "center"), formula, paragraph("two", null)];
  const after = (update) => {
    const document = Document.fromJSON({ type: "doc", content: old }, schema);
    document.apply(update);
    return document.toJSON().content;
  };
  for (const content of ["## one", "<h2>one</h2>", "## one more"]) {
    assert.deepEqual(after(lines(1, 1, content))[0], heading(content.replaceAll(/<[^>]*>|## /g, ""), "center"));
  }
  assert.equal(after(lines(1, 1, '<h2 style="text-align: right">one</h2>'))[0].attrs.textAlign, "right");
  assert.deepEqual(after(lines(2, 3, "$$x_1^2$$\n\n## two")), [old[0], formula, heading("two", null)]);
  const swapped = after(lines(1, 3, "two\n\n$$x_1^2$$\n\none"));
  assert.deepEqual(swapped.map((node) => node.content?.[0].text ?? node), ["two", formula, "one"]);
  assert.deepEqual(after(lines(1, 3, "<p>two</p><p>one</p>")), [paragraph("two", null), paragraph("one", "center")]);
  const picture = "![q](https://a.example/c.png)";
  expect(`<p>x</p>${PICTURE}<hr>`, lines(2, 3, `---\n${picture}`), `<p>x</p><hr>${PICTURE}`);
});

test("marks that the text to find is named with go unless the new text has them", () => {
  const html = `<p>a <b>b</b> <a href="https://a.example/" title="t">c</a></p>`;
  expect(html, text("**b**", "b"), html.replace("<b>b</b>", "b"));
  expect(html, text("a **b** c", "a **d** c"), html.replace("<b>b</b>", "<b>d</b>"));
  expect(html, text("<b>b</b>", "*b*"), html.replace("<b>b</b>", "<i>b</i>"));
  expect(html, text("[c](https://a.example/)", "c"), "<p>a <b>b</b> c</p>");
  expect(html, text("[c](https://a.example/)", "[d](https://a.example/)"), html.replace(">c<", ">d<"));
  expect("<ul><li>a</li><li>b</li></ul>", text("- b\n", ""), "<ul><li>a</li></ul>");
  expect("<p>a</p><p>b</p>", text("\nb", ""), "<p>a</p>");
});
