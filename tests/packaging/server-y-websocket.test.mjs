// copydesk/server: an agent as a participant of a room of y-websocket, at that package's own server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { getSchema } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import StarterKit from "@tiptap/starter-kit";
import { prosemirrorJSONToYXmlFragment, yXmlFragmentToProsemirrorJSON } from "@tiptap/y-tiptap";
import WebSocket from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";
import { Agent, Document, init } from "../../pkg/index.js";
import { joinRoom } from "../../pkg/server.js";
import { answer, call, delta, llmConfigOf, model, random, until } from "./route-server.mjs";
import { freePort } from "./stores.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);

const schema = getSchema([StarterKit, Image]);
const TEA = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p>";
const program = join(dirname(createRequire(import.meta.url).resolve("@y/websocket-server/package.json")), "src/server.js");

const fragmentOf = (shared) => shared.getXmlFragment("default");
const fill = (shared, html) => void prosemirrorJSONToYXmlFragment(schema, Document.fromHTML(html).toJSON(), fragmentOf(shared));
const plain = (shared) => JSON.parse(JSON.stringify(schema.nodeFromJSON(yXmlFragmentToProsemirrorJSON(fragmentOf(shared))).toJSON()));
const textOf = (shared, index) => fragmentOf(shared).get(index).get(0);

