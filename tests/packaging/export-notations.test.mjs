// Notations of Obsidian, GitHub, VitePress, Pandoc and kramdown in exported files: content, and no signs of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "@xmldom/xmldom";
import { toDOCX, toEPUB, toHTML } from "copydesk/export";
import { readMarkdown } from "copydesk/markdown";
import JSZip from "jszip";
import { doc, loadImage, p, text } from "../exports/examples.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { plain, poor, rich } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const parse = (source, type) => new DOMParser({ onError: (level, message) => assert.equal(level, "warning", message) }).parseFromString(source, type);
const page = (source) => parse(source.replace("<!doctype html>", "<!DOCTYPE html>"), "application/xhtml+xml");
const all = (parent, name) => [...parent.getElementsByTagName(name)];
const textOf = (element) => element.textContent.replace(/\s+/g, " ").trim();

/** A file as a publication: inline source in it is printed as its content. */
const read = (source, schema) => {
  const file = readMarkdown(source, schema);
  return { chapters: [{ json: file.json, file }] };
};

/** The texts of the paragraphs, headings and footnotes of each file. */
async function printed(publication) {
  const files = { epub: await toEPUB(publication, { loadImage }), docx: await toDOCX(publication, { loadImage }) };
  const [epub, docx] = await Promise.all([files.epub, files.docx].map(({ bytes }) => JSZip.loadAsync(bytes)));
  const part = async (name) => parse(await docx.file(`word/${name}.xml`).async("string"), "text/xml");
  const pages = { epub: page(await epub.file("EPUB/chapter-001.xhtml").async("string")), html: page(toHTML(publication)) };
  const blocks = (document) => all(document, "*").filter(({ nodeName }) => /^(?:p|h\d)$/.test(nodeName));
  return {
    pages,
    document: await part("document"),
    epub: blocks(pages.epub).map(textOf),
    html: blocks(pages.html).map(textOf),
    docx: all(await part("document"), "w:p").map((one) => all(one, "w:t").map(({ textContent }) => textContent).join("").trim()).filter(Boolean),
    notes: all(await part("footnotes"), "w:footnote").map((one) => all(one, "w:t").map(({ textContent }) => textContent).join("").trim()).filter(Boolean),
    lost: files.epub.lost,
  };
}

