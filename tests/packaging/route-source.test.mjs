// HTML that the schema does not know: what an edit does not concern comes back byte for byte.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Document, init, loadMarkdown } from "../../pkg/index.js";
import { keptBlocks } from "../../pkg/route/kept-blocks.js";
import { SourceHTML } from "../../pkg/route/source-html.js";
import { call, llmConfigOf, model, random, routeOn, run } from "./route-server.mjs";

await init();
await loadMarkdown();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
const RUNS = Number(process.env.COPYDESK_SOURCES) || 400;
console.log(`COPYDESK_SEED=${seed}`);

const open = (html) => {
  const document = Document.fromHTML(html);
  return { document, source: new SourceHTML(html, document, "en") };
};

const PAGE = `<!-- header -->
<main class='page' data-v="1">
  <h1   id="top" class=title>Tea &amp; water</h1>
  <custom-card data-x='{"a":1}'><p style="color : red">A <font color=red>leaf</font>.</p></custom-card>
  <h2 data-anchor=h>History</h2>
  <p>Old.</p><video src="a.mp4" controls></video>
  <style>p > a { color: red }</style>
  <section class=deep><div><p>One<p>Two</div><ul class="x"><li>a<li>b</ul></section>
</main>
<script>if (1 < 2) "</p>"</script>
`;

test("an unchanged document is its source", () => {
  for (const html of [PAGE, "", " ", "text", "<!-- only -->", "<p>a", "a<b>c<p>d</b>e", "<table><tr><td>1</table>x", "<div><p>a</p>", "<", "<p", "<!--", "</p>"]) {
    const { document, source } = open(html);
    assert.equal(source.render(document), html);
  }
});

test("an edit changes its block and nothing around it", () => {
  const { document, source } = open(PAGE);
  document.apply({ operation: "replace_text", old: "Old.", new: "Very old." });
  assert.equal(source.render(document), PAGE.replace("<p>Old.</p>", "<p>Very old.</p>"));
  document.apply({ operation: "replace_text", old: "leaf", new: "good leaf" });
  const card = source.render(document);
  assert.ok(card.includes(`<custom-card data-x='{"a":1}'><p>`), "the tags around a changed block stay");
  document.apply({ operation: "append", title: "End", content: "<p>x</p>" });
  const html = source.render(document);
  for (const part of ["<!-- header -->\n<main class='page' data-v=\"1\">", '<h1   id="top" class=title>Tea &amp; water</h1>', '<video src="a.mp4" controls></video>', "<style>p > a { color: red }</style>", '<ul class="x"><li>a<li>b</ul>', "</section>\n</main>", '<script>if (1 < 2) "</p>"</script>']) assert.ok(html.includes(part), part);
  assert.deepEqual(Document.fromHTML(html).toJSON(), document.toJSON());
});

test("a section that moves takes its source along", () => {
  const { document, source } = open("<h1>T</h1><h2 class=a>A</h2><p class=a>a</p><h2 class=b>B</h2><p class=b>b</p>");
  document.apply({ operation: "move_section", sectionIndex: 2, toIndex: 1 });
  assert.equal(source.render(document), "<h1>T</h1><h2 class=b>B</h2><p class=b>b</p><h2 class=a>A</h2><p class=a>a</p>");
});

test("source that would swallow an edit is given up for the whole document", () => {
  const { document, source } = open("<p class=a>a</p><p class=b>b</p><!-- never closed");
  document.apply({ operation: "replace_text", old: "b", new: "c" });
  assert.deepEqual(Document.fromHTML(source.render(document)).toJSON(), document.toJSON());
});

/** Some documents change when they are written as HTML and read again; these may do so here too. */
function assertIs(html, document, where) {
  const read = (text) => JSON.stringify(Document.fromHTML(text).toJSON());
  const result = read(html);
  if (result !== JSON.stringify(document.toJSON())) assert.equal(result, read(document.toHTML()), where);
}

