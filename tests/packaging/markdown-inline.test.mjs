// Breaks, code and URLs that are edited keep the notation around them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { fromMarkdown } from "mdast-util-from-markdown";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { plain, rich } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const RUNS = countOf("RUNS", 2000, 300);

/** All nodes of a document with inline content. */
const textblocks = (node) => (node.content?.some(({ type }) => type === "text") ? [node] : (node.content ?? []).flatMap(textblocks));

function edited(source, schema, edit) {
  const opened = readMarkdown(source, schema);
  assert.equal(writeMarkdown(opened, opened.json).text, source);
  const json = structuredClone(opened.json);
  edit(json);
  const written = writeMarkdown(opened, json, { locale: "en" });
  assert.deepEqual(written.lost, [], JSON.stringify([source, written.text]));
  // An editor still has spaces that the file has not.
  assert.equal(writeMarkdown(written.opened, json).text, written.text);
  return written;
}

const NEW = ["new", "two words", "new ", " new", " x_y ", "a & b"];
const BREAKS = ["<br>", "<br/>", "<br />", " <br>", "<br> ", "\t<br>  ", "  \n", "\\\n", "<br>\n", " <br />\n", "\n<br>", "<br>\n  ", " \n <br> \n"];
const PLACES = [
  ["", "\n", ""],
  ["> ", "\n> ", ""],
  ["*   ", "\n    ", "\n*   next"],
  ["1. > ", "\n   > ", ""],
  ["- item\n  - ", "\n    ", ""],
  ["## ", undefined, ""],
  ["| a | b |\n|--|--|\n| ", undefined, " | c |"],
];

test("white space beside a break is not in the document, and stays in the file", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  for (let run = 0; run < RUNS; run += 1) {
    const [start, lineEnd, end] = random.pick(PLACES);
    const breaks = BREAKS.filter((one) => lineEnd || !one.includes("\n"));
    const marks = random.times(2, 5, () => random.pick(["", "", "**", "_", "`"]));
    const text = marks.map((mark, at) => `${at > 0 ? random.pick(breaks) : ""}${mark}w${at}${mark}`).join("");
    const source = `${start}${text.replaceAll("\n", lineEnd)}${end}${random.pick(["\n", ""])}`;
    const where = `seed ${SEED}, run ${run}: ${JSON.stringify(source)}`;
    const at = random.below(marks.length);
    const [typed, schema] = [random.pick(NEW), random.pick([plain, rich])];
    const written = edited(source, schema, (json) => {
      const block = textblocks(json).find(({ content }) => content.some((node) => node.text === "w0"));
      assert.deepEqual(block.content.map(({ text = "|" }) => text).filter((one) => one !== "|"), marks.map((_, index) => `w${index}`), where);
      const node = block.content.find((one) => one.text === `w${at}`);
      node.text = node.marks ? typed.trim() : typed;
    });
    assert.equal(written.text, source.replace(`w${at}`, typed.trim()), where);
  }
});

const CODE = ["a_b_c", "Vec[0]", "Vec<T>", "*", "f(x)", "a](b", "&amp;", "<br>", "x\\", "$1", "!", "茶", "a  b"];
const AROUND = [["[", "](a.md)"], ["[", "][r]"], ["**", "**"], ["*a ", " b*"], ["~~", "~~"], ["", ""], ["**[", "](a.md 'T')**"]];

test("code is replaced by other code, whatever is around it", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  for (let run = 0; run < RUNS; run += 1) {
    const [[start, end], sign] = [random.pick(AROUND), random.pick(["`", "`", "``"])];
    const source = `${random.pick(["", "> ", "- "])}See ${start}${sign}code${sign}${end} x\n\n[r]: b.md\n`;
    const code = random.pick(CODE);
    const { text } = edited(source, random.pick([plain, rich]), (json) => {
      const [block] = textblocks(json);
      const node = block.content.find((one) => one.text.includes("code"));
      node.text = node.text.replace("code", () => code);
    });
    assert.equal(text, source.replace("code", () => code), `seed ${SEED}, run ${run}`);
  }
});

const URL_PARTS = ["&", "&", "=", "?", "/", "#", "x", "amp;", "copy;", "logo", "lt", "#35;", "#x41;", "1", "%20", "_", "*", "~", "[", "\\"];

test("a changed URL is escaped where it would be read as another one, and nowhere else", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  const SOURCES = ["See [S](https://i.example/old) x_y\n", "- a [**S**](https://i.example/old \"T\")\n", "> ![S](https://i.example/old) x\n", "| a |\n|--|\n| [S](https://i.example/old) |\n"];
  let verbatim = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const source = random.pick(SOURCES);
    const url = `https://i.example/${random.times(1, 8, () => random.pick(URL_PARTS)).join("")}`;
    const { text, opened } = edited(source, rich, (json) => {
      for (const node of textblocks(json).flatMap(({ content }) => content)) {
        if (node.attrs?.src) node.attrs.src = url;
        for (const mark of node.marks ?? []) if (mark.type === "link") mark.attrs.href = url;
      }
    });
    const where = `seed ${SEED}, run ${run}: ${JSON.stringify([url, text])}`;
    assert.ok(JSON.stringify(opened.json).includes(JSON.stringify(url)), where);
    const [paragraph] = fromMarkdown(`[x](${url})`).children;
    if (paragraph.children[0].url !== url || /[_*~[\]\\]|&\w+;/.test(url)) continue;
    verbatim += 1;
    assert.equal(text, source.replace("https://i.example/old", () => url), where);
  }
  assert.ok(verbatim > RUNS / 8, `seed ${SEED}: ${verbatim}`);
});
