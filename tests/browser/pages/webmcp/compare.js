// The same random calls, from outside of the page and by an agent of copydesk, on two documents that are the same.
import { randomFrom } from "../../../oracle/random.mjs";

const IMAGE = "https://known.example/cup.png";
const CONTENT =
  `<h1>Tea</h1><p>A <b>leaf</b> in water.</p><img src="${IMAGE}" alt="cup"><h2>History</h2><p>Old tea.</p><p>Very old tea.</p>` +
  '<h2>Kinds</h2><ul><li>Green <a href="https://a.example/">tea</a></li><li>Black tea</li></ul><h2>Legal</h2><p>All rights reserved.</p>';
const WORDS = ["tea", "leaf", "green", "old", "water", "cup", "many", "kinds"];
const GUARDS = { locked: ["Legal"], lossless: "reject", links: { hosts: ["a.example"] } };

const words = (random) => random.times(1, 5, () => random.pick(WORDS)).join(" ");
const title = (random) => random.pick(WORDS).replace(/^./, (letter) => letter.toUpperCase());
const line = (random) => 1 + random.below(16);

/** The calls that an agent makes, with some that are wrong. */
const CALLS = [
  () => ["get_document", {}],
  (random) => ["read_lines", random.chance(0.5) ? {} : { start_line: line(random), end_line: line(random) }],
  (random) => ["edit_current_editor_document", { start_line: line(random), content: words(random) }],
  (random) => {
    const [a, b] = [line(random), line(random)];
    return ["edit_current_editor_document", { start_line: Math.min(a, b), end_line: Math.max(a, b), content: random.times(1, 3, () => words(random)).join("\n") }];
  },
  (random) => ["edit_current_editor_document", { start_line: line(random), content: words(random), version: random.pick(["zzzz", "1"]) }],
  (random) => ["edit_current_editor_document", { start_line: line(random), content: `<p><a href="https://${random.pick(["a", "b"])}.example/">${words(random)}</a></p>`, confirmDrop: true }],
  (random) => ["replace_text", { old: random.pick(WORDS), new: words(random), ...(random.chance(0.5) && { all: true }) }],
  (random) => ["replace_text", { old: random.pick(WORDS), new: words(random), near_line: line(random) }],
  (random) => ["update_section", { operation: random.pick(["replace", "insert"]), sectionIndex: random.below(5), title: title(random), content: `<p>${words(random)}</p>` }],
  (random) => ["update_section", { operation: "append", title: title(random), content: `<p>${words(random)}</p>` }],
  (random) => ["update_section", { operation: "delete", sectionIndex: random.below(5) }],
  (random) => ["move_section", { sectionIndex: random.below(5), toIndex: random.below(5) }],
  (random) => ["insert_image", { sectionIndex: random.below(4), imageUrl: random.pick([IMAGE, "https://evil.example/x.png", "javascript:x"]), imageDescription: "cup" }],
  (random) => ["read_lines", { start_line: random.pick(["x", -1, 99, [1]]) }],
  () => ["update_section", { operation: "burn" }],
  () => ["replace_text", {}],
  () => ["read_more", { id: "none" }],
];

/** What hunks state beside the names of turns and calls. */
const plain = (hunks) => hunks.map(({ turnIds, toolIds, ...hunk }) => ({ ...hunk, turns: turnIds.length, calls: toolIds.length }));

const json = (value) => JSON.stringify(value);

/** The user types, or decides about a proposal, in the same way in all editors. */
function act(random, editors) {
  const hunk = random.pick(editors[0].storage.copydesk.document.hunks());
  if (hunk && random.chance(0.5)) {
    const command = random.pick(["acceptHunk", "rejectHunk"]);
    for (const editor of editors) editor.commands[command](hunk.id);
    return;
  }
  const ends = [];
  editors[0].state.doc.descendants((node, position) => void (node.isTextblock && ends.push(position + 1 + node.content.size)));
  const [end, text] = [random.pick(ends), ` ${words(random)}`];
  for (const editor of editors) editor.view.dispatch(editor.state.tr.insertText(text, end));
}

/** More than any test lasts, in ms. */
const GATHER = 1e8;

/** Lets the calls of a step be gathered until all have arrived, however busy the machine is. The calls of an answer are those
 * between `expect(count)` and the last arrival. */
function gathering() {
  const { setTimeout } = window;
  const context = document.modelContext;
  const { registerTool } = context;
  let [missing, go] = [0, undefined];
  const proceed = () => {
    if (missing || !go) return;
    const run = go;
    go = undefined;
    run();
  };
  window.setTimeout = (run, delay, ...rest) => {
    if (delay !== GATHER) return setTimeout.call(window, run, delay, ...rest);
    go = run;
    queueMicrotask(proceed);
    return 0;
  };
  context.registerTool = (tool, ...rest) => {
    const execute = (...given) => {
      const result = tool.execute(...given);
      missing--;
      proceed();
      return result;
    };
    return registerTool.call(context, { ...tool, execute }, ...rest);
  };
  return {
    expect: (count) => void (missing = count),
    end() {
      window.setTimeout = setTimeout;
      delete context.registerTool;
    },
  };
}

/** Makes `steps` random answers on both sides. Returns the first difference, or null, and the outcomes by code. */
export async function compare(seed, { mode, isGuarded, locale, steps = 25 }) {
  const random = randomFrom(seed);
  const given = isGuarded ? GUARDS : undefined;
  const theirs = window.edit(CONTENT, { mode, locale });
  const ours = window.edit(CONTENT, { mode, locale, guards: given });
  const gathered = gathering();
  const exposed = await window.exposeTools(theirs, { guards: given, locale, gather: GATHER });
  const { agent, run } = window.agentOf(ours, { locale });
  const codes = {};
  const differs = (what, a, b) => (json(a) === json(b) ? null : { what, outside: a, own: b });
  const state = ({ storage: { copydesk } }) => [copydesk.document.numbered({ style: "structure" }), plain(copydesk.document.hunks())];
  const differing = () => differs("documents", theirs.getJSON(), ours.getJSON()) ?? differs("proposals and hunks", state(theirs), state(ours));
  const end = (difference) => {
    exposed.dispose();
    gathered.end();
    agent.dispose();
    theirs.destroy();
    ours.destroy();
    return { difference, codes };
  };
  for (let step = 0; step < steps; step++) {
    const calls = random.times(1, 4, () => random.pick(CALLS)(random)).map(([name, args]) => ({ name, args }));
    const tools = await window.toolsOf();
    gathered.expect(calls.length);
    const [outside, own] = await Promise.all([
      Promise.all(calls.map(({ name, args }) => document.modelContext.executeTool(tools[name], args))),
      run(calls),
    ]);
    for (const text of own) {
      const code = /^\{"error":\{"code":"(\w+)"/.exec(text)?.[1] ?? "ok";
      codes[code] = (codes[code] ?? 0) + 1;
    }
    const difference = differs(json(calls), outside, own) ?? differing();
    if (difference) return end({ step, ...difference });
    if (random.chance(0.4)) act(random, [theirs, ours]);
  }
  for (const editor of [theirs, ours]) editor.commands.acceptAll();
  // Each edit is one undo step on both sides.
  for (let undone = 0; ; undone++) {
    const difference = differs(`documents after ${undone} undo steps`, theirs.getJSON(), ours.getJSON());
    if (difference) return end(difference);
    const could = [theirs, ours].map((editor) => editor.commands.undo());
    if (could[0] !== could[1]) return end({ what: `undo step ${undone}`, outside: could[0], own: could[1] });
    if (!could[0]) {
      codes.undone = undone;
      return end(null);
    }
  }
}
