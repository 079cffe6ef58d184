// The tools for comments on the threads of BlockNote and of TipTap's comments, with their real stores.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CommentMark, DefaultThreadStoreAuth, YjsThreadStore } from "@blocknote/core/comments";
import { Editor, Mark } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { TiptapCollabProvider, TiptapCollabProviderWebsocket } from "tiptap-collab-provider";
import WebSocket from "ws";
import * as Y from "yjs";
import { blockNoteComments, commentOnly, tiptapComments, withComments } from "../../pkg/comments.js";
import { init } from "../../pkg/index.js";
import { Copydesk } from "../../pkg/tiptap.js";
import { placeOf, run } from "./comments-agent.mjs";
import { call, until } from "./route-server.mjs";

await init();

/** The mark of TipTap's comments, as its documentation has it: the extension is not public. */
const InlineThread = Mark.create({
  name: "inlineThread",
  inclusive: false,
  excludes: "",
  addAttributes: () => ({ "data-thread-id": { default: null } }),
  parseHTML: () => [{ tag: "span[data-thread-id]" }],
  renderHTML: ({ HTMLAttributes }) => ["span", HTMLAttributes, 0],
});

const p = (...texts) => ({ type: "doc", content: texts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })) });

function editorWith(t, mark) {
  const editor = new Editor({ element: null, extensions: [StarterKit.configure({ trailingNode: false }), mark, Copydesk.configure({ mode: "review", locale: "en", preview: false })], content: p("Tea is old.", "One leaf.") });
  t.after(() => editor.destroy());
  return editor;
}

const seen = (editor, comments) =>
  comments.threads().map(({ state, range, quote, comments: all }) => [range && editor.state.doc.textBetween(range.from, range.to), quote, state, ...all.map(({ author, text, state }) => `${author.kind} ${author.name}: ${text}${state === "shown" ? "" : ` (${state})`}`)]);

/** The stores: each has a thread of a person about “old”, and its threads as their own library shows them. */
const STORES = {
  async BlockNote(t) {
    const map = new Y.Doc().getMap("threads");
    const storeOf = (user) => new YjsThreadStore(user, map, new DefaultThreadStoreAuth(user, "comment"));
    const threads = storeOf("bo");
    const editor = editorWith(t, CommentMark);
    const comments = blockNoteComments({ editor, threads: storeOf("ada"), agentThreads: storeOf("robot"), nameOf: (id) => ({ ada: "Ada", bo: "Bo" })[id] });
    const body = [{ type: "paragraph", content: [{ type: "text", text: "How ", styles: {} }, { type: "link", href: "x", content: [{ type: "text", text: "old", styles: {} }] }] }, { type: "paragraph", content: "exactly?" }];
    const { id } = await threads.createThread({ initialComment: { body } });
    editor.view.dispatch(editor.state.tr.addMark(8, 11, editor.schema.marks.comment.create({ threadId: id })));
    const own = () => [...threads.getThreads().values()].map(({ resolved, comments }) => [resolved, ...comments.map(({ userId, body }) => [userId, body.length])]);
    return { editor, comments, own, id, text: "How old\nexactly?", opened: [false, ["bo", 2]], replied: ["robot", 1] };
  },
  async TipTap(t) {
    // Of a version that the server of the other tests does not know: the documents exchange their updates here.
    const documents = [new Y.Doc(), new Y.Doc()];
    documents.forEach((one, at) => one.on("update", (update) => Y.applyUpdate(documents[1 - at], update)));
    const [other, provider] = documents.map((document) => {
      const websocketProvider = new TiptapCollabProviderWebsocket({ baseUrl: "ws://127.0.0.1:1", autoConnect: false, connect: false, WebSocketPolyfill: WebSocket });
      const made = new TiptapCollabProvider({ websocketProvider, name: "tea", document, connect: false });
      t.after(() => (made.destroy(), websocketProvider.destroy()));
      return made;
    });
    const editor = editorWith(t, InlineThread);
    const comments = tiptapComments({ editor, provider, user: { id: "ada", name: "Ada" } });
    const { id } = other.createThread({});
    other.addComment(id, { content: "How old?", data: { userName: "Bo" } });
    editor.view.dispatch(editor.state.tr.addMark(8, 11, editor.schema.marks.inlineThread.create({ "data-thread-id": id })));
    const own = () => other.getThreads().map(({ resolvedAt, comments }) => [!!resolvedAt, ...comments.map(({ data, content }) => [data.userName, content.split("\n").length])]);
    return { editor, comments, own, id, text: "How old?", opened: [false, ["Bo", 1]], replied: ["Assistant", 1] };
  },
};

