// copydesk/suggestions: pending changes as part of a shared document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf, long } from "./budget.mjs";
import { opener } from "./harness.mjs";
import { roomServer } from "./room-server.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SCHEDULES = countOf("COPYDESK_SCHEDULES", 60, 20);

const open = opener("suggestions");

/** A room with two participants and a text. */
const PAIR = `
  const room = new Room();
  const [ada, bo] = [room.join("Ada"), room.join("Bo")];
  ada.editor.commands.setContent("<p>Tea is old.</p><p>One leaf.</p><p>A cup.</p>");
  await room.settle();
  const ids = (peer) => peer.hunks().map(({ id }) => id);
  const same = () => { const [one, ...others] = room.peers.map((peer) => peer.seen()); for (const other of others) if (other !== one) throw new Error("they differ:\\n" + one + "\\n" + other); };
`;

/** Runs code with a room of two in the page. */
async function inRoom(t, code, options) {
  const page = await open(t, options);
  return page.evaluate(`(async () => { ${PAIR}; try { ${code} } finally { room.close(); } })()`);
}

test("suggestions of one page are those of all, with ids and authors, and a decision of one decides for all", async (t) => {
  const seen = await inRoom(
    t,
    `
    ada.replace("leaf", "green leaf");
    ada.replace("old", "young");
    await room.settle();
    same();
    const both = ids(bo);
    const author = bo.hunks()[0].author;
    const list = bo.editor.storage.suggestions.list.map(({ state, author, content }) => [state, author.name, content[0].text]);
    bo.document.accept({ hunk: bo.hunks()[0].id });
    await room.settle();
    same();
    const accepted = [ada.html(), ids(ada)];
    ada.document.reject("all");
    await room.settle();
    same();
    return { both, author, list, accepted, rejected: [bo.html(), ids(bo)] };
  `,
  );
  assert.equal(seen.both.length, 2);
  assert.deepEqual(seen.author, { kind: "person", name: "Ada", id: "ada", color: "#2b5bd7" });
  assert.deepEqual(seen.list, [
    ["pending", "Ada", "green "],
    ["pending", "Ada", "young"],
  ]);
  assert.deepEqual(seen.accepted, ["<p>Tea is young.</p><p>One leaf.</p><p>A cup.</p>", [seen.both[1]]]);
  assert.deepEqual(seen.rejected, ["<p>Tea is young.</p><p>One leaf.</p><p>A cup.</p>", []]);
});

test("one undo takes back one decision of this participant, everywhere, and redo makes it again", async (t) => {
  const steps = await inRoom(
    t,
    `
    const steps = [];
    const note = async () => { await room.settle(); same(); steps.push([bo.html().replaceAll(/<\\/?p>/g, "|"), bo.hunks().length]); };
    ada.replace("leaf", "green leaf");
    ada.replace("old", "young");
    await note();
    ada.document.accept({ hunk: ids(ada)[0] });
    await note();
    ada.document.reject({ hunk: ids(ada)[0] });
    await note();
    // The other one types: that is no step of this participant.
    bo.editor.commands.insertContentAt(1, "My ");
    await note();
    ada.undo();
    await note();
    ada.undo();
    await note();
    ada.editor.commands.redo();
    await note();
    ada.editor.commands.redo();
    await note();
    bo.undo();
    await note();
    return steps;
  `,
  );
  assert.deepEqual(steps, [
    ["|Tea is old.||One leaf.||A cup.|", 2],
    ["|Tea is young.||One leaf.||A cup.|", 1],
    ["|Tea is young.||One leaf.||A cup.|", 0],
    ["|My Tea is young.||One leaf.||A cup.|", 0],
    ["|My Tea is young.||One leaf.||A cup.|", 1],
    ["|My Tea is old.||One leaf.||A cup.|", 2],
    ["|My Tea is young.||One leaf.||A cup.|", 1],
    ["|My Tea is young.||One leaf.||A cup.|", 0],
    ["|Tea is young.||One leaf.||A cup.|", 0],
  ]);
});

