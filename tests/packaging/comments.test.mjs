// copydesk/comments in an editor without Yjs: ranges that follow edits, the tools of agents, and stored comments.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { init } from "../../pkg/index.js";
import { commentOnly, Comments, commentTools, withComments } from "../../pkg/comments.js";
import { Copydesk } from "../../pkg/tiptap.js";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { placeOf, run } from "./comments-agent.mjs";
import { call } from "./route-server.mjs";

await init();

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const ADA = { id: "ada", name: "Ada", color: "#2b5bd7" };

const p = (...texts) => ({ type: "doc", content: texts.map((text) => ({ type: "paragraph", ...(text && { content: [{ type: "text", text }] }) })) });

function editorWith(t, content, { copydesk = {}, comments = {} } = {}) {
  const extensions = [StarterKit.configure({ trailingNode: false, undoRedo: { newGroupDelay: 0 } }), Copydesk.configure({ mode: "review", locale: "en", preview: false, ...copydesk }), Comments.configure({ user: ADA, ...comments })];
  const editor = new Editor({ element: null, extensions, content });
  t?.after(() => editor.destroy());
  return editor;
}

function comment(editor, text, words = "Why?") {
  return editor.storage.comments.create(placeOf(editor, text), { text: words });
}

const edit = (t, editor, id, old, text) => run(t, editor, [call(id, "replace_text", { old, new: text })]);

const textAt = (editor, { range }) => range && editor.state.doc.textBetween(range.from, range.to, "|");
const seen = (editor) => editor.storage.comments.threads().map((thread) => [textAt(editor, thread), thread.state, thread.comments.map(({ text, state }) => (state === "shown" ? text : `${text} (${state})`)).join(" / ")]);
const tick = () => new Promise((resolve) => setTimeout(resolve));
const tool = (tools, name) => (params) => tools.find((one) => one.name === name).execute("t", params);

test("threads are created, replied to, resolved and opened again, and listeners hear of it", (t) => {
  const editor = editorWith(t, p("Tea is old.", "One leaf."));
  const { comments } = editor.storage;
  let heard = 0;
  const end = comments.subscribe(() => heard++);
  const id = comment(editor, "old");
  comments.reply(id, { text: "Because.", author: { kind: "person", name: "Bo" } });
  assert.deepEqual(seen(editor), [["old", "open", "Why? / Because."]]);
  const [{ comments: both, quote }] = comments.threads();
  assert.deepEqual(both.map(({ author }) => author.name), ["Ada", "Bo"]);
  assert.equal(quote, "old");
  assert.equal(comments.threads(), comments.threads());
  comments.resolve(id);
  assert.equal(comments.threads()[0].state, "resolved");
  assert.equal(comments.threads()[0].resolvedBy.name, "Ada");
  comments.reopen(id);
  assert.equal(comments.threads()[0].state, "open");
  assert.ok(heard >= 4);
  end();
  const before = heard;
  comments.resolve(id);
  assert.equal(heard, before);
  for (const wrong of [() => comments.create({ from: 3, to: 3 }, { text: "x" }), () => comments.create({ from: 1, to: 999 }, { text: "x" }), () => comments.reply("c0", { text: "x" }), () => comments.reply(id, { text: " " })]) assert.throws(wrong, { code: "invalid_parameter" });
});

test("a range follows typing, splits and joins; a replacement of all of its text takes it, a deletion orphans it", (t) => {
  const editor = editorWith(t, p("Tea is very old.", "One leaf."));
  comment(editor, "very old");
  const text = () => seen(editor)[0][0];
  const insert = (at, inserted) => editor.view.dispatch(editor.state.tr.insertText(inserted, at));
  insert(1, "My ");
  assert.equal(text(), "very old");
  insert(placeOf(editor, "very old").to, "est");
  insert(placeOf(editor, "very old").from, "so ");
  assert.equal(text(), "very old");
  insert(placeOf(editor, "very").to, " very");
  assert.equal(text(), "very very old");
  const middle = placeOf(editor, " old").from;
  editor.view.dispatch(editor.state.tr.split(middle));
  assert.equal(text(), "very very| old");
  editor.view.dispatch(editor.state.tr.join(middle + 1));
  assert.equal(text(), "very very old");
  const { from, to } = placeOf(editor, "very very old");
  editor.view.dispatch(editor.state.tr.insertText("young", from, to));
  assert.equal(text(), "young");
  editor.view.dispatch(editor.state.tr.delete(from - 3, from + 8));
  assert.deepEqual(seen(editor), [[null, "open", "Why?"]]);
  assert.equal(editor.storage.comments.threads()[0].quote, "very old");
  // Text that was cut is pasted elsewhere.
  insert(editor.state.doc.content.size - 1, " not young ");
  assert.equal(text(), "young");
});

