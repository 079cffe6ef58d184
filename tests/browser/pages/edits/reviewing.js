// A user who types and decides, and an agent whose edits await review, in every order.
import { Fragment, Slice } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { ReplaceStep, Transform } from "@tiptap/pm/transform";
import { randomFrom } from "../../../oracle/random.mjs";
import { editorOf } from "./editors.js";
import { documentOf } from "./interleaving.js";
import { User, isTyped, typedIn as letters } from "./user.js";

/** Text of the agent: letters that nobody else uses. */
const BLOCKS = [
  "<p>by the agent</p>",
  "<p>by <strong>the</strong> agent</p><p>more</p>",
  "<ul><li>one</li><li>two</li></ul>",
  "<blockquote><p>quoted</p></blockquote>",
  "<h3>Part</h3><p>text</p>",
  "<hr><p>below</p>",
];

/** Returns an edit that a model may make of the proposed document. */
export function update(random, boundDocument) {
  const sections = boundDocument.outline().length;
  const lines = boundDocument.lines();
  const sectionIndex = random.below(Math.max(1, sections));
  const { line = 1, text = "" } = random.pick(lines) ?? {};
  const end_line = Math.min(lines.length, line + random.below(3));
  const content = random.pick(BLOCKS);
  const words = text.split(" ").filter((word) => word && !isTyped(word));
  return random.pick([
    () => ({ operation: "replace", sectionIndex, content }),
    () => ({ operation: "append", title: "End", content }),
    () => ({ operation: "insert", sectionIndex: sectionIndex || 1, title: "Between", content }),
    () => ({ operation: "delete", sectionIndex }),
    () => ({ operation: "move_section", sectionIndex, toIndex: 1 + random.below(Math.max(1, sections - 1)) }),
    () => ({ operation: "insert_image", sectionIndex, imageUrl: "https://images.example/a.png", imageDescription: "A picture" }),
    () => ({ operation: "replace_lines", edits: [{ start_line: line, end_line: line, content: `${text} and this` }], format: "text" }),
    () => ({ operation: "replace_lines", edits: [{ start_line: line, end_line, content }], format: "html" }),
    () => ({ operation: "replace_lines", edits: [{ start_line: line, end_line, content: "" }] }),
    () => ({ operation: "replace_text", old: words.length ? random.pick(words) : "tea", new: random.pick(["x", "", "new words"]), all: random.chance(0.5) }),
  ])();
}

const content = ({ from, to, content, originalText, conflict }) => JSON.stringify([to - from, content, originalText, conflict]);
const contents = (hunks) => new Map(hunks.map((hunk) => [hunk.id, content(hunk)]));

/** Checks the hunks with ProseMirror: all together give the proposal, and any subset gives a valid document. */
function judge(random, editor, boundDocument, hunks) {
  const { doc, schema } = editor.state;
  const apply = (some) => {
    const transform = new Transform(doc);
    for (const { from, to, content } of [...some].reverse()) transform.step(new ReplaceStep(from, to, new Slice(Fragment.fromJSON(schema, content), 0, 0)));
    transform.doc.check();
    return transform.doc;
  };
  if (!apply(hunks).eq(schema.nodeFromJSON(boundDocument.toJSON()))) return "the hunks do not lead to the proposal";
  apply(hunks.filter(() => random.chance(0.5)));
  return undefined;
}

