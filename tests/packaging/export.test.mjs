// Exported files, opened again by other libraries.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "@xmldom/xmldom";
import { toDOCX, toEPUB, toHTML, toMarkdown } from "copydesk/export";
import { readMarkdown } from "copydesk/markdown";
import JSZip from "jszip";
import mammoth from "mammoth";
import { doc, item, link, node, p, png, text } from "../exports/examples.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { randomBlocks } from "./markdown/random.mjs";
import { plain, rich } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? 20261124);
const PICTURE = `data:image/png;base64,${png(30, 20).toString("base64")}`;
const article = doc(
  node("heading", "Tea & <co>", { level: 1 }),
  p("Plain ", text("bold", "bold"), text("italic", "italic"), text("struck", "strike"), " and ", text("a link", link("https://example.com/?a=1&b=2"))),
  node("bulletList", [item(p("one")), item(p("two"), node("orderedList", [item(p("nested"))], { start: 1 }))]),
  node("orderedList", [item(p("seven"))], { start: 7 }),
  node("taskList", [node("taskItem", [p("open")], { checked: false }), node("taskItem", [p("done")], { checked: true })]),
  node("table", [node("tableRow", [node("tableHeader", [p("head")]), node("tableHeader", [p("other")])]), node("tableRow", [node("tableCell", [p("wide")], { colspan: 2 })])]),
  node("image", undefined, { src: PICTURE, alt: "A picture" }),
  node("blockquote", [p("quoted")]),
  node("codeBlock", "const a = 1;\nif (a < 2) b();", { language: "js" }),
  node("codeBlock", "<!-- timeline-ignore -->", { language: "markdown-source" }),
  node("horizontalRule"),
  node("heading", "第二节", { level: 2 }),
  p("第3天，她回来了。", node("hardBreak"), "新的一行", node("mention", undefined, { id: "1", label: "Ann", mentionSuggestionChar: "@" })),
);

test("a DOCX file holds text, headings, lists, tables, images and links", async () => {
  const { bytes, type, lost } = await toDOCX(article);
  assert.equal(type, "application/vnd.openxmlformats-officedocument.wordprocessingml.document");
  assert.deepEqual(lost, []);
  const { value: html, messages } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { styleMap: ["p[style-name='Quote'] => blockquote > p:fresh", "p[style-name='Code'] => pre:separator('\n')"] });
  assert.deepEqual(messages.filter(({ type }) => type === "error"), []);
  const picture = `<img alt="A picture" src="${PICTURE}" />`;
  const expected = [
    "<h1>Tea &amp; &lt;co&gt;</h1>",
    '<p>Plain <strong>bold</strong><em>italic</em><s>struck</s> and <a href="https://example.com/?a=1&amp;b=2">a link</a></p>',
    "<ul><li>one</li><li>two<ol><li>nested</li></ol></li></ul>",
    "<ol><li>seven</li></ol>",
    "<p>☐ open</p><p>☑ done</p>",
    '<table><thead><tr><th><p>head</p></th><th><p>other</p></th></tr></thead><tbody><tr><td colspan="2"><p>wide</p></td></tr></tbody></table>',
    `<p>${picture}</p>`,
    "<blockquote><p>quoted</p></blockquote>",
    "<pre>const a = 1;<br />if (a &lt; 2) b();</pre>",
    "<h2>第二节</h2>",
    "<p>第3天，她回来了。<br />新的一行@Ann</p>",
  ];
  // Bookmarks, which links lead to, are elements without text.
  assert.equal(html.replace(/ ?data-[a-z]+="[^"]*"/g, "").replace(/<a id="\w+"><\/a>/g, "").replace(/<p><\/p>/g, ""), expected.join(""));
  const zip = await JSZip.loadAsync(bytes);
  // A list that starts at 7, an image in its proportions, and chapters that are sections.
  assert.match(await zip.file("word/numbering.xml").async("string"), /<w:start w:val="7"\/>/);
  const [, cx, cy] = /<wp:extent cx="(\d+)" cy="(\d+)"/.exec(await zip.file("word/document.xml").async("string"));
  assert.equal(cx / cy, 1.5);
});

