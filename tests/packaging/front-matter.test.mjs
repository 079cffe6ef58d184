// Front matter against rules around text, and tasks without text: in files, and in the content of models.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Document, init, loadMarkdown } from "copydesk";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { schemaData } from "copydesk/tiptap";
import { stringify } from "yaml";
import { randomFrom } from "../oracle/random.mjs";
import { plain } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

await init();
await loadMarkdown();

/** Attributes of ProseMirror have no prototype. */
const plainOf = (json) => JSON.parse(JSON.stringify(json));
const typesOf = ({ json }) => json.content.map(({ type }) => type);

test("text between rules is text: the first scene of a chapter stays in the document", () => {
  const scenes = [
    "---\n\nIt was late. She went.\n\n---\n\nNext scene.\n",
    "---\nIt was late. She went.\n---\nNext scene.\n",
    "---\n\nIt was late: she went.\n\n---\n\nNext scene.\n",
    "---\nIt was late: she went.\n---\nNext scene.\n",
    "---\nShe said: “Go!”\n---\nNext.\n",
    "---\n他走了。她说：“茶。”\n---\n下一场。\n",
    "---\r\n\r\n夜深了。\r\n\r\n---\r\n\r\n下一场。\r\n",
    "---\n# Chapter: one\n\nText.\n\n---\n",
    "---\n- a\n- b\n---\n",
    "---\n[a]: https://a.example\n---\n",
    "---\n**Note:** text\n---\n",
    "---\n    title: code\n---\n",
    "---\nNote: she went.\nThen he went, too.\n---\n",
    "+++\nIt was late.\n+++\n\nNext.\n",
    "---\n...\n\nIt was late.\n",
    "---\nIt was late.\n...\n\nNext.\n",
  ];
  for (const source of scenes) {
    const file = readMarkdown(source, plain);
    assert.equal(file.frontMatter, null, source);
    const words = source.match(/[\p{L}]+/gu).filter((word) => !["https", "a", "example"].includes(word));
    const shown = JSON.stringify(file.json) + JSON.stringify(source.includes("]: ") ? source : "");
    for (const word of words) assert.ok(shown.includes(word), `${word} of ${source}`);
    assert.equal(writeMarkdown(file, file.json).text, source);
  }
  const [first] = scenes;
  assert.deepEqual(typesOf(readMarkdown(first, plain)), ["horizontalRule", "paragraph", "horizontalRule", "paragraph"]);
  // An edit of the scene changes its words only.
  const file = readMarkdown(first, plain);
  const json = structuredClone(file.json);
  json.content[1].content[0].text = "It was late. They went.";
  assert.equal(writeMarkdown(file, json).text, first.replace("She", "They"));
});

test("front matter of any program is front matter, also with mistakes", () => {
  const matters = [
    "title: Tea", "title: I went home.", "title : Tea", "# comment\ntitle: a\n\n\ntags:\n- a\n- b\nother:\n  - c", "标题: 茶。",
    "date created: 2024-01-01\ndate modified: 2024-01-02", "meta description: A fine tool.\ntitle: x", '"quoted key": 1', "og:title: x",
    "title: foo: bar", "text: |\n  It was late.\n\n  She went.", "tags: [\n  a,\n]", "{\n  \"title\": \"Tea\"\n}", "aliases:", "$schema: https://a.example",
  ];
  for (const matter of matters) {
    for (const end of ["\n", "\r\n"]) {
      const source = `---\n${matter}\n---\n\nText.\n`.replaceAll("\n", end);
      const file = readMarkdown(source, plain);
      assert.equal(file.frontMatter?.replaceAll("\r\n", "\n"), matter, source);
      assert.deepEqual(typesOf(file), ["paragraph"]);
    }
  }
  // The first line that ends a document of YAML ends it, and the file stays as it was.
  for (const rest of ["\n\nText.\n", "\n\nText.\n\n---\n\nMore.\n", "\nText.\n...\n"]) {
    const source = `---\ntitle: Tea\n...${rest}`;
    const file = readMarkdown(source, plain);
    assert.deepEqual([file.frontMatter, typesOf(file)[0]], ["title: Tea", "paragraph"], source);
    const json = structuredClone(file.json);
    json.content[0].content[0].text = "Words.";
    assert.equal(writeMarkdown(file, json).text.startsWith("---\ntitle: Tea\n...\n"), true);
    assert.equal(writeMarkdown(file, file.json).text, source);
  }
  assert.equal(readMarkdown("---\n---\n\nText.\n", plain).frontMatter, "");
  for (const matter of ['title = "Tea"', "[params]\na = 1", "# note\n'a b' = 1\nc = [\n1,\n]"]) {
    assert.equal(readMarkdown(`+++\n${matter}\n+++\n\nText.\n`, plain).frontMatter, matter);
  }
});

