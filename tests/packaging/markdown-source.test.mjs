// The source of what was not edited stays at every level: lines, items, cells, words. Notations of other programs have no
// rule here; they stay because nobody touched them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { getSchema } from "@tiptap/core";
import Code from "@tiptap/extension-code";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { splitBlock } from "@tiptap/pm/commands";
import { splitListItem } from "@tiptap/pm/schema-list";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import { Mathematics } from "@tiptap/extension-mathematics";
import StarterKit from "@tiptap/starter-kit";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { editWord } from "./markdown/corpus.mjs";
import { randomNotes } from "./markdown/notes.mjs";
import { plain, poor, rich } from "./markdown/schema.mjs";
import { change, CHANGES, linesGone, withoutEnds } from "./markdown/structure.mjs";

const SEED = Number(process.env.SEED ?? 20261124);
const NOTES = countOf("NOTES", 400, 120);
/** A schema whose code can be bold. */
const free = getSchema([StarterKit.configure({ code: false }), Code.extend({ excludes: "" }), Mathematics]);

const write = (source, schema, edit) => {
  const opened = readMarkdown(source, schema);
  const json = structuredClone(opened.json);
  edit(json.content);
  return writeMarkdown(opened, json, { locale: "en" });
};

/** Inserts text behind the first occurrence of another one in a text node. */
const typed = (source, schema, behind, text) =>
  write(source, schema, (content) => {
    const find = (node) => (node.text?.includes(behind) ? node : (node.content ?? []).map(find).find(Boolean));
    const node = find({ content });
    node.text = node.text.replace(behind, () => behind + text);
  });

// Source, the text behind which ` Z` is typed.
const TYPED = [
  ["> [!NOTE]\n> Useful information.\n", "Useful"],
  ["> [!note]- 備註\n> 預設情況下，編輯檢視。\n", "預設"],
  [":::tip 注意\n如果表达式不匹配。\n:::\n", "如果"],
  ["Term\n: Definition here\n", "Definition"],
  ["Text here\n{: .class}\n", "Text"],
  ["A &nbsp; B &copy; &amp; here\n", "here"],
  ["a<br>b here\n", "here"],
  ["line one  \nline two\n", "two"],
  ["See [[Other note|alias]] and ![[image.png]] for more ^block.\n", "for"],
  ["As [@doe99, p. 3] and ^[a note] say here #tag [k:: v] %%no%%\n", "say"],
  ["Roses are red\nViolets are blue\nSugar is sweet\n", "blue"],
  ["　　第一段中文小说。\n　　第二段中文小说。\n", "第一段"],
  ["[![A][i]][u1] [![B][i]][u2] [c][] text\n\n[i]: http://i.png\n[u1]: http://same\n[u2]: http://same\n[c]: /c\n", "text"],
  ["- 1.19.0\n\n  - Add a\n  - Add b\n\n- 1.18.0\n\n  - Add c\n", "Add c"],
  ["*   one\n*   [Fix] two\n*   three\n", "three"],
  ["- [ ] a\n- [ ] b\n  * c\n", "c"],
  ["- [/] half\n- [ ] a\n", "half"],
  ["| a | b |\n|---|---|\n| here | x | extra data |\n", "here"],
  ["| a    | b |\n|:-----|---|\n| here | `x|y` |\n", "here"],
  ["Set *$HOME/bin*. Your `$PATH` is `x` here.\n", "here", rich],
  ["It costs $5 and then $10 more.\n", "more", rich],
  ["**`a`** here\n", "here", free],
  ["**`append`**`(map)` here\n", "here", free],
  ["1. a\n1. b\n\n\n1. c\n", "b"],
  ["```html\n<b here\n", "here"],
];

test("what is typed is all that changes, in notations of other programs", () => {
  for (const [source, behind, schema = plain] of TYPED) {
    for (const lineEnds of [source, source.replaceAll("\n", "\r\n")]) {
      const { text, lost } = typed(lineEnds, schema, behind, " Z");
      assert.equal(text, lineEnds.replace(behind, () => `${behind} Z`));
      assert.deepEqual(lost, [], source);
    }
  }
});