/** A page whose blocks, and what is between them, are known. */
function generate(next) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  const parts = [];
  let at = 0;
  const word = () => `w${at++}`;
  const block = () => {
    const id = word();
    const html = pick([
      () => `<p class=${id} >${id} <b  >bold</b> &amp; more</p>`,
      () => `<h2 data-id='${id}'>${id}</h2>`,
      () => `<H3 ID=${id}>${id}</H3 >`,
      () => `<ul class="${id}"><li>${id}<li><p>b</p></ul>`,
      () => `<blockquote cite=x><p>${id}</p><p>z</p></blockquote>`,
      () => `<table class="${id}"><tr><td>${id}</td><td>2</td></tr></table>`,
      () => `<pre><code class="language-js">${id} &lt; 1\n</code></pre>`,
      () => `<p onclick="x('>')">${id}</p>`,
      () => `<img alt="${id}"  src='https://example.com/${id}.png' loading=lazy>`,
      () => `<p>${id}<br/>c <a href="https://example.com/${id}" data-x>link</a></p>`,
      () => `<address>${id}</address>`,
    ])();
    return { html, block: true, id };
  };
  const gap = () => ({ html: pick([() => `<!-- ${word()} <p>no</p> -->`, () => `\n  `, () => `<style>.${word()} > p {}</style>`, () => `<script>"<p>" < ${at++}</script>`, () => `<video data-id="${word()}"></video>`, () => `<x-empty id=${word()}></x-empty>`])(), block: false });
  const fill = (depth) => {
    for (let count = Math.floor(next() * 5) + 1; count > 0; count--) {
      const kind = next();
      if (kind < 0.25) parts.push(gap());
      else if (kind < 0.4 && depth < 3) {
        const name = pick(["div", "section", "x-card", "main", "article"]);
        parts.push({ html: `<${name} data-id='${word()}' class=x>`, block: false });
        fill(depth + 1);
        parts.push({ html: `</${name}>`, block: false });
      } else parts.push(block());
    }
  };
  fill(0);
  return parts;
}

function edit(document, next) {
  const sections = document.outline().length;
  const lines = document.lines().length;
  const upTo = (count) => Math.floor(next() * count);
  const line = 1 + upTo(lines);
  const updates = [
    { operation: "append", title: `New ${upTo(1e6)}`, content: "<p>added</p>" },
    { operation: "insert", sectionIndex: 1 + upTo(sections), title: `In ${upTo(1e6)}`, content: "<ul><li>x</li></ul>" },
    { operation: "replace", sectionIndex: upTo(sections), content: `<p>new ${upTo(1e6)}</p>`, whole: true },
    { operation: "delete", sectionIndex: upTo(sections) },
    { operation: "move_section", sectionIndex: 1 + upTo(sections - 1), toIndex: 1 + upTo(sections - 1) },
    { operation: "replace_lines", edits: [{ start_line: line, end_line: line, content: `line ${upTo(1e6)}` }] },
    { operation: "replace_lines", edits: [{ start_line: line, end_line: line, content: "" }] },
    { operation: "replace_text", old: "bold", new: "bolder", all: true },
  ];
  try {
    document.apply(updates[upTo(updates.length)]);
    return true;
  } catch (error) {
    if (!error.code || error.code === "internal") throw error;
    return false;
  }
}

test(`random pages: unchanged parts come back byte for byte, and the HTML is the document (${RUNS} pages)`, () => {
  let [kept, edits, exact] = [0, 0, 0];
  for (let at = 0; at < RUNS; at++) {
    const next = random(seed + at);
    const parts = generate(next);
    const html = parts.map(({ html }) => html).join("");
    const { document, source } = open(html);
    const where = `COPYDESK_SEED=${seed + at} COPYDESK_SOURCES=1\n${html}`;
    assert.equal(source.render(document), html, where);
    const before = new Set((document.toJSON().content ?? []).map((block) => JSON.stringify(block)));
    const blocksOf = (text) => (Document.fromHTML(text).toJSON().content ?? []).map((block) => JSON.stringify(block));
    for (let count = 1 + Math.floor(next() * 4); count > 0; count--) edits += edit(document, next) ? 1 : 0;
    const rendered = source.render(document);
    assertIs(rendered, document, where);
    const after = new Set((document.toJSON().content ?? []).map((block) => JSON.stringify(block)));
    // What is between blocks stays, in its order.
    let position = 0;
    for (const part of parts) {
      if (part.block) continue;
      const found = rendered.indexOf(part.html, position);
      assert.ok(found >= 0, `${where}\nlost ${part.html}\n${rendered}`);
      position = found + part.html.length;
    }
    for (const part of parts.filter(({ block }) => block)) {
      const own = blocksOf(part.html);
      if (!own.every((block) => after.has(block) && before.has(block))) continue;
      kept++;
      assert.ok(rendered.includes(part.html), `${where}\nlost ${part.html}\n${rendered}`);
    }
    if (rendered !== document.toHTML()) exact++;
  }
  assert.ok(kept > RUNS && edits > RUNS && exact > RUNS / 2, `${kept} blocks kept, ${edits} edits`);
});

