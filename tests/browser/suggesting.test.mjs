// Mode "suggest" of copydesk/suggestions: what a person types becomes suggestions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf } from "./budget.mjs";
import { opener } from "./harness.mjs";

const open = opener("suggestions");

/** Runs code with a room in the page in which Ada suggests and Bo edits. */
async function inRoom(t, code, { content = "<p>Tea is very old.</p><p>One leaf.</p><p>A cup.</p>", ...options } = {}) {
  const page = await open(t, options);
  return page.evaluate(`(async () => {
    const room = new Room();
    const [ada, bo] = [room.join("Ada", { options: { mode: "suggest" } }), room.join("Bo")];
    bo.editor.commands.setContent(${JSON.stringify(content)});
    await room.settle();
    const typing = () => ada.editor.storage.suggestions.suggesting;
    const place = (editor, text) => { let found; editor.state.doc.descendants((node, position) => { const index = node.isText ? node.text.indexOf(text) : -1; if (index >= 0) found ??= position + index; }); return { from: found, to: found + text.length }; };
    const type = (text, at, editor = typing()) => { for (const [index, unit] of [...text].entries()) editor.view.dispatch(editor.state.tr.insertText(unit, at + index)); };
    const settle = async () => { ada.editor.storage.suggestions.settle(); await room.settle(); };
    const list = (peer = bo) => peer.editor.storage.suggestions.list.map(({ author, state, original, content }) => [author.name, state, text(original), text(content)]);
    const text = (nodes) => nodes.map((node) => node.text ?? text(node.content ?? [])).join("");
    const both = () => { const seen = [ada, bo].map((peer) => peer.html()); if (seen[0] !== seen[1]) throw new Error(seen.join(" ")); return seen[0]; };
    try { ${code} } finally { room.close(); }
  })()`);
}

test("what a person types becomes a suggestion with its author after a pause, and one undo step of who accepts it", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [typing().getHTML(), getComputedStyle(ada.editor.view.dom).display];
    type("quite ", place(typing(), "very").from);
    await room.until(() => list().length);
    const [suggestion] = bo.editor.storage.suggestions.list;
    seen.push(list(), suggestion.author, Math.abs(suggestion.time - Date.now()) < 60_000, both());
    bo.document.accept("all");
    await room.settle();
    seen.push(both(), typing().getHTML(), list());
    bo.undo();
    await room.settle();
    seen.push(both(), list(), typing().getHTML());
    bo.document.reject("all");
    await room.settle();
    seen.push(both(), typing().getHTML());
    return seen;
  `,
  );
  const base = "<p>Tea is very old.</p><p>One leaf.</p><p>A cup.</p>";
  const typed = "<p>Tea is quite very old.</p><p>One leaf.</p><p>A cup.</p>";
  const pending = [["Ada", "pending", "", "quite "]];
  const author = { kind: "person", id: "ada", name: "Ada", color: "#2b5bd7" };
  assert.deepEqual(seen, [base, "none", pending, author, true, base, typed, typed, [], base, pending, typed, base, base]);
});

test("typing that goes on after a pause, and changes within it, are one suggestion", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    const at = place(typing(), "very").from;
    for (const [index, part] of ["qu", "ite", " "].entries()) { type(part, at + [0, 2, 5][index]); await settle(); seen.push(list()); }
    typing().view.dispatch(typing().state.tr.delete(at + 1, at + 3));
    await settle();
    seen.push(list());
    typing().view.dispatch(typing().state.tr.delete(place(typing(), "very").from, place(typing(), "very").to));
    await settle();
    seen.push(list(), typing().getText());
    return seen;
  `,
  );
  const one = (text, original = "") => [["Ada", "pending", original, text]];
  // Words are suggested as a whole.
  assert.deepEqual(seen, [one("quvery", "very"), one("quitevery", "very"), one("quite "), one("qte "), one("qte  ", "very "), "Tea is qte  old.\n\nOne leaf.\n\nA cup."]);
});

