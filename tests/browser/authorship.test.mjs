// copydesk/authorship: which text agents wrote, in the page and in a shared document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf } from "./budget.mjs";
import { opener } from "./harness.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SCHEDULES = countOf("COPYDESK_SCHEDULES", 60, 20);

const open = opener("suggestions");

/** Runs code with an editor that is not shared, or two in a room. */
async function written(t, code, { isShared = false } = {}) {
  const page = await open(t);
  return page.evaluate(`(async () => {
    const room = new Room();
    const given = { authorship: true, alone: ${!isShared} };
    const peers = ${isShared} ? [room.join("Ada", given), room.join("Bo", given)] : [room.join("Ada", given)];
    const [ada, bo] = peers;
    ada.editor.commands.setContent("<p>Tea is very old.</p><p>One leaf.</p>");
    await room.settle();
    const turns = [];
    const agent = new Agent({ document: ada.editor, llmConfig: CONFIG, fetch: async () => answer(turns.shift() ?? []) });
    authorship.followAuthor(ada.editor, agent, { name: "Robot", model: "m-1", provider: "Acme" });
    const write = async (old, text) => { turns.push([["replace_text", { old, new: text }]], []); await agent.prompt("Edit"); };
    const texts = ({ editor } = ada) => authorship.authorshipOf(editor).map(({ from, to }) => editor.state.doc.textBetween(from, to, "/"));
    const type = (text, at, { editor } = ada) => editor.view.dispatch(editor.state.tr.insertText(text, at));
    try { ${code} } finally { room.close(); }
  })()`);
}

test("accepted text has its agent, model, provider, turn, time and who accepted it; words of people and what was there are theirs", async (t) => {
  const seen = await written(
    t,
    `
    await write("very old", "old and rather green");
    const before = texts();
    ada.document.accept("all");
    const [{ agent: author, provider, turn, time, acceptedBy, sources }] = authorship.authorshipOf(ada.editor);
    const seen = [before, texts(), author, provider, typeof turn, Math.abs(time - Date.now()) < 60_000, acceptedBy, sources];
    type("XY", ada.editor.state.doc.textContent.indexOf("rather") + 4);
    seen.push(texts());
    ada.editor.commands.splitBlock();
    ada.editor.commands.undo();
    ada.editor.commands.undo();
    seen.push(texts());
    return seen;
  `,
  );
  const [before, after, author, provider, turn, isNow, acceptedBy, sources, typed, undone] = seen;
  assert.deepEqual(before, []);
  assert.equal(after.join("|").trim(), "and rather green");
  assert.deepEqual(author, { kind: "agent", name: "Assistant of Ada", id: "ada", color: "#2b5bd7", model: "m-1" });
  assert.deepEqual([provider, turn, isNow, acceptedBy, sources], ["Acme", "string", true, { kind: "person", name: "Ada", id: "ada" }, []]);
  assert.equal(typed.join("|").trim(), "and rat|her green");
  assert.equal(undone.join("|").trim(), "and rather green");
});

test("cut and pasted text of an agent is still its text, and retyped text is not", async (t) => {
  const seen = await written(
    t,
    `
    await write("One", "Wonderful");
    ada.document.accept("all");
    const from = ada.editor.state.doc.child(0).nodeSize + 1;
    ada.editor.view.dispatch(ada.editor.state.tr.delete(from, from + 9).setMeta("uiEvent", "cut"));
    const cut = texts();
    ada.editor.commands.setTextSelection(5);
    ada.editor.view.pasteText("Wonderful");
    const pasted = texts();
    ada.editor.commands.undo();
    type("Wonderful", 5);
    return [cut, pasted, texts()];
  `,
  );
  assert.deepEqual(seen, [[], ["Wonderful"], []]);
});

for (const isShared of [false, true])
  test(`text of an agent keeps its author when it is moved in one step or loaded again, ${isShared ? "in a room" : "alone"}`, async (t) => {
    const seen = await written(
      t,
      `
      await write("leaf", "wonderful big Tree");
      ada.document.accept("all");
      await room.settle();
      const seen = [];
      const note = async () => { await room.settle(); seen.push(ada.editor.getText({ blockSeparator: "/" }) + ": " + [...new Set(peers.map((peer) => texts(peer).join("|")))].join(" and ")); };
      const move = (from, to, at) => { const { state } = ada.editor; ada.editor.view.dispatch(state.tr.delete(from, to).insert(at, state.doc.slice(from, to).content)); };
      const first = ada.editor.state.doc.child(0).nodeSize;
      move(first, ada.editor.state.doc.content.size, 0);
      await note();
      ada.editor.commands.undo();
      await note();
      const word = first + 1 + "One ".length;
      move(word, word + "wonderful ".length, 1);
      await note();
      ada.editor.commands.undo();
      await note();
      ada.editor.commands.setContent(ada.editor.getJSON());
      await note();
      ada.editor.view.dispatch(ada.editor.state.tr.insertText("a small", word, word + "wonderful big".length));
      await note();
      return seen;
    `,
      { isShared },
    );
    const text = "wonderful big Tree";
    assert.deepEqual(seen, [
      `One ${text}./Tea is very old.: ${text}`,
      `Tea is very old./One ${text}.: ${text}`,
      "wonderful Tea is very old./One big Tree.: wonderful |big Tree",
      `Tea is very old./One ${text}.: ${text}`,
      `Tea is very old./One ${text}.: ${text}`,
      "Tea is very old./One a small Tree.:  Tree",
    ]);
  });