// [source, the paragraphs that are printed, the footnotes]
const CASES = [
  // Footnotes: Pandoc's and Obsidian's, and Markdown's.
  ["Tea^[A *leaf*.] is hot.", ["Tea1 is hot."], ["A leaf."]],
  ["**A^[one [x](https://a.example) and [[Page]]]** b^[two]", ["A1 b2"], ["one x and Page", "two"]],
  ["A^[one^[inner]] b[^1]\n\n[^1]: one", ["A1 b2"], ["one3", "one", "inner"]],
  ["- item^[note]\n- `^[code]` and [^[:space:]] and ^[] and ^[open", ["item1", "^[code] and [^[:space:]] and ^[] and ^[open"], ["note"]],
  // Wiki links and embeds of pages that are not in the book.
  ["See [[Page]], [[Page#Part]], [[Page|the *page*]], [[folder/Page#^block]].", ["See Page, Page > Part, the page, folder/Page."]],
  ["![[Page]] ![[x.pdf|Paper]] [[#Part]] 见[[茶]]。 x[[1]] a[[1, 2], [3]] [[]] `[[code]]`", ["Page Paper Part 见茶。 x[[1]] a[[1, 2], [3]] [[]] [[code]]"]],
  // Callouts and alerts.
  ["> [!NOTE]\n> Read.\n\n> [!faq]- Why?\n> So.", ["NoteRead.", "FaqWhy? So."]],
  // Directives, with and without blank lines.
  ["::: tip Careful\nIt is **hot**.\n:::", ["TipCareful It is hot."]],
  ["::: warning\n\nOne.\n\nTwo.\n\n:::\n\nAfter.", ["Warning", "One.", "Two.", "After."]],
  [":::: {.note #id}\n\n:::danger\nInner\n:::\n\n- item\n\n::::", ["Note", "DangerInner", "item"]],
  ["::: tip\n\nnever closed", ["::: tip", "never closed"]],
  ["a ::: b\n\n:::", ["a ::: b", ":::"]],
  // Source that the schema has no marks for.
  ["Press <kbd>A</kbd> for H<sub>2</sub>O and x<sup>2</sup>, <span class=\"x\">so <small>small</small></span> <b>it</b>.", ["Press A for H2O and x2, so small it."]],
  ["**`a`** and *b `c`* and [`d`](https://a.example/x) and **e `f`**", ["a and b c and d and e f"]],
  ["\\<kbd> and \\` and 2 \\< 3</b> and \\[a](b) \\*\\*x\\*\\*", ["<kbd> and ` and 2 < 3</b> and [a](b) **x**"]],
  // Tags.
  ["See <a href=\"https://a.example\">the *page*</a>, <a name=\"x\"></a>a<wbr>b.", ["See the page, ab."]],
  // Comments.
  ["A %%hidden%% b%%*all* of it%%.", ["A b."]],
  ["%%\none\n\n- two[^1]\n\nthree\n%%\n\nAfter.\n\n[^1]: gone", ["After."]],
  ["It is 100%% and 50%% sure. <!-- gone --> %% open", ["It is 100%% and 50%% sure. %% open"]],
  ["<!-- a\nb -->\n\nAfter.", ["After."]],
  // Ids of blocks.
  ["A thought. ^quote-1\n\n- item ^37066d\n\nx ^2\n\na ^b", ["A thought.", "item", "x ^2", "a ^b"]],
  ["> quoted\n\n^my-id", ["quoted"]],
  // Attributes.
  ["# Title {.unnumbered}\n\n[small]{.smallcaps key=\"a b\"} `x`{.js} [l](https://a.example){target=_blank} *a*{: .red}", ["Title", "small x l a"]],
  ["A block.\n{: .class #id}\n\n{:toc}\n\n[[toc]]\n\n[TOC]\n\nEnd. {.lead}", ["A block.", "End."]],
  ["A set {a, b}, {#if}x, {name} and {x=1}.", ["A set {a, b}, {#if}x, {name} and {x=1}."]],
  // Definitions.
  ["Term\n\n: The definition.\n\n: Another.", ["Term", "The definition.", "Another."]],
  // Fields and highlights.
  ["[author:: Ann] (due:: today) and a :: b", ["author: Ann today and a :: b"]],
  ["==very *hot*== and a==b or c==d, x == y", ["very hot and a==b or c==d, x == y"]],
  // What is no notation that readers do not see.
  ["A #tag, [@cite], C# and a ~ b.", ["A #tag, [@cite], C# and a ~ b."]],
];

test("notations of other programs are printed as what they stand for, in every file and schema", async () => {
  for (const [source, expected, notes = []] of CASES) {
    for (const [name, schema] of Object.entries({ rich, plain })) {
      const found = await printed(read(`${source}\n`, schema));
      const marked = notes.map((note, at) => `${at + 1}. ${note}`);
      assert.deepEqual(found.epub, [...expected, ...marked], `${name}, EPUB: ${source}`);
      assert.deepEqual(found.html, [...expected, ...marked], `${name}, HTML: ${source}`);
      // Numbers of footnotes are no text in DOCX, and no footnote is in another one.
      const digits = (texts) => texts.map((one) => (notes.length ? one.replace(/\d/g, "") : one).replace(/\s+/g, " "));
      assert.deepEqual(digits(found.docx), digits(expected), `${name}, DOCX: ${source}`);
      if (notes.every((note) => !/\d/.test(note))) assert.deepEqual(found.notes, notes, `${name}, DOCX: ${source}`);
    }
  }
});