test("decisions at the same time converge: two acceptances are one, and an acceptance wins over a rejection", async (t) => {
  const page = await open(t);
  const results = await page.evaluate(async () => {
    const results = {};
    const act = { accept: (peer, id) => peer.document.accept({ hunk: id }), reject: (peer, id) => peer.document.reject({ hunk: id }), both: (peer, id) => peer.document.resolveHunk(id, "both") };
    const edits = {
      insertion: { operation: "replace_text", old: "leaf", new: "green leaf" },
      edit: { operation: "replace_text", old: "old", new: "young" },
      deletion: { operation: "replace_text", old: " is old", new: "" },
      block: { operation: "append", title: "Kinds", content: "<ul><li>Green</li><li>Black</li></ul>" },
    };
    for (const [kind, edit] of Object.entries(edits)) {
      for (const [first, second] of [["accept", "accept"], ["accept", "reject"], ["reject", "accept"], ["reject", "reject"]]) {
        for (const order of [0, 1]) {
          const room = new Room();
          const peers = [room.join("Ada"), room.join("Bo")];
          const [ada, bo] = order ? peers.toReversed() : peers;
          peers[0].editor.commands.setContent("<p>Tea is old.</p><p>One leaf.</p>");
          await room.settle();
          ada.edit(edit);
          await room.settle();
          const all = ada.hunks().map(({ id }) => id);
          for (const id of all) act[first](ada, id);
          for (const id of all) act[second](bo, id);
          await room.settle();
          const seen = new Set(peers.map((peer) => peer.seen()));
          const name = `${kind} ${first} ${second}`;
          (results[name] ??= []).push(seen.size > 1 ? [...seen].join(" / ") : [ada.html(), ada.hunks().length].join(" "));
          // Who has won can take it back; then it is pending for all.
          if (first === "accept" && second === "accept") {
            const [winner, loser] = peers;
            loser.undo();
            await room.settle();
            const after = loser.html();
            winner.undo();
            await room.settle();
            (results[`${kind} undone`] ??= []).push([after === ada.html(), new Set(peers.map((peer) => peer.seen())).size, ada.html(), ada.hunks().length].join(" "));
          }
          room.close();
        }
      }
    }
    return results;
  });
  const old = "<p>Tea is old.</p><p>One leaf.</p>";
  const made = {
    insertion: "<p>Tea is old.</p><p>One green leaf.</p>",
    edit: "<p>Tea is young.</p><p>One leaf.</p>",
    deletion: "<p>Tea.</p><p>One leaf.</p>",
    block: `${old}<h2>Kinds</h2><ul><li><p>Green</p></li><li><p>Black</p></li></ul>`,
  };
  for (const [kind, html] of Object.entries(made)) {
    for (const both of ["accept accept", "accept reject", "reject accept"]) assert.deepEqual(results[`${kind} ${both}`], [`${html} 0`, `${html} 0`], `${kind} ${both}`);
    assert.deepEqual(results[`${kind} reject reject`], [`${old} 0`, `${old} 0`], kind);
    assert.deepEqual(results[`${kind} undone`].map((result) => result.replace(/^\w+ /, "")), [`1 ${old} 1`, `1 ${old} 1`], `${kind} undone`);
  }
});

test("a suggestion that waits for another one is where its text is for all, when an acceptance is undone", async (t) => {
  const seen = await inRoom(
    t,
    `
    bo.replace("leaf", "herb");
    ada.replace("leaf", "bush");
    ada.document.accept("all");
    await room.settle();
    ada.undo();
    await room.settle();
    same();
    const states = room.peers.map(({ editor }) => editor.storage.suggestions.list.map(({ state, content: [{ text }] }) => text + " is " + state).join());
    bo.document.reject("all");
    await room.settle();
    same();
    return [bo.html(), new Set(states).size, bo.hunks().map(({ originalText, newText, conflict }) => [originalText, newText, conflict])];
  `,
  );
  const [html, states, [[original, text, conflict], ...others]] = seen;
  assert.deepEqual([html, states, original, conflict, others], ["<p>Tea is old.</p><p>One leaf.</p><p>A cup.</p>", 1, "leaf", false, []]);
  assert.match(text, /^(herb|bush)$/);
});

test("a suggestion whose text another participant changes is a conflict for all, wherever it is decided", async (t) => {
  const seen = await inRoom(
    t,
    `
    ada.replace("old", "young");
    await room.settle();
    bo.editor.commands.insertContentAt(9, "xx");
    await room.settle();
    same();
    const conflict = ada.hunks().map(({ conflict, originalText, newText }) => [conflict, originalText, newText]);
    bo.document.resolveHunk(bo.hunks()[0].id, "theirs");
    await room.settle();
    same();
    return { conflict, html: ada.html(), left: ada.hunks().length };
  `,
  );
  assert.deepEqual(seen, { conflict: [[true, "oxxld", "young"]], html: "<p>Tea is young.</p><p>One leaf.</p><p>A cup.</p>", left: 0 });
});

test("suggestions stay where they are when paragraphs are split and joined before them, by whomever", async (t) => {
  const seen = await inRoom(
    t,
    `
    const plain = room.join("Cy", { plain: true });
    const seen = [];
    for (const peer of [ada, bo, plain]) {
      ada.editor.commands.setContent("<p>Tea is very old.</p><p>One leaf.</p>");
      await room.settle();
      ada.document.reject("all");
      ada.replace("old", "young");
      await room.settle();
      peer.editor.commands.setTextSelection(5);
      peer.editor.commands.splitBlock();
      await room.settle();
      same();
      seen.push([peer.name, peer.html(), ada.proposed(), ada.hunks().map(({ conflict }) => conflict).join()]);
      peer.editor.commands.setTextSelection(7);
      peer.editor.commands.joinBackward();
      await room.settle();
      same();
      seen.push([peer.name, peer.html(), bo.proposed(), bo.hunks().map(({ conflict }) => conflict).join()]);
      // A reload finds them where they were.
      const dee = room.join("Dee");
      await room.settle();
      same();
      seen.push(dee.hunks().length);
      dee.editor.destroy();
      room.peers.pop();
    }
    return seen;
  `.replaceAll("same();", "{ const own = room.peers.filter((peer) => !peer.isPlain).map((peer) => peer.seen()); for (const other of own) if (other !== own[0]) throw new Error('they differ: ' + own.join(' ')); }"),
  );
  for (const who of ["Ada", "Bo", "Cy"]) assert.deepEqual(seen.splice(0, 3), [[who, "<p>Tea </p><p>is very old.</p><p>One leaf.</p>", "<p>Tea </p><p>is very young.</p><p>One leaf.</p>", "false"], [who, "<p>Tea is very old.</p><p>One leaf.</p>", "<p>Tea is very young.</p><p>One leaf.</p>", "false"], 1]);
});