test(`random fragments of HTML: the result is the document (${RUNS} pages)`, () => {
  const pieces = ["<p>", "</p>", "<b>", "</b>", "<div>", "</div>", "<table>", "<td>", "</table>", "<ul>", "<li>", "text ", "<!--", "-->", "<a href=x>", "</a>", "<h2>t", "</h2>", "<script>", "</script>", "<hr>", "<br>", "<x-y z='", "'>", "&amp;", "<", "<textarea>", "<svg>", "</svg>", "\n"];
  for (let at = 0; at < RUNS; at++) {
    const next = random(seed + at);
    const html = Array.from({ length: 2 + Math.floor(next() * 14) }, () => pieces[Math.floor(next() * pieces.length)]).join("");
    const { document, source } = open(html);
    const where = `COPYDESK_SEED=${seed + at} COPYDESK_SOURCES=1\n${JSON.stringify(html)}`;
    assert.equal(source.render(document), html, where);
    edit(document, next);
    assertIs(source.render(document), document, where);
  }
});

test("blocks are matched as a longest common subsequence, then what moved", () => {
  const slow = (a, b) => {
    const table = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(0));
    for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) table[i][j] = a[i - 1] === b[j - 1] ? table[i - 1][j - 1] + 1 : Math.max(table[i - 1][j], table[i][j - 1]);
    return table[a.length][b.length];
  };
  for (let at = 0; at < RUNS; at++) {
    const next = random(seed + at);
    const list = () => Array.from({ length: Math.floor(next() * 12) }, () => "abcde"[Math.floor(next() * 5)]);
    const [old, now] = [list(), list()];
    const kept = keptBlocks(old, now);
    const used = kept.filter((from) => from !== undefined);
    assert.equal(new Set(used).size, used.length);
    kept.forEach((from, index) => from === undefined || assert.equal(old[from], now[index]));
    let longest = 0;
    const best = [];
    for (const from of used) {
      best.push(1 + Math.max(0, ...best.filter((_, i) => used[i] < from)));
      longest = Math.max(longest, best.at(-1));
    }
    assert.ok(longest >= slow(old, now), `${old} ${now}`);
    const left = (block) => now.filter((one) => one === block).length - old.filter((one) => one === block).length;
    now.forEach((block, index) => kept[index] !== undefined || assert.ok(left(block) > 0, `${old} ${now}`));
  }
});

test("large pages are read and rendered in one pass", () => {
  const html = Array.from({ length: 3000 }, (_, at) => `<div class=d${at}><p data-n=${at}>paragraph ${at}</p></div>\n`).join("");
  const { document, source } = open(html);
  document.apply({ operation: "replace_text", old: "paragraph 1500", new: "changed" });
  assert.equal(source.render(document), html.replace("<p data-n=1500>paragraph 1500</p>", "<p>changed</p>"));
});

test("the model reads the source as rawHtml, also after an edit, and the app gets it at the end", async (t) => {
  const llm = await model(t, [
    { calls: [call("a", "get_document")] },
    { calls: [call("b", "replace_text", { old: "Old.", new: "New." })] },
    { calls: [call("c", "get_document")] },
    { say: "Done." },
  ]);
  const ends = [];
  const url = await routeOn(t, { onEnd: (end) => void ends.push(end) });
  const events = await run(url, { message: "x", documentContent: PAGE, llmConfig: llmConfigOf(llm) });
  const changed = PAGE.replace("<p>Old.</p>", "<p>New.</p>");
  const raw = events.filter(({ type, toolName }) => type === "tool_result" && toolName === "get_document").map(({ content }) => content.rawHtml);
  assert.deepEqual(raw, [PAGE, changed]);
  assert.equal(ends[0].html, changed);
});
