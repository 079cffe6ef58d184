// Random edits of real editors, mirrored by the wasm.
import { Editor, Extension } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { Fragment } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import StarterKit from "@tiptap/starter-kit";
import { Document } from "copydesk";
import { Copydesk, schemaData } from "copydesk/tiptap";
import * as Y from "yjs";
import { randomDocument } from "../../../oracle/documents.mjs";
import { randomHtml } from "../../../oracle/html.mjs";
import { randomFrom } from "../../../oracle/random.mjs";
import { without } from "../../../oracle/shrink.mjs";
import { differenceOf } from "./documents.js";

const TEXTS = ["a", "word ", "中文", "😀", "👩‍👧", "e\u0301", "two words", "\ud83d", "\udc00x", "\u00a0", "  "];

/** A plugin that adds to edits: a heading at the end gets a paragraph, and "!!" at the beginning becomes a rule at the end. */
const Meddler = Extension.create({
  name: "meddler",
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction(transactions, _, { doc, schema, tr }) {
        if (!transactions.some((transaction) => transaction.docChanged)) return null;
        const { lastChild } = doc;
        if (lastChild.type.name === "heading") tr.insert(doc.content.size, schema.node("paragraph"));
        if (doc.firstChild.isTextblock && doc.firstChild.textContent.startsWith("!!")) tr.delete(1, 3).insert(tr.doc.content.size, schema.node("horizontalRule"));
        return tr.docChanged ? tr : null;
      },
    }),
  ],
});

export function newEditor(element, extensions, starter = {}) {
  const kit = [StarterKit.configure(starter), Image, TableKit, TaskList, TaskItem.configure({ nested: true }), Meddler, Copydesk];
  return new Editor({ element: document.querySelector(element), extensions: [...kit, ...extensions] });
}

const anywhere = (random, { state }) => random.below(state.doc.content.size + 1);

/** Returns a position in the text of a document, or its end. */
function inText(random, { state }) {
  const places = [];
  state.doc.descendants((node, position) => void (node.isTextblock && places.push([position + 1, node.content.size])));
  if (!places.length) return state.doc.content.size;
  const [start, size] = random.pick(places);
  return start + random.below(size + 1);
}

const select = (random, editor) => {
  const [from, to] = [inText(random, editor), inText(random, editor)].sort((a, b) => a - b);
  return editor.chain().setTextSelection(random.chance(0.5) ? { from, to } : from);
};