test("a suggestion stays in its paragraph when that is split at its start, by whomever and whenever", async (t) => {
  const seen = await inRoom(
    t,
    `
    const plain = room.join("Cy", { plain: true });
    const seen = [];
    for (const peer of [ada, bo, plain]) {
      for (const isKnown of [true, false]) {
        ada.document.reject("all");
        ada.editor.commands.setContent("<p>Tea is old.</p><p>One leaf.</p><p>A cup.</p>");
        await room.settle();
        ada.replace("leaf", "green leaf");
        if (isKnown) await room.settle();
        peer.editor.commands.setTextSelection(14);
        peer.editor.commands.splitBlock();
        await room.settle();
        const dee = room.join("Dee");
        await room.settle();
        seen.push([peer.name, isKnown, ...[ada, bo, dee].map((one) => one.proposed() + one.hunks().map(({ conflict }) => conflict))]);
        dee.editor.destroy();
        room.peers.pop();
      }
    }
    return seen;
  `,
  );
  const all = Array(3).fill("<p>Tea is old.</p><p></p><p>One green leaf.</p><p>A cup.</p>false");
  assert.deepEqual(seen, ["Ada", "Bo", "Cy"].flatMap((name) => [true, false].map((isKnown) => [name, isKnown, ...all])));
});

test("a participant without copydesk reads and edits the document, and destroys no suggestion", async (t) => {
  const seen = await inRoom(
    t,
    `
    const plain = room.join("Cy", { plain: true });
    await room.settle();
    ada.replace("leaf", "green leaf");
    ada.edit({ operation: "append", title: "Kinds", content: "<p>Black.</p>" });
    await room.settle();
    const before = plain.html();
    plain.editor.commands.insertContentAt(1, "My ");
    await room.settle();
    const hunks = [ada, bo].map((peer) => peer.hunks().length);
    bo.document.accept("all");
    await room.settle();
    return { before, hunks, after: [plain.html(), ada.html()] };
  `,
  );
  assert.deepEqual(seen.before, "<p>Tea is old.</p><p>One leaf.</p><p>A cup.</p>");
  assert.equal(seen.hunks[0], seen.hunks[1]);
  assert.deepEqual(new Set(seen.after), new Set(["<p>My Tea is old.</p><p>One green leaf.</p><p>A cup.</p><h2>Kinds</h2><p>Black.</p>"]));
});

test("agents of two participants see each other's suggestions as pending, and overwrite none", async (t) => {
  const seen = await inRoom(
    t,
    `
    const run = async (peer, calls) => {
      const turns = [[["read_lines", {}]], ...calls.map((call) => [call]), []];
      const agent = new Agent({ document: peer.editor, llmConfig: CONFIG, fetch: async () => answer(turns.shift()) });
      const results = [];
      agent.subscribe((event) => event.type === "tool_result" && results.push(JSON.stringify(event.content)));
      await agent.prompt("Go");
      return results;
    };
    await run(ada, [["replace_text", { old: "old", new: "young" }]]);
    await room.settle();
    const read = await run(bo, [["replace_text", { old: "leaf", new: "green leaf" }]]);
    await room.settle();
    same();
    // Both change the same text before they hear of each other.
    await run(ada, [["replace_text", { old: "cup", new: "mug" }]]);
    await run(bo, [["replace_text", { old: "cup", new: "pot" }]]);
    await room.settle();
    same();
    const authors = ada.hunks().map(({ author, newText }) => [author.kind, author.name, newText]);
    const waiting = bo.editor.storage.suggestions.list.filter(({ state }) => state === "waiting").map(({ content }) => content[0].text);
    const first = ada.hunks().at(-1);
    ada.document.reject({ hunk: first.id });
    await room.settle();
    same();
    return { read: read[0], authors, waiting, first: first.newText, then: ada.hunks().at(-1).newText };
  `,
  );
  assert.match(seen.read, /Tea is young/);
  assert.deepEqual(seen.authors.slice(0, 2), [
    ["agent", "Assistant of Ada", "young"],
    ["agent", "Assistant of Bo", "green "],
  ]);
  assert.equal(seen.authors.length, 3);
  assert.deepEqual([...seen.waiting, seen.first].sort(), ["mug", "pot"]);
  assert.equal(seen.then, seen.waiting[0]);
});