/** The columns of the cells of a DOCX table, row by row: `[column, width, "restart" | "continue" | undefined]`. */
async function gridOf(table) {
  const zip = await JSZip.loadAsync((await toDOCX(doc(table))).bytes);
  const [first] = [...xml(await zip.file("word/document.xml").async("string")).getElementsByTagName("w:tbl")];
  return [...first.getElementsByTagName("w:tr")].map((row) => {
    let column = 0;
    return [...row.getElementsByTagName("w:tc")].map((cell) => {
      const [span] = [...cell.getElementsByTagName("w:gridSpan")];
      const [merge] = [...cell.getElementsByTagName("w:vMerge")];
      const width = Number(span?.getAttribute("w:val") ?? 1);
      column += width;
      return [column - width, width, merge && (merge.getAttribute("w:val") ?? "continue")];
    });
  });
}

/** Fails unless each continued cell is below the cell that it continues. */
function checkGrid(grid, where) {
  grid.forEach((row, at) => {
    for (const [column, width, merge] of row) {
      if (merge !== "continue") continue;
      const above = grid[at - 1]?.find(([other]) => other === column);
      assert.ok(above && above[1] === width && above[2], `${where}: row ${at}, column ${column}`);
    }
  });
}

test("cells that span several rows are continued in their columns, whatever the spans are", async () => {
  const cell = ([colspan, rowspan]) => node("tableCell", [p("x")], { colspan, rowspan });
  const table = (rows) => node("table", rows.map((row) => node("tableRow", row.map(cell))));
  const one = [1, 1];
  // thomas-villani/all2md#207: cells that span beyond the grid.
  checkGrid(await gridOf(table([[one, one], [[2, 2], one], [[1, 2], one], [one, [2, 1]]])), "reported");
  assert.deepEqual(await gridOf(table([[[2, 2], one], [one], [one, one, one]])), [[[0, 2, "restart"], [2, 1, undefined]], [[0, 2, "continue"], [2, 1, undefined]], [[0, 1, undefined], [1, 1, undefined], [2, 1, undefined]]]);
  const { below } = randomFrom(SEED);
  const count = (most) => 1 + below(most);
  for (let at = 0; at < 60; at++) {
    const rows = Array.from({ length: count(5) }, () => Array.from({ length: count(4) }, () => [count(3), count(4)]));
    checkGrid(await gridOf(table(rows)), `SEED=${SEED} ${JSON.stringify(rows)}`);
  }
  for (const odd of [[1e9, 1e9], ["x", "y"], [-1, 0], [null, undefined], [1.7, 2.5]]) checkGrid(await gridOf(table([[odd, one], [one, one]])), String(odd));
});

test("a DOCX book has its chapters in order, each on pages of its own", async () => {
  const chapters = ["One", "Two", "Three"].map((title) => ({ json: doc(node("heading", title, { level: 1 }), p(`Text of ${title}`)) }));
  const { bytes } = await toDOCX({ title: "Book", author: "Ann", chapters });
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  assert.deepEqual(value.split(/\n+/).filter(Boolean), ["One", "Text of One", "Two", "Text of Two", "Three", "Text of Three"]);
  const zip = await JSZip.loadAsync(bytes);
  const document = await zip.file("word/document.xml").async("string");
  assert.equal(document.split("<w:sectPr").length - 1, 3);
  assert.match(await zip.file("docProps/core.xml").async("string"), /<dc:title>Book<\/dc:title>.*<dc:creator>Ann/);
});

/** Parses XML strictly. */
function xml(source, type = "application/xml") {
  const problems = [];
  const parsed = new DOMParser({ onError: (level, message) => level !== "warning" && problems.push(`${level}: ${message}`) }).parseFromString(source, type);
  assert.deepEqual(problems, [], source);
  return parsed;
}

const all = (parent, name) => [...parent.getElementsByTagName(name)];