test("deleting, pasting, formatting, splitting, joining and new blocks are suggested, and undo takes them back", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    const acts = {
      delete: (editor) => editor.commands.deleteRange(place(editor, "very ")),
      bold: (editor) => editor.chain().setTextSelection(place(editor, "old")).toggleBold().run(),
      split: (editor) => editor.chain().setTextSelection(place(editor, "very").from).splitBlock().run(),
      join: (editor) => editor.chain().setTextSelection(place(editor, "One").from).joinBackward().run(),
      paste: (editor) => (editor.commands.setTextSelection(place(editor, "leaf").from), editor.view.pasteHTML("<p>new <em>green</em> </p>")),
      heading: (editor) => editor.chain().setTextSelection(place(editor, "One").from).toggleHeading({ level: 2 }).run(),
      table: (editor) => editor.chain().setTextSelection(place(editor, "cup").to).insertTable({ rows: 2, cols: 2 }).run(),
      rule: (editor) => editor.chain().setTextSelection(place(editor, "leaf.").to).setHorizontalRule().run(),
    };
    const before = both();
    for (const [name, act] of Object.entries(acts)) {
      act(typing());
      const meant = typing().getHTML();
      await settle();
      const row = { name, count: list().length > 0, isMeant: meant === bo.proposed() && meant === typing().getHTML() && meant !== before, isUntouched: both() === before };
      bo.document.accept("all");
      await room.settle();
      row.isAccepted = both() === meant && typing().getHTML() === meant;
      bo.undo();
      await room.settle();
      row.isUndone = both() === before && typing().getHTML() === meant;
      typing().commands.undo();
      await settle();
      row.isTakenBack = list().length === 0 && both() === before && typing().getHTML() === before;
      typing().commands.redo();
      await settle();
      row.isAgain = meant === bo.proposed();
      bo.document.reject("all");
      await room.settle();
      row.isRejected = typing().getHTML() === before && both() === before;
      seen.push(row);
    }
    return seen;
  `,
  );
  for (const { name, ...row } of seen) for (const [what, holds] of Object.entries(row)) assert.ok(holds, `${name}: ${what} is ${holds}`);
});

test("what others type, suggest and decide comes into the text of who suggests, outside of its undo history", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    const at = place(typing(), "leaf").from;
    typing().commands.setTextSelection(at);
    type("red ", at);
    // Not a suggestion yet.
    bo.editor.view.dispatch(bo.editor.state.tr.insertText("Black ", place(bo.editor, "Tea").from));
    bo.editor.view.dispatch(bo.editor.state.tr.insertText("small ", place(bo.editor, "leaf").from + 0));
    bo.replace("cup", "pot");
    await room.settle();
    seen.push(typing().getText(), typing().state.doc.textBetween(0, typing().state.selection.from), list());
    typing().commands.undo();
    await settle();
    seen.push(typing().getText(), list());
    return seen;
  `,
  );
  const [text, before, listed, undone, left] = seen;
  assert.match(text, /^Black Tea is very old\.\n\nOne (red small|small red) leaf\.\n\nA pot\.$/);
  assert.match(before, /^Black Tea is very old\.One (small )?red (small )?$/);
  assert.deepEqual(listed.map(([name, state]) => [name, state]).toSorted(), [["Ada", "pending"], ["Bo", "pending"]]);
  assert.equal(undone, "Black Tea is very old.\n\nOne small leaf.\n\nA pot.");
  assert.equal(left.length, 1);
});

test("what is typed in a suggestion while another accepts or rejects it is suggested again", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    for (const [act, text] of [["accept", " ab"], ["reject", " cd"]]) {
      const at = place(typing(), " leaf").from;
      type(text, at);
      await settle();
      type("x", at + 2);
      ada.editor.storage.suggestions.settle();
      bo.document[act]("all");
      await settle();
      seen.push(both(), typing().getText(), list().length, bo.proposed());
      bo.document.reject("all");
      await settle();
    }
    return seen;
  `,
  );
  const text = (words) => `<p>Tea is very old.</p><p>One${words} leaf.</p><p>A cup.</p>`;
  assert.deepEqual(seen, [
    text(" ab"), "Tea is very old.\n\nOne axb leaf.\n\nA cup.", 1, text(" axb"),
    text(" ab"), "Tea is very old.\n\nOne ab xleaf.\n\nA cup.", 1, text(" ab x").replace(" leaf", "leaf"),
  ]);
});

test("text that another rejects while the paragraph around it is joined again is rejected", async (t) => {
  const { seen, alone } = await inRoom(
    t,
    `
    const seen = [];
    let alone = 0;
    for (const isToldFirst of [true, false, true, false]) {
      type("茶", place(typing(), " six").from);
      typing().chain().setTextSelection(place(typing(), " four").from).splitBlock().run();
      await settle();
      // Either part may be suggested as another paragraph. Then the letter is in that.
      const hunk = bo.hunks().find(({ newText }) => newText === "茶");
      bo.document.reject(hunk ? { hunk: hunk.id } : "all");
      typing().commands.undo();
      if (isToldFirst) room.deliver({ to: ada });
      await settle();
      seen.push([both(), typing().getText(), list()]);
      alone += hunk ? 1 : 0;
    }
    return { seen, alone };
  `,
    { content: "<p>One two three four five six seven eight nine</p>" },
  );
  const text = "One two three four five six seven eight nine";
  assert.deepEqual(seen, Array(4).fill([`<p>${text}</p>`, text, []]));
  assert.ok(alone > 1, "the letter was a suggestion by itself");
});

test("who decides one suggestion leaves the others as their authors have changed them meanwhile", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    for (const isKnown of [true, false]) {
      bo.replace("cup", "pot");
      type("ab", place(typing(), "leaf").from);
      await settle();
      type("c", place(typing(), "ab").from + 1);
      ada.editor.storage.suggestions.settle();
      // It has arrived, and is read after this task.
      if (isKnown) room.deliver({ to: bo });
      bo.document.reject({ hunk: bo.hunks().find(({ newText }) => newText === "pot").id });
      await settle();
      seen.push(typing().getText(), list().map(([,,, text]) => text));
      bo.document.reject("all");
      await settle();
    }
    return seen;
  `,
  );
  const one = ["Tea is very old.\n\nOne acbleaf.\n\nA cup.", ["acbleaf"]];
  assert.deepEqual(seen, [...one, ...one]);
});