// Source, the text behind which another is typed, and what is written.
const BESIDE = [
  ["1. 打开**[[设置]]**。\n", "打开", " Z", "1. 打开 Z<strong>[[设置]]</strong>。\n"],
  ["a _b_ c\nd [[e]]\n", "a ", "x", "a x*b* c\nd [[e]]\n"],
  ["a **b** c\n", "b", " x ", "a **b x**  c\n"],
  ["in [zstd]\nor [c][] <https://e.example> [[x]]\n\n[zstd]: /z\n[c]: /c\n", "zstd", " x", "in [zstd x][zstd]\nor [c][] <https://e.example> [[x]]\n\n[zstd]: /z\n[c]: /c\n"],
  ["in [zstd]\nor [c][] <https://e.example> [[x]]\n\n[zstd]: /z\n[c]: /c\n", "c", " x", "in [zstd]\nor [c x][c] <https://e.example> [[x]]\n\n[zstd]: /z\n[c]: /c\n"],
  ["in [[x]]\nor <https://e.example> y\n", "e.example", " x", "in [[x]]\nor [https://e.example x](https://e.example) y\n"],
  ["a [[x]]\nb &amp; c\n", "b ", "*x* ", "a [[x]]\nb \\*x\\* &amp; c\n"],
  ["[[x]] one\ntwo &amp; three\n", "two ", "*", "[[x]] one\ntwo *&amp; three\n"],
  ["第一段。\n第二段。\n", "第一段。", "x", "第一段。\nx第二段。\n"],
];

test("what is typed beside notation keeps its meaning", () => {
  for (const [source, behind, text, wanted] of BESIDE) {
    const written = typed(source, plain, behind, text);
    assert.equal(written.text, wanted);
    assert.deepEqual(written.lost, [], source);
  }
});

const block = (text) => ({ type: "paragraph", content: [{ type: "text", text }] });
const item = (text) => ({ type: "listItem", content: [block(text)] });
const quoted = (...content) => ({ type: "blockquote", content });
const row = (...cells) => ({ type: "tableRow", content: cells.map((text) => ({ type: "tableCell", content: [block(text)] })) });

// Source, an edit of its blocks, and what is written.
const STRUCTURE = [
  ["*   one [[x]]\n*   two\n", ([list]) => list.content.push(item("n")), "*   one [[x]]\n*   two\n*   n\n"],
  ["3) a\n4) b\n", ([list]) => list.content.splice(1, 0, item("n")), "3) a\n4) n\n5) b\n"],
  ["1. a\n1. b\n", ([list]) => list.content.splice(1, 0, item("n")), "1. a\n1. n\n1. b\n"],
  ["- a\n\n- [[b]]\n\n- c\n", ([list]) => list.content.splice(2, 1), "- a\n\n- [[b]]\n"],
  ["> [!tip]\n> a [[x]]\n", ([quote]) => quote.content.push(block("n")), "> [!tip]\n> a [[x]]\n>\n> n\n"],
  ["| a |b|\n|--|---|\n| `x` | y|z|\n", ([table]) => table.content.push(row("n", "m")), "| a |b|\n|--|---|\n| `x` | y|z|\n| n | m |\n"],
  ["a [[x]]\nb &amp; c\n", (all) => all.splice(0, 1, block("a [[x]]"), block("b & c")), "a [[x]]\n\nb &amp; c\n"],
  // The next block would be a line of the new item: blank lines come beside the list, and nowhere else.
  ["# a\n- b\n\t# c\nd\n===\n# e\n", ([, list]) => list.content.push(item("n")), "# a\n\n- b\n\t# c\n- n\n\nd\n===\n# e\n"],
  // Text with its source in other blocks than those of the file.
  ["- a [[x]]\n- b [[y]] &amp;\n- c\n", ([{ content }]) => content[0].content.push({ type: "bulletList", content: content.splice(1, 1) }), "- a [[x]]\n  - b [[y]] &amp;\n- c\n"],
  ["- a\n  - b [[y]] &amp;\n- c\n", ([{ content }]) => content.splice(1, 0, content[0].content.pop().content[0]), "- a\n- b [[y]] &amp;\n- c\n"],
  ["a [[x]] &amp; b\nc\n\nd\n", (all) => all.splice(0, 1, quoted(all[0])), "> a [[x]] &amp; b\n> c\n\nd\n"],
  ["a [[x]] &amp; b\nc\n\nd\n", (all) => Object.assign(all[0], { type: "heading", attrs: { level: 2 } }), "## a [[x]] &amp; b c\n\nd\n"],
  ["## a [[x]] &amp;\n\nd\n", (all) => Object.assign(all[0], { type: "paragraph", attrs: {} }), "a [[x]] &amp;\n\nd\n"],
  ["a [[x]]\n\nb [[y]] &amp; z\n\nc\n", (all) => all.splice(0, 2, block("a [[x]]b [[y]] & z")), "a [[x]]b [[y]] &amp; z\n\nc\n"],
  ["# a [[x]] #\n\nb [[y]]\n", (all) => all.splice(0, 2, { type: "heading", attrs: { level: 1 }, content: block("a [[x]]b [[y]]").content }), "# a [[x]]b [[y]]\n"],
  ["* [[a]] b\n* c\n", ([list]) => list.content.splice(0, 1, item("[[a]]"), item("b")), "* [[a]]\n* b\n* c\n"],
];