test(`every mapping that a YAML library writes is front matter (SEED=${SEED})`, () => {
  const random = randomFrom(SEED);
  const values = [1, true, null, "", "Tea", "It was late: she went.", "a\nb", "- x", "# y", "茶。", ["a", "b"], { deep: ["x"] }, [], {}];
  const keys = ["title", "date", "标题", "og:title", "a.b", "x-y", "with space", "quoted: key", "-dash", "#hash", "5"];
  for (let run = 0; run < 400; run++) {
    const pairs = random.times(1, 4, () => [random.pick(keys), random.pick(values)]);
    // A sentence with a colon cannot be told from a key of several words.
    const matter = stringify({ id: 1, ...Object.fromEntries(pairs) });
    const file = readMarkdown(`---\n${matter}---\n\nText.\n`, plain);
    assert.equal(file.frontMatter, matter.slice(0, -1), matter);
  }
});

/** The document that Markdown makes as the content of an edit. */
function written(content) {
  const document = Document.fromJSON({ type: "doc", content: [{ type: "paragraph" }] }, schemaData(plain), { locale: "en" });
  document.apply({ operation: "replace", sectionIndex: 0, content, format: "markdown" });
  return document.toJSON().content;
}

test(`checklists with empty boxes are read, written and read again as they are (SEED=${SEED})`, () => {
  const random = randomFrom(SEED);
  const paragraph = (text) => ({ type: "paragraph", ...(text ? { content: [{ type: "text", text }] } : {}) });
  const list = (depth) => ({ type: "taskList", content: random.times(1, 4, () => item(depth)) });
  const item = (depth) => {
    const inner = depth < 2 && random.chance(0.3) ? [list(depth + 1)] : [];
    return { type: "taskItem", attrs: { checked: random.chance(0.5) }, content: [paragraph(random.pick(["", "", "tea", "茶"])), ...inner] };
  };
  const sourceOf = ({ content }, indent) =>
    content.map(({ attrs, content: [{ content: [text] = [] }, inner] }) => {
      const box = `${indent}- [${attrs.checked ? random.pick(["x", "X"]) : " "}]${text ? ` ${text.text}` : random.pick(["", " "])}\n`;
      return box + (inner ? sourceOf(inner, `${indent}  `) : "");
    }).join("");
  for (let run = 0; run < 300; run++) {
    const json = { type: "doc", content: [list(0)] };
    const source = sourceOf(json.content[0], "");
    assert.deepEqual(plainOf(readMarkdown(source, plain).json), json, source);
    const { text, lost } = writeMarkdown(readMarkdown("", plain), json);
    assert.deepEqual([plainOf(readMarkdown(text, plain).json), lost], [json, []], text);
    if (run < 60) assert.deepEqual(plainOf(plain.nodeFromJSON({ type: "doc", content: written(source) }).toJSON()), json, source);
  }
});

test("a checklist whose last item is empty changes in that item only", () => {
  const source = "* [x] buy tea\n* [ ] drink it\n";
  const file = readMarkdown(source, plain);
  const json = structuredClone(file.json);
  json.content[0].content.push({ type: "taskItem", attrs: { checked: false }, content: [{ type: "paragraph" }] });
  const { text, lost } = writeMarkdown(file, json);
  assert.deepEqual([text, lost], [`${source}* [ ]\n`, []]);
});
