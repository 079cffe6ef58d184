// A user and an agent edit one document, in every order.
import { Agent } from "copydesk";
import { randomFrom } from "../../../oracle/random.mjs";
import { CONFIG, answer, editorOf } from "./editors.js";
import { User, isTyped } from "./user.js";

const WORDS = ["tea", "leaf", "green", "old", "water", "cup", "many", "kinds", "of", "and"];

const words = (random) => random.times(1, 6, () => random.pick(WORDS)).join(" ");
const textOf = (random) => {
  const text = words(random);
  const cut = random.below(text.length);
  const marked = (part, marks) => (part ? [{ type: "text", text: part, ...(marks && { marks }) }] : []);
  if (random.chance(0.6)) return marked(text);
  const marks = random.pick([[{ type: "bold" }], [{ type: "link", attrs: { href: "https://a.example/" } }], [{ type: "comment", attrs: { id: 1 } }]]);
  return [...marked(text.slice(0, cut)), ...marked(text.slice(cut), marks)];
};
const node = (type, content, attrs) => ({ type, ...(attrs && { attrs }), content });
const p = (random) => node("paragraph", textOf(random));

/** A document with all kinds of lines, and sections. */
export function documentOf(random) {
  const item = (type, attrs) => () => node(type, random.chance(0.2) ? [p(random), p(random)] : [p(random)], attrs);
  const cell = () => node("tableCell", [p(random)]);
  const kinds = [
    () => p(random),
    () => p(random),
    () => node("heading", textOf(random), { level: 2 }),
    () => node("bulletList", random.times(1, 4, item("listItem"))),
    () => node("taskList", random.times(1, 3, item("taskItem", { checked: false }))),
    () => node("blockquote", [p(random), p(random)]),
    () => node("codeBlock", [{ type: "text", text: random.times(1, 3, () => words(random)).join("\n") }]),
    () => node("table", random.times(1, 2, () => node("tableRow", [cell(), cell()]))),
    () => node("callout", [p(random)]),
  ];
  return node("doc", [node("heading", textOf(random), { level: 1 }), ...random.times(2, 7, () => random.pick(kinds)())]);
}

/**
 * Calls of a model that knows an earlier state of the document. They never touch typed text that the model has seen.
 */
class Model {
  #random;
  #boundDocument;
  #known = { lines: [], sections: [] };

  constructor(random, boundDocument) {
    this.#random = random;
    this.#boundDocument = boundDocument;
  }

