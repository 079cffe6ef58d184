// Markdown files as documents: what did not change keeps its bytes, and nothing is lost without being named.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readMarkdown, SOURCE_LANGUAGE, writeMarkdown } from "copydesk/markdown";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { randomBlocks } from "./markdown/random.mjs";
import { rendered } from "./markdown/rendered.mjs";
import { plain, poor, rich } from "./markdown/schema.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { commonmark, gfm } = JSON.parse(readFileSync(`${root}tests/fixtures/commonmark/examples.json`, "utf8"));
const examples = [...commonmark, ...gfm];
const schemas = { plain, rich, poor };
const SEED = Number(process.env.SEED ?? 20261124);
const EDITS = countOf("EDITS", 4, 1);
const DOCUMENTS = countOf("DOCUMENTS", 250, 80);

/** The JSON as the schema writes it: attributes complete, adjacent text joined. */
const complete = (schema, json) => schema.nodeFromJSON(json).toJSON();
const doc = (...content) => ({ type: "doc", content });
const paragraph = (...content) => ({ type: "paragraph", content: content.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)) });
const named = (lost) => lost.map(({ kind, node, name, count }) => [kind, node, name, count].filter(Boolean).join(" "));

/** Adds text to every paragraph and heading that has content. Returns how many. */
function touchAll(node, inserted) {
  if (["paragraph", "heading"].includes(node.type) && node.content) {
    node.content.unshift({ type: "text", text: inserted });
    return 1;
  }
  return (node.content ?? []).reduce((count, child) => count + touchAll(child, inserted), 0);
}

const starts = new Map();

/** Where the top-level blocks of a source start, by a parser without copydesk's syntax. */
function startsOf(source) {
  if (!starts.has(source)) {
    const { children } = fromMarkdown(source, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
    starts.set(source, children.map(({ position }) => position.start.offset));
  }
  return starts.get(source);
}

for (const [name, schema] of Object.entries(schemas)) {
  test(`all examples of CommonMark and GFM are saved as they were opened (${name} schema)`, () => {
    assert.ok(commonmark.length > 640 && gfm.length > 20);
    for (const { markdown } of examples) {
      for (const source of [markdown, markdown.replaceAll("\n", "\r\n"), `\uFEFF${markdown.trimEnd()}`]) {
        const opened = readMarkdown(source, schema);
        schema.nodeFromJSON(opened.json).check();
        const { text, lost } = writeMarkdown(opened, opened.json);
        assert.equal(text, source);
        assert.deepEqual(lost, [], source);
      }
    }
  });
}

for (const name of ["plain", "rich"]) {
  test(`the documents of all examples survive a new file (${name} schema)`, () => {
    for (const { markdown } of examples) {
      const { json } = readMarkdown(markdown, schemas[name]);
      const written = writeMarkdown(readMarkdown("", schemas[name]), json);
      assert.deepEqual(written.lost, [], markdown);
      assert.deepEqual(written.opened.json, json, written.text);
    }
  });

  test(`all examples are rendered as before when every paragraph was edited (${name} schema)`, () => {
    // These have a line break inside a tag.
    const broken = ["[link](<foo\nbar>)\n", '<a  /><b2\ndata="foo" >\n'];
    // A `pre` from an HTML block into a paragraph, whose line breaks are none elsewhere.
    broken.push("<table><tr><td>\n<pre>\n**Hello**,\n\n_world_.\n</pre>\n</td></tr></table>\n");
    let edited = 0;
    for (const { markdown } of examples) {
      const opened = readMarkdown(markdown, schemas[name]);
      const json = structuredClone(opened.json);
      if (touchAll(json, "Q") === 0 || broken.includes(markdown)) continue;
      edited += 1;
      const { text } = writeMarkdown(opened, json);
      assert.equal(rendered(text, "Q"), rendered(markdown, "Q"), `${JSON.stringify(markdown)} became ${JSON.stringify(text)}`);
    }
    assert.ok(edited > 500, String(edited));
  });
}

test("an edit of one block changes only that block's source", () => {
  const files = readdirSync(`${root}docs`).filter((file) => file.endsWith(".md"));
  const random = randomFrom(SEED);
  let edits = 0;
  for (const source of [`${root}README.md`, `${root}CHANGELOG.md`, ...files.map((file) => `${root}docs/${file}`)].flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return [text, `---\ntitle: x\n---\n${text.replaceAll("\n", "\r\n")}`];
  })) {
    const opened = readMarkdown(source, plain);
    for (let round = 0; round < EDITS; round += 1) {
      const at = random.below(opened.json.content.length);
      const json = structuredClone(opened.json);
      const block = json.content[at];
      if (block.attrs?.language === SOURCE_LANGUAGE) continue;
      const leaf = (node) => (node.type === "text" ? node : (node.content ?? []).map(leaf).find(Boolean));
      const text = leaf(block);
      if (!text) continue;
      text.text = `Zebra ${text.text}`;
      const written = writeMarkdown(opened, json);
      assert.deepEqual(written.lost, [], `seed ${SEED}: ${JSON.stringify(block)}`);
      // What differs is inside of one block of the parser.
      const [before, after] = [source, written.text].map((one) => one.replaceAll("\r\n", "\n"));
      let first = 0;
      while (before[first] === after[first]) first += 1;
      let behind = 0;
      while (before.length - behind > first && after.length - behind > first && before.at(-1 - behind) === after.at(-1 - behind)) behind += 1;
      assert.ok(after.slice(first, after.length - behind).includes("Zebra".slice(1, -1)), `seed ${SEED}`);
      const end = startsOf(before).find((start) => start > first) ?? before.length;
      assert.ok(before.length - behind <= end, `seed ${SEED}: ${JSON.stringify(before.slice(first, before.length - behind))}`);
      // The line ends are those of the file.
      assert.equal(written.text.includes("\r\n"), source.includes("\r\n"));
      assert.equal(/[^\r]\n/.test(written.text), /[^\r]\n/.test(source));
      edits += 1;
    }
  }
  assert.ok(edits > 25 * EDITS, String(edits));
});

