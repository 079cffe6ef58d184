// copydesk/server: an agent as a participant of a shared document, at a real Hocuspocus server.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import { getSchema, Node } from "@tiptap/core";
import Highlight from "@tiptap/extension-highlight";
import Image from "@tiptap/extension-image";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import { prosemirrorJSONToYXmlFragment, yXmlFragmentToProsemirrorJSON } from "@tiptap/y-tiptap";
import WebSocket from "ws";
import * as Y from "yjs";
import { withComments } from "../../pkg/comments.js";
import { Agent, Document, init } from "../../pkg/index.js";
import { createDocAgentRoute, memoryLog } from "../../pkg/route.js";
import { joinRoom } from "../../pkg/server.js";
import { read } from "../browser/docs.mjs";
import { roomServer } from "../browser/room-server.mjs";
import { root } from "../browser/serving.mjs";
import { answer, call, delta, eventsIn, llmConfigOf, model, random, until } from "./route-server.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);

const schema = getSchema([StarterKit, Image, TableKit, Highlight]);
const TEA = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p>";

/** Fills a shared document with HTML. */
function fill(shared, html) {
  prosemirrorJSONToYXmlFragment(schema, Document.fromHTML(html).toJSON(), shared.getXmlFragment("default"));
}

/** A shared document with HTML, and a room on it. */
function roomWith(html, options) {
  const document = new Y.Doc();
  fill(document, html);
  return { shared: document, room: joinRoom({ document, schema, ...options }) };
}

const plain = (shared) => JSON.parse(JSON.stringify(schema.nodeFromJSON(yXmlFragmentToProsemirrorJSON(shared.getXmlFragment("default"))).toJSON()));

/** The text of the n-th top-level block, which a user changes. */
const textOf = (shared, index) => shared.getXmlFragment("default").get(index).get(0);

/** A server on the loopback interface, and what connects to it. */
async function hocuspocus(t, configuration = {}) {
  const server = await roomServer(t, configuration);
  const connect = async (name) => {
    const websocketProvider = new HocuspocusProviderWebsocket({ url: server.url, WebSocketPolyfill: WebSocket });
    const provider = await new Promise((synced) => {
      const created = new HocuspocusProvider({ websocketProvider, name, onSynced: () => synced(created) });
      created.attach();
    });
    t.after(() => (provider.destroy(), websocketProvider.destroy()));
    return provider;
  };
  return { server, connect };
}

test("an agent edits a document of a Hocuspocus server while users type in it", async (t) => {
  const { connect } = await hocuspocus(t);
  const [user, other] = [await connect("tea"), await connect("tea")];
  fill(user.document, TEA);
  await until(() => other.document.getXmlFragment("default").length === 4);
  const { document, awareness } = other;
  const room = joinRoom({ document, awareness, schema, user: { name: "Robot" }, locale: "en" });
  const llm = await model(t, [
    (response) => {
      response.write(delta("I write. "));
      // The user types in the line that the agent edits, and in another one.
      textOf(user.document, 3).insert(0, "Very ");
      textOf(user.document, 1).insert(0, "My ");
      void until(() => room.document.toHTML().includes("Very Old.")).then(() =>
        response.end(answer({ calls: [call("a", "replace_text", { old: "Old.", new: "Older." }), call("b", "update_section", { operation: "append", title: "Kinds", content: "<p><mark>Green</mark>.</p>" })] })),
      );
    },
    { say: "Done." },
  ]);
  const agent = new Agent({ document: room.document, llmConfig: llmConfigOf(llm) });
  assert.equal((await agent.prompt("Write")).status, "complete");
  const html = "<h1>Tea</h1><p>My A leaf.</p><h2>History</h2><p>Very Older.</p><h2>Kinds</h2><p><mark>Green</mark>.</p>";
  assert.equal(room.document.toHTML(), html);
  await until(() => user.document.getXmlFragment("default").length === 6);
  assert.deepEqual(plain(user.document), room.document.toJSON());
  await until(() => [...user.awareness.getStates().values()].some((state) => state.user?.name === "Robot"));
  room.leave();
  await until(() => ![...user.awareness.getStates().values()].some((state) => state.user?.name === "Robot"));
  agent.dispose();
});