/** Actions of a user, a plugin or a program. A command that does not fit does nothing. */
const ACTS = {
  type: (random, editor) => editor.view.dispatch(editor.state.tr.insertText(random.pick(TEXTS), inText(random, editor))),
  typeMore: (random, editor) => editor.view.dispatch(editor.state.tr.insertText(random.pick(TEXTS), inText(random, editor))),
  meddled: (random, editor) => editor.view.dispatch(editor.state.tr.insertText("!!", 1)),
  split: (random, editor) => select(random, editor).splitBlock().run(),
  join: (random, editor) => select(random, editor).joinBackward().run(),
  joinForward: (random, editor) => select(random, editor).joinForward().run(),
  deleteSelection: (random, editor) => select(random, editor).deleteSelection().run(),
  deleteRange: (random, editor) => {
    const [from, to] = [anywhere(random, editor), anywhere(random, editor)].sort((a, b) => a - b);
    editor.view.dispatch(editor.state.tr.deleteRange(from, to));
  },
  bulletList: (random, editor) => select(random, editor).toggleBulletList().run(),
  orderedList: (random, editor) => select(random, editor).toggleOrderedList().run(),
  taskList: (random, editor) => select(random, editor).toggleTaskList().run(),
  sink: (random, editor) => select(random, editor).sinkListItem("listItem").run(),
  lift: (random, editor) => select(random, editor).liftListItem("listItem").run(),
  splitItem: (random, editor) => select(random, editor).splitListItem("listItem").run(),
  heading: (random, editor) => select(random, editor).toggleHeading({ level: 1 + random.below(3) }).run(),
  quote: (random, editor) => select(random, editor).toggleBlockquote().run(),
  code: (random, editor) => select(random, editor).toggleCodeBlock().run(),
  bold: (random, editor) => select(random, editor).toggleBold().run(),
  link: (random, editor) => select(random, editor).setLink({ href: "https://example.org/" }).run(),
  hardBreak: (random, editor) => select(random, editor).setHardBreak().run(),
  rule: (random, editor) => select(random, editor).setHorizontalRule().run(),
  image: (random, editor) => select(random, editor).setImage({ src: "data:," }).run(),
  table: (random, editor) => select(random, editor).insertTable({ rows: 1 + random.below(3), cols: 2 }).run(),
  row: (random, editor) => select(random, editor).addRowAfter().run(),
  column: (random, editor) => select(random, editor).addColumnBefore().run(),
  deleteRow: (random, editor) => select(random, editor).deleteRow().run(),
  deleteTable: (random, editor) => random.chance(0.3) && select(random, editor).deleteTable().run(),
  paste: (random, editor) => editor.commands.insertContentAt(inText(random, editor), random.pick(PASTED)),
  blocks: (random, editor) => editor.commands.insertContentAt(anywhere(random, editor), randomDocument(random).content),
  move: (random, { state, view }) => {
    const $from = state.doc.resolve(random.below(state.doc.content.size));
    const [at, block] = [$from.posAtIndex($from.index(0), 0), state.doc.child($from.index(0))];
    const transaction = state.tr.delete(at, at + block.nodeSize);
    if (transaction.doc.childCount) view.dispatch(transaction.insert(random.chance(0.5) ? 0 : transaction.doc.content.size, block));
  },
  setContent: (random, editor) => random.chance(0.3) && editor.commands.setContent(randomHtml(random).replaceAll(/<img[^>]*>/gi, "")),
  setDocument: (random, editor) => random.chance(0.3) && editor.commands.setContent(randomDocument(random)),
  clear: (random, editor) => random.chance(0.1) && editor.commands.clearContent(),
  undo: (random, editor) => editor.commands.undo(),
  undoMore: (random, editor) => editor.chain().undo().undo().run(),
  redo: (random, editor) => editor.commands.redo(),
  agent: (random, editor) => {
    const { document } = editor.storage.copydesk;
    const index = random.below(document.outline().length);
    editor.commands.applyDocUpdate({ operation: "replace", sectionIndex: index, content: "<p>By the agent.</p><ul><li>x</li></ul>" });
  },
};

const PASTED = ["<p>one</p><p>two</p>", "plain", "<ul><li>a<ul><li>b</li></ul></li></ul>", "<h2>head</h2><p>text</p>", "<pre><code>a\nb\n</code></pre>", "<blockquote><p>q</p></blockquote>"];

/** Returns the differences of the bound document from its editor's, and from one that is read from it now. */
function follows(editor) {
  const { document } = editor.storage.copydesk;
  const { doc, schema } = editor.state;
  const against = differenceOf(document, doc);
  if (against) return against;
  const fresh = Document.fromJSON(doc.toJSON(), schemaData(schema));
  return differenceOf(fresh, doc, { html: false });
}

/** Performs `count` sequences of edits, one per seed. Returns the first that the wasm did not mirror, with the actions it needs. */
export function followEdits(seed, count, length) {
  const names = Object.keys(ACTS);
  const seen = new Set();
  // Each action has its own seed, so that one can be left out without changing the others.
  const play = (start, acts) => {
    const editor = newEditor("#page", []);
    try {
      editor.commands.setContent(randomDocument(randomFrom(start)));
      for (const act of acts) {
        const random = randomFrom(act);
        const name = random.pick(names);
        const before = editor.state.doc;
        attempt(() => ACTS[name](random, editor));
        if (editor.state.doc !== before) seen.add(name);
        const difference = follows(editor);
        if (difference) return { ...difference, after: name };
      }
      return null;
    } finally {
      editor.destroy();
    }
  };
  for (let index = 0; index < count; index++) {
    const start = seed + index;
    const acts = Array.from({ length }, (_, at) => start * 1000 + at);
    if (!play(start, acts)) continue;
    const needed = without(acts, (fewer) => play(start, fewer) !== null);
    return { failure: { seed: start, acts: needed.map((act) => randomFrom(act).pick(names)), ...play(start, needed) } };
  }
  return { failure: null, seen: [...seen].sort() };
}

