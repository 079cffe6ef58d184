// Review in a real editor: pending hunks, accepting them, undoing turns.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";

const open = opener("editor");

const TEA = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

test("in review mode the editor's document stays the same object, and the agent reads its proposal", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    const doc = editor.state.doc;
    const transactions = [];
    editor.on("transaction", ({ transaction }) => transactions.push(transaction.docChanged));
    boundDocument.mode = "review";
    const applied = boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p><aside data-tone='x'><p>New.</p></aside>" });
    return { same: editor.state.doc === doc, transactions, html: editor.getHTML(), agent: boundDocument.toHTML(), hunks: boundDocument.hunks(), mode: boundDocument.mode, sections: applied.sections.length };
  }, TEA);
  assert.equal(seen.mode, "review");
  assert.ok(seen.same);
  assert.deepEqual(seen.transactions, []);
  assert.equal(seen.html, TEA);
  assert.equal(seen.agent, TEA.replace("Old.</p>", 'Older.</p><aside data-tone="x"><p>New.</p></aside>'));
  const [edited, inserted] = seen.hunks;
  assert.deepEqual([edited.id, edited.kind, edited.originalText, edited.newText, edited.block], ["h1", "edit", "Old", "Older", false]);
  assert.deepEqual([inserted.id, inserted.kind, inserted.newText, inserted.block, inserted.from === inserted.to], ["h2", "insertion", "New.", true, true]);
});

test("accepting is one transaction and one undo step", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p>" });
    boundDocument.apply({ operation: "replace", sectionIndex: 2, content: "<p>Few.</p>" });
    editor.commands.insertContentAt(1, "All ");
    const changed = [];
    editor.on("transaction", ({ transaction }) => transaction.docChanged && changed.push(transaction.steps.length));
    const accepted = boundDocument.accept("all");
    const after = editor.getHTML();
    const left = boundDocument.hunks();
    editor.commands.undo();
    const undone = editor.getHTML();
    const again = boundDocument.hunks().map(({ id }) => id);
    return { changed: changed[0], count: changed.length, accepted, after, left, undone, again, agent: boundDocument.toHTML() };
  }, TEA);
  const typed = TEA.replace("<h1>Tea", "<h1>All Tea");
  assert.deepEqual(seen.accepted, { hunks: ["h1", "h2"], conflicts: 0 });
  assert.equal(seen.changed, 2);
  assert.equal(seen.count, 2, "one for the accept, one for the undo");
  assert.equal(seen.after, typed.replace("Old", "Older").replace("Many", "Few"));
  assert.deepEqual(seen.left, []);
  assert.equal(seen.undone, typed);
  assert.deepEqual(seen.again, ["h1", "h2"], "they are pending again");
  assert.equal(seen.agent, seen.after);
});

test("what the user types while hunks are pending is kept, whatever is decided", async (t) => {
  const page = await open(t);
  await page.evaluate((html) => {
    edit(html);
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p><p>And something new.</p>" });
    boundDocument.apply({ operation: "replace", sectionIndex: 2, content: "<p>Few.</p>" });
  }, TEA);
  // Drawn hunks split the texts of the page, so the cursor is set by position.
  const cursor = (text, atEnd) =>
    page.evaluate(([text, atEnd]) => {
      let found;
      editor.state.doc.descendants((node, position) => void (node.text === text && (found = position + (atEnd ? text.length : 0))));
      // TipTap's own focus command waits for a frame, and keys do not.
      editor.view.focus();
      editor.commands.setTextSelection(found);
    }, [text, atEnd]);
  await cursor("Old.", true);
  await page.keyboard.type(" typed");
  await cursor("Many.", false);
  await page.keyboard.type("So ");
  const seen = await page.evaluate(() => {
    const waiting = boundDocument.hunks().map(({ id, conflict, newText }) => [id, conflict, newText]);
    boundDocument.accept({ hunk: "h1" });
    boundDocument.reject({ hunk: "h3" });
    boundDocument.accept("all");
    return { waiting, html: editor.getHTML(), agent: boundDocument.toHTML() };
  });
  assert.deepEqual(seen.waiting, [["h1", false, "Older"], ["h2", false, "And something new."], ["h3", false, "Few"]]);
  assert.equal(seen.html, TEA.replace("Old.", "Older. typed</p><p>And something new.").replace("Many", "So Many"));
  assert.equal(seen.agent, seen.html);
});