test("a user decides only what mayDecide allows: buttons, calls and selections", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const room = new Room();
    const ada = room.join("Ada");
    const bo = room.join("Bo", { options: { mayDecide: ({ author }, user) => author.id === user.id, user: { id: "bo", name: "Bo", color: "rgb(20 40 200 / 50%)" } }, copydesk: { locale: "zh-CN" } });
    ada.editor.commands.setContent("<p>Tea is old.</p><p>One leaf.</p>");
    await room.settle();
    ada.replace("old", "young");
    bo.replace("leaf", "green leaf");
    await room.settle();
    const error = (run) => {
      try {
        run();
      } catch ({ code, message }) {
        return [code, message];
      }
    };
    const [first] = bo.hunks();
    const errors = [error(() => bo.document.accept({ hunk: first.id })), error(() => bo.document.reject({ hunk: first.id })), error(() => bo.document.resolveHunk(first.id, "mine"))];
    await new Promise(requestAnimationFrame);
    const buttons = [...bo.editor.view.dom.querySelectorAll(".copydesk-controls")].map((controls) => [controls.querySelector(".copydesk-author").textContent, controls.querySelectorAll("button").length]);
    const colors = ada.hunks().map(({ author }) => author.color);
    const all = bo.document.accept("all").hunks.length;
    await room.settle();
    const result = { errors, buttons, colors, all, html: ada.html(), left: ada.hunks().length };
    room.close();
    return result;
  });
  for (const [code, message] of seen.errors) assert.deepEqual([code, message.slice(0, 2)], ["not_permitted", "你无"]);
  assert.deepEqual(seen.buttons, [
    ["Ada", 0],
    ["Bo", 2],
  ]);
  assert.deepEqual(seen.colors, ["#2b5bd7", "rgb(20 40 200 / 50%)"]);
  assert.deepEqual([seen.all, seen.html, seen.left], [1, "<p>Tea is old.</p><p>One green leaf.</p>", 1]);
});

test("damaged and hostile suggestions of a peer are ignored with a notice, or shown as text", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const room = new Room();
    const [ada, bo] = [room.join("Ada"), room.join("Bo")];
    ada.editor.commands.setContent("<p>Tea is old.</p><p>One leaf.</p>");
    await room.settle();
    ada.replace("leaf", "green leaf");
    await room.settle();
    const evil = new Y.Doc();
    Y.applyUpdate(evil, Y.encodeStateAsUpdate(ada.doc));
    const map = (name) => evil.getMap(`copydesk:${name}`);
    const [good] = map("suggestions").keys();
    const entry = map("suggestions").get(good);
    const place = map("places").get(good);
    const put = (id, value, where = place) => {
      map("suggestions").set(id, value);
      map("places").set(id, where);
    };
    const deep = (levels) => (levels ? { type: "paragraph", content: [deep(levels - 1)] } : { type: "text", text: "x" });
    put("h11", { ...entry, v: 2 });
    put("h12", { ...entry, content: [{ type: "text", text: "x".repeat(10_000_000) }] });
    put("h13", { ...entry, content: [deep(250)] });
    put("h14", { ...entry, content: "<b>x</b>" });
    put("h15", 7);
    put("h16", null);
    put("h17", new Y.Text("text"));
    put("<img src=x onerror=alert(1)>", entry);
    put("h18", { ...entry, content: [{ type: "nonsense" }] });
    put("h19", entry, { from: place.to, to: { item: { client: 99, clock: 99 }, assoc: 0 } });
    put("h20", entry, { from: { tname: "another" }, to: { tname: "another" } });
    put("h21", entry, { from: { type: { client: 1e300, clock: -1 } }, to: 5 });
    put("h22", entry, "nowhere");
    const bad = "<img src=x onerror='window.attacked=true'>";
    put("h23", { ...entry, content: [{ type: "text", text: bad }], original: [], instruction: bad, author: { kind: "agent", name: bad.repeat(1000), color: "red; background: url(http://outside.example/)" }, time: NaN });
    map("decisions").set("h23/abc", { v: 1, outcome: "accepted" });
    map("decisions").set(`${good}/77`, { v: 9, outcome: "accepted" });
    map("decisions").set(`${good}/78`, { v: 1, outcome: "<b>" });
    map("spans").set(`${good}/78`, [[0, 1e9]]);
    let ignored = [];
    bo.editor.on("suggestionsIgnored", ({ suggestions }) => (ignored = suggestions));
    for (const peer of [ada, bo]) Y.applyUpdate(peer.doc, Y.encodeStateAsUpdate(evil), "wire");
    await room.settle();
    await new Promise(requestAnimationFrame);
    const states = Object.fromEntries(bo.editor.storage.suggestions.list.map(({ id, state }) => [id, state]));
    const notice = document.querySelector(".copydesk-notice")?.textContent;
    const shown = bo.hunks().find(({ id }) => id === "h23");
    const tag = bo.editor.view.dom.querySelector('[data-copydesk-hunk="h23"] .copydesk-author');
    const drawn = { images: bo.editor.view.dom.querySelectorAll("img").length, name: tag?.textContent, color: tag?.getAttribute("style") };
    const before = [ada.html(), bo.html()];
    const names = [...bo.doc.share.keys()];
    bo.document.accept({ hunk: good });
    await room.settle();
    const result = { ignored: ignored.map(({ id, reason }) => [id, reason]), states, notice, shown: shown?.newText, drawn, before, after: ada.html(), names, attacked: window.attacked, typed: null };
    ada.editor.commands.insertContentAt(1, "My ");
    await room.settle();
    result.typed = bo.html();
    room.close();
    return result;
  });
  assert.deepEqual(new Map(seen.ignored), new Map([["h11", "version"], ["h12", "too_large"], ["h13", "damaged"], ["h14", "damaged"], ["h15", "damaged"], ["h16", "damaged"], ["h17", "damaged"], ["<img src=x onerror=alert(1)>", "damaged"]]));
  assert.match(seen.notice, /8 suggestions in this document cannot be shown/);
  for (const id of ["h18", "h19", "h20", "h21", "h22"]) assert.equal(seen.states[id], "orphaned", id);
  assert.match(seen.shown, /^<img/);
  assert.equal(seen.drawn.images, 0);
  assert.match(seen.drawn.name, /^<img/);
  assert.equal(seen.drawn.name.length, 24);
  assert.equal(seen.drawn.color, null);
  assert.deepEqual(new Set(seen.before), new Set(["<p>Tea is old.</p><p>One leaf.</p>"]));
  assert.ok(!seen.names.includes("another"));
  assert.equal(seen.after, "<p>Tea is old.</p><p>One green leaf.</p>");
  assert.equal(seen.typed, "<p>My Tea is old.</p><p>One green leaf.</p>");
  assert.equal(seen.attacked, undefined);
});

