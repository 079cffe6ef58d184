// Footnotes of exported files. The sections in comments are those of EPUB 3.3 and ECMA-376-1:2016.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "@xmldom/xmldom";
import { toDOCX, toEPUB, toHTML } from "copydesk/export";
import { readMarkdown } from "copydesk/markdown";
import JSZip from "jszip";
import { doc, loadImage, p, text } from "../exports/examples.mjs";
import { rich, plain } from "./markdown/schema.mjs";

const parse = (source, type) => new DOMParser({ onError: (level, message) => assert.equal(level, "warning", message) }).parseFromString(source, type);
const page = (source) => parse(source.replace("<!doctype html>", "<!DOCTYPE html>"), "application/xhtml+xml");
const all = (parent, name) => [...parent.getElementsByTagName(name)];
const byId = (document, id) => all(document, "*").find((one) => one.getAttribute("id") === id);
const words = (text) => text.replace(/\s+/g, " ").trim();

async function opened(publication) {
  const files = { epub: await toEPUB(publication, { loadImage }), docx: await toDOCX(publication, { loadImage }) };
  const [epub, docx] = await Promise.all([files.epub, files.docx].map(({ bytes }) => JSZip.loadAsync(bytes)));
  const part = async (name) => parse(await docx.file(`word/${name}.xml`).async("string"), "text/xml");
  return {
    epub: page(await epub.file("EPUB/chapter-001.xhtml").async("string")),
    html: page(toHTML(publication)),
    docx: { document: await part("document"), notes: await part("footnotes"), zip: docx },
    lost: Object.fromEntries(Object.entries(files).map(([name, { lost }]) => [name, lost])),
  };
}

/** The references of a page, each with the text of its footnote. */
const onPage = (document) => all(document, "a").filter((one) => one.getAttribute("role") === "doc-noteref").map((one) => {
  const note = byId(document, one.getAttribute("href").slice(1));
  assert.equal(note.getAttribute("role"), "doc-footnote");
  const [back] = all(note, "a");
  // The footnote leads back to a reference with its number.
  assert.equal(byId(document, back.getAttribute("href").slice(1)).textContent, one.textContent);
  return [one.textContent, words(note.textContent).replace(/^\d+\. /, "")];
});

/** The references of a DOCX file, each with the text of its footnote (17.11.14, 17.11.10), or of the field for its number. */
function inDOCX({ document, notes }) {
  const textOf = (element) => all(element, "w:p").map((one) => all(one, "w:t").map((run) => run.textContent).join("")).join(" ");
  return all(document, "*").filter(({ nodeName }) => /^w:(?:footnoteReference|fldSimple)$/.test(nodeName)).map((one) => {
    if (one.nodeName === "w:fldSimple") {
      // 17.16.5.37: the number of a footnote that a bookmark is around.
      const [, name] = /^NOTEREF (\w+) \\f \\h$/.exec(one.getAttribute("w:instr"));
      const start = all(document, "w:bookmarkStart").find((mark) => mark.getAttribute("w:name") === name);
      const [reference] = all(start.nextSibling, "w:footnoteReference");
      return [all(one, "w:t")[0].textContent, `again ${reference.getAttribute("w:id")}`];
    }
    const id = one.getAttribute("w:id");
    const note = all(notes, "w:footnote").find((other) => other.getAttribute("w:id") === id);
    // 17.11.13: the number before the text.
    assert.equal(all(note, "w:footnoteRef").length, 1);
    return [id, words(textOf(note))];
  });
}

const SOURCE = "A claim.[^long] **Bold[^b].** Again.[^LONG] `[^long]` and [^none].\n\n- item[^i]\n\n| a[^t] |\n|---|\n| b |\n\n[^b]: Short.\n[^i]: In an item.\n[^t]: In a table.\n[^long]: First *paragraph* with a [link](https://a.example).\n\n    Second paragraph.\n\n    - one\n    - two\n\n[^unused]: Nobody refers to it.\n";
const LONG = "First paragraph with a link. Second paragraph. one two";

test("footnotes of Markdown are footnotes of every file, in any schema", async () => {
  for (const [name, schema] of Object.entries({ rich, plain })) {
    const source = name === "rich" ? SOURCE : SOURCE.replace(/\| a[^]*?b \|\n\n/, "table[^t]\n\n");
    const { epub, html, docx, lost } = await opened(readMarkdown(source, schema).json);
    const expected = [["1", LONG], ["2", "Short."], ["1", LONG], ["3", "In an item."], ["4", "In a table."]];
    assert.deepEqual(onPage(epub), expected, name);
    assert.deepEqual(onPage(html), expected, name);
    assert.deepEqual(inDOCX(docx), [["1", LONG], ["2", "Short."], ["1", "again 1"], ["3", "In an item."], ["4", "In a table."]], name);
    for (const losses of Object.values(lost)) assert.deepEqual(losses.map(({ kind, name }) => [kind, name]), [["footnote", "unused"]]);
    // 5.2.2 of EPUB Structural Semantics: what readers show in a window.
    assert.deepEqual(all(epub, "aside").map((one) => one.getAttribute("epub:type")), Array(4).fill("footnote"));
    assert.ok(all(epub, "a").filter((one) => one.getAttribute("role") === "doc-noteref").every((one) => one.getAttribute("epub:type") === "noteref"));
    assert.equal(all(html, "aside").filter((one) => one.hasAttribute("epub:type")).length, 0);
    // Of the notation, only that in code and the one without a definition are printed.
    const texts = [all(epub, "body")[0], all(html, "body")[0]].map((one) => one.textContent);
    texts.push([docx.document, docx.notes].map((one) => all(one, "w:t").map((run) => run.textContent).join("")).join(""));
    for (const text of texts) assert.deepEqual(text.match(/\[\^[^\]]*\]:?/g), ["[^long]", "[^none]"], name);
  }
});