test("the page is notified of proposals, decisions and the mode, when nothing is borrowed", async (t) => {
  const page = await open(t);
  const heard = await page.evaluate((html) => {
    edit(html);
    const heard = [];
    editor.storage.copydesk.bind().onReview = () => heard.push([boundDocument.mode, boundDocument.hunks().length]);
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p>" });
    boundDocument.apply({ operation: "replace", sectionIndex: 2, content: "<p>Few.</p>" });
    boundDocument.accept({ hunk: "h1" });
    boundDocument.reject("all");
    boundDocument.mode = "auto";
    return heard;
  }, TEA);
  assert.deepEqual(heard, [["review", 0], ["review", 1], ["review", 2], ["review", 1], ["review", 0], ["auto", 0]]);
});

test("rejecting the image of an article removes nothing else", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(() => {
    edit("<p></p>");
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace", sectionIndex: 0, title: "Tea", content: "<p>About.</p>" });
    boundDocument.apply({ operation: "append", title: "One", content: "<p>First.</p>" });
    boundDocument.apply({ operation: "append", title: "Two", content: "<p>Second.</p>" });
    boundDocument.apply({ operation: "insert_image", sectionIndex: 1, imageUrl: "https://images.example/a.png", imageDescription: "Tea" });
    const brief = () => boundDocument.hunks().map(({ id, content, originalText }) => [id, JSON.stringify(content), originalText]);
    const before = brief();
    const picture = before.find(([, content]) => content.includes("image"));
    boundDocument.reject({ hunk: picture[0] });
    const after = brief();
    boundDocument.accept("all");
    return { left: before.filter(([id]) => id !== picture[0]), after, html: editor.getHTML() };
  });
  assert.deepEqual(seen.after, seen.left);
  assert.equal(seen.html, "<h1>Tea</h1><p>About.</p><h2>One</h2><p>First.</p><h2>Two</h2><p>Second.</p>");
});

test("conflicts stay open when all is accepted, and each is decided separately", async (t) => {
  const page = await open(t);
  for (const [version, text] of [["mine", "Ancient"], ["theirs", "Older"], ["both", "Ancient Older"]]) {
    const seen = await page.evaluate(([html, version]) => {
      const editor = edit(html);
      boundDocument.mode = "review";
      boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p>" });
      boundDocument.apply({ operation: "replace", sectionIndex: 2, content: "<p>Few.</p>" });
      let at;
      editor.state.doc.descendants((node, position) => void (node.text === "Old." && (at = position)));
      editor.view.dispatch(editor.state.tr.insertText("Ancient", at, at + 3));
      const accepted = boundDocument.accept("all");
      const between = editor.getHTML();
      boundDocument.resolveHunk("h1", version);
      const after = editor.getHTML();
      if (version !== "mine") editor.commands.undo();
      return { accepted, between, after, undone: editor.getHTML(), left: boundDocument.hunks().length };
    }, [TEA, version]);
    const typed = TEA.replace("Old", "Ancient").replace("Many", "Few");
    assert.deepEqual(seen, { accepted: { hunks: ["h2"], conflicts: 1 }, between: typed, after: typed.replace("Ancient", text), undone: typed, left: version === "mine" ? 0 : 1 });
  }
});

test("typing beside hunks reports their new positions, and nothing else", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async (html) => {
    const editor = edit(html);
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p>" });
    await undefined;
    const [revision, from] = boundDocument.hunkPlaces();
    let asked = 0;
    const all = boundDocument.hunks.bind(boundDocument);
    boundDocument.hunks = () => (asked++, all());
    for (const letter of "typed") {
      editor.view.dispatch(editor.state.tr.insertText(letter, 1));
      await undefined;
      await undefined;
    }
    const places = boundDocument.hunkPlaces();
    return { asked, same: places[0] === revision, by: places[1] - from, now: all()[0].from === places[1] };
  }, TEA);
  assert.deepEqual(seen, { asked: 0, same: true, by: 5, now: true });
});

test("a plugin that filters the acceptance leaves everything pending", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    let shut = false;
    const gate = new Plugin({ key: new PluginKey("gate"), filterTransaction: (tr) => !(shut && tr.docChanged) });
    const editor = edit(html);
    editor.registerPlugin(gate);
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p>" });
    shut = true;
    let code;
    try {
      boundDocument.accept("all");
    } catch (error) {
      code = error.code;
    }
    const waiting = boundDocument.hunks().map(({ id }) => id);
    shut = false;
    boundDocument.accept("all");
    return { code, waiting, html: editor.getHTML() };
  }, TEA);
  assert.deepEqual(seen, { code: "editor_refused", waiting: ["h1"], html: TEA.replace("Old", "Older") });
});

