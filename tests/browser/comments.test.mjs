// copydesk/comments: comments as part of a shared document, and in the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf } from "./budget.mjs";
import { opener } from "./harness.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SCHEDULES = countOf("COPYDESK_SCHEDULES", 60, 20);

const open = opener("suggestions");

/** Runs code with a room of two in the page. */
async function inRoom(t, code, options) {
  const page = await open(t, options);
  return page.evaluate(`(async () => {
    const room = new Room();
    const [ada, bo] = [room.join("Ada", { comments: true }), room.join("Bo", { comments: true })];
    ada.editor.commands.setContent("<p>Tea is very old.</p><p>One leaf.</p><p>A cup.</p>");
    await room.settle();
    const at = (peer, text) => { let found; peer.editor.state.doc.descendants((node, position) => { const index = node.isText ? node.text.indexOf(text) : -1; if (index >= 0) found ??= position + index; }); return { from: found, to: found + text.length }; };
    const on = (peer, text, words = "Why?") => peer.comments.create(at(peer, text), { text: words });
    const texts = () => { const both = [ada, bo].map((peer) => JSON.stringify(peer.commented())); if (both[0] !== both[1]) throw new Error("they differ: " + both.join(" ")); return JSON.parse(both[0]); };
    try { ${code} } finally { room.close(); }
  })()`);
}

test("a comment of one is there for all, with replies, highlights and resolutions, and in a page that comes later", async (t) => {
  const seen = await inRoom(
    t,
    `
    let heard = 0;
    bo.comments.subscribe(() => heard++);
    const id = on(ada, "old");
    await room.settle();
    const marked = () => [...bo.editor.view.dom.querySelectorAll(".copydesk-comment")].map(({ textContent, dataset }) => [textContent, dataset.copydeskComment === id]);
    const first = marked();
    bo.comments.reply(id, { text: "Because." });
    ada.comments.reply(id, { text: "I see." });
    await room.settle();
    const later = room.join("Cy", { comments: true });
    await room.settle();
    const threads = [ada, bo, later].map((peer) => peer.comments.threads().map(({ range, ...thread }) => ({ ...thread, comments: thread.comments.map(({ author, text }) => author.name + ": " + text).toSorted(), text: peer.commented()[0] })));
    bo.editor.commands.selectComment(id);
    const current = [bo.comments.current === id, !!bo.editor.view.dom.querySelector(".copydesk-current-comment")];
    bo.comments.resolve(id);
    await room.settle();
    return { first, threads, current, heard, resolved: ada.comments.threads().map(({ state, resolvedBy }) => [state, resolvedBy.name]), after: marked() };
  `,
  );
  assert.deepEqual(seen.first, [["old", true]]);
  assert.deepEqual(seen.threads[1], seen.threads[0]);
  assert.deepEqual(seen.threads[2], seen.threads[0]);
  assert.deepEqual(seen.threads[0][0].comments, ["Ada: I see.", "Ada: Why?", "Bo: Because."]);
  assert.equal(seen.threads[0][0].text, "old");
  assert.deepEqual(seen.current, [true, true]);
  assert.ok(seen.heard > 2);
  assert.deepEqual(seen.resolved, [["resolved", "Bo"]]);
  assert.deepEqual(seen.after, []);
});

test("a range follows splits and joins by whomever, also by a page without copydesk", async (t) => {
  const seen = await inRoom(
    t,
    `
    const plain = room.join("Cy", { plain: true });
    await room.settle();
    on(ada, "old");
    await room.settle();
    const seen = [];
    for (const peer of [ada, bo, plain]) {
      peer.editor.commands.setTextSelection(5);
      peer.editor.commands.splitBlock();
      await room.settle();
      seen.push(...texts());
      // The pages with copydesk store the place of a change that it has not made, after a while.
      if (peer === plain) await new Promise((done) => setTimeout(done, 2700));
      await room.settle();
      const later = room.join("Dee", { comments: true });
      await room.settle();
      seen.push(...later.commented());
      later.editor.destroy();
      room.peers.pop();
      peer.editor.commands.setTextSelection(7);
      peer.editor.commands.joinBackward();
      await room.settle();
      seen.push(...texts());
    }
    return seen;
  `,
  );
  assert.deepEqual(seen, Array(9).fill("old"));
});

test("a thread whose text was deleted is listed, and is in the text again after an undo, here and there", async (t) => {
  const seen = await inRoom(
    t,
    `
    on(ada, "leaf");
    on(ada, "cup");
    await room.settle();
    const seen = [texts()];
    const { from } = at(bo, "One");
    bo.editor.commands.deleteRange({ from: from - 1, to: from + 10 });
    await room.settle();
    seen.push(texts(), ada.comments.threads()[1].quote);
    bo.undo();
    await room.settle();
    seen.push(texts());
    const later = room.join("Dee", { comments: true });
    await room.settle();
    seen.push(later.commented());
    bo.editor.commands.redo();
    await room.settle();
    seen.push(texts());
    return seen;
  `,
  );
  assert.deepEqual(seen, [["leaf", "cup"], ["cup", null], "leaf", ["leaf", "cup"], ["leaf", "cup"], ["cup", null]]);
});