test("links, images and lists of a footnote are in it", async () => {
  const { docx, epub } = await opened(readMarkdown("A[^1]\n\n[^1]: See ![pic](https://a.example/30x20.png) [x](https://a.example)\n\n    1. one\n", rich).json);
  assert.deepEqual(["w:hyperlink", "wp:extent", "w:numPr"].map((name) => all(docx.notes, name).length), [1, 1, 1]);
  const relations = parse(await docx.zip.file("word/_rels/footnotes.xml.rels").async("string"), "text/xml");
  const ids = [all(docx.notes, "w:hyperlink")[0].getAttribute("r:id"), all(docx.notes, "a:blip")[0].getAttribute("r:embed")];
  const targets = ids.map((id) => all(relations, "Relationship").find((one) => one.getAttribute("Id") === id)?.getAttribute("Target"));
  assert.deepEqual(targets.map((target) => target?.split("/")[0]), ["https:", "media"]);
  const [note] = all(epub, "aside");
  assert.deepEqual(["img", "ol"].map((name) => all(note, name).length), [1, 1]);
});

test("what a footnote of DOCX cannot have is in `lost`", async () => {
  const { lost, docx } = await opened(readMarkdown("A[^1] B[^2]\n\n[^1]: See[^2]\n\n    | a | b |\n    |---|---|\n    | c | d |\n\n[^2]: Two.\n", rich).json);
  assert.deepEqual(lost.docx.map(({ kind, name }) => [kind, name]), [["footnote", "2"], ["node", "table"]]);
  assert.deepEqual(lost.epub, []);
  assert.deepEqual(inDOCX(docx), [["1", "See a b c d"], ["2", "Two."]]);
});

test("the footnotes of chapters are their own", async () => {
  const chapters = ["one", "two"].map((word) => ({ json: readMarkdown(`Chapter ${word}[^1]\n\n[^1]: Note ${word}.\n`, rich).json }));
  const html = page(toHTML({ chapters }));
  assert.deepEqual(onPage(html), [["1", "Note one."], ["1", "Note two."]]);
  assert.deepEqual(inDOCX((await opened({ chapters })).docx), [["1", "Note one."], ["2", "Note two."]]);
});

test("brackets that are no footnotes stay text", async () => {
  const json = doc(p("x^2 [^1], a regular expression [^a-z]: or [^ ]"), p("[^a]: no reference"), p(text("[^1]: code", "code")));
  const { epub, lost } = await opened(json);
  assert.equal(onPage(epub).length, 0);
  assert.deepEqual(all(epub, "p").map((one) => one.textContent), ["x^2 [^1], a regular expression [^a-z]: or [^ ]", "[^a]: no reference", "[^1]: code"]);
  assert.deepEqual(lost, { epub: [], docx: [] });
});

test("a reference that is a change is one with its own footnote", async () => {
  const insertion = { type: "insertion" };
  const { docx } = await opened(doc(p("A[^1] ", text("new[^1]", insertion), " ", text("old[^1]", "deletion"), " B[^1]"), p("[^1]: Note.")));
  const parents = all(docx.document, "w:footnoteReference").map((one) => one.parentNode.parentNode.nodeName);
  // 17.13.5.18, 17.13.5.14
  assert.deepEqual(parents, ["w:p", "w:ins", "w:del"]);
  assert.deepEqual(inDOCX(docx).map(([, note]) => note), ["Note.", "Note.", "Note.", "again 1"]);
});

test("the notation of alerts and callouts is not printed", async () => {
  // GitHub's alerts, and Obsidian's callouts, which may be folded and have any kind.
  const source = "> [!NOTE]\n> Read **this**.\n\n> [!my-kind]-\n>\n> Folded.\n\n> `[!NOTE]` code\n\n> [!not a kind] text\n\n[!NOTE] no quote\n";
  const { epub, html, docx } = await opened(readMarkdown(source, rich).json);
  const expected = ["Note|Read this.", "My-kind", "Folded.", "[!NOTE] code", "[!not a kind] text", "[!NOTE] no quote"];
  const lines = (element, breaks) => [...element.childNodes].map((one) => (one.nodeName === breaks ? "|" : one.nodeName === "w:pPr" ? "" : one.getElementsByTagName && all(one, breaks).length > 0 ? "|" : one.textContent)).join("");
  for (const document of [epub, html]) assert.deepEqual(all(document, "p").map((one) => lines(one, "br")), expected);
  assert.deepEqual(all(docx.document, "w:p").map((one) => lines(one, "w:br")), expected);
  assert.deepEqual(all(epub, "strong").map((one) => one.textContent), ["Note", "this", "My-kind"]);
});