test("a decision that is undone brings back what was decided, and not what its author has typed in it since", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    for (const act of ["accept", "reject"]) {
      type("茶", place(typing(), " leaf").from);
      await settle();
      type("水", place(typing(), "茶").to);
      ada.editor.storage.suggestions.settle();
      bo.document[act]("all");
      await settle();
      bo.undo();
      await settle();
      seen.push(both(), list().map(([,,, text]) => text).toSorted());
      bo.document.reject("all");
      await settle();
    }
    return seen;
  `,
  );
  const one = ["<p>Tea is very old.</p><p>One leaf.</p><p>A cup.</p>", ["水", "茶"]];
  assert.deepEqual(seen, [...one, ...one]);
});

test("a suggestion that is accepted while its author takes it back is accepted, and redoing it suggests its text again", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    for (const isKnown of [true, false]) {
      for (const act of ["reject", "accept"]) {
        bo.editor.commands.setContent("<p>One leaf.</p>");
        await settle();
        type("茶", place(typing(), " leaf").from);
        await settle();
        bo.document.accept("all");
        typing().commands.undo();
        ada.editor.storage.suggestions.settle();
        if (isKnown) await settle();
        const before = typing().getText();
        typing().commands.redo();
        await settle();
        seen.push([before, both(), list().map(([,, original, text]) => original + ">" + text), typing().getText()]);
        bo.document[act]("all");
        await settle();
        seen.push([both(), typing().getText(), list()]);
      }
    }
    return seen;
  `,
  );
  const [once, twice] = ["One茶 leaf.", "One茶茶 leaf."];
  const rows = (before) => {
    const redone = [before, `<p>${once}</p>`, [">茶"], twice];
    return [redone, [`<p>${once}</p>`, once, []], redone, [`<p>${twice}</p>`, twice, []]];
  };
  assert.deepEqual(seen, [...rows(once), ...rows("One leaf.")]);
});