test("marks stay within notations, and containers are quotes", async () => {
  const { pages, document } = await printed(read("See [[Page|the *page*]] and ==very *hot*==.\n\n::: tip\n\nOne.\n\n:::\n", rich));
  for (const one of Object.values(pages)) {
    assert.deepEqual(all(one, "em").map(textOf), ["page", "hot"]);
    assert.deepEqual(all(one, "mark").map(textOf), ["very", "hot"]);
    assert.deepEqual(all(one, "blockquote").map(textOf), ["Tip One."]);
  }
  assert.deepEqual(all(document, "w:r").filter((one) => all(one, "w:shd").length > 0 || all(one, "w:highlight").length > 0).map(textOf), ["very", "hot"]);
});

test("what a schema without links and images keeps as source is printed without its signs", () => {
  const source = "See [`Foo`][foo], [`Bar`], [the `x` of y][] and ![a *b*][i], [x], a[`0`](y) or b\\[`1`].\n\n[foo]: u\n[`Bar`]: v\n[the `x` of y]: w\n[i]: z\n";
  const document = page(toHTML(read(source, poor)));
  assert.deepEqual(all(document, "p").map(textOf).slice(0, 1), ["See Foo, Bar, the x of y and a *b*, [x], a0 or b[1]."]);
});

test("images in the middle of text are images, also in schemas where they are blocks", () => {
  const source = "A ![logo](x.png) in ![](<a b.png> \"t\") and <img src=c.png alt='C \"c\"'> and [![badge](b.svg)](https://a.example) and `![no](d.png)`.\n";
  for (const schema of [plain, rich]) {
    const document = page(toHTML(read(source, schema)));
    const images = all(document, "img").map((one) => [one.getAttribute("src"), one.getAttribute("alt")]);
    assert.deepEqual(images, [["x.png", "logo"], ["a%20b.png", ""], ["c.png", 'C "c"'], ["b.svg", "badge"]]);
    assert.deepEqual(all(document, "a").map((one) => all(one, "img").length), [1]);
  }
});

test("links to pages that are not in the book are named once", async () => {
  const without = await printed(read("[`A`][a] and ![b][c] and [`A`][a].\n\n[a]: u\n[c]: v\n", poor));
  assert.deepEqual(without.lost.map(({ kind, name }) => [kind, name]), [["link", "![b][c]"], ["link", "[`A`][a]"]]);
  const { lost } = await printed(read("[[A]] [[A|again]] [[B#C]] `[[code]]` ^[in [[D]]]\n", rich));
  assert.deepEqual(lost.map(({ kind, name }) => [kind, name]), [["link", "A"], ["link", "B"], ["link", "D"]]);
});

test("a footnote that is a change is one with its reference", async () => {
  const json = doc(p("A", text("^[new]", "insertion"), text("^[old]", "deletion"), " b"));
  const { document, pages } = await printed(json);
  assert.deepEqual(all(document, "w:footnoteReference").map((one) => one.parentNode.parentNode.nodeName), ["w:ins", "w:del"]);
  assert.deepEqual(all(pages.epub, "aside").map(textOf), ["1. new", "2. old"]);
});

test(`no text is lost or doubled, whatever the signs around it (SEED=${SEED})`, () => {
  const random = randomFrom(SEED);
  const signs = ["^[", "[", "]", "[[", "]]", "|", "%%", "==", "{.a}", "{: .b}", ":::", "::: tip", ": ", "^id-a", "::", "(", ")", "![[", "#", " ", "\n\n", "\n", "*", "`"];
  // Numbers of footnotes are no part of them.
  const word = (at) => `Q${String.fromCharCode(97 + at)}q`;
  for (let run = 0; run < 2_000; run++) {
    let words = 0;
    const source = random.times(1, 14, () => (random.chance(0.5) ? word(words++) : random.pick(signs))).join("");
    const body = page(toHTML({ title: "x", ...read(source, plain) })).getElementsByTagName("body")[0].textContent;
    // Comments, ids of blocks, attributes, names of fields, and the page of a link that has a text of its own are left out.
    const isOftenHidden = /%%|\[\[|::|\^|\{/.test(source);
    for (let at = 0; at < words; at++) {
      const count = body.split(word(at)).length - 1;
      assert.ok(count === 1 || (count === 0 && isOftenHidden), `${JSON.stringify(source)}: ${word(at)} is ${count} times in ${body}`);
    }
  }
});
