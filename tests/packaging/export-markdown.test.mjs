// Books of Markdown files as one Markdown file: what nobody edited keeps its source, and labels refer to what they did.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { toMarkdown } from "copydesk/export";
import { readMarkdown } from "copydesk/markdown";
import { plain, poor, rich } from "./markdown/schema.mjs";

const folder = new URL("../fixtures/notations/", import.meta.url);

const chapterOf = (source, schema = plain) => {
  const file = readMarkdown(source, schema);
  return { json: file.json, file };
};
const book = (...sources) => toMarkdown({ chapters: sources.map((source) => chapterOf(source)) }, plain);
const withoutMatter = (source, { frontMatter }) =>
  frontMatter === null ? source : source.replace(/^(---|\+\+\+)\n[^]*?\n?(?:\1|\.\.\.)\n/, "");

test("documents that nobody edited are written as their files have them, without front matter", () => {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".md"))) {
    // Links that nobody should follow are no part of an exported file.
    const source = readFileSync(new URL(name, folder), "utf8").replace(/\]\((?:javascript|data):/g, "](https://a.example/");
    for (const schema of [plain, rich, poor]) {
      const chapter = chapterOf(source, schema);
      const { text, lost } = toMarkdown({ chapters: [chapter] }, schema);
      const expected = withoutMatter(source, chapter.file).replace(/^(?:[ \t]*\n)+/, "").replace(/(?:\n[ \t\n]*)?$/, "\n");
      assert.equal(text, expected, name);
      assert.deepEqual(lost, [], name);
    }
  }
});

test("an edit changes what was edited only, also in a schema of its own and with Windows line ends", () => {
  const source = "*   One [[x]] &amp;\r\n*   two\r\n\r\nA _b_ c.\r\n";
  const file = readMarkdown(source, plain);
  const json = structuredClone(file.json);
  json.content[1].content.at(-1).text = " c d.";
  assert.equal(toMarkdown({ chapters: [{ json, file }] }, rich).text, "*   One [[x]] &amp;\n*   two\n\nA _b_ c d.\n");
});

// The files of chapters, and the book.
const LABELS = [
  [["A.[^1]\n\n[^1]: One.\n", "B.[^1] [^x]\n\n[^1]: Two.\n[^x]: X.\n"], "A.[^1]\n\n[^1]: One.\n\nB.[^1-2] [^x]\n\n[^1-2]: Two.\n[^x]: X.\n"],
  [["[a]\n\n[a]: /1\n", "[a] [a][] [b][a] ![i][A]\n\n[a]: /2 'T'\n"], "[a]\n\n[a]: /1\n\n[a][a-2] [a][a-2] [b][a-2] ![i][a-2]\n\n[a-2]: /2 'T'\n"],
  [["[a]\n\n[a]: /1\n", "[a]\n\n[a]: /1\n"], "[a]\n\n[a]: /1\n\n[a]\n\n[a]: /1\n"],
  // Text of one chapter is no link to what another one defines.
  [["A [Fix] here.\n", "See [fix].\n\n[fix]: /f\n"], "A [Fix] here.\n\nSee [fix][fix-2].\n\n[fix-2]: /f\n"],
  [["[a-2] [a]\n\n[a]: /1\n", "[a]\n\n[a]: /2\n"], "[a-2] [a]\n\n[a]: /1\n\n[a][a-3]\n\n[a-3]: /2\n"],
  [["> a[^1]\n>\n> [^1]: In it.\n", "[![i]][l]\n\n[i]: /i\n[l]: /l\n", "[![i]][l] [^1]\n\n[i]: /j\n[l]: /m\n[^1]: N.\n"],
    "> a[^1]\n>\n> [^1]: In it.\n\n[![i]][l]\n\n[i]: /i\n[l]: /l\n\n[![i][i-3]][l-3] [^1-3]\n\n[i-3]: /j\n[l-3]: /m\n[^1-3]: N.\n"],
];

test("labels of chapters refer to what they do in their own files", () => {
  for (const [sources, expected] of LABELS) assert.deepEqual(book(...sources), { text: expected, lost: [] });
});

test("a fence or a comment that a chapter does not close takes nothing of the next one", () => {
  for (const [source, written] of [["```js\ncode\n", "```js\ncode\n```\n"], ["- a\n\n  ~~~\n  x\n", "- a\n\n  ~~~\n  x\n"]]) {
    assert.equal(book(source, "# Two\n").text, `${written}\n# Two\n`);
    const alone = readMarkdown(book(source, "# Two\n").text, plain).json.content;
    assert.deepEqual(alone.at(-1), readMarkdown("# Two\n", plain).json.content[0]);
  }
});