test("an EPUB file has the structure that the specification demands", async () => {
  const chapters = [{ json: article }, { title: "Second <&>", json: doc(p("end")) }];
  const modified = new Date("2026-01-02T03:04:05.678Z");
  const { bytes, type, lost } = await toEPUB({ title: "Book & co", author: "Ann", language: "en", chapters }, { identifier: "urn:isbn:1", modified });
  assert.equal(type, "application/epub+zip");
  assert.deepEqual(lost, []);
  // The first entry is stored, has no extra field, and so the media type stands at byte 38.
  const start = Buffer.from(bytes.slice(0, 58));
  assert.equal(start.readUInt32LE(0), 0x04034b50);
  assert.deepEqual([start.readUInt16LE(8), start.readUInt16LE(28)], [0, 0]);
  assert.equal(start.subarray(30, 58).toString(), "mimetypeapplication/epub+zip");

  const zip = await JSZip.loadAsync(bytes);
  const read = (name) => zip.file(name).async("string");
  const [rootfile] = all(xml(await read("META-INF/container.xml")), "rootfile");
  assert.equal(rootfile.getAttribute("media-type"), "application/oebps-package+xml");
  const path = rootfile.getAttribute("full-path");
  const opf = xml(await read(path));
  const [root] = all(opf, "package");
  const identifier = all(opf, "dc:identifier").find((one) => one.getAttribute("id") === root.getAttribute("unique-identifier"));
  assert.equal(identifier.textContent, "urn:isbn:1");
  assert.deepEqual(["dc:title", "dc:language", "dc:creator"].map((name) => all(opf, name)[0].textContent), ["Book & co", "en", "Ann"]);
  assert.equal(all(opf, "meta").find((one) => one.getAttribute("property") === "dcterms:modified").textContent, "2026-01-02T03:04:05Z");

  const folder = path.replace(/[^/]+$/, "");
  const items = all(opf, "item").map((one) => ["id", "href", "media-type", "properties"].map((name) => one.getAttribute(name)));
  // Each file is in the manifest once, and each entry of it is a file.
  const inZip = Object.keys(zip.files).filter((name) => !zip.files[name].dir && !/^(?:mimetype|META-INF)/.test(name) && name !== path);
  assert.deepEqual(items.map(([, href]) => folder + href).sort(), inZip.sort());
  assert.equal(new Set(items.map(([id]) => id)).size, items.length);
  const order = all(opf, "itemref").map((one) => items.find(([id]) => id === one.getAttribute("idref"))[1]);
  assert.equal(order.length, 2);

  const navigation = items.filter(([, , , properties]) => properties === "nav");
  assert.equal(navigation.length, 1);
  const nav = xml(await read(folder + navigation[0][1]), "application/xhtml+xml");
  assert.equal(all(nav, "nav")[0].getAttribute("epub:type"), "toc");
  assert.deepEqual(all(nav, "a").map((one) => [one.getAttribute("href"), one.textContent]), [[order[0], "Tea & <co>"], [order[1], "Second <&>"]]);

  const first = xml(await read(folder + order[0]), "application/xhtml+xml");
  assert.deepEqual(all(first, "h1").map((one) => one.textContent), ["Tea & <co>"]);
  assert.deepEqual(all(first, "li").length, 6);
  assert.deepEqual(all(first, "td").map((one) => one.getAttribute("colspan")), ["2"]);
  const src = all(first, "img")[0].getAttribute("src");
  assert.ok(items.some(([, href, type]) => href === src && type === "image/png"));
  assert.deepEqual(Buffer.from(await zip.file(folder + src).async("uint8array")), png(30, 20));
  assert.equal(all(first, "a")[0].getAttribute("href"), "https://example.com/?a=1&b=2");
  assert.doesNotMatch(await read(folder + order[0]), /timeline-ignore/);
});

test("an HTML page stands alone, with a table of contents for a book", () => {
  const html = toHTML({ title: "Tea", chapters: [{ json: article }, { json: doc(node("heading", "Two", { level: 1 })) }] });
  assert.match(html, /^<!doctype html>\n<html lang="zh-CN">/);
  const parsed = xml(html.replace("<!doctype html>", "<!DOCTYPE html>"), "application/xhtml+xml");
  assert.deepEqual(all(parsed, "section").map((one) => one.getAttribute("id")), all(parsed, "nav").flatMap((nav) => all(nav, "a").map((one) => one.getAttribute("href").slice(1))));
  assert.deepEqual(all(parsed, "input").map((one) => one.getAttribute("checked")), [null, "checked"]);
  assert.match(toHTML(doc(p("x"))), /<html lang="en">[^]*<title>Untitled<\/title>/);
  assert.doesNotMatch(toHTML(doc(p("x"))), /<nav>/);
});