test("the example of docs/server.md adds a chapter to a room", async (t) => {
  const { server, connect } = await hocuspocus(t);
  const user = await connect("tea");
  fill(user.document, TEA);
  const [example] = [...read("docs/server.md").matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  // Inside of the project, where the packages are.
  const home = join(root, "tests/browser/.built", `server-${process.pid}`);
  mkdirSync(home, { recursive: true });
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const llm = await model(t, [{ calls: [call("a", "update_section", { operation: "append", title: "Kinds", content: "<p>Green.</p>" })] }, { say: "Done." }]);
  const { url } = server;
  const given = `const llmConfig = ${JSON.stringify(llmConfigOf(llm))};\n`;
  writeFileSync(join(home, "example.mjs"), given + example.replace("ws://127.0.0.1:1234", url));
  await import(join(home, "example.mjs"));
  await until(() => user.document.getXmlFragment("default").length === 6);
  assert.match(user.document.getXmlFragment("default").toString(), /Kinds.*Green/);
});

test("CommonJS programs join rooms", () => {
  const { Document: Common, init: initCommon } = createRequire(import.meta.url)("copydesk");
  const { joinRoom: join } = createRequire(import.meta.url)("copydesk/server");
  assert.notEqual(Common, Document);
  assert.equal(typeof initCommon, "function");
  assert.throws(() => join({ document: {} }), { code: "invalid_parameter" });
});

test("within a Hocuspocus server, the document of a direct connection is a room; the server stores what the agent wrote", async (t) => {
  const stored = [];
  const { server, connect } = await hocuspocus(t, { debounce: 0, onStoreDocument: async ({ document }) => void stored.push(plain(document)) });
  const user = await connect("tea");
  fill(user.document, TEA);
  const connection = await server.hocuspocus.openDirectConnection("tea");
  await until(() => connection.document.getXmlFragment("default").length === 4);
  const room = joinRoom({ document: connection.document, schema });
  room.document.apply({ operation: "replace_text", old: "A leaf", new: "A green leaf" });
  await until(() => textOf(user.document, 1).toString() === "A green leaf.");
  room.leave();
  await connection.disconnect();
  await until(() => JSON.stringify(stored.at(-1) ?? "").includes("A green leaf"));
});

test("an edit changes no more than differs: what users type at the same time in the same paragraph stays", () => {
  const { shared, room } = roomWith(TEA);
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(shared));
  const elements = shared.getXmlFragment("default").toArray();
  // Both are offline.
  textOf(other, 1).insert(7, " And a cup.");
  room.document.apply({ operation: "replace_text", old: "A leaf", new: "A green leaf" });
  room.document.apply({ operation: "append", title: "Kinds", content: "<p>Green.</p>" });
  assert.deepEqual(shared.getXmlFragment("default").toArray().slice(0, 4), elements, "the elements are the same");
  Y.applyUpdate(shared, Y.encodeStateAsUpdate(other));
  Y.applyUpdate(other, Y.encodeStateAsUpdate(shared));
  const html = "<h1>Tea</h1><p>A green leaf. And a cup.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Green.</p>";
  assert.equal(room.document.toHTML(), html);
  assert.deepEqual(plain(other), room.document.toJSON());
});

test("with suggestions, edits of participants on servers wait in the room, and are decided there once", async () => {
  const docs = [new Y.Doc(), new Y.Doc()];
  fill(docs[0], TEA);
  const exchange = async () => {
    for (let round = 0; round < 4; round += 1) {
      for (const one of docs) for (const other of docs) if (one !== other) Y.applyUpdate(other, Y.encodeStateAsUpdate(one, Y.encodeStateVector(other)));
      await new Promise(setImmediate);
    }
  };
  await exchange();
  const rooms = ["Robot", "Other"].map((name, at) => joinRoom({ document: docs[at], schema, suggestions: true, user: { name, color: "#7a5cff" } }));
  const [one, two] = rooms.map(({ document }) => document);
  const both = (read) => assert.deepEqual(read(one), read(two)) ?? read(one);
  const base = () => both(() => undefined) ?? docs.map((shared) => JSON.stringify(plain(shared)));
  one.apply({ operation: "replace_text", old: "A leaf", new: "A green leaf" });
  two.apply({ operation: "append", title: "Kinds", content: "<p>Green.</p>" });
  await exchange();
  const hunks = both((document) => document.hunks().map(({ id, author, newText }) => [id, author.name, newText]));
  assert.deepEqual(hunks.map(([, ...rest]) => rest), [["Robot", "green "], ["Other", "Kinds\nGreen."]]);
  assert.ok(!base()[0].includes("green"), "the document is as it was");
  assert.match(both((document) => document.toHTML()), /A green leaf\..*Kinds/);
  // Both accept at the same time.
  for (const document of [one, two]) document.accept({ hunk: hunks[0][0] });
  two.reject({ hunk: hunks[1][0] });
  await exchange();
  assert.deepEqual(both((document) => document.hunks()), []);
  assert.equal(both((document) => document.toHTML()), TEA.replace("A leaf", "A green leaf"));
  assert.equal(base()[0], base()[1]);
  // Taken back, it is pending for both again.
  one.undoDecision();
  await exchange();
  assert.equal(both((document) => document.hunks().length), 1);
  assert.ok(!base()[1].includes("green"));
  for (const room of rooms) room.leave();
  assert.throws(() => one.hunks(), { code: "editor_destroyed" });
  assert.throws(() => joinRoom({ document: docs[0], schema, suggestions: 1 }), { code: "invalid_parameter" });
});