test("a command proposes in review mode, and a dry run has no effect", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const editor = edit(html);
    boundDocument.mode = "review";
    const update = { operation: "replace", sectionIndex: 1, content: "<p>Older.</p>" };
    const can = [editor.can().applyDocUpdate(update), editor.can().applyDocUpdate({ ...update, sectionIndex: 9 })];
    const asked = boundDocument.hunks().length;
    editor.commands.applyDocUpdate(update);
    return { can, asked, after: boundDocument.hunks().length, html: editor.getHTML() };
  }, TEA);
  assert.deepEqual(seen, { can: [true, false], asked: 0, after: 1, html: TEA });
});

test("unknown hunk ids, turn ids and modes are errors", async (t) => {
  const page = await open(t);
  const codes = await page.evaluate((html) => {
    edit(html);
    const code = (run) => {
      try {
        run();
      } catch (error) {
        return [error.code, error.details.valid];
      }
    };
    return [
      code(() => boundDocument.accept({ hunk: "h9" })),
      code(() => boundDocument.reject({ hunk: "h9" })),
      code(() => boundDocument.undoTurn("t9")),
      code(() => (boundDocument.mode = "both"))[0],
      code(() => boundDocument.accept("some"))[0],
      code(() => boundDocument.accept({ toolid: "a" }))[0],
      code(() => boundDocument.resolveHunk("h9", "both")),
      code(() => boundDocument.resolveHunk("h9", "ours"))[0],
      code(() => boundDocument.resolveHunk(9, "both"))[0],
    ];
  }, TEA);
  const wrong = "invalid_parameter";
  assert.deepEqual(codes, [["unknown_hunk", []], ["unknown_hunk", []], ["unknown_turn", []], wrong, wrong, wrong, ["unknown_hunk", []], wrong, wrong]);
});

/** Runs an agent whose model reads, edits in the next turn and ends. Returns the turn of the edit. */
const TURN = `window.turn = async (update, tool = "update_section") => {
  const chunk = (delta, finish = null) => "data: " + JSON.stringify({ choices: [{ delta, finish_reason: finish, index: 0 }] }) + "\\n\\n";
  const call = (id, name, args) => ({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: JSON.stringify(args) } }] });
  let asked = 0;
  const calls = [call("call0", "get_document", {}), call("call1", tool, update)];
  const answers = [...calls.map((delta) => chunk(delta, "tool_calls")), chunk({ content: "Done." }, "stop")];
  const fetch = async () => new Response(answers[asked++] + "data: [DONE]\\n\\n", { headers: { "content-type": "text/event-stream" } });
  const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://model.example/v1" } };
  const agent = new Agent({ document: boundDocument, llmConfig, fetch });
  const turns = [];
  agent.subscribe((event) => event.type === "turn_start" && turns.push(event.turnId));
  const result = await agent.prompt("go");
  if (result.status !== "complete") throw new Error(JSON.stringify(result));
  return turns[1];
};`;