test("exported files contain no script, whatever the document says", async () => {
  const image = (src) => node("image", undefined, { src, alt: '"><script>alert(1)</script>' });
  const evil = doc(
    ...["javascript:alert(1)", " java\nscript:alert(1)", "JAVASCRIPT:x", "data:text/html,<script>", "vbscript:x", "\u0001javascript:x"].flatMap((url) => [p(text("x", link(url))), image(url), node("youtube", undefined, { src: url })]),
    p(text("x", { type: "textStyle", attrs: { color: "red;} body{background:url(http://x)}", fontFamily: '"><script>' } })),
    node("codeBlock", "</code><script>alert(1)</script>", { language: '"><script>' }),
    node("paragraph", "aligned", { textAlign: '"onclick="x' }),
    node("heading", "h", { level: "1><script>" }),
    node("orderedList", [item(p("x"))], { start: '1"><script>' }),
    p("\0\u0008\ud800 control"),
  );
  const page = toHTML({ title: "<script>", author: '"><script>', chapters: [{ json: evil }] });
  const parsed = xml(page.replace("<!doctype html>", "<!DOCTYPE html>"), "application/xhtml+xml");
  assert.deepEqual(all(parsed, "script"), []);
  for (const element of all(parsed, "*")) {
    for (const { name, value } of [...element.attributes]) {
      assert.doesNotMatch(name, /^on/);
      if (name === "href" || name === "src") assert.doesNotMatch(value.replace(/[\0-\x20]/g, ""), /^(?:java|vb)script:|^data:text/i);
    }
  }
  const { bytes } = await toDOCX(evil);
  const zip = await JSZip.loadAsync(bytes);
  for (const [name, file] of Object.entries(zip.files)) if (/\.(?:xml|rels)$/.test(name)) assert.doesNotMatch(JSON.stringify(xml(await file.async("string")).documentElement.textContent) + (await file.async("string")), /Target="\s*(?:java|vb)script/i);
  const book = await JSZip.loadAsync((await toEPUB(evil)).bytes);
  for (const [name, file] of Object.entries(book.files)) if (/\.(?:xhtml|opf|xml)$/.test(name)) xml(await file.async("string"));
});

test("images that cannot be loaded or shown are named, and their descriptions stay", async () => {
  const image = (src, alt) => node("image", undefined, { src, alt });
  const given = doc(image("https://a.test/ok.png", "fine"), image("https://a.test/gone.png", "gone"), image("https://a.test/x.svg", "drawing"), image("https://a.test/ok.png", "again"));
  const asked = [];
  const loadImage = async (src) => {
    asked.push(src);
    if (src.includes("gone")) throw new Error("404");
    return src.endsWith("svg") ? new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>') : new Uint8Array(png(3, 4));
  };
  const docx = await toDOCX(given, { loadImage });
  assert.deepEqual(docx.lost.map(({ name, reason }) => [name, reason]).sort(), [["https://a.test/gone.png", "404"], ["https://a.test/x.svg", "The file cannot hold the format svg."]]);
  assert.deepEqual(asked.toSorted(), ["https://a.test/gone.png", "https://a.test/ok.png", "https://a.test/x.svg"]);
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(docx.bytes) });
  assert.match(value, /alt="fine".*<em>gone<\/em>.*<em>drawing<\/em>.*alt="again"/);
  const epub = await toEPUB(given, { loadImage });
  assert.deepEqual(epub.lost.map(({ name }) => name), ["https://a.test/gone.png"]);
});

test("a book as Markdown has its chapters one after the other", () => {
  const chapters = ["# One\n\nText\n", "# Two\n\n- a\n- b\n"].map((source) => ({ json: readMarkdown(source, plain).json }));
  assert.deepEqual(toMarkdown({ chapters }, plain), { text: "# One\n\nText\n\n# Two\n\n- a\n- b\n", lost: [] });
  const aligned = doc(node("paragraph", "x", { textAlign: "center" }));
  const { lost } = toMarkdown({ chapters: [...chapters, { json: aligned }] }, rich);
  assert.deepEqual(lost.map(({ chapter, name }) => [chapter, name]), [[2, "textAlign"]]);
});