/** Starts the server of y-websocket on a port. Returns the function that ends it. */
async function started(port) {
  const env = { ...process.env, HOST: "127.0.0.1", PORT: String(port) };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((ready, failed) => {
    child.stdout.once("data", ready);
    child.once("exit", (code) => failed(new Error(`the server has ended: ${code}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return () => (child.kill(), ended);
}

/** A server, and what connects to it. */
async function yWebsocket(t) {
  const port = await freePort();
  const state = { end: await started(port), port };
  t.after(() => state.end());
  const connect = async (name, document = new Y.Doc()) => {
    const provider = new WebsocketProvider(`ws://127.0.0.1:${port}`, name, document, { WebSocketPolyfill: WebSocket, disableBc: true, maxBackoffTime: 50 });
    // The awareness has a timer, which ends with the document.
    t.after(() => (provider.destroy(), document.destroy()));
    await until(() => provider.synced);
    return provider;
  };
  return Object.assign(state, { connect });
}

/** Resolves when documents are the same. */
const same = (...documents) => until(() => new Set(documents.map((shared) => JSON.stringify(plain(shared)))).size === 1);

test("an agent edits a room of y-websocket while users type in it, and is a participant for them", async (t) => {
  const { connect } = await yWebsocket(t);
  const [user, other] = [await connect("tea"), await connect("tea")];
  fill(user.doc, TEA);
  await until(() => fragmentOf(other.doc).length === 4);
  const room = joinRoom({ document: other.doc, awareness: other.awareness, schema, user: { name: "Robot", color: "#7a5cff" }, locale: "en" });
  const llm = await model(t, [
    (response) => {
      response.write(delta("I write. "));
      // The user types in the line that the agent edits, and in another one.
      textOf(user.doc, 3).insert(0, "Very ");
      textOf(user.doc, 1).insert(0, "My ");
      void until(() => room.document.toHTML().includes("Very Old.")).then(() =>
        response.end(answer({ calls: [call("a", "replace_text", { old: "Old.", new: "Older." }), call("b", "update_section", { operation: "append", title: "Kinds", content: "<p><strong>Green</strong>.</p>" })] })),
      );
    },
    { say: "Done." },
  ]);
  const agent = new Agent({ document: room.document, llmConfig: llmConfigOf(llm) });
  assert.equal((await agent.prompt("Write")).status, "complete");
  const html = "<h1>Tea</h1><p>My A leaf.</p><h2>History</h2><p>Very Older.</p><h2>Kinds</h2><p><strong>Green</strong>.</p>";
  assert.equal(room.document.toHTML(), html);
  await same(user.doc, other.doc);
  assert.deepEqual(plain(user.doc), room.document.toJSON());
  // Somebody who comes later has it, too.
  const late = await connect("tea");
  await same(late.doc, user.doc);
  const names = () => [...user.awareness.getStates().values()].map((state) => state.user?.name);
  await until(() => names().includes("Robot"));
  room.leave();
  await until(() => !names().includes("Robot"));
  assert.throws(() => room.document.toHTML(), { code: "editor_destroyed" });
  agent.dispose();
});

test("suggestions of an agent reach other participants of the room, who decide them", async (t) => {
  const { connect } = await yWebsocket(t);
  const [one, two] = [await connect("tea"), await connect("tea")];
  fill(one.doc, TEA);
  await same(one.doc, two.doc);
  const [robot, editor] = [one, two].map(({ doc }, at) => joinRoom({ document: doc, schema, suggestions: true, user: { name: at ? "Ada" : "Robot", color: "#7a5cff" } }));
  robot.document.apply({ operation: "replace_text", old: "A leaf", new: "A green leaf" });
  robot.document.apply({ operation: "append", title: "Kinds", content: "<p>Green.</p>" });
  await until(() => editor.document.hunks().length === 2);
  assert.deepEqual(editor.document.hunks().map(({ author }) => author.name), ["Robot", "Robot"]);
  const [first, second] = editor.document.hunks();
  editor.document.accept({ hunk: first.id });
  editor.document.reject({ hunk: second.id });
  await until(() => robot.document.hunks().length === 0);
  await same(one.doc, two.doc);
  assert.equal(robot.document.toHTML(), TEA.replace("A leaf", "A green leaf"));
  for (const room of [robot, editor]) room.leave();
});

test("edits that are made while the connection is gone, and while the server is, join the others'", async (t) => {
  const server = await yWebsocket(t);
  const [user, other] = [await server.connect("tea"), await server.connect("tea")];
  fill(user.doc, TEA);
  await same(user.doc, other.doc);
  const room = joinRoom({ document: other.doc, schema });
  other.disconnect();
  room.document.apply({ operation: "replace_text", old: "A leaf", new: "A green leaf" });
  textOf(user.doc, 1).insert(7, " And a cup.");
  other.connect();
  await same(user.doc, other.doc);
  assert.match(room.document.toHTML(), /A green leaf\. And a cup\./);
  // A server that starts again has no document: those of the participants are joined.
  await server.end();
  room.document.apply({ operation: "append", title: "Kinds", content: "<p>Green.</p>" });
  textOf(user.doc, 3).insert(0, "Very ");
  server.end = await started(server.port);
  await same(user.doc, other.doc);
  assert.equal(room.document.toHTML(), "<h1>Tea</h1><p>A green leaf. And a cup.</p><h2>History</h2><p>Very Old.</p><h2>Kinds</h2><p>Green.</p>");
  room.leave();
});

test("random edits of an agent and of users over connections that break converge, and the agent's document is that of the room", async (t) => {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const { connect } = await yWebsocket(t);
  const users = [await connect("tea"), await connect("tea")];
  const own = await connect("tea");
  fill(own.doc, TEA);
  await same(own.doc, ...users.map(({ doc }) => doc));
  const room = joinRoom({ document: own.doc, schema });
  const edits = [
    (at) => ({ operation: "append", title: `T${at}`, content: pick(["<p>One.</p>", "<ul><li><p>Item</p></li></ul>"]) }),
    (at) => ({ operation: "replace_text", old: pick(room.document.lines()).text || "x", new: `word ${at}` }),
    () => ({ operation: "delete", sectionIndex: 1 + Math.floor(next() * room.document.outline().length) }),
  ];
  let made = 0;
  for (let step = 0; step < 150; step += 1) {
    const where = `COPYDESK_SEED=${seed} step ${step}`;
    const chance = next();
    if (chance < 0.1) pick([own, ...users]).disconnect();
    else if (chance < 0.2) for (const provider of [own, ...users]) provider.connect();
    else if (chance < 0.6) {
      const texts = [...fragmentOf(pick(users).doc).createTreeWalker((node) => node instanceof Y.XmlText)];
      const text = texts.length ? pick(texts) : undefined;
      if (text) next() < 0.7 ? text.insert(Math.floor(next() * (text.length + 1)), "u") : text.delete(0, Math.min(2, text.length));
    } else {
      try {
        room.document.apply(pick(edits)(step));
        made += 1;
      } catch (thrown) {
        if (!thrown.code) throw thrown;
      }
    }
    assert.deepEqual(room.document.toJSON(), plain(own.doc), where);
    // What has arrived is handled between the steps.
    if (next() < 0.3) await new Promise(setImmediate);
  }
  for (const provider of [own, ...users]) provider.connect();
  await same(own.doc, ...users.map(({ doc }) => doc));
  assert.deepEqual(room.document.toJSON(), plain(own.doc), `COPYDESK_SEED=${seed}`);
  assert.ok(made > 20, `${made} made`);
  room.leave();
});
