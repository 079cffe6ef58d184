// Links and the headings that they lead to, in EPUB, HTML and DOCX. The sections in comments are those of EPUB 3.3 and
// ECMA-376-1:2016.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "@xmldom/xmldom";
import { toDOCX, toEPUB, toHTML } from "copydesk/export";
import { readMarkdown } from "copydesk/markdown";
import JSZip from "jszip";
import { doc, heading, link, loadImage, node, p, table, text } from "../exports/examples.mjs";
import { rich } from "./markdown/schema.mjs";

const parse = (source, type) => new DOMParser({ onError: (level, message) => assert.equal(level, "warning", message) }).parseFromString(source, type);
const page = (source) => parse(source.replace("<!doctype html>", "<!DOCTYPE html>"), "application/xhtml+xml");
const all = (parent, name) => [...parent.getElementsByTagName(name)];
const linked = (href) => p(text(`to ${href}`, link(href)));
const idsOf = (document) => all(document, "*").map((one) => one.getAttribute("id")).filter(Boolean);

/** Opens the three files of a publication. */
async function opened(publication) {
  const files = { epub: await toEPUB(publication, { loadImage }), docx: await toDOCX(publication, { loadImage }) };
  const [epub, docx] = await Promise.all([files.epub, files.docx].map(({ bytes }) => JSZip.loadAsync(bytes)));
  const names = Object.keys(epub.files).filter((name) => /chapter-\d+\.xhtml$/.test(name)).sort();
  const chapters = new Map();
  for (const name of names) chapters.set(name.replace("EPUB/", ""), page(await epub.file(name).async("string")));
  const relations = all(parse(await docx.file("word/_rels/document.xml.rels").async("string"), "text/xml"), "Relationship");
  return {
    epub: chapters,
    html: page(toHTML(publication)),
    docx: parse(await docx.file("word/document.xml").async("string"), "text/xml"),
    targetOf: (id) => relations.find((one) => one.getAttribute("Id") === id)?.getAttribute("Target"),
    lost: Object.fromEntries(Object.entries(files).map(([name, { lost }]) => [name, lost.filter(({ kind }) => kind === "link").map(({ name }) => name)])),
  };
}

/** The text of the paragraph that a bookmark is in (17.13.6.2). */
function placeOf(document, name) {
  const start = all(document, "w:bookmarkStart").find((one) => one.getAttribute("w:name") === name);
  let paragraph = start;
  while (paragraph && paragraph.nodeName !== "w:p") paragraph = paragraph.parentNode;
  return paragraph && all(paragraph, "w:t").map((one) => one.textContent).join("");
}

/** Returns where the links with text lead: the text of a heading or the title of a chapter, or a URL. */
function destinations({ epub, html, docx, targetOf }) {
  const inEPUB = {};
  for (const [name, chapter] of epub) {
    for (const one of all(chapter, "a")) {
      const href = one.getAttribute("href");
      const [file, id] = href.split("#");
      const target = epub.get(file || name);
      if (/^[a-z]+:/.test(href)) inEPUB[one.textContent] = href;
      else inEPUB[one.textContent] = id === undefined ? all(target, "h1")[0].textContent : all(target, "*").find((found) => found.getAttribute("id") === decodeURI(id)).textContent;
    }
  }
  const inHTML = {};
  for (const one of all(html, "a")) {
    const href = one.getAttribute("href");
    if (one.parentNode.nodeName === "li") continue;
    const found = href.startsWith("#") && all(html, "*").find((other) => other.getAttribute("id") === decodeURI(href.slice(1)));
    inHTML[one.textContent] = found ? (found.nodeName === "section" ? all(found, "h1")[0] : found).textContent : href;
  }
  const inDOCX = {};
  for (const one of all(docx, "w:hyperlink")) {
    const name = all(one, "w:t").map((run) => run.textContent).join("");
    const id = one.getAttribute("r:id");
    inDOCX[name] = id ? targetOf(id) : placeOf(docx, one.getAttribute("w:anchor"));
  }
  return { epub: inEPUB, html: inHTML, docx: inDOCX };
}