test("random documents survive a new file, and random edits of an opened one", () => {
  const random = randomFrom(SEED);
  for (let round = 0; round < DOCUMENTS; round += 1) {
    const hint = `seed ${SEED}, round ${round}`;
    const first = complete(rich, doc(...randomBlocks(random)));
    let { text, lost, opened } = writeMarkdown(readMarkdown("", rich), first);
    assert.deepEqual(lost, [], `${hint}\n${JSON.stringify(first)}\n${text}`);
    assert.deepEqual(opened.json, first, `${hint}\n${text}`);
    for (let step = 0; step < 3; step += 1) {
      const blocks = structuredClone(opened.json.content);
      const at = random.below(blocks.length);
      const other = randomBlocks(random, 2);
      const kind = random.below(4);
      if (kind === 0) blocks.splice(at, 0, ...other);
      else if (kind === 1 && blocks.length > 1) blocks.splice(at, 1);
      else if (kind === 2) blocks.splice(random.below(blocks.length), 0, ...blocks.splice(at, 1));
      else blocks.splice(at, 1, ...other);
      const next = complete(rich, doc(...blocks));
      const written = writeMarkdown(opened, next);
      assert.deepEqual(written.lost, [], `${hint}, step ${step}, kind ${kind}\n${text}\n=====\n${written.text}`);
      assert.deepEqual(written.opened.json, next, `${hint}, step ${step}\n${written.text}`);
      ({ text, opened } = written);
    }
  }
});