test("a suggestion whose paragraph a user has deleted is orphaned, also for an agent that has not read since", () => {
  const { shared, room } = roomWith(TEA, { suggestions: true });
  const stored = () => [...shared.getMap("copydesk:suggestions").values()].map(({ content }) => content[0].text);
  room.document.apply({ operation: "replace_text", old: "leaf", new: "green leaf" });
  shared.getXmlFragment("default").delete(1, 1);
  room.document.apply({ operation: "replace_text", old: "Old", new: "Older" });
  assert.deepEqual(stored().sort(), ["Older", "green "]);
  assert.equal(room.document.toHTML(), "<h1>Tea</h1><h2>History</h2><p>Older.</p>");
  room.leave();
});

test("content that the schema does not have makes reads fail, and not the timer that stores places of suggestions", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { shared, room } = roomWith(TEA, { suggestions: true });
  room.document.apply({ operation: "replace_text", old: "leaf", new: "green leaf" });
  await Promise.resolve();
  // A user splits the paragraph: an editor deletes the characters behind and inserts them again.
  const [fragment, behind] = [shared.getXmlFragment("default"), new Y.XmlElement("paragraph")];
  textOf(shared, 1).delete(1, 6);
  behind.insert(0, [new Y.XmlText(" leaf.")]);
  fragment.insert(2, [behind]);
  assert.match(room.document.toHTML(), /green leaf/);
  shared.transact(() => {
    fragment.insert(0, [new Y.XmlElement("note")]);
    shared.getMap("copydesk:places").set("h1", "another peer's");
  });
  await Promise.resolve();
  t.mock.timers.tick(3000);
  assert.throws(() => room.document.toHTML(), { code: "editor_refused" });
  room.leave();
});

test("an agent on a server addresses comments of a room, and its edits keep their ranges", async (t) => {
  const { shared, room } = roomWith(TEA, { comments: true, suggestions: true, user: { name: "Robot" } });
  const other = joinRoom({ document: shared, schema, comments: true, suggestions: true, user: { name: "Ada" } });
  const text = (one) => one.comments.threads().map(({ range, state, comments }) => [range && one.document.toJSON() && schema.nodeFromJSON(yXmlFragmentToProsemirrorJSON(shared.getXmlFragment("default"))).textBetween(range.from, range.to), state, ...comments.map(({ author, text, state }) => `${author.name}: ${text} (${state})`)]);
  const id = other.comments.create({ from: 8, to: 12 }, { text: "Which?" });
  assert.deepEqual(text(room), [["leaf", "open", "Ada: Which? (shown)"]]);
  const options = { document: room.document, comments: room.comments, author: { name: "Robot" } };
  const llm = await model(t, [{ calls: [call("a", "list_comments", {})] }, { calls: [call("b", "replace_text", { old: "leaf", new: "green leaf" }), call("c", "resolve_comment", { id, text: "Green." })] }, { say: "Done." }]);
  const agent = new Agent({ document: room.document, llmConfig: llmConfigOf(llm), ...withComments(options) });
  assert.equal((await agent.prompt("Address the comments")).status, "complete");
  assert.match(JSON.stringify(llm.requests[1].messages), /Which\?/);
  await until(() => other.document.hunks().length === 1);
  assert.deepEqual(text(other), [["leaf", "open", "Ada: Which? (shown)", "Robot: Green. (pending)"]]);
  other.document.accept("all");
  assert.deepEqual(text(room), [["leaf", "resolved", "Ada: Which? (shown)", "Robot: Green. (shown)"]]);
  // Somebody types, in a page of which the server knows no steps.
  textOf(shared, 1).insert(0, "My ");
  assert.deepEqual([text(room)[0][0], text(other)[0][0]], ["leaf", "leaf"]);
  agent.dispose();
  room.leave();
  other.leave();
  assert.throws(() => joinRoom({ document: shared, schema, comments: 1 }), { code: "invalid_parameter" });
});