test("links in a book lead to its headings and chapters, and others are URLs or named", async () => {
  // [href, where it leads in all files, or in EPUB, HTML and DOCX; null where it is named in `lost`]
  const cases = [
    ["#first-tea", "First tea"],
    ["#First Tea", "First tea"],
    ["#%66irst-tea", "First tea"],
    ["#", "First tea"],
    ["#none", null, "#none", null],
    ["two.md", "Second"],
    ["./two.md", "Second"],
    ["two", "Second"],
    ["two.html#own", "With an id"],
    ["two.md#third", "Third"],
    ["two.md#third-1", "Third"],
    ["two.md?plain=1#第一章-茶", "第一章 茶"],
    ["two.md#%E7%AC%AC%E4%B8%80%E7%AB%A0-%E8%8C%B6", "第一章 茶"],
    // A browser shows the chapter if it has no such heading.
    ["two.md#none", "Second"],
    ["sub/", "Folder"],
    ["sub/README.md", "Folder"],
    ["../book/two.md", "Second"],
    ["ch002.md", null, "ch002.md", "ch002.md"],
    ["../img/x.png", null, "../img/x.png", "../img/x.png"],
    ["docs\\a.html", null, "docs/a.html", "docs/a.html"],
    ["?q=1", null, "?q=1", "?q=1"],
    ["/abs", null, "/abs", "/abs"],
    ["https://", null, undefined, null],
    ["javascript:x", null, undefined, null],
    // RFC 3987: characters that are in no URL are percent-encoded, and so is a sign without digits.
    ["https://a.example/a b", "https://a.example/a%20b"],
    ["https://a.example/100%", "https://a.example/100%25", "https://a.example/100%", "https://a.example/100%25"],
    ["https://a.example/a|b", "https://a.example/a%7Cb", "https://a.example/a|b", "https://a.example/a%7Cb"],
    ["https://a.example/é", "https://a.example/é"],
    ["https://a.example/?a=1&b=2", "https://a.example/?a=1&b=2"],
    ["mailto:a b@c.example", "mailto:a%20b@c.example", "mailto:a b@c.example", "mailto:a%20b@c.example"],
    ["tel:+1-2", "tel:+1-2"],
    // An address without one, and names that no host can have (RFC 1035, 2.3.4).
    ["mailto:", null, "mailto:", null],
    ["https://a..example/", null, "https://a..example/", null],
    [`https://${"x".repeat(64)}.example/`, null, `https://${"x".repeat(64)}.example/`, null],
    ["https://[::1]:80/x", "https://[::1]:80/x"],
    ["//a.example/x", "https://a.example/x"],
  ];
  const files = await opened({
    title: "Book",
    chapters: [
      { path: "book/one.md", json: doc(heading("First tea"), ...cases.map(([href]) => linked(href))) },
      { path: "book/two.md", json: doc(heading("Second"), heading("Third", 2), heading("Third", 2), heading("With an id {#own}", 2), heading("第一章 茶", 2)) },
      { path: "book/sub/index.md", json: doc(heading("Folder"), p(text("up", link("../one.md")))) },
    ],
  });
  const found = destinations(files);
  for (const [href, inEPUB, inHTML = inEPUB ?? undefined, inDOCX = inEPUB] of cases) {
    const name = `to ${href}`;
    for (const [file, expected] of Object.entries({ epub: inEPUB, html: inHTML, docx: inDOCX })) {
      assert.equal(found[file][name], expected ?? undefined, `${file}: ${href}`);
      if (file !== "html") assert.equal(files.lost[file].includes(href), expected === null, `lost of ${file}: ${href}`);
    }
  }
  for (const file of ["epub", "html", "docx"]) assert.equal(found[file].up, "First tea", file);
  // The text of a link that is lost stays.
  assert.match(all(files.epub.get("chapter-001.xhtml"), "body")[0].textContent, /to ch002\.md/);
});

test("headings have ids, one each, that begin with a letter", async () => {
  const titles = ["Tea", "Tea", "Tea!", "1. Tea", "`code` & more", "第一章 茶", "Émile's “house”", "note-1-1", "chapter-1", "toc", "", "—", "a_b"];
  const given = { title: "Ids", chapters: [{ json: doc(...titles.map((title) => heading(title || " ", 2))) }, { json: doc(heading("Tea"), heading("own", 2, { id: "my-id" }), heading("toc", 2, { "data-toc-id": "8f14" })) }] };
  const { epub, html } = await opened(given);
  const [first, second] = [...epub.values()];
  // GitHub's fragments: letters, numbers, marks, hyphens and underlines, in small letters, and spaces as hyphens.
  const ids = (document) => [1, 2].flatMap((level) => all(document, `h${level}`)).map((one) => one.getAttribute("id"));
  assert.deepEqual(ids(first).slice(0, 2), ["tea", "tea-1"]);
  assert.ok(ids(first).includes("第一章-茶") && ids(first).includes("émiles-house") && ids(first).includes("a_b"));
  assert.ok(ids(second).includes("my-id"));
  for (const document of [html, first, second]) {
    const found = idsOf(document);
    assert.equal(new Set(found).size, found.length);
  }
  for (const id of [...ids(first), ...ids(second)]) assert.match(id, /^\p{L}[\p{L}\p{M}\p{N}\p{Pc}-]*$/u);
  assert.equal(ids(first).length, titles.length);
});