test("blocks of any source can be moved, copied, removed and inserted", () => {
  const random = randomFrom(SEED);
  const rounds = 500;
  let named = 0;
  for (let round = 0; round < rounds; round += 1) {
    const schema = random.pick([plain, rich]);
    const source = random.times(2, 5, () => random.pick(examples).markdown).join("\n");
    const opened = readMarkdown(source, schema);
    const blocks = structuredClone(JSON.parse(JSON.stringify(opened.json.content)));
    for (let step = 0; step < 2; step += 1) {
      const [at, to, kind] = [random.below(blocks.length), random.below(blocks.length), random.below(4)];
      if (kind === 0 && blocks.length > 1) blocks.splice(at, 1);
      else if (kind === 1) blocks.splice(to, 0, ...blocks.splice(at, 1));
      else if (kind === 2) blocks.splice(at, 0, paragraph("New."));
      else blocks.splice(to, 0, structuredClone(blocks[at]));
    }
    const next = complete(schema, doc(...blocks.filter(({ type, content }) => type !== "paragraph" || content)));
    const written = writeMarkdown(opened, next);
    const isSame = JSON.stringify(written.opened.json) === JSON.stringify(next) || next.content === undefined;
    assert.ok(isSame || written.lost.length > 0, `seed ${SEED}, round ${round}: ${JSON.stringify([source, written.text])}`);
    named += isSame ? 0 : 1;
  }
  // HTML without an end, and `+++` at the start, are something else in another place.
  assert.ok(named <= rounds / 100, `seed ${SEED}: ${named}`);
});

test("a line break at any place of a block is kept, and adds no character", () => {
  const random = randomFrom(SEED);
  const blocksIn = (node) => (["paragraph", "heading"].includes(node.type) ? [node] : (node.content ?? []).flatMap(blocksIn));
  const textOf = (node) => node.text ?? (node.content ?? []).map(textOf).join("");
  const shape = (node) => node.text ?? `<${node.type}>${(node.content ?? []).map(shape).join("")}</>`;
  // No space is beside the end of a line.
  const shapeOf = (node) => shape(node).replace(/ *(<hardBreak><\/>) */g, "$1");
  let kept = 0;
  for (const schema of [plain, rich]) {
    for (const { markdown } of examples) {
      const opened = readMarkdown(markdown, schema);
      const json = structuredClone(opened.json);
      const blocks = blocksIn(json).filter(({ content }) => content);
      if (!blocks.length) continue;
      const { content } = random.pick(blocks);
      content.splice(random.pick([0, content.length, random.below(content.length + 1)]), 0, { type: "hardBreak" });
      const { text, lost, opened: saved } = writeMarkdown(opened, json);
      const shown = `seed ${SEED}: ${JSON.stringify(markdown)} → ${JSON.stringify(text)}`;
      assert.equal(textOf(saved.json).replaceAll(" ", ""), textOf(json).replaceAll(" ", ""), shown);
      if (lost.length) continue;
      kept += 1;
      assert.equal(shapeOf(readMarkdown(text, schema).json), shapeOf(json), shown);
    }
  }
  assert.ok(kept > 800, `${kept} kept`);
  const withBreak = (source) => {
    const opened = readMarkdown(source, plain);
    const json = structuredClone(opened.json);
    blocksIn(json)[0].content.push({ type: "hardBreak" });
    return [writeMarkdown(opened, json).text, writeMarkdown(opened, json, { html: false })].map((each) => each.text ?? each);
  };
  assert.deepEqual(withBreak("# a\n"), ["# a<br>\n", "# a\n"]);
  assert.deepEqual(withBreak("- **a**\n- b\n"), ["- **a**<br>\n- b\n", "- **a**\n- b\n"]);
});

test("hyphens at the start that are no front matter are a rule, and what follows is read as elsewhere", () => {
  const rest = "- a\n- b\n\n> q\n\n1. c\n";
  for (const start of ["---\n\n", "---\n", "--- \r\n\r\n", "+++\n\n", "---\nx: 1\n\n", "\uFEFF---\n\n"]) {
    const types = readMarkdown(start + rest, plain).json.content.map(({ type }) => type);
    assert.deepEqual(types.slice(-3), ["bulletList", "blockquote", "orderedList"], JSON.stringify(start));
  }
  for (const start of ["---\nx: 1\n---\n\n", "---\n---\n", "+++\nx = 1\n+++\n\n", "--- \r\nx: 1\r\n---\t\r\n\r\n", "\uFEFF---\nx: 1\n---\n"]) {
    const opened = readMarkdown(start + rest, plain);
    assert.deepEqual(opened.json.content.map(({ type }) => type), ["bulletList", "blockquote", "orderedList"], JSON.stringify(start));
    assert.ok(writeMarkdown(opened, opened.json).text.startsWith(start));
  }
});