test("through a server: a reload in another browser has the suggestions, and decides them for all", async (t) => {
  const { url } = await roomServer(t);
  const [one, two] = [await open(t), await open(t)];
  const join = (page, name) => page.evaluate(async ([url, name]) => void (window.own = await joined(url, "tea", name)), [url, name]);
  await join(one, "Ada");
  await one.evaluate(() => {
    own.editor.commands.setContent("<p>Tea is old.</p>");
    own.editor.storage.copydesk.document.apply({ operation: "replace_text", old: "old", new: "young" });
  });
  await join(two, "Bo");
  await two.waitForFunction(() => own.editor.storage.copydesk.document.hunks().length === 1);
  const other = await two.evaluate(() => own.editor.storage.copydesk.document.hunks()[0].id);
  assert.equal(other, await one.evaluate(() => own.editor.storage.copydesk.document.hunks()[0].id));
  await one.evaluate(() => own.provider.destroy());
  await two.reload();
  await two.waitForFunction(() => window.ready);
  await join(two, "Bo");
  await two.waitForFunction(() => document.querySelector(".copydesk-insertion")?.textContent === "young");
  await two.click(".copydesk-controls .copydesk-accept");
  const three = await open(t);
  await join(three, "Cy");
  await three.waitForFunction(() => own.editor.getHTML() === "<p>Tea is young.</p>");
  assert.equal(await three.evaluate(() => own.editor.storage.copydesk.document.hunks().length), 0);
});

test("an edit in the task in which the editor was made is a suggestion, and so are changes that were stored elsewhere", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const first = new Y.Doc();
    const editor = editorOn(first, "Ada");
    editor.commands.setContent("<p>Tea is old.</p>");
    editor.storage.copydesk.document.apply({ operation: "replace_text", old: "old", new: "young" });
    const at = editor.storage.suggestions.list.map(({ state }) => state);
    // Another room with the same text and its changes as JSON.
    const second = new Y.Doc();
    const pending = JSON.parse(JSON.stringify({ ...editor.storage.copydesk.pending, document: editor.getJSON() }));
    editorOn(second, "Bo", { plain: true }).commands.setContent("<p>Tea is old.</p>");
    const other = editorOn(second, "Bo", { copydesk: { pending } });
    await Promise.resolve();
    const [entry] = second.getMap("copydesk:suggestions").values();
    const restored = [other.storage.copydesk.document.hunks().map(({ newText, author }) => [newText, author.name]), entry.author.name];
    // A third one has them from the room alone, once.
    const third = editorOn(second, "Cy", { copydesk: { pending } });
    await Promise.resolve();
    third.storage.suggestions.settle();
    return { at, restored, third: third.storage.copydesk.document.hunks().length, ids: [...second.getMap("copydesk:suggestions").keys()].length };
  });
  assert.deepEqual(seen, { at: ["pending"], restored: [[["young", "Ada"]], "Ada"], third: 1, ids: 1 });
});

test("compare makes suggestions of two documents, and both sides come back", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const { compare, toBase, toProposed } = suggestions;
    const room = new Room();
    const ada = room.join("Ada");
    const json = (html) => (ada.editor.commands.setContent(html), ada.editor.getJSON());
    const texts = ["<h2>Tea</h2><p>Tea is old.</p><ul><li><p>Green</p></li></ul>", "<h2>Tea</h2><p>Tea is <strong>very</strong> old.</p><ul><li><p>Green</p></li><li><p>Black</p></li></ul><p>End.</p>"];
    const [before, after] = texts.map(json);
    const pending = compare(before, after, { schema: ada.editor.schema, author: { name: "Cy", kind: "person" } });
    // It is the option of an editor.
    ada.editor.commands.setContent(before);
    ada.document.restoreHunks(pending.hunks);
    const sides = [toBase(ada.editor), toProposed(ada.editor)];
    const result = { texts, same: [JSON.stringify(sides[0].json) === JSON.stringify(before), JSON.stringify(sides[1].json) === JSON.stringify(after)], html: sides.map(({ html }) => html), author: ada.hunks()[0].author, kinds: pending.hunks.map(({ kind }) => kind), none: compare(before, before, { schema: ada.editor.schema }).hunks };
    try {
      compare(before, { type: "doc", content: [{ type: "nonsense" }] }, { schema: ada.editor.schema });
    } catch ({ code }) {
      result.code = code;
    }
    room.close();
    return result;
  });
  assert.deepEqual(seen.same, [true, true]);
  assert.deepEqual(seen.html, seen.texts);
  assert.deepEqual(seen.author, { kind: "person", name: "Cy" });
  assert.deepEqual(seen.kinds, ["insertion", "insertion", "insertion"]);
  assert.deepEqual(seen.none, []);
  assert.match(seen.code, /^(unknown_type|invalid_document)$/);
});