test("items, rows and blocks that are new or gone leave the others as they are", () => {
  for (const [source, edit, wanted] of STRUCTURE) {
    const { text, lost } = write(source, plain, edit);
    assert.equal(text, wanted);
    assert.deepEqual(lost, [], source);
  }
});

test("cells beyond the header stay with their row, and are named where the table is written anew", () => {
  const source = "| a |b|\n|--|:-:|\n|`x` | y|z w|\n";
  const added = write(source, plain, ([table]) => table.content.push(row("n", "m")));
  assert.equal(added.text, `${source}|n|m|\n`);
  const narrow = write(source, plain, ([table]) => table.content.forEach(({ content }) => content.pop()));
  assert.deepEqual(narrow.lost.map(({ kind, node, text, count }) => [kind, node, text, count]), [["content", "tableCell", "z w", 1]]);
});

/** Runs a command of an editor with the cursor before a text. */
const commanded = (source, before, command) => {
  const opened = readMarkdown(source, plain);
  const doc = plain.nodeFromJSON(opened.json);
  let at;
  doc.descendants((node, pos) => {
    if (at === undefined && node.text?.includes(before)) at = pos + node.text.indexOf(before);
  });
  const state = EditorState.create({ doc });
  let next = doc;
  const isDone = command(state.apply(state.tr.setSelection(TextSelection.create(doc, at))), (tr) => (next = tr.doc));
  assert.notEqual(isDone, false);
  return writeMarkdown(opened, next.toJSON(), { locale: "en" });
};
const splitItem = (state, dispatch) => splitListItem(plain.nodes.listItem)(state, dispatch);
const typeSpace = (state, dispatch) => dispatch(state.tr.insertText(" "));
const joinItems = ({ tr, selection }, dispatch) => dispatch(tr.join(selection.$from.before(selection.$from.depth - 1), 2));

// Source, the text before which the cursor is, the command, what is written.
const COMMANDED = [
  ["one two\n", "two", splitBlock, "one\n\ntwo\n"],
  ["one\n", "one", typeSpace, "one\n"],
  ["   * one two\n   * three four\n   * five\n", "four", splitItem, "   * one two\n   * three\n   * four\n   * five\n"],
  ["   * one two\n   * three\n", "two", splitBlock, "   * one\n\n     two\n   * three\n"],
  ["1. one\n2. [two three](#a)\n3. four\n", "three", splitItem, "1. one\n2. [two](#a)\n3. [three](#a)\n4. four\n"],
  ["- one\n- two\n  lines\n- three\n", "two", joinItems, "- onetwo\n  lines\n- three\n"],
  ["-\tone\n\n\ttwo three\n-\tfour\n", "three", splitBlock, "-\tone\n\n\ttwo\n\n \tthree\n-\tfour\n"],
  ["-\tone two\n-\tthree\n", "two", splitItem, "-\tone\n-\ttwo\n-\tthree\n"],
  ["> - one\n>\n> - two\n>   lines\n", "two", joinItems, "> - onetwo\n>   lines\n"],
  [" * A ([LICENSE](LICENSE) or\n   x)\n * MIT here\n", "here", splitItem, " * A ([LICENSE](LICENSE) or\n   x)\n * MIT\n * here\n"],
];
for (const [source, before, command, expected] of COMMANDED) {
  test(`a split, a join and a space change their place alone: ${JSON.stringify([source, before])}`, () => {
    const { text, lost } = commanded(source, before, command);
    assert.equal(text, expected);
    assert.deepEqual(lost, []);
  });
}