/** Performs one run, in an editor without pending hunks. */
function one(editor, seed, said) {
  const random = randomFrom(seed);
  const { schema, plugins } = editor.state;
  const content = random.chance(0.1) ? { type: "doc", content: [{ type: "paragraph" }] } : documentOf(random);
  // Without the history of the run before.
  editor.view.updateState(EditorState.create({ schema, plugins, doc: schema.nodeFromJSON(content) }));
  const boundDocument = editor.storage.copydesk.document;
  boundDocument.mode = "review";
  const user = new User(random, editor);
  const log = [];
  let wrong;
  // What each hunk that is gone proposed, and those that are pending.
  const known = { gone: new Map(), now: new Map() };
  const fail = (what) => (wrong ??= `${what} after ${log.slice(-5).join(" | ")}`);
  const count = (what) => (said[what] = (said[what] ?? 0) + 1);

  /** Everything that was typed is there, unless the user deleted it. */
  const check = () => {
    const text = letters(editor.state.doc.textContent);
    const lost = [...user.alive].filter((letter) => !text.has(letter));
    if (lost.length) fail(`lost ${lost.join("")}`);
    editor.state.doc.check();
    const hunks = boundDocument.hunks();
    const ids = new Set(hunks.map(({ id }) => id));
    if (ids.size !== hunks.length) fail("an id is there twice");
    for (const { id, content } of hunks) {
      // Undoing an acceptance makes the same hunk pending again, with what has been proposed in its text since.
      const isMove = ["undo", "redo"].includes(log.at(-1));
      if (!isMove && known.gone.has(id) && known.gone.get(id) !== JSON.stringify(content)) fail(`${id} was given again`);
      known.gone.delete(id);
    }
    for (const [id, content] of known.now) if (!ids.has(id)) known.gone.set(id, content);
    known.now = new Map(hunks.map(({ id, content }) => [id, JSON.stringify(content)]));
    const judged = judge(random, editor, boundDocument, hunks);
    if (judged) fail(judged);
    return hunks;
  };
  const proposes = () => {
    const given = update(random, boundDocument);
    log.push(JSON.stringify(given));
    try {
      boundDocument.apply(given);
      count("proposed");
    } catch (error) {
      if (!error.code || error.code === "internal") throw error;
      count(error.code);
    }
  };
  const types = () => {
    const act = random.chance(0.5) ? user.act() : user.restructure();
    log.push(act);
    count(act);
    // Text that the user's own action removed.
    const text = letters(editor.state.doc.textContent);
    for (const letter of user.alive) if (!text.has(letter)) user.alive.delete(letter);
  };
  /** Runs an action. Returns whether a plugin added to what it did: the table plugin evens out the rows. */
  const isAddedTo = (action) => {
    let isAppended = false;
    const see = ({ appendedTransactions }) => (isAppended ||= appendedTransactions.some(({ docChanged }) => docChanged));
    editor.on("transaction", see);
    action();
    editor.off("transaction", see);
    return isAppended;
  };
  const decides = () => {
    const before = boundDocument.hunks();
    if (!before.length) return;
    const hunk = random.pick(before);
    const start = editor.getJSON();
    const way = random.pick(["accept", "accept", "reject", "both", "acceptAll"]);
    log.push(`${way} ${hunk.id}`);
    count(way);
    // What is linked with a hunk is decided with it.
    let decided = before.filter(({ id }) => id === hunk.id || hunk.linked.includes(id));
    const decide = () => {
      if (way === "acceptAll") {
        decided = before.filter(({ conflict }) => !conflict);
        const { hunks, conflicts } = boundDocument.accept("all");
        if (hunks.length !== decided.length || conflicts !== before.length - decided.length) fail("conflicts are not left open");
      } else if (way === "both") {
        try {
          boundDocument.resolveHunk(hunk.id, "both");
        } catch (error) {
          if (error.code !== "not_in_schema") throw error;
          decided = [];
        }
      } else boundDocument[way]({ hunk: hunk.id });
    };
    // What a plugin adds is a change of its own, which may be in another hunk.
    const isRepaired = isAddedTo(decide);
    // Text that the user typed and then agreed to lose.
    if (way.startsWith("accept")) {
      for (const { originalText, newText } of decided) for (const letter of letters(originalText)) if (!newText.includes(letter)) user.alive.delete(letter);
    }
    const others = contents(before);
    for (const { id } of decided) others.delete(id);
    const now = contents(boundDocument.hunks());
    if (!isRepaired && JSON.stringify([...others]) !== JSON.stringify([...now])) fail("a decision changed another hunk");
    if (way === "reject" && JSON.stringify(editor.getJSON()) !== JSON.stringify(start)) fail("rejecting changed the document");
    if (way.startsWith("accept") && decided.length && random.chance(0.2)) {
      check();
      editor.commands.undo();
      log.push("undo");
      if (JSON.stringify(editor.getJSON()) !== JSON.stringify(start)) fail("undoing an acceptance does not bring the former document back");
      const again = JSON.stringify([...contents(boundDocument.hunks())]);
      if (!isRepaired && again !== JSON.stringify([...contents(before)])) fail("an acceptance that was undone is not pending again");
    }
  };
  for (let left = 4 + random.below(8); left > 0 && !wrong; left--) {
    random.pick([proposes, proposes, types, types, types, decides])();
    check();
  }
  if (!wrong) {
    const [before, hunks] = [editor.getJSON(), boundDocument.hunks()];
    if (random.chance(0.5)) {
      boundDocument.reject("all");
      if (JSON.stringify(editor.getJSON()) !== JSON.stringify(before)) fail("rejecting all is not the user's document");
    } else {
      const proposed = boundDocument.toJSON();
      const isAppended = isAddedTo(() => {
        const isDecided = new Set();
        for (const { id, conflict, linked } of hunks) {
          if (!conflict || isDecided.has(id)) continue;
          boundDocument.resolveHunk(id, "theirs");
          for (const other of linked) isDecided.add(other);
        }
        boundDocument.accept("all");
      });
      if (isAppended) count("appended");
      const accepted = editor.getJSON();
      if (!isAppended && JSON.stringify(accepted) !== JSON.stringify(proposed)) fail(`accepting all is not the proposal: ${JSON.stringify([proposed, accepted])}`);
    }
    if (boundDocument.hunks().length) fail("something is left to decide");
    if (JSON.stringify(boundDocument.toJSON()) !== JSON.stringify(editor.getJSON())) fail("nothing waits, but the documents differ");
  }
  return wrong && { seed, wrong, log };
}

/** Performs `count` runs, one per seed. Returns the first failure, and how often each action was done. */
export function review(seed, count) {
  const said = {};
  const editor = editorOf("<p></p>");
  for (let index = 0; index < count; index++) {
    try {
      const wrong = one(editor, seed + index, said);
      if (wrong) return { wrong, said };
    } catch (error) {
      return { wrong: { seed: seed + index, wrong: error.stack ?? String(error) }, said };
    }
  }
  return { wrong: null, said };
}