test("an agent is one of the participants while it runs: carets of other editors show where it reads and writes", async (t) => {
  const { url } = await roomServer(t);
  const [one, two] = [await open(t), await open(t)];
  for (const [page, name] of [[one, "Ada"], [two, "Bo"]]) await page.evaluate(async ([url, name]) => void (window.own = await joined(url, "tea", name)), [url, name]);
  await one.evaluate(() => void own.editor.commands.setContent("<p>Tea is old.</p><p>One leaf.</p>"));
  await two.waitForFunction(() => own.editor.getText().includes("leaf"));
  await two.evaluate(() => void own.editor.registerPlugin(yCursorPlugin(own.provider.awareness)));
  await one.evaluate(() => {
    const turns = [[["read_lines", { start_line: 2 }]], [["replace_text", { old: "leaf", new: "green leaf" }]], []];
    // The model waits until the test goes on.
    const fetch = () => new Promise((resolve) => (window.goOn = () => resolve(answer(turns.shift()))));
    window.agent = new Agent({ document: own.editor, llmConfig: CONFIG, fetch });
    window.end = suggestions.showAgent({ agent, awareness: own.provider.awareness, editor: own.editor, document: own.document, user: { name: "<b>Robot</b>", color: "#7a5cff" } });
    window.run = agent.prompt("Go");
  });
  const seen = (activity, before) =>
    two.waitForFunction(
      ([activity, before]) => {
        const states = [...own.provider.awareness.getStates().values()].filter(({ agent }) => agent);
        const caret = own.editor.view.dom.querySelector(".ProseMirror-yjs-cursor");
        const paragraph = caret?.closest("p");
        return states.length === 1 && states[0].agent.activity === activity && !!caret?.textContent.includes("<b>Robot</b>") && (!before || !!paragraph?.textContent.includes(before));
      },
      [activity, before],
    );
  const next = async () => {
    await one.waitForFunction(() => window.goOn);
    await one.evaluate(() => {
      const { goOn } = window;
      window.goOn = undefined;
      goOn();
    });
  };
  await seen("thinking");
  await next();
  await one.waitForFunction(() => window.goOn);
  await seen("thinking", "One");
  await next();
  await one.waitForFunction(() => window.goOn);
  await seen("thinking", "One");
  // The user of the page has a state of their own.
  assert.equal(await one.evaluate(() => own.provider.awareness.getLocalState().agent), undefined);
  await next();
  await one.evaluate(() => run);
  const isGone = () => ![...own.provider.awareness.getStates().values()].some(({ agent }) => agent) && !own.editor.view.dom.querySelector(".ProseMirror-yjs-cursor");
  await two.waitForFunction(isGone);
  await one.evaluate(() => (end(), end()));
  const refused = await one.evaluate(() => {
    try {
      suggestions.showAgent({ agent, awareness: {}, editor: own.editor, document: own.document, user: { name: "x" } });
    } catch ({ code }) {
      return code;
    }
  });
  assert.equal(refused, "invalid_parameter");
});