for (const [name, make] of Object.entries(STORES)) {
  test(`${name}: threads are read, created at marks, replied to, resolved and opened again`, async (t) => {
    const { editor, comments, own, id, text, opened } = await make(t);
    let heard = 0;
    const end = comments.subscribe(() => heard++);
    assert.deepEqual(seen(editor, comments), [["old", "old", "open", `person Bo: ${text}`]]);
    assert.equal(comments.threads(), comments.threads());
    const creating = comments.create(placeOf(editor, "leaf"), { text: "Which\none?" });
    // The range follows the document while the store answers.
    editor.view.dispatch(editor.state.tr.insertText("My ", 1));
    const made = await creating;
    assert.deepEqual(seen(editor, comments)[1], ["leaf", "leaf", "open", "person Ada: Which\none?"]);
    await comments.reply(made, { text: "Green", author: { kind: "agent", name: "Robot" } });
    await comments.resolve(id);
    assert.deepEqual(seen(editor, comments), [
      ["old", "old", "resolved", `person Bo: ${text}`],
      ["leaf", "leaf", "open", "person Ada: Which\none?", "agent Robot: Green"],
    ]);
    await comments.reopen(id);
    assert.equal(comments.threads()[0].state, "open");
    assert.ok(heard > 3);
    end();
    editor.commands.deleteRange(placeOf(editor, "old"));
    assert.deepEqual(seen(editor, comments).at(-1).slice(0, 1), [null]);
    assert.deepEqual(own()[0], opened);
    const before = heard;
    await comments.reply(made, { text: "x" });
    assert.equal(heard, before);
    for (const act of [() => comments.reply("none", { text: "x" }), () => comments.reply(made, { text: " " }), () => comments.create({ from: 3, to: 3 }, { text: "x" })]) await assert.rejects(act, { code: "invalid_parameter" });
  });

  test(`${name}: an agent reads and writes comments, and a reply waits with the edit that it belongs to`, async (t) => {
    const { editor, comments, own, id, text, opened, replied } = await make(t);
    const calls = [call("a", "read_lines", {}), call("b", "replace_text", { old: "old", new: "young" }), call("c", "resolve_comment", { id, text: "Done" }), call("d", "add_comment", { line: 2, text: "Why one?", quote: "One" })];
    const requests = await run(t, editor, calls, withComments({ document: editor, comments }));
    assert.match(JSON.stringify(requests[1]), new RegExp(JSON.stringify(JSON.stringify(text)).slice(3, -3).replaceAll("\\", "\\\\").replace("?", "\\?")));
    const waiting = ["old", "old", "open", `person Bo: ${text}`, "agent Assistant: Done (pending)"];
    assert.deepEqual(seen(editor, comments), [waiting, ["One", "One", "open", "agent Assistant: Why one?"]]);
    assert.equal(comments.threads()[0].isResolving, true);
    assert.deepEqual(own()[0], opened);
    editor.storage.copydesk.document.accept("all");
    await until(() => comments.threads().find((thread) => thread.id === id).state === "resolved");
    assert.deepEqual(own()[0], [true, opened[1], replied]);
    // Rejected: nothing is written.
    await comments.reopen(id);
    await run(t, editor, [call("e", "replace_text", { old: "leaf", new: "cup" }), call("f", "reply_to_comment", { id, text: "Or so" })], withComments({ document: editor, comments }));
    editor.storage.copydesk.document.reject("all");
    await until(() => comments.threads().find((thread) => thread.id === id).comments.length === 2);
    assert.equal(own()[0].length, 3);
    // A reviewer cannot change the text.
    const html = editor.getText();
    await run(t, editor, [call("g", "add_comment", { line: 2, text: "Short", quote: "leaf" })], commentOnly({ document: editor, comments }));
    assert.equal(editor.getText(), html);
    assert.ok(seen(editor, comments).some(([on]) => on === "leaf"));
  });
}

test("data that others have stored is read as text", async (t) => {
  const map = new Y.Doc().getMap("threads");
  const threads = new YjsThreadStore("ada", map, new DefaultThreadStoreAuth("ada", "comment"));
  const editor = editorWith(t, CommentMark);
  const comments = blockNoteComments({ editor, threads });
  const deep = (levels) => (levels ? { type: "paragraph", children: [deep(levels - 1)] } : "x");
  const bodies = [null, 5, "plain", [{ type: "image" }], [deep(500)], "x".repeat(30_000), [{ type: "paragraph", content: "one", children: [{ type: "paragraph", content: "two" }] }]];
  for (const body of bodies) await threads.createThread({ initialComment: { body, metadata: { copydesk: { kind: "agent", name: 5, color: "url(x)" } } }, metadata: 5 });
  const read = comments.threads().map(({ quote, comments: [{ text, author }] }) => [quote, text, author]);
  const author = { kind: "agent", name: "" };
  assert.deepEqual(read.map(([, text]) => text).sort(), ["", "", "", "", "one\ntwo", "plain", "x".repeat(20_000)]);
  for (const one of read) assert.deepEqual([one[0], one[2]], ["", author]);
  assert.throws(() => blockNoteComments({ editor, threads: {} }), { code: "invalid_parameter" });
  assert.throws(() => blockNoteComments({ editor, threads, mark: { name: "none", attribute: "id" } }), { code: "invalid_parameter" });
  assert.throws(() => tiptapComments({ editor, provider: threads, user: {} }), { code: "invalid_parameter" });
});