test("HTML, JSON-LD and the front matter of Markdown tell it, and a stored document has it again", async (t) => {
  const seen = await written(
    t,
    `
    await write("One leaf", "One <b>& green");
    ada.document.accept("all");
    const { head, body } = authorship.toDisclosedHTML(ada.editor);
    const found = new DOMParser().parseFromString(head + body, "text/html");
    const span = found.querySelector("[data-ai-agent]");
    const { stored } = ada.editor.storage.authorship;
    const again = room.join("Again", { ...given, content: ada.editor.getJSON(), stored: JSON.parse(JSON.stringify(stored)) });
    const damaged = room.join("Other", { ...given, content: ada.editor.getJSON(), stored: { records: { a: 1, b: { v: 9 } }, ranges: [{ from: -1, to: 1e9, id: "a" }, null, { from: 1, to: 3, id: "b" }] } });
    return {
      meta: found.querySelector("meta[name=ai-disclosure]").content,
      data: JSON.parse(found.querySelector("script").textContent).digitalSourceType,
      span: { ...span.dataset }, text: span.textContent,
      html: body.replaceAll(/<span[^>]*>|<\\/span>/g, "") === ada.editor.getHTML(),
      disclosure: authorship.disclosureOf(ada.editor),
      markdown: [authorship.withDisclosure("# Tea\\n", ada.editor), authorship.withDisclosure("---\\ntitle: Tea\\nai-disclosure: old\\n---\\n# Tea\\n", ada.editor)],
      again: texts(again), damaged: texts(damaged),
    };
  `,
  );
  assert.equal(seen.meta, "mixed");
  assert.equal(seen.data, "https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource");
  const { aiTime, aiTurn, ...data } = seen.span;
  assert.deepEqual(data, { aiDisclosure: "ai-generated", aiAgent: "Assistant of Ada", aiModel: "m-1", aiProvider: "Acme", aiAcceptedBy: "Ada" });
  assert.ok(aiTurn && !Number.isNaN(Date.parse(aiTime)));
  assert.ok(seen.html);
  const { agents, people, kind } = seen.disclosure;
  assert.deepEqual([kind, agents.map(({ name, model, provider }) => [name, model, provider])], ["mixed", [["Assistant of Ada", "m-1", "Acme"]]]);
  const field = `ai-disclosure: ${JSON.stringify(seen.disclosure)}`;
  assert.deepEqual(seen.markdown, [`---\n${field}\n---\n\n# Tea\n`, `---\ntitle: Tea\n${field}\n---\n# Tea\n`]);
  assert.ok(people > 0 && agents[0].characters > 0);
  assert.equal(seen.again.join(""), seen.text);
  assert.deepEqual(seen.damaged, []);
});

test("in a shared document all have it, whoever accepts, and hostile entries of peers are ignored", async (t) => {
  const seen = await written(
    t,
    `
    await write("leaf", "greenery");
    await room.settle();
    bo.document.accept("all");
    await room.settle();
    const seen = [[texts(ada), texts(bo), authorship.authorshipOf(ada.editor)[0]?.acceptedBy.name]];
    type("zz", bo.editor.state.doc.child(0).nodeSize + 8, bo);
    await room.settle();
    bo.editor.commands.setTextSelection(3);
    bo.editor.commands.splitBlock();
    await room.settle();
    const later = room.join("Cy", given);
    await room.settle();
    seen.push([texts(ada), texts(bo), texts(later)]);
    const [records, spans] = ["authorship", "authorship-spans"].map((part) => ada.doc.getMap("copydesk:" + part));
    ada.doc.transact(() => {
      records.set("x", { v: 1, agent: { name: "<img src=x onerror='window.hacked=1'>" }, time: "now", sources: [1, "https://a"] });
      records.set("y", 7);
      spans.set("x/1", [[2, 0, 1e12], [1, -1, "a"], null, 5]);
      spans.set("y/1", "no");
    });
    await room.settle();
    const { body } = authorship.toDisclosedHTML(bo.editor);
    seen.push([bo.editor.getText() === ada.editor.getText(), body.includes("<img"), window.hacked ?? null]);
    return seen;
  `,
    { isShared: true },
  );
  assert.deepEqual(seen[0], [["greenery"], ["greenery"], "Bo"]);
  assert.deepEqual(seen[1], Array(3).fill(["gre", "enery"]));
  assert.deepEqual(seen[2], [true, false, null]);
});

test("in a shared document a letter of a person beside the same one of an agent stays that of the person", async (t) => {
  const seen = await written(
    t,
    `
    const seen = [];
    await write("is very", "and");
    ada.document.accept("all");
    await room.settle();
    ada.editor.state["y-undo$"].undoManager.stopCapturing();
    // "Tea and" becomes "Teand", in which the letter of "Tea" is left.
    ada.editor.view.dispatch(ada.editor.state.tr.delete(3, 5));
    await room.settle();
    seen.push(ada.editor.getText().slice(0, 5), texts(ada), texts(bo));
    ada.undo();
    await room.settle();
    seen.push(ada.editor.getText().slice(0, 7), texts(ada), texts(bo));
    return seen;
  `,
    { isShared: true },
  );
  assert.deepEqual(seen, ["Teand", ["nd"], ["nd"], "Tea and", ["and"], ["and"]]);
});

test("random schedules of a person and an agent: each range covers exactly what the agent wrote", async (t) => {
  t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another, COPYDESK_SCHEDULES the number`);
  const page = await open(t);
  let total = 0;
  for (let first = 0; first < SCHEDULES; first += 20) {
    const { wrong, sums } = await page.evaluate(([seed, count]) => authorshipSchedules(seed, count), [SEED + first, Math.min(20, SCHEDULES - first)]);
    assert.equal(wrong, null, JSON.stringify(wrong, null, 1));
    total += sums.agent;
  }
  assert.ok(total > SCHEDULES, "there was too little text of agents");
});