test("the text that an agent is writing is in the editors of the others as it comes, as text, and not in the document", async (t) => {
  const { url } = await roomServer(t);
  const [one, two] = [await open(t), await open(t)];
  for (const [page, name] of [[one, "Ada"], [two, "Bo"]]) await page.evaluate(async ([url, name]) => void (window.own = await joined(url, "tea", name)), [url, name]);
  await one.evaluate(() => void own.editor.commands.setContent("<p>Tea is old.</p><p>One leaf.</p>"));
  await two.waitForFunction(() => own.editor.getText().includes("leaf"));
  // As `roomExtensions` has them.
  const watch = () => {
    const { awareness } = own.provider;
    const { addProseMirrorPlugins } = suggestions.AgentTexts.config;
    for (const plugin of addProseMirrorPlugins.call({ editor: own.editor, options: { awareness, document: own.document } })) own.editor.registerPlugin(plugin);
  };
  for (const page of [one, two]) await page.evaluate(watch);
  await one.evaluate(() => {
    const chunk = (delta, reason = null) => `data: ${JSON.stringify({ choices: [{ delta, finish_reason: reason }] })}\n\n`;
    const call = (part, more = {}) => chunk({ tool_calls: [{ index: 0, ...more, function: { arguments: part, ...(more.id ? { name: "update_section" } : {}) } }] });
    const [start, middle, end] = ['{"operation":"append","title":"Green","content":"<p>Two gre', "en leaves &lt;img src=x onerror=window.harm=1&gt; ", 'more.</p>"}'];
    const parts = [call(start, { id: "c1" }), call(middle), call(end) + chunk({}, "tool_calls") + "data: [DONE]\n\n"];
    const responses = [parts, [chunk({ content: "Done." }, "stop") + "data: [DONE]\n\n"]];
    const encoder = new TextEncoder();
    // The next part of an answer is sent when the test goes on.
    const fetch = async () => {
      const left = responses.shift();
      const pull = (controller) =>
        new Promise((resolve) => {
          window.goOn = () => {
            window.goOn = undefined;
            controller.enqueue(encoder.encode(left.shift()));
            if (!left.length) controller.close();
            resolve();
          };
        });
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    };
    window.agent = new Agent({ document: own.editor, llmConfig: CONFIG, fetch });
    suggestions.showAgent({ agent, awareness: own.provider.awareness, editor: own.editor, document: own.document, user: { name: "Robot", color: "#7a5cff" } });
    window.run = agent.prompt("Go");
  });
  const next = async () => {
    await one.waitForFunction(() => window.goOn);
    await one.evaluate(() => goOn());
  };
  const shows = (text) => two.waitForFunction((text) => own.editor.view.dom.querySelector(".copydesk-writing")?.textContent.includes(text), text);
  await next();
  await shows("Two");
  assert.equal(await two.evaluate(() => own.editor.getText()), "Tea is old.\n\nOne leaf.");
  await next();
  await shows("leaves <img");
  // A page shows the texts of its own agent by itself.
  assert.equal(await one.evaluate(() => own.editor.view.dom.querySelectorAll(".copydesk-writing").length), 0);
  await next();
  await next();
  await one.evaluate(() => run);
  await two.waitForFunction(() => !own.editor.view.dom.querySelector(".copydesk-writing"));
  // Any peer may write what it likes.
  const shown = await one.evaluate(async () => {
    const { awareness } = own.provider;
    const cursor = awareness.getLocalState()?.cursor;
    for (const agent of [7, null, { text: 7 }, { text: "x".repeat(1e6) }]) awareness.setLocalStateField("agent", agent);
    awareness.setLocalStateField("cursor", { anchor: { tname: "default" }, head: { tname: "default" } });
    return cursor === undefined;
  });
  assert.ok(shown);
  await two.waitForFunction(() => own.editor.view.dom.querySelector(".copydesk-writing")?.textContent.length === 2000);
  assert.deepEqual(await two.evaluate(() => [window.harm, own.editor.view.dom.querySelectorAll(".copydesk-writing img").length]), [undefined, 0]);
});

test("an acceptance that is repeated after an undo and meets another one is in the text once, in whatever parts it arrives", async (t) => {
  const seen = await inRoom(
    t,
    `
    ada.replace("leaf", "green leaf");
    await room.settle();
    const [id] = ids(ada);
    bo.document.accept({ hunk: id });
    await room.settle();
    bo.undo();
    await room.settle();
    ada.document.accept({ hunk: id });
    bo.document.accept({ hunk: id });
    // The decision of Bo arrives before the ids of what it has inserted, and all of Ada's at once.
    room.deliver({ to: ada, most: 1 });
    ada.editor.storage.suggestions.settle();
    room.deliver({ to: bo });
    await room.settle();
    same();
    return [bo.html(), bo.hunks().length];
  `,
  );
  assert.deepEqual(seen, ["<p>Tea is old.</p><p>One green leaf.</p><p>A cup.</p>", 0]);
});

test("of more than 10,000 suggestions the oldest are shown, the same ones in every page, and decided ones do not count", long, async (t) => {
  const seen = await inRoom(
    t,
    `
    ada.replace("leaf", "green leaf");
    await room.settle();
    const [id] = ids(ada);
    const maps = Object.fromEntries(["suggestions", "places", "decisions"].map((name) => [name, ada.doc.getMap("copydesk:" + name)]));
    const [entry, place] = [maps.suggestions.get(id), maps.places.get(id)];
    const add = (from, time, isDecided) => ada.doc.transact(() => {
      for (let at = from; at < from + 10_000; at++) {
        maps.suggestions.set("h" + at, { ...entry, time: time + at });
        maps.places.set("h" + at, place);
        if (isDecided) maps.decisions.set("h" + at + "/5", { v: 1, outcome: "rejected", time });
      }
    });
    add(100, 0, true);
    await room.settle();
    ada.replace("cup", "mug");
    await room.settle();
    same();
    const afterDecided = [ada.hunks().length, ada.editor.storage.suggestions.ignored.length];
    // Newer than the two, and those of a time long ago, which come later.
    add(20_000, Date.now() + 1e9, false);
    ada.doc.transact(() => maps.suggestions.set("h99", { ...entry, time: 1 }));
    await room.settle();
    const later = room.join("Dee");
    await room.settle();
    const of = ({ editor }) => [editor.storage.suggestions.list.length, editor.storage.suggestions.list[0].id, editor.storage.suggestions.ignored.map(({ id, reason }) => id + " " + reason).sort()];
    return { afterDecided, all: [ada, bo, later].map(of) };
  `,
  );
  assert.deepEqual(seen.afterDecided, [2, 0]);
  for (const one of seen.all) assert.deepEqual(one, [10_000, "h99", ["h29997 too_many", "h29998 too_many", "h29999 too_many"]]);
});