test("a link finds its chapter whatever the chapter begins with", async () => {
  const starts = [doc(), doc(node("horizontalRule")), doc(table(["cell"])), doc(node("codeBlock", "code")), doc(node("image", undefined, { src: "10x10.png" })), doc(node("bulletList", [node("listItem", [p("item")])])), doc(node("blockquote", [p("quote")]))];
  const chapters = starts.map((json, at) => ({ path: `${at}.md`, json }));
  const { docx, lost } = await opened({ chapters: [{ json: doc(...starts.map((_, at) => linked(`${at}.md`))) }, ...chapters] });
  const names = all(docx, "w:bookmarkStart").map((one) => one.getAttribute("w:name"));
  const anchors = all(docx, "w:hyperlink").map((one) => one.getAttribute("w:anchor"));
  assert.deepEqual(lost, { epub: [], docx: [] });
  assert.equal(new Set(anchors).size, starts.length);
  for (const anchor of anchors) assert.ok(names.includes(anchor), anchor);
  // Word's names of bookmarks: at most 40 letters, digits and underlines.
  for (const name of names) assert.match(name, /^[A-Za-z_]\w{0,39}$/);
  assert.equal(new Set(names).size, names.length);
});

test("the notation of an id is not printed", async () => {
  const json = readMarkdown("# One {#own}\n\n## Two {: #other}\n\n`{#code}`\n", rich).json;
  for (const document of [...(await opened(json)).epub.values()]) {
    assert.deepEqual([...all(document, "h1"), ...all(document, "h2")].map((one) => [one.textContent, one.getAttribute("id")]), [["One", "own"], ["Two", "other"]]);
    assert.equal(all(document, "code")[0].textContent, "{#code}");
  }
});

test("links of wikis lead to pages of the book, and images are images", async () => {
  // [notation, its text, where it leads]; Obsidian shows a heading behind its page as `Page > Heading`.
  const cases = [
    ["[[Black tea]]", "Black tea", "Black"],
    ["[[black tea|the other]]", "the other", "Black"],
    ["[[Black tea#A cup]]", "Black tea > A cup", "A cup"],
    ["[[notes/Black tea.md#A cup|cup]]", "cup", "A cup"],
    ["[[#First]]", "First", "First"],
    ["![[Black tea]]", "Black tea", "Black"],
    // Of what leads nowhere the text is left.
    ["[[None]]", "None"],
    ["[[None|text]]", "text"],
    ["[[twice]]", "twice"],
    ["a[[1, 2], [3]]", "a[[1, 2], [3]]"],
    ["[[]]", "[[]]"],
    ["![[none.pdf]]", "none.pdf"],
  ];
  const other = (path) => ({ path, json: doc(heading("Twice")) });
  const chapters = [
    { path: "First.md", json: doc(heading("First"), ...cases.map(([notation]) => p(notation)), p(text("[[Black tea]]", "code")), p("See ![[pics/30x20.png|10]] and ![[30x20.png|a cup]]")) },
    { path: "notes/Black tea.md", json: doc(heading("Black"), heading("A cup", 2)) },
    other("a/Twice.md"),
    other("b/Twice.md"),
  ];
  const files = await opened({ title: "Wiki", chapters });
  const first = [...files.epub.values()][0];
  const paragraphs = all(first, "p");
  cases.forEach(([notation, shown, target], at) => {
    assert.equal(paragraphs[at].textContent, shown, notation);
    const [found] = all(paragraphs[at], "a");
    assert.equal(found !== undefined, target !== undefined, notation);
    if (found) {
      const [file, id] = found.getAttribute("href").split("#");
      const document = files.epub.get(file || "chapter-001.xhtml");
      const place = id ? all(document, "*").find((one) => one.getAttribute("id") === decodeURI(id)) : all(document, "h1")[0];
      assert.equal(place.textContent, target, notation);
    }
  });
  assert.equal(all(paragraphs[cases.length], "code")[0].textContent, "[[Black tea]]");
  assert.deepEqual(all(first, "img").map((one) => [one.getAttribute("alt"), one.getAttribute("width")]), [["pics/30x20.png", "10"], ["a cup", null]]);
  const found = destinations(files);
  for (const file of ["html", "docx"]) assert.deepEqual([found[file]["the other"], found[file].cup], ["Black", "A cup"], file);
  assert.deepEqual(files.lost, { epub: ["None", "twice", "none.pdf"], docx: ["None", "twice", "none.pdf"] });
});