test("definitions, front matter and source between blocks stay when the blocks around them go", () => {
  const source = "---\ntitle: T\n---\n\nOne [a][r].\n\n[r]: http://x.y 'T'\n\n<!-- note -->\n\nTwo [b][r].\n\nThree.\n";
  const opened = readMarkdown(source, plain);
  assert.equal(opened.frontMatter, "title: T");
  const [, note, two] = JSON.parse(JSON.stringify(opened.json.content));
  assert.deepEqual(note, { type: "codeBlock", attrs: { language: SOURCE_LANGUAGE }, content: [{ type: "text", text: "<!-- note -->" }] });
  const { text, lost } = writeMarkdown(opened, doc(two));
  assert.equal(text, "---\ntitle: T\n---\n\n[r]: http://x.y 'T'\n\nTwo [b][r].\n");
  assert.deepEqual(lost, []);
  // An edited link still refers to its definition.
  const edited = structuredClone(opened.json);
  edited.content[0].content[0].text = "First ";
  assert.equal(writeMarkdown(opened, edited).text, source.replace("One", "First"));
  // A changed address is a link of its own.
  edited.content[0].content[1].marks[0].attrs.href = "http://other";
  assert.equal(writeMarkdown(opened, edited).text, source.replace("One [a][r]", 'First [a](http://other "T")'));
});

test("what the schema has no node for stays its source when the block is edited", () => {
  for (const [source, from, to] of [
    ["Press <kbd>Ctrl</kbd>.\n", "Press ", "Hold "],
    ["A note[^1] here.\n\n[^1]: The note.\n", " here", " there"],
    ["Read [`code`](u).\n", "Read ", "See "],
    ["- [ ] one\n- two\n", "two", "three"],
    ["![alt](a.png) and text\n", " and", " or"],
    ["**~~`x`~~** end\n", " end", " finish"],
  ]) {
    const opened = readMarkdown(source, plain);
    const json = JSON.parse(JSON.stringify(opened.json).replace(from, to));
    const { text, lost } = writeMarkdown(opened, json);
    assert.equal(text, source.replace(from, to));
    assert.deepEqual(lost, []);
  }
  // The same characters typed by the user are text.
  const opened = readMarkdown("Press <kbd>Ctrl</kbd>.\n\nPlain \\<kbd> text.\n", plain);
  const json = JSON.parse(JSON.stringify(opened.json).replace("Plain", "Only"));
  assert.equal(writeMarkdown(opened, json).text, "Press <kbd>Ctrl</kbd>.\n\nOnly \\<kbd> text.\n");
});

test("text behind the beginning of a formula is shown, and stays when the block or its neighbours are edited", () => {
  for (const [source, from, to] of [
    ["$$\\begin{aligned}\na_1\n$$\n", "a_1", "a_2"],
    ["$$ x\n\nlast\n\n$$\n", "last", "first"],
    ["> $$x\n> one\n> $$\n", "one", "two"],
    ["- $$x\n  one\n  $$\n", "one", "two"],
    ["$$ is money\n\nNo formula", "No", "A"],
  ]) {
    const opened = readMarkdown(source, rich);
    assert.deepEqual(opened.json.content.map(({ attrs }) => attrs?.language), [SOURCE_LANGUAGE], source);
    const more = structuredClone(opened.json);
    more.content.unshift(paragraph("before"));
    const { text, lost } = writeMarkdown(opened, more);
    assert.deepEqual([text, lost], [`before\n\n${source}`, []]);
    const edited = JSON.parse(JSON.stringify(opened.json).replace(from, to));
    assert.equal(writeMarkdown(opened, edited).text, source.replace(from, to));
  }
  const plainly = readMarkdown("$$\na\n$$\n", rich);
  assert.deepEqual(plainly.json.content.map(({ type, attrs }) => [type, attrs.latex]), [["blockMath", "a"]]);
});