test("a model is told what others in the room have decided about its suggestions", async (t) => {
  const docs = [new Y.Doc(), new Y.Doc()];
  fill(docs[0], TEA);
  docs.forEach((doc, at) => doc.on("update", (update, origin) => origin !== "wire" && Y.applyUpdate(docs[1 - at], update, "wire")));
  Y.applyUpdate(docs[1], Y.encodeStateAsUpdate(docs[0]), "wire");
  const [room, other] = docs.map((document) => joinRoom({ document, schema, suggestions: true }));
  const llm = await model(t, [
    { calls: [call("a", "replace_text", { old: "Old.", new: "Older." })] },
    async (response) => {
      await until(() => other.document.hunks().length === 1);
      other.document.reject("all");
      response.end(answer({ calls: [call("b", "get_document", {})] }));
    },
    { say: "Done." },
  ]);
  const agent = new Agent({ document: room.document, llmConfig: llmConfigOf(llm) });
  assert.equal((await agent.prompt("Write")).status, "complete");
  assert.match(JSON.stringify(llm.requests[2].messages), /The user decided:.*rejected h\d+/);
  agent.dispose();
  for (const one of [room, other]) one.leave();
});

test("guards hold, and an edit of what a user has changed fails", async (t) => {
  const { shared, room } = roomWith(TEA, { guards: { locked: ["History"] } });
  assert.throws(() => room.document.apply({ operation: "replace", sectionIndex: 1, content: "<p>New.</p>" }), { code: "locked" });
  assert.equal(plain(shared).content.length, 4);
  const llm = await model(t, [
    { calls: [call("r", "read_lines", {})] },
    (response) => {
      textOf(shared, 1).delete(0, 7);
      textOf(shared, 1).insert(0, "Mine.");
      response.end(answer({ calls: [call("e", "edit_current_editor_document", { edits: [{ start_line: 2, end_line: 2, content: "Theirs." }] })] }));
    },
    { say: "Done." },
  ]);
  const agent = new Agent({ document: room.document, llmConfig: llmConfigOf(llm) });
  const results = [];
  agent.subscribe((event) => event.type === "tool_result" && results.push(event));
  await agent.prompt("Edit");
  assert.equal(results[1].isError, true, JSON.stringify(results[1]));
  assert.equal(textOf(shared, 1).toString(), "Mine.");
});

test("content that the schema does not have is not deleted: the room cannot be joined, or read", () => {
  const Note = Node.create({ name: "note", group: "block", content: "inline*" });
  const { shared, room } = roomWith(TEA);
  const note = new Y.XmlElement("note");
  shared.getXmlFragment("default").insert(1, [note]);
  assert.throws(() => room.document.toHTML(), { code: "editor_refused" });
  assert.throws(() => joinRoom({ document: shared, schema }), { code: "editor_refused", message: /note/ });
  assert.equal(shared.getXmlFragment("default").get(1), note);
  const known = joinRoom({ document: shared, schema: getSchema([StarterKit, Note]) });
  known.document.apply({ operation: "replace_text", old: "Old", new: "New" });
  assert.equal(shared.getXmlFragment("default").get(1), note);
  assert.equal(textOf(shared, 4).toString(), "New.");
  // The other room reads again when it can.
  shared.getXmlFragment("default").delete(1);
  assert.match(room.document.toHTML(), /New\./);
});