test("a reply with a suggestion is accepted and rejected with it, wherever it is decided, and undone with it", async (t) => {
  const seen = await inRoom(
    t,
    `
    const id = on(bo, "very old", "Is it?");
    await room.settle();
    const turns = [[["list_comments", {}]], [["replace_text", { old: "very old", new: "young" }], ["resolve_comment", { id, text: "No." }]], []];
    const agent = new Agent({ document: ada.editor, llmConfig: CONFIG, fetch: async () => answer(turns.shift()), ...comments.withComments({ document: ada.editor }) });
    await agent.prompt("Address the comments");
    await room.settle();
    const states = () => { const both = [ada, bo].map((peer) => { const [thread] = peer.comments.threads(); return JSON.stringify([thread.state, thread.isResolving, ...thread.comments.map(({ author, text, state }) => [author.name, text, state].join(" "))]); }); if (both[0] !== both[1]) throw new Error(both.join(" ")); return both[0]; };
    const seen = [states()];
    bo.document.reject("all");
    await room.settle();
    seen.push(states());
    bo.undo();
    await room.settle();
    seen.push(states());
    bo.document.accept("all");
    await room.settle();
    seen.push(states(), ...texts());
    return seen;
  `,
  );
  const pending = JSON.stringify(["open", true, "Bo Is it? shown", "Assistant of Ada No. pending"]);
  assert.deepEqual(seen, [pending, JSON.stringify(["open", false, "Bo Is it? shown", "Assistant of Ada No. withdrawn"]), pending, JSON.stringify(["resolved", false, "Bo Is it? shown", "Assistant of Ada No. shown"]), "young"]);
});

test("damaged and hostile comments of peers are ignored with a notice or shown as text", async (t) => {
  const seen = await inRoom(
    t,
    `
    const id = on(ada, "old");
    await room.settle();
    const found = [];
    bo.editor.on("commentsIgnored", ({ comments }) => found.push(...comments.map(({ id, reason }) => id.slice(0, 8) + " " + reason)));
    const [entries, places] = ["comments", "comment-places"].map((part) => ada.doc.getMap("copydesk:" + part));
    const good = { ...entries.get(id), author: { name: "<img src=x onerror='window.hacked=1'>" }, text: "<script>window.hacked=1</script>" };
    const anchor = (clock) => ({ type: { client: 1, clock }, assoc: 0 });
    ada.doc.transact(() => {
      entries.set("c1", good);
      entries.set("c2", new Y.Map());
      entries.set("c3", { ...good, text: "x".repeat(10_000_000) });
      entries.set("c4", { ...good, v: 7 });
      entries.set(id + "/c5", good);
      entries.set("x/y/z", 1);
      for (const [name, place] of [["c1", { from: anchor(0), to: anchor(1e9) }], [id, { from: { tname: "other" }, to: null }], ["c9", "x".repeat(100_000)], ["c4", new Y.Array()]]) places.set(name, place);
    });
    await room.settle();
    await new Promise((done) => setTimeout(done, 50));
    const later = room.join("Cy", { comments: true });
    await room.settle();
    bo.editor.commands.insertContentAt(1, "My ");
    await room.settle();
    return { found: found.toSorted(), notice: document.querySelector(".copydesk-notice")?.textContent ?? "", names: later.comments.threads().map(({ comments }) => comments.map(({ author, text }) => author.name + text).join()), texts: [bo.commented(), later.commented()], hacked: window.hacked, types: [...bo.doc.share.keys()].filter((name) => name === "other") };
  `,
    { locale: "en-US" },
  );
  assert.deepEqual(seen.found, ["c2 damaged", "c3 too_large", "c4 version", "x/y/z damaged"]);
  assert.equal(seen.hacked, undefined);
  assert.deepEqual(seen.types, []);
  assert.match(seen.names.join(), /<img src=x/);
  // Who was there knows the range, and stores it again with the next change around it.
  assert.deepEqual(seen.texts, [["old", null], ["old", null]]);
});

test(`random schedules of comments: all see the same, and each is on the letters that it was made for (seed ${SEED})`, async (t) => {
  const page = await open(t);
  let total = 0;
  for (let first = 0; first < SCHEDULES; first += 20) {
    const { wrong, sums } = await page.evaluate(([seed, count]) => commentSchedules(seed, count), [SEED + first, Math.min(20, SCHEDULES - first)]);
    assert.equal(wrong, null, JSON.stringify(wrong, null, 1));
    total += sums.threads;
  }
  assert.ok(total > SCHEDULES, "there were too few comments");
});
