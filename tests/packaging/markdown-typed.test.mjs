// Text that a user types stays text, whatever signs are in it: in the file, when it is opened again, and in exports.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toHTML, toMarkdown } from "copydesk/export";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { DOMParser } from "@xmldom/xmldom";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { plain, rich } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const RUNS = countOf("RUNS", 150, 40);
const WORDS = ["a", "b", "tea", "茶", "x.png", "1", "note", "https://e.example/x", "e@x.example"];
const SIGNS = [
  "![", "[", "]", "](", ")", "(", "[[", "]]", "![[", "*", "**", "_", "__", "~", "~~", "`", "``", "<", ">", "<b>", "</b>", "<br>", "<!--", "-->",
  "<u>", "</u>", "<kbd>", "</kbd>", "<img src=x>", "&amp;", "&#35;", "#", "##", "-", "+", "1.", "2)", "|", "||", "\\", "$", "$$", "=", "---", "^",
  "[^1]", "[^", "[ ]", "[x]", ":", "{", "}", "!", "'", '"', "—", "：", "，", "「", "」", "[a](b)", "![a](b)", "![a][b]", "[a]: b", "[^1]: c",
  "<https://e.example>", "+++", "> ", "- ", "# ",
];
/** Notations of other programs, which are text in Markdown and more than that in exported files, and comments, which are in none. */
const NOTATIONS = /<!--|\[\[|\[\^|\^\[|==|%%|:::|::|\{|^: |\^[\w-]+$|\$/;

const leaf = (text) => [{ type: "text", text }];
const paragraph = (text) => ({ type: "paragraph", content: leaf(text) });
const item = (type, text, attrs) => ({ type, ...(attrs && { attrs }), content: [paragraph(text)] });
const row = (type, text) => ({ type: "tableRow", content: [text, "c"].map((cell) => ({ type, content: [paragraph(cell)] })) });
/** Blocks with a text, and the file of the same block with `tea` in its place. */
const BLOCKS = {
  paragraph: [paragraph, "tea\n"],
  heading: [(text) => ({ type: "heading", attrs: { level: 2 }, content: leaf(text) }), "## tea\n"],
  item: [(text) => ({ type: "bulletList", content: [item("listItem", text), item("listItem", "z")] }), "- tea\n- z\n"],
  numbered: [(text) => ({ type: "orderedList", attrs: { start: 1 }, content: [item("listItem", text)] }), "1. tea\n"],
  task: [(text) => ({ type: "taskList", content: [item("taskItem", text, { checked: false })] }), "- [ ] tea\n"],
  quote: [(text) => ({ type: "blockquote", content: [paragraph(text)] }), "> tea\n"],
  cell: [(text) => ({ type: "table", content: [row("tableHeader", text), row("tableCell", text)] }), "| tea | c |\n|--|--|\n| tea | c |\n"],
};

const typed = (node, text) => (node.text === "tea" ? { ...node, text } : { ...node, ...(node.content && { content: node.content.map((child) => typed(child, text)) }) });

test("text full of signs of Markdown stays text", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  for (let run = 0; run < RUNS; run += 1) {
    const parts = random.times(1, 8, () => random.pick(random.chance(0.4) ? WORDS : SIGNS));
    const text = parts.join(random.pick(["", "", " "])).trim().replace(/ +/g, " ") || "x";
    for (const [name, schema] of Object.entries({ plain, rich })) {
      for (const [kind, [make, source]] of Object.entries(BLOCKS)) {
        const where = `seed ${SEED}, ${name}, ${kind}: ${JSON.stringify(text)}`;
        const wanted = schema.nodeFromJSON({ type: "doc", content: [make(text)] });
        const file = readMarkdown(source, schema);
        for (const [opened, json] of [[readMarkdown("", schema), wanted.toJSON()], [file, typed(file.json, text)]]) {
          const { text: written, lost } = writeMarkdown(opened, json, { locale: "en" });
          assert.deepEqual(lost, [], `${where} is ${JSON.stringify(written)}`);
          assert.deepEqual(schema.nodeFromJSON(readMarkdown(written, schema).json).toJSON(), schema.nodeFromJSON(json).toJSON(), `${where} is ${JSON.stringify(written)}`);
        }
        const exported = toMarkdown(wanted.toJSON(), schema).text;
        assert.deepEqual(schema.nodeFromJSON(readMarkdown(exported, schema).json).toJSON(), wanted.toJSON(), `${where} is ${JSON.stringify(exported)}`);
        if (NOTATIONS.test(text)) continue;
        const page = new DOMParser({ onError: () => {} }).parseFromString(toHTML(wanted.toJSON()).replace("<!doctype html>", "<!DOCTYPE html>"), "application/xhtml+xml");
        const [body] = [...page.getElementsByTagName("body")];
        assert.ok(body.textContent.includes(text), `${where} is printed as ${JSON.stringify(body.textContent)}`);
        assert.equal([...body.getElementsByTagName("img")].length, 0, where);
      }
    }
  }
});

test("the same characters are an image where they are source of the file, in every format", () => {
  const file = readMarkdown("See ![a](b.png) here.\n", plain);
  const chapters = [{ json: file.json, file }];
  assert.match(toHTML({ chapters }), /<img src="b\.png" alt="a"/);
  assert.equal(toMarkdown({ chapters }, plain).text, "See ![a](b.png) here.\n");
  assert.doesNotMatch(toHTML(file.json), /<img/);
  assert.equal(toMarkdown(file.json, plain).text, "See !\\[a]\\(b.png) here.\n");
});
