// Exports of an editor with pending changes: with them, without them, and with both versions marked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { getSchema } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { EditorState } from "@tiptap/pm/state";
import StarterKit from "@tiptap/starter-kit";
import { Document, init } from "copydesk";
import { pendingHTML, pendingJSON, toDOCX, toEPUB, toHTML, toMarkdown } from "copydesk/export";
import JSZip from "jszip";

await init();
const schema = getSchema([StarterKit, Image, TaskList, TaskItem.configure({ nested: true }), TableKit]);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
console.log(`SEED=${seed}`);

function random(from) {
  let state = from;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const BLOCKS = [
  "<p>A leaf of <strong>green</strong> tea.</p>",
  "<h3>Kinds &amp; sorts</h3>",
  "<ul><li><p>Sencha</p></li><li><p>Matcha, <em>ground</em></p></li></ul>",
  "<blockquote><p>As old as <code>rain</code>.</p></blockquote>",
  "<pre><code>let cup = 1;\nlet pot = 2;</code></pre>",
  '<img src="/a.png" alt="A cup">',
  "<table><tbody><tr><td><p>one</p></td><td><p>two</p></td></tr><tr><td><p>three</p></td><td><p>four</p></td></tr></tbody></table>",
  "<p>Steep it<br>briefly.</p>",
  "<hr>",
];

/** The parts of an editor that an export reads, with random changes that wait; and the proposal. */
function reviewed(next) {
  const some = (count) => Array.from({ length: count }, () => BLOCKS[next(BLOCKS.length)]).join("");
  const document = Document.fromHTML(`<h1>Tea</h1>${some(3)}<h2>One</h2>${some(3)}<h2>Two</h2>${some(2)}`);
  const base = document.toJSON();
  document.mode = "review";
  for (let count = 0; count < 4; count++) {
    const lines = document.lines();
    const line = lines[next(lines.length)];
    const update = [
      { operation: "replace", sectionIndex: next(3), content: some(2) },
      { operation: "append", title: `New ${count}`, content: some(1) },
      { operation: "replace_lines", edits: [{ start_line: line.line, end_line: line.line, content: `${line.text} more` }] },
      { operation: "delete", sectionIndex: 1 + next(2) },
      { operation: "replace_text", old: "tea", new: "black tea", all: true },
    ][next(5)];
    try {
      document.apply(update);
    } catch (error) {
      // An edit that does not fit changes nothing.
      assert.ok(error.code, String(error));
    }
  }
  const state = EditorState.create({ doc: schema.nodeFromJSON(base) });
  return { editor: { state, storage: { copydesk: { pending: { hunks: document.hunks() } } } }, base, proposed: document.toJSON() };
}

const plain = (json) => schema.nodeFromJSON(json).toJSON();
const isOf = (type) => (mark) => mark.type === type;

/** One of the versions of a marked document, without its marks. */
function version(json, without, kept) {
  const join = (nodes, node) => {
    const last = nodes.at(-1);
    const isJoined = last?.text !== undefined && node.text !== undefined && JSON.stringify(last.marks) === JSON.stringify(node.marks);
    return isJoined ? [...nodes.slice(0, -1), { ...last, text: last.text + node.text }] : [...nodes, node];
  };
  const { marks, content, ...rest } = json;
  const own = marks?.filter((mark) => !isOf(kept)(mark));
  const inside = content?.filter((child) => !child.marks?.some(isOf(without))).map((child) => version(child, without, kept));
  return { ...rest, ...(inside?.length ? { content: inside.reduce(join, []) } : {}), ...(own?.length ? { marks: own } : {}) };
}

test("accepted is the proposal, rejected is the document, and marked holds both", () => {
  const next = random(seed);
  let changed = 0;
  for (let round = 0; round < 200; round++) {
    const { editor, base, proposed } = reviewed(next);
    changed += editor.storage.copydesk.pending.hunks.length;
    const message = `round ${round} of SEED=${seed}`;
    assert.deepEqual(plain(pendingJSON(editor, "accepted")), plain(proposed), message);
    assert.deepEqual(pendingJSON(editor, "rejected"), plain(base), message);
    const marked = pendingJSON(editor, "marked");
    assert.deepEqual(plain(version(marked, "deletion", "insertion")), plain(proposed), message);
    assert.deepEqual(plain(version(marked, "insertion", "deletion")), plain(base), message);
  }
  assert.ok(changed > 400, `${changed} changes`);
});

/** The texts of the paragraphs of a DOCX file, after its tracked changes were accepted or rejected. */
async function paragraphsOf({ bytes }, decision) {
  const xml = await (await JSZip.loadAsync(bytes)).file("word/document.xml").async("string");
  const [gone, kept] = decision === "accept" ? ["del", "ins"] : ["ins", "del"];
  const left = xml
    .replace(new RegExp(`<w:${gone} [^>]*[^/]>.*?</w:${gone}>`, "gs"), "")
    .replace(new RegExp(`</?w:${kept}(?: [^>]*)?>`, "g"), "")
    .replaceAll("w:delText", "w:t");
  const texts = left.split("</w:p>").map((one) => [...one.matchAll(/<w:t(?: [^>]*)?>([^<]*)<|<w:br\/>/g)].map(([, text = "\n"]) => text).join(""));
  return texts.filter((text) => text.trim());
}

test("tracked changes of DOCX, accepted or rejected, are the two documents", async () => {
  const next = random(seed + 1);
  const loadImage = async () => Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64");
  for (let round = 0; round < 15; round++) {
    const { editor } = reviewed(next);
    const [accepted, rejected, marked] = await Promise.all(
      ["accepted", "rejected", "marked"].map((pending) => toDOCX(editor, { pending, loadImage })),
    );
    const message = `round ${round} of SEED=${seed}`;
    assert.deepEqual(await paragraphsOf(marked, "accept"), await paragraphsOf(accepted, "accept"), message);
    assert.deepEqual(await paragraphsOf(marked, "reject"), await paragraphsOf(rejected, "reject"), message);
  }
});

/** An editor with one paragraph, of which two words wait. */
function small() {
  const document = Document.fromHTML("<h1>Tea</h1><p>An old <code>leaf</code>.</p>");
  const state = EditorState.create({ doc: schema.nodeFromJSON(document.toJSON()) });
  document.mode = "review";
  document.apply({ operation: "replace_text", old: "old", new: "green" });
  document.apply({ operation: "append", title: "New", content: "<ul><li><p>Fresh</p></li></ul>" });
  return { state, storage: { copydesk: { pending: { hunks: document.hunks() } } } };
}

test("every format exports the three versions", async () => {
  const editor = small();
  assert.equal(
    pendingHTML(editor, "marked"),
    '<h1>Tea</h1>\n<p>An <del>old</del><ins>green</ins> <code>leaf</code>.</p>\n<h2><ins>New</ins></h2>\n<ul>\n<li>\n<p><ins>Fresh</ins></p>\n</li>\n</ul>',
  );
  assert.match(toHTML(editor, { pending: "accepted" }), /<p>An green <code>/);
  assert.doesNotMatch(toHTML(editor, { pending: "rejected" }), /green|Fresh|<ins>/);
  const markdown = (pending) => toMarkdown(editor, schema, { pending });
  assert.deepEqual(markdown("marked"), {
    text: "# Tea\n\nAn <del>old</del><ins>green</ins> `leaf`.\n\n## <ins>New</ins>\n\n- <ins>Fresh</ins>\n",
    lost: [],
  });
  assert.equal(markdown("accepted").text, "# Tea\n\nAn green `leaf`.\n\n## New\n\n- Fresh\n");
  assert.equal(markdown("rejected").text, "# Tea\n\nAn old `leaf`.\n");
  const epub = await JSZip.loadAsync((await toEPUB({ chapters: [{ json: editor }] }, { pending: "marked" })).bytes);
  assert.match(await epub.file("EPUB/chapter-001.xhtml").async("string"), /<del>old<\/del><ins>green<\/ins>/);
});

test("an export with pending changes that does not say what becomes of them fails", async () => {
  const editor = small();
  for (const attempt of [() => toHTML(editor), () => toMarkdown(editor, schema), () => toHTML(editor, { pending: "all" }), () => pendingJSON(editor)]) {
    assert.throws(attempt, ({ code, message }) => code === "invalid_parameter" && /accepted.*rejected.*marked/.test(message));
  }
  await assert.rejects(toDOCX(editor), { code: "invalid_parameter" });
  const early = { state: editor.state, storage: { copydesk: { pending: { ...editor.storage.copydesk.pending, document: {} } } } };
  assert.throws(() => toHTML(early, { pending: "accepted" }), { code: "not_loaded" });
  // Without pending changes there is nothing to say.
  assert.match(toHTML({ state: editor.state, storage: {} }), /An old/);
});