test("a room that was left, or whose document was destroyed, cannot be read; wrong options are errors", () => {
  for (const end of [({ room }) => room.leave(), ({ shared }) => shared.destroy()]) {
    const joined = roomWith(TEA);
    end(joined);
    joined.room.leave();
    assert.throws(() => joined.room.document.toHTML(), { code: "editor_destroyed" });
  }
  const document = new Y.Doc();
  for (const [name, options] of Object.entries({ document: { document: {}, schema }, schema: { document, schema: {} }, field: { document, schema, field: 1 } }))
    assert.throws(() => joinRoom(options), { code: "invalid_parameter", message: new RegExp(`^${name} `) }, name);
  const empty = joinRoom({ document, schema, field: "article" });
  empty.document.apply({ operation: "append", title: "Tea", content: "<p>A leaf.</p>" });
  assert.match(document.getXmlFragment("article").toString(), /Tea.*A leaf/);
});

test("a route works on the document of a room", async (t) => {
  const { shared, room } = roomWith(TEA);
  const llm = await model(t, [{ calls: [call("a", "replace_text", { old: "Old", new: "Older" })] }, { say: "Done." }]);
  const route = createDocAgentRoute({ document: () => room.document });
  const body = JSON.stringify({ message: "Edit", llmConfig: llmConfigOf(llm) });
  const response = await route.fetch(new Request("http://127.0.0.1/api", { method: "POST", body }));
  assert.equal(eventsIn(await response.text()).at(-1).type, "complete");
  assert.equal(textOf(shared, 3).toString(), "Older.");
});

for (const hasLog of [false, true])
  test(`a run whose room was left ends, ${hasLog ? "with all of its events in the log" : "without a log too"}`, async (t) => {
    const edit = call("e", "update_section", { operation: "append", title: "More", content: "<p>New.</p>" });
    const llm = await model(t, [{ calls: [edit] }, { calls: [call("l", "leave")] }, { say: "Done." }]);
    const { room } = roomWith(TEA);
    const events = [];
    const store = memoryLog();
    const append = async (...given) => {
      const status = await store.append(...given);
      events.push(...given[3].events.map(({ text }) => JSON.parse(text.slice(text.indexOf("{")))));
      return status;
    };
    const leave = { name: "leave", description: "Leaves.", parameters: { type: "object", properties: {} }, execute: () => (room.leave(), "left") };
    const reasons = [];
    const logger = { error: (what, { reason } = {}) => void reasons.push(`${what}: ${reason}`) };
    const route = createDocAgentRoute({ format: "ag-ui", document: () => room.document, tools: [leave], llmConfig: llmConfigOf(llm), logger, ...(hasLog && { log: { ...store, append } }) });
    const input = { threadId: "t", runId: "r", state: {}, messages: [{ id: "u", role: "user", content: "Edit" }], tools: [], context: [], forwardedProps: {} };
    const headers = { "copydesk-run-token": crypto.randomUUID() };
    const response = await route.fetch(new Request("http://127.0.0.1/api", { method: "POST", headers, body: JSON.stringify(input) }));
    assert.match(await response.text(), /"toolCallName":"leave"/);
    await until(async () => (await (await route.fetch(new Request("http://127.0.0.1/api/health"))).json()).runs === 0);
    assert.ok(reasons.length > 0);
    if (!hasLog) return;
    assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => 1 + index));
    assert.ok(["complete", "aborted", "error"].includes(events.at(-1).type));
    assert.ok(events.some(({ type, toolId }) => type === "tool_result" && toolId === "l"));
  });