test("two fragments of one document have suggestions of their own", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const doc = new Y.Doc();
    const nested = new Y.XmlFragment();
    doc.getMap("pages").set("three", nested);
    const editors = [doc.getXmlFragment("one"), doc.getXmlFragment("two"), nested].map((fragment) =>
      editorOn(doc, "Ada", { options: { document: null, fragment }, collaboration: { fragment } }),
    );
    for (const editor of editors) editor.commands.setContent("<p>Tea is old.</p>");
    editors[0].storage.copydesk.document.apply({ operation: "replace_text", old: "old", new: "young" });
    editors[2].storage.copydesk.document.apply({ operation: "replace_text", old: "Tea", new: "Water" });
    for (const { storage } of editors) storage.suggestions.settle();
    const lists = () => editors.map(({ storage }) => storage.suggestions.list.map(({ state, content }) => `${state} ${content[0].text}`));
    const result = [...lists()];
    editors[0].storage.copydesk.document.accept("all");
    for (const { storage } of editors) storage.suggestions.settle();
    result.push(...lists());
    for (const editor of editors) editor.destroy();
    return result;
  });
  assert.deepEqual(seen, [["pending young"], [], ["pending Water"], [], [], ["pending Water"]]);
});

test("a suggestion is pending again when the paragraph around it returns", async (t) => {
  const seen = await inRoom(
    t,
    `
    const states = () => room.peers.map(({ editor }) => editor.storage.suggestions.list.map(({ state }) => state).join());
    const all = async (expected) => { await room.until(() => states().every((one) => one === expected)); same(); };
    ada.replace("leaf", "green leaf");
    ada.replace("old", "young");
    await room.settle();
    bo.editor.commands.deleteRange({ from: 13, to: 24 });
    await all("orphaned,pending");
    const seen = [states()];
    bo.undo();
    await all("pending,pending");
    return [...seen, states(), bo.html(), ada.proposed()];
  `,
  );
  assert.deepEqual(seen, [
    Array(2).fill("orphaned,pending"),
    Array(2).fill("pending,pending"),
    "<p>Tea is old.</p><p>One leaf.</p><p>A cup.</p>",
    "<p>Tea is young.</p><p>One green leaf.</p><p>A cup.</p>",
  ]);
});

test("images of this browser are in the room that a document is copied to, in pending changes too", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const png = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (one) => one.codePointAt(0));
    const url = URL.createObjectURL(new Blob([png], { type: "image/png" }));
    const data = `data:image/png;base64,${btoa(String.fromCodePoint(...png))}`;
    const image = (alt) => `<img src="${url}" alt="${alt}">`;
    const ada = editorOn(new Y.Doc(), "Ada", { alone: true, content: `<p>Tea is old.</p>${image("old")}<p>One leaf.</p>` });
    const { document } = ada.storage.copydesk;
    const line = document.lines().find(({ type }) => type === "image").line;
    document.apply({ operation: "replace_lines", edits: [{ start_line: line, end_line: line, content: image("young"), format: "html" }] });
    document.apply({ operation: "append", title: "Cups", content: `${image("cup")}<p>Full.</p>` });
    const results = [];
    for (const readImage of [async (src) => (await fetch(src)).blob(), async () => undefined, undefined]) {
      const doc = new Y.Doc();
      const isWhole = await copyToRoom(ada, { document: doc }, { user: { name: "Ada" }, readImage });
      const bo = editorOn(doc, "Bo");
      bo.storage.suggestions.settle();
      const before = bo.getHTML();
      const pending = bo.storage.copydesk.document.hunks().length;
      bo.storage.copydesk.document.accept("all");
      results.push([isWhole, pending > 0, ...[before, bo.getHTML()].map((html) => html.replaceAll(url, "URL").replaceAll(data, "DATA").replaceAll("<p></p>", ""))]);
      bo.destroy();
    }
    const same = JSON.stringify(document.hunks()).includes(url);
    ada.destroy();
    URL.revokeObjectURL(url);
    return { results, same };
  });
  const room = (src) => [true, true, `<p>Tea is old.</p><img src="${src}" alt="old"><p>One leaf.</p>`, `<p>Tea is old.</p><img src="${src}" alt="young"><p>One leaf.</p><h2>Cups</h2><img src="${src}" alt="cup"><p>Full.</p>`];
  assert.deepEqual(seen, { results: [room("DATA"), room("URL"), room("URL")], same: true });
});

test("random schedules of two people and two agents: replicas are equal, and no text is lost or doubled", async (t) => {
  t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another, COPYDESK_SCHEDULES the number`);
  const page = await open(t);
  const total = { done: 0, suggestions: 0, open: 0, comments: 0 };
  for (let first = 0; first < SCHEDULES; first += 20) {
    const { wrong, sums } = await page.evaluate(([seed, count]) => schedules(seed, count), [SEED + first, Math.min(20, SCHEDULES - first)]);
    assert.equal(wrong, null, JSON.stringify(wrong, null, 1));
    for (const key of Object.keys(total)) total[key] += sums[key];
  }
  t.diagnostic(JSON.stringify(total));
  assert.ok(total.suggestions > SCHEDULES, "there were too few suggestions");
  assert.ok(total.comments > SCHEDULES / 2, "there were too few comments");
});