test("what an input method composes is not interrupted, and is suggested afterwards or when the page is left", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    const composing = (is) => (typing().view.input.composing = is);
    const wait = () => new Promise((done) => setTimeout(done, 700));
    composing(true);
    type("茶", place(typing(), "leaf").from);
    bo.editor.view.dispatch(bo.editor.state.tr.insertText("Black ", 1));
    await wait();
    await room.settle();
    seen.push(list(), typing().getText());
    composing(false);
    typing().view.dom.dispatchEvent(new CompositionEvent("compositionend"));
    await wait();
    await room.settle();
    seen.push(list().map(([name]) => name), typing().getText());
    composing(true);
    type("水", place(typing(), "cup").from);
    window.dispatchEvent(new PageTransitionEvent("pagehide"));
    await room.settle();
    composing(false);
    seen.push(bo.proposed());
    return seen;
  `,
  );
  assert.deepEqual(seen, [
    [], "Tea is very old.\n\nOne 茶leaf.\n\nA cup.",
    ["Ada"], "Black Tea is very old.\n\nOne 茶leaf.\n\nA cup.",
    "<p>Black Tea is very old.</p><p>One 茶leaf.</p><p>A 水cup.</p>",
  ]);
});

test("who stops suggesting or closes the page keeps what was typed last, and rights are those of mayDecide", async (t) => {
  const seen = await inRoom(
    t,
    `
    const seen = [];
    const events = [];
    ada.editor.on("suggestingChange", ({ mode, suggesting }) => events.push(mode + " " + !!suggesting));
    type("so ", place(typing(), "very").from);
    ada.editor.storage.suggestions.setMode("edit");
    await room.settle();
    seen.push(list(), ada.editor.storage.suggestions.mode, ada.editor.storage.suggestions.suggesting === undefined, getComputedStyle(ada.editor.view.dom).display);
    ada.editor.storage.suggestions.setMode("suggest");
    type("my ", place(typing(), "cup").from);
    ada.editor.destroy();
    await Promise.resolve();
    room.peers.shift();
    await room.settle();
    const later = room.join("Cy", { options: { mode: "suggest", mayDecide: ({ author }, user) => author.name !== "Ada" || user.name === "Ada" } });
    await room.settle();
    seen.push(list(), events, later.editor.storage.suggestions.suggesting.getText());
    try { later.document.accept("all"); } catch (thrown) { seen.push(thrown.code); }
    try { later.editor.storage.suggestions.setMode("write"); } catch (thrown) { seen.push(thrown.code); }
    return seen;
  `,
  );
  const so = ["Ada", "pending", "", "so "];
  const all = [so, ["Ada", "pending", "", "my "]];
  assert.deepEqual(seen, [[so], "edit", true, "block", all, ["edit false", "suggest true"], "Tea is so very old.\n\nOne leaf.\n\nA my cup.", "not_permitted", "invalid_parameter"]);
});

test("without a shared document what a person types is a pending change of the page", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const editor = editorOn(new Y.Doc(), "Ada", { options: { document: null, mode: "suggest" }, copydesk: { mode: "auto" } });
    await new Promise((done) => setTimeout(done));
    editor.commands.setContent("<p>Tea is old.</p>");
    await new Promise((done) => setTimeout(done));
    const { suggesting, settle } = editor.storage.suggestions;
    suggesting.view.dispatch(suggesting.state.tr.insertText("very ", 8));
    settle();
    const { document } = editor.storage.copydesk;
    const hunks = document.hunks().map(({ newText, author }) => [newText, author.name]);
    const before = editor.getText();
    document.accept("all");
    return [hunks, before, editor.getText(), document.mode];
  });
  assert.deepEqual(seen, [[["very ", "Ada"]], "Tea is old.", "Tea is very old.", "auto"]);
});

test("a join of paragraphs beside a block that was replaced here takes nothing else that others have done back", async (t) => {
  const content = "<p>Tea is very old.</p><p>One leaf.</p><p>Between.</p><p>A cup.</p>";
  const seen = await inRoom(
    t,
    `
    const seen = [];
    for (const block of ["quote", "rule"]) {
      bo.editor.commands.setContent(${JSON.stringify(content)});
      await settle();
      const editor = typing();
      const { from, to } = place(editor, "One leaf.");
      if (block === "quote") editor.chain().setTextSelection(from).toggleBlockquote().run();
      else editor.view.dispatch(editor.state.tr.replaceWith(from - 1, to + 1, editor.schema.nodes.horizontalRule.create()));
      bo.editor.chain().setTextSelection(place(bo.editor, "One").from).joinBackward().run();
      type("big ", place(bo.editor, "cup").from, bo.editor);
      await room.settle();
      await settle();
      seen.push([both(), typing().getText().includes("A big cup."), bo.proposed().includes("A big cup.")]);
      bo.document.reject("all");
      await settle();
    }
    return seen;
  `,
    { content },
  );
  const joined = "<p>Tea is very old.One leaf.</p><p>Between.</p><p>A big cup.</p>";
  assert.deepEqual(seen, [[joined, true, true], [joined, true, true]]);
});

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SCHEDULES = countOf("COPYDESK_SCHEDULES", 60, 20);

test("random schedules of people who suggest: no letter is lost or doubled, and all see the same", async (t) => {
  t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another, COPYDESK_SCHEDULES the number`);
  const page = await open(t);
  let total = 0;
  for (let first = 0; first < SCHEDULES; first += 20) {
    const { wrong, sums } = await page.evaluate(([seed, count]) => suggestingSchedules(seed, count), [SEED + first, Math.min(20, SCHEDULES - first)]);
    assert.equal(wrong, null, JSON.stringify(wrong, null, 1));
    total += sums.letters;
  }
  assert.ok(total > 2 * SCHEDULES, "there were too few letters");
});