test("edits of an agent keep the ranges around them, and the edit of a commented text has its comment", (t) => {
  const editor = editorWith(t, p("Tea is old.", "One leaf of many.", "A cup."), { copydesk: { mode: "auto" } });
  comment(editor, "leaf");
  comment(editor, "many");
  const { document } = editor.storage.copydesk;
  document.apply({ operation: "replace_lines", edits: [{ start_line: 1, end_line: 2, content: "Tea is very old.\n\nOne green leaf of a few.", format: "markdown" }] });
  assert.equal(editor.getText(), "Tea is very old.\n\nOne green leaf of a few.\n\nA cup.");
  assert.deepEqual(seen(editor).map(([text]) => text), ["leaf", "a few"]);
});

test("an agent lists, writes and resolves comments; its reply and its edit are accepted or rejected together", async (t) => {
  const editor = editorWith(t, p("Tea is old.", "One leaf.", "A cup."));
  const { document } = editor.storage.copydesk;
  const first = comment(editor, "old", "Young!");
  const second = comment(editor, "leaf", "Which?");
  const { tools, afterToolCall } = withComments({ document: editor, locale: "en" });
  const list = tool(tools, "list_comments");
  assert.deepEqual(list({ start_line: 2 }).comments.map(({ id, lines, quote, comments }) => [id, lines, quote, comments[0].author, comments[0].text]), [[second, [2, 2], "leaf", "Ada", "Which?"]]);
  assert.equal(list({}).total, 2);
  // What was read has its comments.
  const context = (name, result, args = {}, id = "r") => ({ toolCall: { id, name }, args, result, isError: false });
  assert.match(afterToolCall(context("read_lines", "1: Tea is old.", { start_line: 1, end_line: 1 })).content, /^1: Tea is old\.\n\nComments on these lines:\n\[\{"id":"c[^]*Young!/);
  assert.doesNotMatch(afterToolCall(context("read_lines", "1: …", { start_line: 1, end_line: 1 })).content, /Which/);
  assert.equal(afterToolCall(context("read_lines", "3: …", { start_line: 3 })), undefined);
  await edit(t, editor, "call-1", "old", "young");
  await edit(t, editor, "call-2", "leaf", "green leaf");
  assert.deepEqual(document.hunks().map(({ toolIds }) => toolIds), [["call-1"], ["call-2"]]);
  assert.equal((await tool(tools, "reply_to_comment")({ id: second, text: "Green." })).pending, true);
  await tool(tools, "resolve_comment")({ id: first, text: "Done." });
  assert.deepEqual(seen(editor), [["old", "open", "Young! / Done. (pending)"], ["leaf", "open", "Which? / Green. (pending)"]]);
  assert.equal(editor.storage.comments.threads()[0].isResolving, true);
  document.reject({ toolId: "call-2" });
  document.accept({ toolId: "call-1" });
  assert.deepEqual(seen(editor), [["young", "resolved", "Young! / Done."], ["leaf", "open", "Which? / Green. (withdrawn)"]]);
  // Undo takes the decision back, and with it the resolution.
  document.undoDecision();
  assert.deepEqual(seen(editor)[0], ["old", "open", "Young! / Done. (pending)"]);
  // An edit that deletes commented text is told.
  document.reject("all");
  await edit(t, editor, "call-3", "One leaf.", "");
  const { content } = afterToolCall(context("replace_text", { success: true }, {}, "call-3"));
  assert.deepEqual([content.success, content.lostComments.map(({ id }) => id)], [true, [second]]);
  const added = await tool(tools, "add_comment")({ line: 1, text: "Nice.", quote: "Tea" });
  assert.equal(textAt(editor, editor.storage.comments.threads().find(({ id }) => id === added.id)), "Tea");
  await assert.rejects(async () => tool(tools, "add_comment")({ line: 1, text: "x", quote: "Coffee" }), /was not found in line 1/);
  await assert.rejects(async () => tool(tools, "add_comment")({ line: 9, text: "x" }), /no line 9/);
  await assert.rejects(async () => tool(tools, "reply_to_comment")({ id: "c9", text: "x" }), /no comment c9/);
});

test("a model addresses a comment: edit and reply in one answer, and a comment-only one cannot change text", async (t) => {
  const editor = editorWith(t, p("Tea is old.", "One leaf."));
  const id = comment(editor, "old", "Is it?");
  const requests = await run(t, editor, [call("a", "list_comments", {}), call("b", "replace_text", { old: "old", new: "young" }), call("c", "resolve_comment", { id, text: "It is young." })], withComments({ document: editor }));
  // What people write is data for the model.
  assert.match(JSON.stringify(requests[1].messages), /<data source=.{2}list_comments[^]*Is it\?/);
  assert.match(JSON.stringify(requests[3].messages), /accepts your changes/);
  assert.deepEqual(seen(editor), [["old", "open", "Is it? / It is young. (pending)"]]);
  editor.storage.copydesk.document.accept("all");
  assert.deepEqual(seen(editor), [["young", "resolved", "Is it? / It is young."]]);
  const before = editor.getText();
  const sent = await run(t, editor, [call("a", "replace_text", { old: "Tea", new: "Coffee" }), call("b", "add_comment", { line: 2, text: "Which leaf?", quote: "leaf" })], commentOnly({ document: editor }));
  assert.deepEqual(sent[0].tools.map((one) => one.function.name).sort(), ["add_comment", "list_comments", "read_lines", "reply_to_comment", "resolve_comment"]);
  assert.match(JSON.stringify(sent[1].messages), /unknown_tool/);
  assert.equal(editor.getText(), before);
  assert.equal(editor.storage.copydesk.document.hunks().length, 0);
  assert.deepEqual(seen(editor)[1], ["leaf", "open", "Which leaf?"]);
});

test("comments on text behind pending changes are on the right lines, and proposed text takes none", async (t) => {
  const editor = editorWith(t, p("Tea is old.", "One leaf."));
  const id = comment(editor, "leaf");
  const { document } = editor.storage.copydesk;
  document.apply({ operation: "replace_lines", edits: [{ start_line: 1, end_line: 1, content: "New.\n\nMore.\n\nTea is old.", format: "markdown" }] });
  const tools = commentTools({ document: editor, locale: "en" });
  assert.deepEqual(document.lines().map(({ text }) => text), ["New.", "More.", "Tea is old.", "One leaf."]);
  assert.deepEqual(tool(tools, "list_comments")({}).comments.map((one) => [one.id, one.lines]), [[id, [4, 4]]]);
  await assert.rejects(async () => tool(tools, "add_comment")({ line: 1, text: "x" }), /only proposed/);
  const { id: added } = await tool(tools, "add_comment")({ line: 3, text: "x", quote: "old" });
  assert.equal(textAt(editor, editor.storage.comments.threads().find((thread) => thread.id === added)), "old");
});

test("a comment-only agent has no tool that edits", () => {
  const editor = editorWith(undefined, p("Tea is old."));
  const options = commentOnly({ document: editor, locale: "en" });
  assert.equal(options.builtInTools, false);
  assert.deepEqual(options.tools.map(({ name }) => name), ["read_lines", "list_comments", "add_comment", "reply_to_comment", "resolve_comment"]);
  comment(editor, "old");
  assert.match(tool(options.tools, "read_lines")({}), /1: Tea is old\.\n\nComments on these lines/);
  for (const locale of ["en", "zh-CN"]) for (const one of commentOnly({ document: editor, locale }).tools) assert.ok(one.description && Object.values(one.parameters.properties).every(({ description, type }) => description && type), one.name);
  editor.destroy();
});

test("stored comments are there in another editor, with those whose text was deleted and those that wait for a decision", async (t) => {
  const editor = editorWith(t, p("Tea is old.", "One leaf.", "A cup."));
  const first = comment(editor, "old");
  comment(editor, "leaf");
  editor.view.dispatch(editor.state.tr.delete(placeOf(editor, "leaf").from, placeOf(editor, "leaf").to));
  await edit(t, editor, "a", "old", "young");
  await tool(commentTools({ document: editor }), "resolve_comment")({ id: first, text: "Done." });
  const expected = seen(editor);
  assert.deepEqual(expected, [["old", "open", "Why? / Done. (pending)"], [null, "open", "Why?"]]);
  const { content, stored, pending } = JSON.parse(JSON.stringify({ content: editor.getJSON(), stored: editor.storage.comments.stored, pending: editor.storage.copydesk.pending }));
  const other = editorWith(t, content, { copydesk: { pending }, comments: { stored } });
  await other.storage.copydesk.restored;
  await tick();
  assert.deepEqual(seen(other), expected);
  other.storage.copydesk.document.accept("all");
  assert.deepEqual(seen(other)[0], ["young", "resolved", "Why? / Done."]);
  // What was decided is no longer of any change.
  assert.ok(!JSON.stringify(other.storage.comments.stored).includes('"changes"'));
});

test("damaged, hostile and very large stored comments are ignored or shown as text, and never fail", async (t) => {
  const v = { v: 1, author: { name: "<img src=x onerror=alert(1)>", color: "red;background:url(//x)" }, time: 1, text: "<script>", quote: "<b>" };
  const deep = JSON.parse(`${'{"v":1,"text":'.repeat(500)}1${"}".repeat(500)}`);
  const entries = { c1: v, c2: null, c3: "x", c4: { v: 9 }, c5: { v: 1 }, c6: { ...v, text: "x".repeat(10_000_000) }, c7: { ...v, time: 1e300, author: null }, c8: deep, "c1/c2": { ...v, changes: [1, {}, "y".repeat(1000)] }, "c1/state": { v: 1, isResolved: "yes" }, "c1/x/y": v, __proto__x: v, ["c".repeat(10_000)]: v, "c99/c1": v };
  const ranges = { c1: { from: 1, to: 4 }, c7: { from: -1, to: 1e9 }, c8: { from: 5, to: 2 }, c6: null, constructor: { from: 1, to: 2 } };
  const editor = editorWith(t, p("Tea."), { comments: { stored: { entries, ranges } } });
  const found = [];
  editor.on("commentsIgnored", ({ comments }) => found.push(...comments));
  await tick();
  await tick();
  assert.deepEqual(seen(editor), [["Tea", "open", "<script> / <script>"], [null, "open", "<script>"]]);
  const [{ comments: [{ author }] }] = editor.storage.comments.threads();
  assert.deepEqual(author, { kind: "person", name: "<img src=x onerror=alert(1)>" });
  const reasons = new Map(editor.storage.comments.ignored.map(({ id, reason }) => [id.slice(0, 10), reason]));
  assert.deepEqual(Object.fromEntries(reasons), { c2: "damaged", c3: "damaged", c4: "version", c5: "damaged", c6: "too_large", c8: "damaged", "c1/x/y": "damaged", __proto__x: "damaged", cccccccccc: "damaged" });
  for (const stored of [null, 7, "x", [], { entries: 3 }, { entries: { c1: v }, ranges: [1] }]) editorWith(t, p("Tea."), { comments: { stored } }).storage.comments.threads();
  const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [`c${index}`, { ...v, time: index }]));
  const full = editorWith(t, p("Tea."), { comments: { stored: { entries: many, ranges: {} } } });
  assert.equal(full.storage.comments.threads().length, 2_000);
  assert.equal(full.storage.comments.ignored.length, 500);
});

/** A naive model of a text with comments: a list of characters, each with the comments that are on it. */
class ListModel {
  constructor(blocks) {
    this.items = blocks.flatMap((text, index) => [...(index ? [{ unit: "\n", on: new Set() }] : []), ...[...text].map((unit) => ({ unit, on: new Set() }))]);
  }

  get text() {
    return this.items.map(({ unit }) => unit).join("");
  }

  comment(id, from, to) {
    for (const item of this.items.slice(from, to)) if (item.unit !== "\n") item.on.add(id);
  }

  /** What is inserted between two characters of a comment is on the comment, too. */
  insert(at, text) {
    const around = (id) => this.items.slice(0, at).some(({ on }) => on.has(id)) && this.items.slice(at).some(({ on }) => on.has(id));
    const on = [...new Set(this.items.flatMap((item) => [...item.on]))].filter(around);
    this.items.splice(at, 0, ...[...text].map((unit) => ({ unit, on: new Set(unit === "\n" ? [] : on) })));
  }

  remove(from, to) {
    this.items.splice(from, to - from);
  }

  textOf(id) {
    const found = this.items.filter(({ on, unit }) => on.has(id) && unit !== "\n").map(({ unit }) => unit);
    return found.length ? found.join("") : null;
  }
}

test(`ranges are those of a list of characters, whatever is typed, deleted, split and joined (seed ${SEED})`, () => {
  const runs = countOf("COPYDESK_SCHEDULES", 60, 20);
  let compared = 0;
  for (let run = 0; run < runs; run++) {
    const random = randomFrom(SEED + run);
    const letters = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    const next = (count) => letters.splice(0, count).join("");
    const blocks = Array.from({ length: 4 }, () => next(8));
    const editor = editorWith(undefined, p(...blocks));
    const model = new ListModel(blocks);
    const log = [];
    /** The position of an index of the model. */
    const at = (index) => {
      const before = model.items.slice(0, index);
      return 1 + before.length + before.filter(({ unit }) => unit === "\n").length;
    };
    const ids = [];
    for (let step = 0; step < 40; step++) {
      const size = model.items.length;
      const act = random.pick(["comment", "type", "type", "delete", "split", "join"]);
      if (act === "comment" && size > 3) {
        const from = random.below(size - 2);
        const to = Math.min(size, from + 1 + random.below(5));
        const taken = model.items.slice(from, to);
        if (taken[0].unit === "\n" || taken.at(-1).unit === "\n") continue;
        const id = editor.storage.comments.create({ from: at(from), to: at(to - 1) + 1 }, { text: "x" });
        ids.push(id);
        model.comment(id, from, to);
      } else if (act === "type") {
        const index = random.below(size + 1);
        const text = next(1 + random.below(2));
        editor.view.dispatch(editor.state.tr.insertText(text, at(index)));
        model.insert(index, text);
      } else if (act === "delete" && size) {
        const from = random.below(size);
        const to = Math.min(size, from + 1 + random.below(4));
        if (model.items.slice(from, to).some(({ unit }) => unit === "\n")) continue;
        editor.view.dispatch(editor.state.tr.delete(at(from), at(to - 1) + 1));
        model.remove(from, to);
      } else if (act === "split" && size) {
        const index = random.below(size);
        editor.view.dispatch(editor.state.tr.split(at(index)));
        model.insert(index, "\n");
      } else if (act === "join") {
        const breaks = model.items.flatMap(({ unit }, index) => (unit === "\n" ? [index] : []));
        const index = random.pick(breaks);
        if (index === undefined) continue;
        editor.view.dispatch(editor.state.tr.join(at(index) + 1));
        model.remove(index, index + 1);
      } else continue;
      log.push(act);
      const threads = new Map(editor.storage.comments.threads().map((thread) => [thread.id, thread]));
      for (const id of ids) {
        const { range } = threads.get(id);
        const text = range && editor.state.doc.textBetween(range.from, range.to);
        assert.equal(text, model.textOf(id), `seed ${SEED + run}: ${log.join(" ")}\n${model.text}`);
        compared++;
      }
    }
    editor.destroy();
  }
  assert.ok(compared > 10 * runs);
});