test("a client of AG-UI reads the end of a run on a room with nodes of the app's own at any instance", async (t) => {
  const Note = Node.create({ name: "note", group: "block", content: "inline*" });
  const shared = new Y.Doc();
  fill(shared, TEA);
  shared.getXmlFragment("default").insert(1, [new Y.XmlElement("note")]);
  const room = joinRoom({ document: shared, schema: getSchema([StarterKit, Note]) });
  const edit = call("e", "update_section", { operation: "append", title: "More", content: "<p>New.</p>" });
  const llm = await model(t, [{ calls: [edit] }, { calls: [call("h", "hold")] }, { say: "Done." }]);
  let goOn;
  const open = new Promise((resolve) => (goOn = resolve));
  let isHeld = false;
  const hold = { name: "hold", description: "Waits.", parameters: { type: "object", properties: {} }, execute: () => ((isHeld = true), open) };
  const log = memoryLog();
  const errors = [];
  const logger = { error: (what, { reason }) => void errors.push(`${what}: ${reason}`) };
  const [owner, other] = [0, 1].map(() => createDocAgentRoute({ format: "ag-ui", log, lease: 600_000, document: () => room.document, tools: [hold], llmConfig: llmConfigOf(llm), logger }));
  const input = { threadId: "t", runId: "r", state: { documentContent: "<p>Old.</p>" }, messages: [{ id: "u", role: "user", content: "Edit" }], tools: [], context: [], forwardedProps: {} };
  const headers = { "copydesk-run-token": crypto.randomUUID() };
  const post = (route) => route.fetch(new Request("http://127.0.0.1/api", { method: "POST", headers, body: JSON.stringify(input) }));
  const owned = await post(owner);
  await until(() => isHeld);
  const followed = await post(other);
  goOn();
  const texts = await Promise.all([owned, followed].map((response) => response.text()));
  const snapshots = texts.map((text) => text.split("\n").filter((line) => line.includes("STATE_SNAPSHOT")).map((line) => JSON.parse(line.slice("data: ".length)).snapshot).at(-1));
  assert.deepEqual(errors, []);
  for (const text of texts) assert.match(text, /"RUN_FINISHED".*\n\n: end\n\n$/);
  assert.match(snapshots[0].documentContent, /<div data-type="note"><\/div>.*New\./);
  assert.deepEqual(snapshots[1], {});
});

test("a room that cannot be joined leaves no observer behind", () => {
  const shared = new Y.Doc();
  fill(shared, TEA);
  const fragment = shared.getXmlFragment("default");
  const observers = [];
  fragment.observeDeep = (observer) => void observers.push(observer);
  fragment.unobserveDeep = (observer) => void observers.splice(observers.indexOf(observer), 1);
  const unable = { setLocalStateField: () => { throw new Error("no connection"); }, setLocalState() {} };
  assert.throws(() => joinRoom({ document: shared, schema, awareness: unable }), /no connection/);
  assert.deepEqual(observers, []);
});

test("random edits of two agents and of a user converge, and each agent's document is that of the room", () => {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const docs = Array.from({ length: 3 }, () => new Y.Doc());
  fill(docs[0], TEA);
  const exchange = () => {
    for (const one of docs) for (const other of docs) if (one !== other) Y.applyUpdate(other, Y.encodeStateAsUpdate(one, Y.encodeStateVector(other)));
  };
  exchange();
  const rooms = docs.slice(0, 2).map((document) => joinRoom({ document, schema }));
  let [made, refused] = [0, 0];
  const edits = [
    (document) => ({ operation: "append", title: `T${made}`, content: pick(["<p>One.</p>", "<ul><li><p>Item</p></li></ul>", "<blockquote><p>Said.</p></blockquote>"]) }),
    (document) => ({ operation: "replace", sectionIndex: Math.floor(next() * document.outline().length), content: `<p>New ${made}.</p><p><strong>More</strong>.</p>` }),
    (document) => ({ operation: "replace_text", old: pick(document.lines()).text || "x", new: `word ${made}` }),
    (document) => ({ operation: "move_section", sectionIndex: document.outline().length - 1, toIndex: 1 }),
    (document) => ({ operation: "delete", sectionIndex: 1 + Math.floor(next() * document.outline().length) }),
  ];
  for (let step = 0; step < 300; step += 1) {
    const where = `COPYDESK_SEED=${seed} step ${step}`;
    if (next() < 0.3) {
      const texts = [...docs[2].getXmlFragment("default").createTreeWalker((node) => node instanceof Y.XmlText)];
      const text = texts.length ? pick(texts) : undefined;
      if (text) next() < 0.7 ? text.insert(Math.floor(next() * (text.length + 1)), "u") : text.delete(0, Math.min(2, text.length));
    } else {
      const { document } = pick(rooms);
      try {
        document.apply(pick(edits)(document));
        made += 1;
      } catch (thrown) {
        if (!thrown.code) throw thrown;
        refused += 1;
      }
    }
    for (const [at, { document }] of rooms.entries()) assert.deepEqual(document.toJSON(), plain(docs[at]), where);
    if (next() < 0.3) exchange();
  }
  exchange();
  exchange();
  const ends = docs.map(plain);
  assert.deepEqual(ends[0], ends[1], `COPYDESK_SEED=${seed}`);
  assert.deepEqual(ends[0], ends[2], `COPYDESK_SEED=${seed}`);
  assert.ok(made > 50, `${made} made, ${refused} refused`);
});