test("a space at an end is written where the file has it, and links that are no URLs stay links", () => {
  const source = "one&#x20;\n\ntwo\n";
  const { text } = write(source, plain, (content) => (content[1].content[0].text = "two three "));
  assert.equal(text, "one&#x20;\n\ntwo three\n");
  const linked = write("", plain, (content) => {
    const link = (href, label) => ({ type: "text", text: label, marks: [{ type: "link", attrs: { href } }] });
    const texts = [link("LICENSE", "LICENSE"), { type: "text", text: " " }, link("http://README", "README"), { type: "text", text: " at LICENSE README" }];
    content.splice(0, content.length, { type: "paragraph", content: texts });
  });
  assert.equal(linked.text.trim(), "[LICENSE](LICENSE) [README](http://README) at LICENSE README");
  assert.deepEqual(linked.lost, []);
});

test("an edit of a tag stays source if the block becomes inline HTML, and a new tag is text", () => {
  const edited = (text) => write("<h1><code>tea</code></h1>\n", poor, ([block]) => (block.content[0].text = text));
  assert.equal(edited("<h1x><code>tea</code></h1>").text, "<h1x><code>tea</code></h1>\n");
  assert.equal(edited("<h1x><code>tea<kbd></code></h1>").text, "<h1x><code>tea\\<kbd></code></h1>\n");
  // A component is renamed, as find and replace does it.
  const renamed = write("a <Note>b</Note> c\n", plain, ([block]) => (block.content = [{ type: "text", text: "a <Tip>b</Tip> c" }]));
  assert.equal(renamed.text, "a <Tip>b</Tip> c\n");
});

test("a word in random notes is all that changes", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  const outcomes = { kept: 0, own: 0, named: 0, changed: 0 };
  for (let round = 0; round < NOTES; round += 1) {
    const source = randomNotes(random);
    const schema = random.pick([plain, rich]);
    const opened = readMarkdown(source, schema);
    assert.equal(writeMarkdown(opened, opened.json).text, source);
    const edit = editWord(source, schema, random);
    if (edit) outcomes[edit.outcome] += 1;
    if (edit?.outcome === "changed") t.diagnostic(JSON.stringify([edit.node.text, source, edit.text]));
  }
  // Signs of several marks beside one word are written as tags together.
  assert.ok(outcomes.changed <= 2 && outcomes.named <= 6 && outcomes.kept > 0.85 * NOTES, `seed ${SEED}: ${JSON.stringify(outcomes)}`);
});

test("changes of random notes leave the lines that they are not in", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  let [changed, all] = [0, 0];
  for (let round = 0; round < NOTES; round += 1) {
    const source = randomNotes(random);
    const schema = random.pick([plain, rich]);
    const opened = readMarkdown(source, schema);
    const json = structuredClone(opened.json);
    const name = random.pick(Object.keys(CHANGES));
    const lines = change(name, json, random);
    if (lines === undefined) continue;
    const next = schema.nodeFromJSON(json).toJSON();
    const written = writeMarkdown(opened, next);
    all += 1;
    const isSame = JSON.stringify(withoutEnds(written.opened.json)) === JSON.stringify(withoutEnds(next));
    assert.ok(isSame || written.lost.length > 0, `seed ${SEED}, ${name}: ${JSON.stringify([source, written.text])}`);
    if (written.lost.length > 0 || linesGone(source, written.text) <= lines) continue;
    changed += 1;
    t.diagnostic(JSON.stringify([name, source, written.text]));
  }
  // A word that is the end of a line and the start of the next one.
  assert.ok(all > 0.35 * NOTES && changed <= 1 + all * 0.03, `seed ${SEED}: ${changed} of ${all}`);
});

test("code has other marks where the schema allows them, and dollars are no formulas", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  const words = ["x", "a b", "`", "$5", "$x", "x$ y", "$HOME", "(map)", "，", "第一", "*", "a`b"];
  const marks = [{ type: "bold" }, { type: "italic" }, { type: "strike" }, { type: "code" }, { type: "link", attrs: { href: "https://e.example/x" } }];
  for (let round = 0; round < 400; round += 1) {
    const content = random.times(1, 5, () => ({ type: "text", text: random.pick(words), marks: marks.filter(() => random.chance(0.3)) }));
    const json = free.nodeFromJSON({ type: "doc", content: [{ type: "paragraph", content }] }).toJSON();
    const { text, lost, opened } = writeMarkdown(readMarkdown("", free), json);
    assert.deepEqual(opened.json, json, `seed ${SEED}, round ${round}: ${text}`);
    assert.deepEqual(lost, [], `seed ${SEED}, round ${round}: ${text}`);
  }
});