test("undo brings the changes of a turn back that all waited when it was undone, and not what was typed before", async (t) => {
  const page = await open(t);
  await page.evaluate(TURN);
  const seen = await page.evaluate(async (html) => {
    const editor = edit(html);
    editor.commands.insertContentAt(editor.state.doc.content.size - 1, " typed");
    boundDocument.mode = "review";
    const turn = await window.turn({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p>" });
    const state = () => [boundDocument.hunks().map(({ id }) => id).length, editor.getText().endsWith(" typed")];
    const states = [state()];
    const { rejected } = boundDocument.undoTurn(turn);
    states.push(state());
    for (const move of ["undo", "redo", "undo"]) {
      editor.commands[move]();
      states.push(state());
    }
    boundDocument.undoTurn(turn);
    states.push(state());
    return { states, rejected: rejected.length };
  }, TEA);
  const [waits, gone] = [[seen.rejected, true], [0, true]];
  assert.ok(seen.rejected > 0);
  assert.deepEqual(seen.states, [waits, gone, waits, gone, waits, gone]);
});

test("a turn is undone in one undo step, and what the user changed stays", async (t) => {
  const page = await open(t);
  await page.evaluate(TURN);
  const seen = await page.evaluate(async (html) => {
    const editor = edit(html);
    const turn = await window.turn({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p><p>And something new.</p>" });
    editor.commands.insertContentAt(editor.state.doc.content.size - 1, " typed");
    const before = editor.getHTML();
    const changed = [];
    editor.on("transaction", ({ transaction }) => transaction.docChanged && changed.push(transaction.steps.length));
    const undone = boundDocument.undoTurn(turn);
    const after = editor.getHTML();
    editor.commands.undo();
    const again = editor.getHTML();
    const count = changed.length;
    const next = await window.turn({ operation: "replace", sectionIndex: 2, content: "<p>Few.</p>" });
    editor.commands.insertContentAt(editor.state.doc.content.size - 1, "!");
    return { before, undone, count, after, again, other: boundDocument.undoTurn(next) };
  }, TEA);
  assert.equal(seen.after, TEA.replace("Many.", "Many. typed"));
  assert.equal(seen.again, seen.before);
  assert.equal(seen.count, 2, "one for taking it back, one for the undo of that");
  assert.deepEqual(seen.undone.left, []);
  assert.ok(seen.undone.restored >= 2);
  assert.equal(seen.other.restored, 0);
  assert.deepEqual(seen.other.left.map(({ text }) => text), ["Few.!"]);
});

test("a moved section waits as a deletion and an insertion, is accepted in one undo step, and its turn is undone", async (t) => {
  const page = await open(t);
  await page.evaluate(TURN);
  const seen = await page.evaluate(async (html) => {
    const editor = edit(html);
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "move_section", sectionIndex: 2, toIndex: 1 });
    const [hunks, agent, still] = [boundDocument.hunks().map(({ kind, block }) => [kind, block]), boundDocument.toHTML(), editor.getHTML()];
    boundDocument.accept("all");
    const accepted = editor.getHTML();
    editor.commands.undo();
    const undone = editor.getHTML();
    boundDocument.reject("all");
    boundDocument.apply({ operation: "move_section", sectionIndex: 1, toIndex: 2 });
    boundDocument.reject("all");
    const rejected = boundDocument.toHTML();
    boundDocument.mode = "auto";
    const turn = await window.turn({ operation: "move_section", sectionIndex: 1, toIndex: 2 }, "move_section");
    const moved = editor.getHTML();
    const { left } = boundDocument.undoTurn(turn);
    return { hunks, agent, still, accepted, undone, rejected, moved, left, back: editor.getHTML() };
  }, TEA);
  const moved = "<h1>Tea</h1><p>About tea.</p><h2>Kinds</h2><p>Many.</p><h2>History</h2><p>Old.</p>";
  assert.deepEqual(seen.hunks.map(([kind]) => kind).sort(), ["deletion", "insertion"]);
  assert.ok(seen.hunks.every(([, block]) => block));
  assert.deepEqual([seen.agent, seen.still, seen.accepted, seen.undone, seen.rejected], [moved, TEA, moved, TEA, TEA]);
  assert.deepEqual([seen.moved, seen.left, seen.back], [moved, [], TEA]);
});

test("with a collaborator, accepting and undoing keep the other's text, and both editors agree", async (t) => {
  const page = await open(t);
  await page.evaluate(TURN);
  const seen = await page.evaluate(async (html) => {
    const { Collaboration, Y } = await collaboration();
    const [one, two] = [new Y.Doc(), new Y.Doc()];
    one.on("update", (update, origin) => origin !== "wire" && Y.applyUpdate(two, update, "wire"));
    two.on("update", (update, origin) => origin !== "wire" && Y.applyUpdate(one, update, "wire"));
    const editor = edit("", { starter: { undoRedo: false }, extensions: [Collaboration.configure({ document: one })] });
    editor.commands.setContent(html);
    const text = (index) => two.getXmlFragment("default").get(index).get(0);
    const end = (index) => text(index).insert(text(index).length, " theirs");
    boundDocument.mode = "review";
    const turn = await window.turn({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p><p>And something new.</p>" });
    end(3);
    end(5);
    const conflicts = boundDocument.hunks().filter(({ conflict }) => conflict).length;
    boundDocument.accept({ turnId: turn });
    const accepted = editor.getHTML();
    end(1);
    text(3).insert(0, "x");
    const undone = boundDocument.undoTurn(turn);
    const same = two.getXmlFragment("default").toString() === one.getXmlFragment("default").toString();
    return { conflicts, accepted, undone, after: editor.getHTML(), agent: boundDocument.toHTML(), same };
  }, TEA);
  assert.equal(seen.conflicts, 0);
  const theirs = TEA.replace("Old.", "Older. theirs</p><p>And something new.").replace("Many.", "Many. theirs");
  assert.equal(seen.accepted, theirs);
  assert.equal(seen.undone.restored, 1);
  assert.deepEqual(seen.undone.left.map(({ text }) => text), ["xOlder. theirs"]);
  assert.equal(seen.after, theirs.replace("<p>And something new.</p>", "").replace("About tea.", "About tea. theirs").replace("Older", "xOlder"));
  assert.equal(seen.agent, seen.after);
  assert.ok(seen.same);
});