test("tasks without text are read and written as tasks, at any place of a list", () => {
  const random = randomFrom(SEED);
  const text = () => (random.chance(0.5) ? { type: "paragraph" } : paragraph(random.pick(["tea", "[x]", "茶"])));
  const tasks = (depth) => ({ type: "taskList", content: random.times(1, 3, () => task(depth)) });
  const task = (depth) => ({ type: "taskItem", attrs: { checked: random.chance(0.5) }, content: [text(), ...(depth < 2 && random.chance(0.4) ? [tasks(depth + 1)] : [])] });
  for (let round = 0; round < 60; round += 1) {
    const json = complete(plain, doc(tasks(0)));
    const { text: written, lost, opened } = writeMarkdown(readMarkdown("", plain), json);
    assert.deepEqual([lost, opened.json], [[], json], `seed ${SEED}, round ${round}: ${JSON.stringify(written)}`);
  }
  // Elsewhere a box alone is text.
  for (const source of ["- \\[ ]\n- [ ] a\n", "- [ ]\n- plain\n", "1. [ ]\n", "[ ]\n"]) {
    assert.ok(!JSON.stringify(readMarkdown(source, plain).json).includes("taskItem"), source);
  }
});

test("the notation of the file is used for what is new in it", () => {
  const source = "Title\n=====\n\n* a\n* b\n\nA _b_ __c__.\n\n~~~\nx\n~~~\n\n***\n\n1) x\n";
  const opened = readMarkdown(source, plain);
  const fresh = [
    { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "New" }] },
    { type: "bulletList", content: [{ type: "listItem", content: [paragraph("c")] }] },
    paragraph({ type: "text", text: "i", marks: [{ type: "italic" }] }, " ", { type: "text", text: "b", marks: [{ type: "bold" }] }),
    { type: "codeBlock", content: [{ type: "text", text: "y" }] },
  ];
  const { text } = writeMarkdown(opened, doc(...opened.json.content, ...fresh));
  assert.equal(text, `${source}\nNew\n---\n\n* c\n\n_i_ __b__\n\n~~~\ny\n~~~\n`);
});

test("what Markdown does not hold is named, in both languages", () => {
  const cell = (type, attrs, ...content) => ({ type, attrs, content });
  const row = (...content) => ({ type: "tableRow", content });
  const marked = (type, attrs) => ({ type: "text", text: "x", marks: [{ type, attrs }] });
  const losses = (json, options) => writeMarkdown(readMarkdown("", rich), json, options).lost;
  const cases = [
    [doc({ ...paragraph("x"), attrs: { textAlign: "center" } }, { ...paragraph("y"), attrs: { textAlign: "right" } }), ["attribute paragraph textAlign 2"]],
    [doc(paragraph("x"), { type: "paragraph" }, paragraph("y")), ["empty_paragraph paragraph 1"]],
    [doc(paragraph(marked("textStyle", { color: "red" }))), ["mark paragraph textStyle 1"]],
    [doc(paragraph(marked("highlight"), "a", marked("underline"))), []],
    [doc({ type: "table", content: [row(cell("tableHeader", { colspan: 2 }, paragraph("a"))), row(cell("tableCell", {}, paragraph("b")), cell("tableCell", {}, paragraph("c")))] }), ["attribute tableHeader colspan 1"]],
    [doc({ type: "table", content: [row(cell("tableCell", {}, paragraph("a"))), row(cell("tableCell", {}, paragraph("b"), paragraph("c")))] }), ["content tableCell 2"]],
    [doc(paragraph({ type: "image", attrs: { src: "a.png", width: 100 } })), ["attribute image width 1"]],
    [doc(paragraph("x"), { type: "paragraph" }), []],
  ];
  for (const [json, expected] of cases) {
    const lost = losses(json);
    assert.deepEqual(named(lost).sort(), expected.sort(), JSON.stringify(json));
    for (const { message, block } of lost) assert.ok(message.startsWith("Markdown") && block < json.content.length);
  }
  const underlined = doc(paragraph(marked("underline"), { type: "mention", attrs: { id: "1", label: "Ann" } }));
  assert.deepEqual(named(losses(underlined, { html: false })), ["content paragraph 1"]);
  assert.deepEqual(named(losses(doc(paragraph(marked("underline"))), { html: false })), ["mark paragraph underline 1"]);
  const aligned = cases[0][0];
  assert.equal(losses(aligned, { locale: "zh" })[0].message, "Markdown 无法表示 textAlign（2 个 paragraph，首个为“x”）。");
  assert.equal(losses(aligned, { locale: "en" })[0].message, "Markdown has no form for textAlign of 2 nodes of the type paragraph, first “x”.");
  // A block with only such a loss keeps its source.
  const source = "Some   *text*\nand [a][r]\n\n[r]: http://x.y 'T'\n";
  const opened = readMarkdown(source, rich);
  const json = structuredClone(opened.json);
  json.content[0].attrs.textAlign = "center";
  const written = writeMarkdown(opened, json);
  assert.equal(written.text, source);
  assert.deepEqual(named(written.lost), ["attribute paragraph textAlign 1"]);
});

