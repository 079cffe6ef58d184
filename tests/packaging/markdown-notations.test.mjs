// Files in the notations of many programs (tests/fixtures/notations): they are saved as they were, and words that are
// inserted, removed and replaced leave all other lines as they are.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { plain, poor, rich } from "./markdown/schema.mjs";
import { linesGone } from "./markdown/structure.mjs";

const SEED = Number(process.env.SEED ?? 20261128);
/** The edits of each file in each schema. */
const EDITS = countOf("EDITS", 4, 1);
const folder = new URL("../fixtures/notations/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
const schemas = { plain, rich, poor };

/** All text nodes that have a word. */
const texts = (node) => (/[\p{L}\p{N}]/u.test(node.text ?? "") ? [node] : (node.content ?? []).flatMap(texts));

const KINDS = {
  "insert behind": ({ index, 0: word }) => [index + word.length, index + word.length, " zebra"],
  "insert before": ({ index }) => [index, index, "zebra "],
  replace: ({ index, 0: word }) => [index, index + word.length, "zebra"],
  remove: ({ index, 0: word }) => [index, index + word.length, ""],
};

/** Changes a word of a random text. */
function edit(json, random) {
  const node = random.pick(texts(json));
  const name = random.pick(Object.keys(KINDS));
  const word = random.pick([...node.text.matchAll(/[\p{L}\p{N}]+/gu)]);
  const [from, to, text] = KINDS[name](word);
  if (text === "" && node.text === word[0]) return undefined;
  node.text = node.text.slice(0, from) + text + node.text.slice(to);
  return `${name} “${word[0]}”`;
}

/** The textblocks of a document without white space, which can be at no end of a line. */
const contentOf = (json) =>
  JSON.stringify(json, (key, value) => {
    if (key !== "content" || !value.some(({ type }) => type === "text")) return value;
    return value.flatMap((node) => node.text?.replace(/\s/g, "").split("").map((char) => [char, node.marks]) ?? [node]);
  });

for (const lineEnd of ["\n", "\r\n", "\r"]) {
  test(`words in files of many programs are all that changes, with ${JSON.stringify(lineEnd)}`, (t) => {
    t.diagnostic(`seed ${SEED}`);
    const random = randomFrom(SEED);
    let [all, changed] = [0, 0];
    for (const file of files) {
      const source = readFileSync(new URL(file, folder), "utf8").replaceAll("\n", lineEnd);
      for (const [name, schema] of Object.entries(schemas)) {
        const opened = readMarkdown(source, schema);
        const saved = writeMarkdown(opened, opened.json);
        assert.equal(saved.text, source, `${file}, ${name}`);
        assert.deepEqual(saved.lost, [], `${file}, ${name}`);
        for (let round = 0; round < EDITS; round += 1) {
          const json = structuredClone(opened.json);
          const done = edit(json, random);
          if (!done) continue;
          const { text, lost } = writeMarkdown(opened, json, { locale: "en" });
          if (lost.length > 0) continue;
          const what = `seed ${SEED}, ${file}, ${name}, ${done}`;
          assert.equal(contentOf(readMarkdown(text, schema).json), contentOf(schema.nodeFromJSON(json).toJSON()), what);
          all += 1;
          if (linesGone(source, text) <= 1) continue;
          changed += 1;
          t.diagnostic(what);
        }
      }
    }
    // The first word of a block of indented code: what is left would be no such block.
    assert.ok(all > files.length * EDITS && changed <= 3 + all * 0.01, `seed ${SEED}: ${changed} of ${all}`);
  });
}

// The schema, a source, a text and what is typed in its place, and what is written.
const TYPED = [
  // The last or the first word of a line: its spaces are none of the file.
  [plain, "One two\nthree four.\n", "two", "", "One\nthree four.\n"],
  [plain, "> One two\n> three four.\n", "three", "", "> One two\n> four.\n"],
  [plain, "One\ntwo\nthree\n", "two", "", "One\nthree\n"],
  [plain, "비가 온다.\n햇빛이 창문으로.\n", "햇빛이", "", "비가 온다.\n창문으로.\n"],
  [plain, "One two\nthree\n", "One two", "One two ", "One two\nthree\n"],
  [plain, "*One  \ntwo three*\n", "two", "", "*One  \nthree*\n"],
  [plain, "One\\\ntwo three\n", "two", "", "One\\\nthree\n"],
  // A sign that means something since what is behind it is another.
  [plain, "a \\emph{here} [[x]]\nb\n", "emph", "", "a \\\\{here} [[x]]\nb\n"],
  [plain, "a \\hline\nb [[x]]\n", "hline", "", "a \\\\\nb [[x]]\n"],
  [plain, "1a. One [[x]]\ntwo\n", "a", "", "1\\. One [[x]]\ntwo\n"],
  // The summary of details, and what is in them.
  [rich, "<details>\n<summary>One &lt;b&gt; two</summary>\n\nIn _it_ *is*.\n\n</details>\n", "two", "2", "<details>\n<summary>One &lt;b&gt; 2</summary>\n\nIn _it_ *is*.\n\n</details>\n"],
  // A box before text that is no plain text.
  [plain, "- [ ] *One* [[x]]\n  two\n- [/] three\n", "two", "2", "- [ ] *One* [[x]]\n  2\n- [/] three\n"],
  // A box whose text begins in the next line.
  [plain, "- [ ] one\n- [ ] \ntwo three\n\n- []\n- [ ]four\n", "three", "3", "- [ ] one\n- [ ] \ntwo 3\n\n- []\n- [ ]four\n"],
  // The only word of source that is text.
  [poor, "One\n- two\n", "two", "a word", "One\n- a word\n"],
  [poor, "+ one\n- two\n1. three\n", "two", "2", "+ one\n- 2\n1. three\n"],
  // Line ends of the first programs for Macs, alone and among others.
  [plain, "One two\rthree\r\r> four\r> five\r", "five", "5", "One two\rthree\r\r> four\r> 5\r"],
  [plain, "One\ntwo\rthree\r\n", "two", "2", "One\n2\rthree\r\n"],
  // Spaces before and behind the line ends in code are part of it.
  [plain, "A `b \n  c\n    d` e [[x]]\n", "e", "2", "A `b \n  c\n    d` 2 [[x]]\n"],
  [plain, "> A `b\n>   c\n>   d` [[x]]\n", "c", "2", "> A `b\n>   2\n>   d` [[x]]\n"],
  [poor, "A &amp; <b \n  c='d'>\n", "d", "2", "A &amp; <b \n  c='2'>\n"],
  // Source that begins with spaces.
  [poor, "    one\n\n      two\n", "one", "1", "    1\n\n      two\n"],
];

test("between wide letters a line end is nothing, also beside signs that scripts share", () => {
  const textOf = (source) => readMarkdown(source, plain).json.content[0].content.map(({ text }) => text).join("");
  const LINES = [
    ["她回头——\n是他。\n“走。”\n“好……”\n他说", "她回头——是他。“走。”“好……”他说"],
    ["……\n没有回答", "……没有回答"],
    ["He turned—\nit was him.\n“Go.”\n“Well…”", "He turned— it was him. “Go.” “Well…”"],
    ["他说“ok”\nthen 走\nEnglish", "他说“ok” then 走 English"],
    ["**abc**\n中文 **青**\n他", "abc 中文 青 他"],
  ];
  for (const [source, wanted] of LINES) assert.equal(textOf(source), wanted);
});

test("what is typed or removed in a line leaves its signs and the other lines", () => {
  for (const [schema, source, old, text, wanted] of TYPED) {
    const opened = readMarkdown(source, schema);
    const json = structuredClone(opened.json);
    const node = texts(json).find((one) => one.text.includes(old));
    node.text = node.text.replace(old, text);
    if (node.text === "") throw new Error(source);
    const written = writeMarkdown(opened, json, { locale: "en" });
    assert.equal(written.text, wanted);
    assert.deepEqual(written.lost, [], source);
    // The editor still has the space that the file has not.
    assert.equal(writeMarkdown(written.opened, json).text, wanted);
  }
});