/** Content whose attributes TipTap parses as NaN, or that a program sets to numbers that JSON does not know. */
const NO_NUMBERS = [
  '<ol start="x"><li><p>one</p></li><li><p>two</p></li></ol><p>after</p>',
  '<table><tbody><tr><td colwidth="x,20" colspan="2"><p>a</p></td></tr><tr><td colwidth="y"><p>b</p></td><td><p>c</p></td></tr></tbody></table><p>after</p>',
  '<ol start="1e999"><li><p>one</p></li></ol><p>after</p>',
  { type: "doc", content: [{ type: "orderedList", attrs: { start: Infinity }, content: [{ type: "listItem", content: [{ type: "paragraph" }] }] }, { type: "paragraph" }] },
  { type: "doc", content: [{ type: "image", attrs: { src: "data:,", width: NaN, height: -Infinity } }, { type: "paragraph" }] },
];

/** Follows editors with numbers that JSON does not know: while they are set, typed beside, edited by the agent and undone.
 * Returns the differences, and how many such numbers there were. */
export function followNumbers() {
  const wrong = [];
  let count = 0;
  const unknown = (json) => {
    let found = 0;
    JSON.stringify(json, (_, value) => ((found += Number(typeof value === "number" && !Number.isFinite(value))), value));
    return found;
  };
  for (const content of NO_NUMBERS) {
    const editor = newEditor("#page", []);
    const { document } = editor.storage.copydesk;
    const check = (step) => {
      const difference = follows(editor);
      if (difference) wrong.push({ content, step, ...difference });
      const json = editor.getJSON();
      const [read, stored] = [json, JSON.parse(JSON.stringify(json))].map((each) => JSON.stringify(Document.fromJSON(each, schemaData(editor.schema)).toJSON()));
      if (read !== stored) wrong.push({ content, step, read, stored });
    };
    try {
      editor.commands.setContent(content);
      const before = unknown(editor.getJSON());
      count += before;
      check("set");
      editor.commands.insertContentAt(editor.state.doc.content.size - 1, "typed");
      check("typed");
      const line = document.lines().length;
      document.apply({ operation: "replace_lines", edits: [{ start_line: line, end_line: line, content: "By the agent." }] });
      check("edited beside");
      if (unknown(editor.getJSON()) !== before) wrong.push({ content, step: "an edit beside changed an attribute" });
      document.apply({ operation: "replace_lines", edits: [{ start_line: 1, end_line: 1, content: "By the agent." }] });
      check("edited inside");
      editor.chain().undo().run();
      check("undone");
      if (unknown(editor.getJSON()) !== before) wrong.push({ content, step: "undo did not bring an attribute back" });
      // The mirror does not change, and the HTML does.
      const { doc, schema, tr } = editor.state;
      editor.view.dispatch(tr.replaceWith(0, doc.content.size, doc.type.create(null, Fragment.fromJSON(schema, JSON.parse(JSON.stringify(doc.content)))).content));
      check("made null");
    } finally {
      editor.destroy();
    }
  }
  return { wrong, count };
}

/** Performs sequences of typing, proposals and decisions, one per seed. Returns the first act after which `sections()` is not
 * what a document that is read afresh has, and the most hunks that were pending. */