test("input that is no Markdown or no document is refused", () => {
  const opened = readMarkdown("a", plain);
  const isInvalid = (error) => error.name === "CopydeskError" && error.code === "invalid_parameter";
  for (const call of [
    () => readMarkdown(undefined, plain),
    () => readMarkdown("a", {}),
    () => writeMarkdown({}, opened.json),
    () => writeMarkdown(opened, null),
    () => writeMarkdown(opened, { type: "paragraph" }),
    () => writeMarkdown(opened, doc({ type: "unknown" })),
    () => writeMarkdown(opened, doc({ type: "tableRow", content: [] })),
  ]) assert.throws(call, isInvalid);
  assert.deepEqual(JSON.parse(JSON.stringify(readMarkdown("", plain).json)), doc({ type: "paragraph" }));
  assert.equal(writeMarkdown(readMarkdown("a\n", plain), doc({ type: "paragraph" })).text, "");
});

test("sources that would take too long are refused, and rules and code of any length are not", () => {
  const depth = 5_000;
  for (const source of [
    ">".repeat(depth),
    "> - ".repeat(depth) + "x",
    `x\n\n${"- ".repeat(depth)}x`,
    `${"*".repeat(depth)}a${"*".repeat(depth)}`,
    Array.from({ length: depth }, (_, level) => `${" ".repeat(2 * level)}- a`).join("\n").slice(0, 1_900_000),
    `a${"_".repeat(depth)}`,
  ]) assert.throws(() => readMarkdown(source, plain), { code: "too_deep", details: { limit: 200 } }, source.slice(0, 20));
  assert.throws(() => readMarkdown("a".repeat(2_000_001), plain), { code: "too_large" });
  // One paragraph, whose signs are compared with all signs before them.
  assert.throws(() => readMarkdown("[a][b] ".repeat(12_000), plain), { code: "too_large", details: {} });
  for (const source of ["*a_ ".repeat(20_000), "a* ".repeat(30_000), "-".repeat(depth), "*".repeat(depth), "_ ".repeat(depth), "字".repeat(1_000_000), "[".repeat(depth), `\`\`\`\n${" ".repeat(300)}- x\n\`\`\`\n`]) {
    const opened = readMarkdown(source, plain);
    assert.equal(writeMarkdown(opened, opened.json).text, source);
  }
  let json = { type: "paragraph" };
  for (let level = 0; level < 300; level += 1) json = { type: "blockquote", content: [json] };
  assert.throws(() => writeMarkdown(readMarkdown("", plain), doc(json)), { code: "too_deep" });
});