test("comments are for the writer, in every format but Markdown", async () => {
  const source = "# Nine <!-- todo -->\n\nDay 9.<!-- copydesk-ignore timeline: he dreamt --> On.\n\n`<!-- code -->` <!-- not ended\n\n<!-- alone -->\n";
  const { json } = readMarkdown(source, plain);
  const visible = ["Nine", "Day 9. On.", "<!-- code --> <!-- not ended"];
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from((await toDOCX(json)).bytes) });
  assert.deepEqual(value.split("\n").filter(Boolean).map((line) => line.trim()), visible);
  const zip = await JSZip.loadAsync((await toEPUB(json)).bytes);
  for (const page of [await zip.file("EPUB/chapter-001.xhtml").async("string"), toHTML(json).replace("<!doctype html>", "<!DOCTYPE html>")]) {
    const body = all(xml(page, "application/xhtml+xml"), "body")[0];
    assert.deepEqual(body.textContent.split("\n").filter(Boolean).map((line) => line.trim()), visible);
  }
  assert.match(await zip.file("EPUB/nav.xhtml").async("string"), />Nine</);
});

test("titles of chapters without headings are in every format, and added words are in the book's language", async () => {
  const book = { title: "T", language: "en", chapters: [{ title: "First", json: doc(p("漢")) }, { title: "Own", json: doc(node("heading", "Second", { level: 2 }), p("b")) }, { json: doc(p("c")) }] };
  assert.equal(toMarkdown(book, plain).text, "# First\n\n漢\n\n## Second\n\nb\n\nc\n");
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from((await toDOCX(book)).bytes) });
  assert.deepEqual(value.split("\n").filter(Boolean), ["First", "漢", "Second", "b", "c"]);
  assert.match(toHTML(book), /<h1 id="first">First<\/h1>\n<p>漢<\/p>/);
  const nav = async (given) => all(xml(await (await JSZip.loadAsync((await toEPUB(given)).bytes)).file("EPUB/nav.xhtml").async("string"), "application/xhtml+xml"), "li").map((one) => one.textContent);
  assert.deepEqual(await nav(book), ["First", "Own", "Chapter 3"]);
  assert.deepEqual(await nav({ ...book, language: "zh-TW" }), ["First", "Own", "第3章"]);
  assert.match(toHTML({ language: "zh", chapters: [{ json: doc(p("x")) }] }), /<title>无标题</);
  for (const language of ["zz zz", "e", "<en>", "\"><script>"]) assert.throws(() => toHTML({ ...book, language }), { code: "invalid_parameter" });
});

test("random documents become files that open, with all their text", async () => {
  const random = randomFrom(SEED);
  const letters = (value) => value.replace(/[^\p{L}\p{N}]+/gu, "");
  const own = (one) => one.text ?? (one.type === "mention" ? one.attrs.label : one.type === "inlineMath" || one.type === "blockMath" ? one.attrs.latex : one.type === "youtube" ? one.attrs.src : (one.content ?? []).map(own).join(""));
  for (let round = 0; round < 40; round += 1) {
    const json = rich.nodeFromJSON(doc(...randomBlocks(random))).toJSON();
    const loadImage = async () => new Uint8Array(png(2, 2));
    const expected = letters(own(json));
    const hint = `seed ${SEED}, round ${round}`;
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from((await toDOCX(json, { loadImage })).bytes) });
    assert.equal(letters(value), expected, hint);
    const zip = await JSZip.loadAsync((await toEPUB(json, { loadImage })).bytes);
    const page = xml(await zip.file("EPUB/chapter-001.xhtml").async("string"), "application/xhtml+xml");
    assert.equal(letters(all(page, "body")[0].textContent), expected, hint);
  }
});

test("input that is no document is refused", async () => {
  for (const given of [undefined, null, {}, { chapters: [] }, { chapters: [{ json: p("x") }] }, { title: 1, chapters: [{ json: doc() }] }]) {
    assert.throws(() => toHTML(given), { code: "invalid_parameter" });
    await assert.rejects(toDOCX(given), { code: "invalid_parameter" });
    await assert.rejects(toEPUB(given), { code: "invalid_parameter" });
  }
});
