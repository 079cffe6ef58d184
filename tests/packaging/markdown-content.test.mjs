// Markdown as the content of an edit and as a file: one syntax, so both make the same document.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Document, init, loadMarkdown } from "copydesk";
import { readMarkdown, SOURCE_LANGUAGE, writeMarkdown } from "copydesk/markdown";
import { schemaData } from "copydesk/tiptap";
import { partsOf } from "../../pkg/markdown-document/source-parts.js";
import { randomFrom } from "../oracle/random.mjs";
import { asInHTML } from "./markdown/normal.mjs";
import { randomSource } from "./markdown/random-source.mjs";
import { plain, rich } from "./markdown/schema.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { commonmark, gfm } = JSON.parse(readFileSync(`${root}tests/fixtures/commonmark/examples.json`, "utf8"));
const SEED = Number(process.env.SEED ?? 20261125);
const schemas = { plain, rich };

await init();
await loadMarkdown();

/** The document that Markdown makes as the content of an edit. */
function written(schema, content) {
  const document = Document.fromJSON({ type: "doc", content: [{ type: "paragraph" }] }, schemaData(schema), { locale: "en" });
  document.apply({ operation: "replace", sectionIndex: 0, content, format: "markdown" });
  return schema.nodeFromJSON(document.toJSON()).toJSON();
}

/** Whether a file shows source: what HTML says, footnotes, and nodes that the schema lacks. */
function showsSource(file) {
  return file.frontMatter !== null || JSON.stringify(file.json).includes(SOURCE_LANGUAGE) || partsOf(file).blocks.some(({ raw }) => raw.size > 0);
}

/** Compares both ways. Returns false if the file shows source, which an edit does not. */
function assertSame(schema, markdown, hint = "") {
  const file = readMarkdown(markdown, schema);
  if (showsSource(file)) return false;
  const shown = `${hint} ${JSON.stringify(markdown)}`;
  assert.deepEqual(asInHTML(written(schema, markdown)), asInHTML(schema.nodeFromJSON(file.json).toJSON()), shown);
  return true;
}

for (const [name, schema] of Object.entries(schemas)) {
  test(`all examples of CommonMark and GFM are the same document as content and as a file (${name} schema)`, () => {
    const compared = [...commonmark, ...gfm].filter(({ markdown }) => assertSame(schema, markdown));
    assert.ok(compared.length > 550, String(compared.length));
  });
}

test("emphasis and strikethrough beside Chinese punctuation are read in content", () => {
  // From commonmark/commonmark-spec#650 and markdown-it/markdown-it#410.
  const text = ({ text, marks = [] }) => (marks.length ? `<${marks.map(({ type }) => type)}>${text}</>` : text);
  for (const [source, expected] of [
    ["看~~（旧）~~新", "看<strike>（旧）</>新"],
    ["~~旧的：~~新", "<strike>旧的：</>新"],
    ["他说~~“好”~~了", "他说<strike>“好”</>了"],
    ["共~~100元。~~止", "共<strike>100元。</>止"],
    ["**注意：**不要", "<bold>注意：</>不要"],
    ["这是*“重要”*的", "这是<italic>“重要”</>的"],
  ]) assert.equal(written(plain, source).content[0].content.map(text).join(""), expected, source);
});

test("random sources are the same document as content and as a file", () => {
  const random = randomFrom(SEED);
  let compared = 0;
  for (let round = 0; round < 400; round += 1) compared += assertSame(plain, randomSource(random), `seed ${SEED}, round ${round}:`);
  assert.ok(compared > 150, String(compared));
});

test("formulas are the same as content and as a file, and prices and names of variables are text", () => {
  const shown = (node) => node.text ?? (node.attrs?.latex !== undefined ? `⟦${node.attrs.latex}⟧` : (node.content ?? []).map(shown).join(""));
  for (const [source, expected] of [
    ["Let $x^2$ be.", "Let ⟦x^2⟧ be."],
    ["一个$x$公式", "一个⟦x⟧公式"],
    ["**$x$** and (it costs $5) $y$", "⟦x⟧ and (it costs $5) ⟦y⟧"],
    ["It costs $5 and then $10 more.", "It costs $5 and then $10 more."],
    ["From $5 to $6, $x$ in all.", "From $5 to $6, ⟦x⟧ in all."],
    ["Set *$HOME/bin*. Your `$PATH` is `x` here.", "Set $HOME/bin. Your $PATH is x here."],
    ["`$x$`, \\$x$ and $ x $", "$x$, $x$ and $ x $"],
    ["| a |\n|---|\n| $x$ for $5 or $6 |", "a⟦x⟧ for $5 or $6"],
  ]) {
    const file = readMarkdown(source, rich);
    assert.equal(shown(file.json), expected, source);
    assert.equal(shown(written(rich, source)), expected, source);
    // Text with dollars stays text, and formulas formulas, when it is written.
    const again = writeMarkdown(readMarkdown("", rich), file.json);
    assert.deepEqual([again.lost, shown(again.opened.json)], [[], expected], again.text);
  }
});

/** The text of a paragraph after an update, with its marks. */
function edited(content, update) {
  const document = Document.fromJSON({ type: "doc", content: [{ type: "paragraph", content }] }, schemaData(rich), { locale: "en" });
  document.apply(update);
  const marked = ({ text, marks = [] }) => marks.reduce((inside, { type, attrs }) => `<${[type, attrs?.href, attrs?.title].filter(Boolean).join(" ")}>${inside}</>`, text);
  return document.toJSON().content[0].content.map(marked).join("");
}

const bold = (text) => ({ type: "text", text, marks: [{ type: "bold" }] });
const line = (content) => ({ operation: "replace_lines", edits: [{ start_line: 1, end_line: 1, content }] });

test("escaped signs of a mark that the line has are the mark; others are text", () => {
  const weeks = [{ type: "text", text: "It ends in " }, bold("three weeks"), { type: "text", text: "." }];
  assert.equal(edited(weeks, line("It ends in \\*\\*four weeks\\*\\*.")), "It ends in <bold>four weeks</>.");
  assert.equal(edited([{ type: "text", text: "A plain line." }], line("A \\*plain\\* line.")), "A *plain* line.");
  const product = [bold("4"), { type: "text", text: " * 5" }];
  assert.equal(edited(product, line("**4** \\* 5 \\* 6")), "<bold>4</> * 5 * 6");
});

test("a link that is named with its address keeps its title with another one", () => {
  const link = { type: "link", attrs: { href: "https://a.org/1", title: "The list" } };
  const content = [{ type: "text", text: "See " }, { type: "text", text: "task 1", marks: [link] }, { type: "text", text: "." }];
  const update = { operation: "replace_text", old: "[task 1](https://a.org/1)", new: "[task 2](https://a.org/2)" };
  assert.equal(edited(content, update), "See <link https://a.org/2 The list>task 2</>.");
  assert.equal(edited(content, { ...update, new: '[task 2](https://a.org/2 "Other")' }), "See <link https://a.org/2 Other>task 2</>.");
});

test("a formula beside letters is one, whatever signs it shares with the old one", () => {
  const around = (latex) => [{ type: "text", text: "計算式は" }, { type: "inlineMath", attrs: { latex } }, { type: "text", text: "です。" }];
  const document = Document.fromJSON({ type: "doc", content: [{ type: "paragraph", content: around("T = \\lfloor t/30 \\rfloor") }] }, schemaData(rich), { locale: "en" });
  document.apply(line("計算式は$T = \\lfloor t/60 \\rfloor$です。"));
  assert.deepEqual(document.toJSON().content[0].content, around("T = \\lfloor t/60 \\rfloor"));
});
