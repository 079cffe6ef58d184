// Typing that the wasm is told when somebody reads the document, compared with typing that it is told at once.
import { closeHistory } from "@tiptap/pm/history";
import { randomFrom } from "../../../oracle/random.mjs";
import { without } from "../../../oracle/shrink.mjs";
import { newEditor } from "./sync.js";

/** The pauses after which the editor begins a new undo step are acts, so that both editors have the same steps. */
const STARTER = { undoRedo: { newGroupDelay: 1e9 } };
const WORDS = ["tea", "grows", "in", "the", "hills", "of", "many", "lands"];

function contentOf(random) {
  const text = () => random.times(3, 8, () => random.pick(WORDS)).join(" ");
  const block = (at) => `<h2>Part ${at}</h2><p>${text()}</p><ul><li><p>${text()}</p></li><li><p>${text()}</p></li></ul><p>${text()}</p>`;
  return random.times(2, 4, block).join("");
}

/** Positions in the text of one of the first blocks, so that much happens in the same. */
function inText(random, { state }) {
  const places = [];
  state.doc.descendants((node, position) => void (node.isTextblock && places.push([position + 1, node.content.size])));
  const [start, size] = places[random.below(Math.min(places.length, 6))];
  return start + random.below(size + 1);
}

const typed = (random, { editor }) => editor.view.dispatch(editor.state.tr.insertText(random.pick(["x", "yz", "tea "]), inText(random, editor)));
const edit = ({ document, version }, edits) => document.apply({ operation: "replace_lines", edits, ...(version && { version }) });
const hunk = (random, { document }) => ({ hunk: random.pick(document.hunks()).id });

/** What happens in both editors. Everything else than typing is read from the document. */
const ACTS = {
  type: typed,
  typeMore: typed,
  typeAgain: typed,
  erase: (random, { editor }) => {
    const at = inText(random, editor);
    const $at = editor.state.doc.resolve(at);
    if ($at.parentOffset > 0) editor.view.dispatch(editor.state.tr.delete(at - 1, at));
  },
  copy: (random, { editor }) => {
    // A block gets the content that another one had.
    const [one, other] = [inText(random, editor), inText(random, editor)].map((at) => editor.state.doc.resolve(at));
    editor.view.dispatch(editor.state.tr.replaceWith(one.start(), one.end(), other.parent.content));
  },
  split: (random, { editor }) => editor.chain().setTextSelection(inText(random, editor)).splitBlock().run(),
  join: (random, { editor }) => editor.chain().setTextSelection(inText(random, editor)).joinBackward().run(),
  heading: (random, { editor }) => editor.chain().setTextSelection(inText(random, editor)).toggleHeading({ level: 2 }).run(),
  close: (_, { editor }) => editor.view.dispatch(closeHistory(editor.state.tr)),
  undo: (_, { editor }) => editor.commands.undo(),
  redo: (_, { editor }) => editor.commands.redo(),
  look: (_, side) => (side.version = side.document.version),
  agent: (random, side) => {
    const at = 1 + random.below(side.document.lines().length);
    edit({ document: side.document }, [{ start_line: at, end_line: at, content: `By the agent ${random.below(9)}` }]);
  },
  agentLater: (random, side) => {
    const at = 1 + random.below(8);
    if (side.version) edit(side, [{ start_line: at, end_line: at, content: `Later by the agent ${random.below(9)}` }]);
  },
  review: (_, { document }) => (document.mode = "review"),
  auto: (_, { document }) => (document.mode = "auto"),
  accept: (random, side) => side.document.accept(hunk(random, side)),
  reject: (random, side) => side.document.reject(hunk(random, side)),
  acceptAll: (_, { document }) => document.accept("all"),
  undoDecision: (_, { document }) => document.undoDecision(),
  command: (random, { editor, document }) => {
    const { index } = random.pick(document.outline());
    editor.commands.applyDocUpdate({ operation: "insert", sectionIndex: index, title: "New", content: "<p>By a command.</p>" });
  },
};

/** Calls an act. Returns the code of its failure. */
function outcome(act) {
  try {
    act();
    return "";
  } catch (error) {
    // The act does not fit the document.
    return error.code ?? error.name;
  }
}

const stateOf = ({ document }) => JSON.stringify([document.toJSON(), document.hunks(), document.outline(), document.sections()]);

/**
 * Plays random acts in two editors, one sequence for each seed. One reports every transaction at once, the other is read at
 * random times. Returns the first difference, and how many changes were reported later.
 */
export function followLate(seed, count, length) {
  const names = Object.keys(ACTS);
  let late = 0;
  const play = (start, acts) => {
    const sides = ["#page", "#other"].map((element) => ({ editor: newEditor(element, [], STARTER), version: undefined }));
    try {
      for (const side of sides) {
        side.editor.commands.setContent(contentOf(randomFrom(start)));
        side.document = side.editor.storage.copydesk.document;
      }
      const [eager, lazy] = sides;
      // Nothing that is remembered, as `version` is.
      eager.editor.on("transaction", () => void eager.document.outline());
      for (const act of acts) {
        const name = randomFrom(act).pick(names);
        const [wanted, found] = sides.map((side) => {
          const random = randomFrom(act);
          random.pick(names);
          return outcome(() => ACTS[name](random, side));
        });
        if (wanted !== found) return { after: name, wanted, found };
        late += Number(lazy.editor.storage.copydesk.binding.isLate);
        if (!randomFrom(act + 0.5).chance(0.2)) continue;
        const [ours, theirs] = [stateOf(lazy), stateOf(eager)];
        if (ours !== theirs) return { after: name, wanted: theirs, found: ours };
      }
      const [ours, theirs] = [stateOf(lazy), stateOf(eager)];
      return ours === theirs ? null : { after: "all", wanted: theirs, found: ours };
    } finally {
      for (const { editor } of sides) editor.destroy();
    }
  };
  for (let start = seed; start < seed + count; start++) {
    const acts = Array.from({ length }, (_, at) => start * 1000 + at);
    if (!play(start, acts)) continue;
    const needed = without(acts, (fewer) => play(start, fewer) !== null);
    return { failure: { seed: start, acts: needed.map((act) => randomFrom(act).pick(names)), ...play(start, needed) }, late };
  }
  return { failure: null, late };
}