  /** Takes in a tool result. */
  hear(tool, content) {
    const boundDocument = this.#boundDocument;
    if (tool === "read_lines") Object.assign(this.#known, { lines: boundDocument.lines(), version: boundDocument.version });
    if (tool === "get_document") this.#known.sections = boundDocument.sections();
    // Errors and results show lines, which then count as seen: the model reads again before it replaces a section.
    else if (isTyped(JSON.stringify(content))) this.#known.sections = [];
  }

  call() {
    const makes = [this.#lines, this.#lines, this.#lines, this.#text, this.#text, this.#section, this.#several, this.#whole, this.#html];
    return this.#random.pick(makes).call(this) ?? ["read_lines", {}];
  }

  /** Returns the lines of the snapshot in which nobody has typed. */
  #range(most) {
    const { lines } = this.#known;
    const first = this.#random.below(lines.length);
    const range = lines.slice(first, first + 1 + this.#random.below(most));
    return range.length && !range.some(({ text }) => isTyped(text)) ? [range[0].line, range.at(-1).line] : undefined;
  }

  #content() {
    return this.#random.times(0, 3, () => words(this.#random)).join("\n");
  }

  #lines() {
    const range = this.#range(3);
    return range && ["edit_current_editor_document", this.#named({ start_line: range[0], end_line: range[1], content: this.#content(), format: "text" })];
  }

  #html() {
    const range = this.#range(3);
    const content = this.#random.pick(["<p>by <strong>html</strong></p>", "<h2>head</h2><p>text</p>", "<ul><li>one</li><li>two</li></ul>", "in <em>line</em>"]);
    return range && ["edit_current_editor_document", this.#named({ start_line: range[0], end_line: range[1], content, format: "html" })];
  }

  #several() {
    const edits = [];
    for (const { line, text } of this.#known.lines) {
      if (!isTyped(text) && this.#random.chance(0.3)) edits.push({ start_line: line, end_line: line, content: this.#content(), format: "text" });
    }
    return edits.length ? ["edit_current_editor_document", this.#named({ edits })] : undefined;
  }

  #text() {
    const { lines } = this.#known;
    const { text = "", line } = this.#random.pick(lines) ?? {};
    const words = text.split(" ").filter((word) => word && !isTyped(word));
    if (!words.length) return undefined;
    return ["replace_text", this.#named({ old: this.#random.pick(words), new: this.#random.pick(["x", "", "new words", "two\nlines"]), ...this.#random.pick([{ near_line: line }, { all: true }, {}]) })];
  }

  #section() {
    const { sections } = this.#known;
    if (!sections.length) return ["get_document", {}];
    const section = this.#random.pick(sections);
    if (isTyped(section.content + section.title)) return undefined;
    const sectionIndex = section.index;
    const content = "<p>By the agent.</p><ul><li>one</li></ul>";
    if (sectionIndex && this.#random.chance(0.2)) {
      return ["move_section", { sectionIndex, toIndex: 1 + this.#random.below(sections.length - 1) }];
    }
    return ["update_section", this.#random.pick([
      { operation: "replace", sectionIndex, content },
      { operation: "replace", sectionIndex, content: section.content.replace("tea", "coffee") },
      { operation: "delete", sectionIndex: sectionIndex || 1 },
      { operation: "append", title: "End", content },
      { operation: "insert", sectionIndex: sectionIndex || 1, title: "Between", content },
    ].filter((call) => call.operation !== "delete" || sectionIndex))];
  }

  #whole() {
    const { lines } = this.#known;
    const texts = lines.map(({ text }) => text);
    const at = this.#random.below(texts.length);
    if (isTyped(texts[at])) return undefined;
    texts[at] = words(this.#random);
    return ["edit_current_editor_document", this.#named({ content: texts.join("\n"), format: "text" })];
  }

  /**
   * Usually the snapshot's version, otherwise the last one that was shown, which it only knows if both are the same.
   */
  #named(call) {
    return { ...call, version: this.#known.version };
  }
}

const json = (document) => JSON.stringify(document.toJSON());

/**
 * Performs one run of the agent while the user types. Returns the failure, if any; `said` counts how the calls ended.
 */
async function one(seed, said) {
  const random = randomFrom(seed);
  const editor = editorOf(documentOf(random));
  const start = editor.getJSON();
  const boundDocument = editor.storage.copydesk.document;
  const [user, model] = [new User(random, editor), new Model(random, boundDocument)];
  const log = [];
  let wrong;
  const check = (what) => {
    log.push(what);
    wrong ??= user.wrong() && `${user.wrong()} after ${log.slice(-4).join(", ")}`;
    if (JSON.stringify(boundDocument.toJSON()) !== json(editor.state.doc)) wrong ??= `the wasm does not follow after ${what}`;
  };
  const acts = () => {
    for (let left = random.below(4); left > 0; left--) {
      check(user.act());
    }
  };
  let turns = 2 + random.below(6);
  const fetch = async () => {
    turns -= 1;
    const first = log.length === 0;
    const calls = first ? [["get_document", {}], ["read_lines", {}]] : turns <= 0 ? [] : random.times(1, 2, () => model.call());
    log.push(JSON.stringify(calls));
    // Between what the model was shown and the effect of its calls.
    acts();
    await undefined;
    return answer(calls);
  };
  const agent = new Agent({ document: editor, llmConfig: CONFIG, documentInPrompt: false, fetch });
  agent.subscribe((event) => {
    if (event.type !== "tool_result") return;
    model.hear(event.toolName, event.content);
    const name = event.isError ? event.content.error.code : "applied";
    if (!["get_document", "read_lines"].includes(event.toolName)) said[name] = (said[name] ?? 0) + 1;
    check(JSON.stringify(event.content).slice(0, 200));
  });
  const { status, error } = await agent.prompt("Go");
  if (status !== "complete") wrong ??= `the run ended as ${status}: ${error?.message}`;
  acts();
  const end = editor.getJSON();
  while (editor.can().undo()) editor.commands.undo();
  if (JSON.stringify(editor.getJSON()) !== JSON.stringify(start)) wrong ??= "undoing all does not come to the start";
  while (editor.can().redo()) editor.commands.redo();
  if (JSON.stringify(editor.getJSON()) !== JSON.stringify(end)) wrong ??= "redoing all does not come to the end";
  return wrong && { seed, wrong, log };
}

/** Performs `count` runs, one per seed. Returns the first failure, and how all calls ended. */
export async function interleave(seed, count) {
  const said = {};
  for (let index = 0; index < count; index++) {
    try {
      const wrong = await one(seed + index, said);
      if (wrong) return { wrong, said };
    } catch (error) {
      return { wrong: { seed: seed + index, wrong: error.stack }, said };
    }
  }
  return { wrong: null, said };
}

/**
 * An agent that pauses after each request until `go()` is called, for keys that are really pressed.
 * `calls` are its turns after it has read the lines.
 */
export function typedBeside(content, calls) {
  const editor = editorOf(content);
  const turns = [[["get_document", {}], ["read_lines", {}]], ...calls, []];
  let release;
  const asked = [];
  const fetch = async () => {
    await new Promise((go) => {
      release = go;
      asked.shift()?.();
    });
    return answer(turns.shift());
  };
  const agent = new Agent({ document: editor, llmConfig: CONFIG, documentInPrompt: false, fetch });
  const codes = [];
  agent.subscribe((event) => event.type === "tool_result" && codes.push(event.isError ? event.content.error.code : "applied"));
  const next = () => new Promise((done) => (release ? done() : asked.push(done)));
  window.beside = {
    run: agent.prompt("Go"),
    codes,
    /** Lets the next answer arrive, and waits until the following request or the end of the run. */
    async go() {
      await next();
      const now = release;
      release = undefined;
      now();
      await Promise.race([next(), this.run]);
    },
    editor,
  };
}