export function followProposals(seed, count, length) {
  let most = 0;
  for (let run = seed; run < seed + count; run++) {
    const random = randomFrom(run);
    const content = random.times(3, 9, (at) => `<h2>Part ${at}</h2><p>One of ${at}.</p><ul><li><p>Two</p></li></ul>`).join("");
    const editor = newEditor("#page", []);
    const { document } = editor.storage.copydesk;
    const line = () => 1 + random.below(document.lines().length);
    const edit = (content) => {
      const at = line();
      document.apply({ operation: "replace_lines", edits: [{ start_line: at, end_line: at, content }] });
    };
    const pick = () => random.pick(document.hunks())?.id;
    const decide = (act) => pick() && document[act]({ hunk: pick() });
    const acts = {
      type: () => editor.commands.insertContentAt(random.below(editor.state.doc.content.size + 1), "x"),
      remove: () => editor.commands.deleteRange({ from: 0, to: Math.min(editor.state.doc.content.size, random.below(9)) }),
      change: () => edit(`Changed ${random.below(9)}`),
      add: () => edit(`Changed ${random.below(9)}\nAdded`),
      accept: () => decide("accept"),
      reject: () => decide("reject"),
      undo: () => editor.commands.undo(),
    };
    try {
      editor.commands.setContent(content);
      document.mode = "review";
      for (let step = 0; step < length; step++) {
        const act = random.pick(Object.keys(acts));
        try {
          acts[act]();
        } catch (error) {
          // The act does not fit the document.
          if (!error.code) throw error;
        }
        most = Math.max(most, document.hunks().length);
        const fresh = Document.fromJSON(document.toJSON(), schemaData(editor.schema)).sections();
        const [ours, theirs] = [document.sections(), fresh].map((sections) => JSON.stringify(sections));
        if (ours !== theirs) return { failure: { run, step, act, ours, theirs }, most };
        // The caller's own objects.
        for (const section of document.sections()) section.content = section.title = "mine";
      }
    } finally {
      editor.destroy();
    }
  }
  return { failure: null, most };
}

/**
 * Two editors on a Y.Doc each; updates travel late and in parts. Where the collaboration itself fails (restoring
 * selections throws at times) the sequence ends, and `whole` does not count it.
 */
export function followCollaboration(seed, count, length) {
  const names = Object.keys(ACTS).filter((name) => !["setContent", "setDocument", "clear"].includes(name));
  let whole = 0;
  for (let index = 0; index < count; index++) {
    const random = randomFrom(seed + index);
    const [one, two] = [new Y.Doc(), new Y.Doc()];
    const waiting = [];
    one.on("update", (update, origin) => origin !== "wire" && waiting.push([two, update]));
    two.on("update", (update, origin) => origin !== "wire" && waiting.push([one, update]));
    const editors = [[one, "#page"], [two, "#other"]].map(([document, element]) => {
      return newEditor(element, [Collaboration.configure({ document })], { undoRedo: false });
    });
    const deliver = (most) => attempt(() => waiting.splice(0, most).forEach(([to, update]) => Y.applyUpdate(to, update, "wire")));
    const done = [];
    const check = () => editors.map(follows).find(Boolean);
    try {
      editors[0].commands.setContent(randomDocument(random));
      let going = deliver(waiting.length);
      for (let act = 0; act < length && going; act++) {
        const name = random.pick(names);
        const editor = random.pick(editors);
        attempt(() => ACTS[name](random, editor));
        done.push(name);
        if (random.chance(0.6)) going = deliver(1 + random.below(4));
        const difference = check();
        if (difference) return { failure: { seed: seed + index, acts: done, ...difference } };
      }
      while (waiting.length && going) going = deliver(waiting.length);
      const difference = check();
      if (difference) return { failure: { seed: seed + index, acts: done, ...difference } };
      // Whether the two editors agree is up to the collaboration; it leaves marks on hard breaks, for example.
      whole += Number(going);
    } finally {
      editors.forEach((editor) => editor.destroy());
      one.destroy();
      two.destroy();
    }
  }
  return { failure: null, whole };
}

/** Dispatches an edit. ProseMirror refuses some by throwing, which leaves the document unchanged; returns false then. */
function attempt(act) {
  try {
    act();
    return true;
  } catch (error) {
    if (!(error instanceof RangeError || error.name === "TransformError" || error.name === "ReplaceError")) throw error;
    return false;
  }
}
