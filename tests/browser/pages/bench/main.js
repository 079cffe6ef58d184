// Measures copydesk and TipTap in turn. Times are milliseconds; every figure is a list of runs. Each measurement checks
// what it has measured and throws if the work was not done.
import { Editor, generateJSON, getSchema } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { Node } from "@tiptap/pm/model";
import StarterKit from "@tiptap/starter-kit";
import { Document, init } from "copydesk";
import { full } from "copydesk/full";
import { Copydesk } from "copydesk/tiptap";
import { diffLines } from "diff";
import { article } from "../../../bench/article.mjs";

// The wasm's memory is private to the package; here it is captured when it is created.
let memory;
for (const name of ["instantiate", "instantiateStreaming"]) {
  const real = WebAssembly[name];
  WebAssembly[name] = async (...args) => {
    const result = await real.apply(WebAssembly, args);
    memory = (result.instance ?? result).exports.memory;
    return result;
  };
}
await init(undefined, full);

const EXTENSIONS = [StarterKit, Image, TableKit, TaskList, TaskItem.configure({ nested: true })];
const SECTION = "<p>A section of <strong>new</strong> text, as a model may write it.</p><ul><li>one</li><li>two</li></ul>";

/** Returns the duration of a call in milliseconds. */
function time(call) {
  const start = performance.now();
  call();
  return performance.now() - start;
}

/** Runs all the calls in turn, `runs` rounds: `{name: [ms, …]}`. Interference of the machine hits all of them alike. */
async function interleaved(runs, calls) {
  const times = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const [name, call] of Object.entries(calls)) {
      await pause();
      times[name].push(time(call));
    }
  }
  return times;
}

/** Throws unless a measurement has done its work. */
function check(isDone, problem) {
  if (!isDone) throw new Error(problem);
}

const schema = getSchema(EXTENSIONS);
const isSame = (one, other) => Node.fromJSON(schema, one).eq(Node.fromJSON(schema, other));
const countOf = (text, part) => text.split(part).length - 1;

const pause = () => new Promise((done) => setTimeout(done, 0));

/** Reading HTML: copydesk, TipTap, and a plain walk over the browser parser's tree. */
export async function reading(bytes, runs) {
  const html = article(bytes);
  const dense = article(bytes, { between: "" });
  let document;
  const times = await interleaved(runs, {
    generateJSON: () => generateJSON(html, EXTENSIONS),
    dense: () => generateJSON(dense, EXTENSIONS),
    walk: () => walk(html, (block) => block.outerHTML),
    outlineWalk: () => walk(html, () => ""),
    fromHTML: () => (document = Document.fromHTML(html)),
    outline: () => document.outline(),
    sections: () => document.sections(),
    lines: () => document.lines(),
    numbered: () => document.numbered(),
    toJSON: () => document.toJSON(),
    toHTML: () => document.toHTML(),
  });
  check(isSame(document.toJSON(), generateJSON(html, EXTENSIONS)), "fromHTML and generateJSON give different documents");
  const titles = walk(html, () => "").map(({ title }) => title);
  check(document.sections().map(({ title }) => title).join("\n") === titles.join("\n"), "sections() and the walk find different sections");
  const lines = document.lines();
  const numbers = document.numbered().match(/^\d+(?=:)/gm);
  check(lines.length > 0 && numbers?.length === lines.length, `numbered() shows ${numbers?.length} of ${lines.length} lines`);
  return { times, bytes: new TextEncoder().encode(html).length, lines: lines.length, sections: document.outline().length };
}

/** The sections of a page, found by browser means only. */
function walk(html, contentOf) {
  const sections = [{ title: "", content: "" }];
  for (const block of new DOMParser().parseFromString(html, "text/html").body.children) {
    if (block.localName === "h2") sections.push({ title: block.textContent, content: "" });
    else if (block.localName === "h1" && sections.length === 1 && !sections[0].title) sections[0].title = block.textContent;
    else sections.at(-1).content += contentOf(block);
  }
  return sections;
}

/** An editor of an article, and the document that mirrors it. */
function open(bytes) {
  const editor = new Editor({ element: document.querySelector("#page"), content: article(bytes), extensions: [...EXTENSIONS, Copydesk] });
  const bound = editor.storage.copydesk.document;
  return { editor, bound };
}

/** Characters that are typed in a row, without a read between them. */
const ROW = 20;

/** One typed character: the time ProseMirror takes, the time a key waits for copydesk, and the time the wasm takes to be told
 * and to answer when the document is read after it. `row` is the time of copydesk for each of several characters in a row, until
 * all of them are in the wasm. */
export async function typing(bytes, runs) {
  const { editor, bound } = open(bytes);
  const { binding } = editor.storage.copydesk;
  const { follow } = binding.constructor.prototype;
  let spent = 0;
  // The same dispatch is measured whole and without what the extension does in it as a plugin.
  binding.follow = () => void (spent += time(() => follow.call(binding)));
  const paragraphs = [];
  editor.state.doc.forEach((node, offset) => void (node.type.name === "paragraph" && paragraphs.push(offset + 1 + (node.content.size >> 1))));
  const at = paragraphs[paragraphs.length >> 1];
  const last = bound.lines().length;
  const times = { dispatch: [], follow: [], sync: [], outline: [], window: [], lines: [], sections: [], row: [] };
  const key = (at) => {
    spent = 0;
    const whole = time(() => editor.view.dispatch(editor.state.tr.insertText("x", at)));
    return { dispatch: whole - spent, follow: spent };
  };
  for (let run = 0; run < runs; run++) {
    await pause();
    const { dispatch, follow } = key(at + run);
    times.dispatch.push(dispatch);
    times.follow.push(follow);
    times.sync.push(time(() => binding.sync()));
    const middle = last >> 1;
    times.outline.push(time(() => bound.outline()));
    times.window.push(time(() => bound.numbered({ start: middle, end: Math.min(middle + 100, last) })));
    if (run % 3 === 0) {
      times.lines.push(time(() => bound.lines()));
      times.sections.push(time(() => bound.sections()));
    }
  }
  for (let run = 0; run < runs; run++) {
    await pause();
    let all = 0;
    for (let index = 0; index < ROW; index++) all += key(at + index).follow;
    times.row.push((all + time(() => binding.sync())) / ROW);
  }
  check(bound.toHTML().includes("x".repeat(runs + ROW * runs)), "the document does not have what was typed");
  check(isSame(bound.toJSON(), editor.getJSON()), "the document is not the editor's");
  const blocks = editor.state.doc.childCount;
  editor.destroy();
  return { times, blocks };
}

/** One typed character while hunks wait: the time until the wasm has been told, away from them and in the block of one. */
export async function waiting(bytes, runs) {
  const { editor, bound } = open(bytes);
  const { binding } = editor.storage.copydesk;
  const { follow } = binding.constructor.prototype;
  let spent = 0;
  binding.follow = () => void (spent += time(() => follow.call(binding)));
  // While nothing is pending the wasm is told later.
  const typed = (at) => {
    spent = 0;
    editor.view.dispatch(editor.state.tr.insertText("x", at));
    return spent + time(() => binding.sync());
  };
  const lines = bound.lines().filter(({ type, text }) => type === "paragraph" && text.includes(" "));
  // At least every second one has no hunk.
  const step = Math.max(2, Math.floor(lines.length / 50));
  const chosen = lines.filter((_, index) => index % step === 0).slice(0, 50);
  // One that gets a hunk, and its neighbour that gets none.
  const index = lines.indexOf(chosen[chosen.length >> 1]);
  const [within, elsewhere] = [lines[index].to - 1, lines[index + 1].to - 1];
  const times = { free: [], elsewhere: [], within: [], hunks: [], accept: [] };
  const measure = async (name, call) => {
    for (let run = 0; run < runs; run++) {
      await pause();
      times[name].push(call());
    }
  };
  await measure("free", () => typed(elsewhere));
  bound.mode = "review";
  bound.apply({ operation: "replace_lines", edits: chosen.map(({ line, text }) => ({ start_line: line, end_line: line, content: text.replace(" ", " certainly "), format: "text" })) });
  const count = bound.hunks().length;
  check(count === chosen.length, `${count} of ${chosen.length} hunks were proposed`);
  await measure("elsewhere", () => typed(elsewhere));
  await measure("within", () => typed(within));
  await measure("hunks", () => time(() => bound.hunks()));
  check(bound.hunks().length === count, `${bound.hunks().length} of ${count} hunks are left`);
  times.accept.push(time(() => bound.accept("all")));
  const accepted = countOf(editor.getText(), " certainly ");
  check(bound.hunks().length === 0 && accepted === count, `${accepted} of ${count} hunks were accepted`);
  check(countOf(editor.getText(), "x".repeat(runs)) >= 2, "the document does not have what was typed");
  editor.destroy();
  return { times, count };
}

/** One section replaced by the agent, compared with a typed character and with `setContent`. */
export async function planning(bytes, runs) {
  const { editor, bound } = open(bytes);
  const { binding } = editor.storage.copydesk;
  const { dispatch, parse } = binding.constructor.prototype;
  let elsewhere = 0;
  let made;
  binding.dispatch = (changes) => {
    made = time(() => dispatch.call(binding, changes));
    elsewhere += made;
  };
  binding.parse = (html) => {
    let parsed;
    elsewhere += time(() => (parsed = parse.call(binding, html)));
    return parsed;
  };
  const index = bound.outline().length >> 1;
  const at = editor.state.doc.content.size - 1;
  const times = { dispatch: [], apply: [], plan: [], made: [], setContent: [] };
  for (let run = 0; run < runs; run++) {
    await pause();
    times.dispatch.push(time(() => editor.view.dispatch(editor.state.tr.insertText("x", Math.min(at, editor.state.doc.content.size - 1)))));
    await pause();
    elsewhere = 0;
    made = undefined;
    const whole = time(() => bound.apply({ operation: "replace", sectionIndex: index, content: SECTION + `<p>Run ${run}.</p>`, whole: true }));
    check(made !== undefined && editor.getText().includes(`Run ${run}.`), "the section was not replaced");
    times.apply.push(whole);
    times.plan.push(whole - elsewhere);
    times.made.push(made);
  }
  const html = editor.getHTML();
  check(countOf(html, "A section of <strong>new</strong> text") === 1, "the document does not have the section once");
  check(isSame(bound.toJSON(), editor.getJSON()), "the document is not the editor's");
  for (let run = 0; run < 3; run++) {
    await pause();
    times.setContent.push(time(() => editor.commands.setContent(html.replace("</h1>", `</h1><p>Set ${run}.</p>`))));
    check(editor.getText().includes(`Set ${run}.`), "setContent has set nothing");
  }
  editor.destroy();
  return { times };
}

/** A whole document with one line in a hundred changed: copydesk with all marks, compared with jsdiff's line diff. */
export async function diffing(bytes, runs) {
  const first = Document.fromHTML(article(bytes));
  const lines = first.lines();
  const paragraphs = lines.filter(({ type, text }) => type === "paragraph" && text.includes(" "));
  const middle = Math.min(50, paragraphs.length >> 1);
  const changed = new Set(paragraphs.filter((_, index) => index % 100 === middle));
  const texts = lines.map((line) => (changed.has(line) ? line.text.replace(" ", " changed ") : line.text));
  const [before, after] = [lines.map(({ text }) => text).join("\n"), texts.join("\n")];
  const json = first.toJSON();
  let found;
  const times = { apply: [], jsdiff: [] };
  for (let run = 0; run < runs; run++) {
    const document = Document.fromJSON(json);
    await pause();
    times.apply.push(time(() => (found = document.apply({ operation: "replace_lines", edits: [{ content: after, format: "text" }], whole: true }))));
    check(document.lines().map(({ text }) => text).join("\n") === after, "the document is not the text that was given");
    await pause();
    times.jsdiff.push(time(() => diffLines(before, after)));
  }
  check(found.diffs.length === changed.size, `${found.diffs.length} of ${changed.size} changes were found`);
  return { times, changed: changed.size, hunks: found.diffs.length };
}

/** Growth of the wasm's memory for one article, from HTML or from JSON; needs a fresh page. */
export async function memoryFor(bytes, from) {
  const html = article(bytes);
  const json = generateJSON(html, EXTENSIONS);
  const before = memory.buffer.byteLength;
  const document = from === "html" ? Document.fromHTML(html) : Document.fromJSON(json);
  const loaded = memory.buffer.byteLength - before;
  check(document.lines().length > 0 && document.sections().length > 0, "the document is empty");
  const read = memory.buffer.byteLength - before;
  return { json: new TextEncoder().encode(JSON.stringify(json)).length, loaded, read };
}

/** Shows an editor of an article without copydesk, with the cursor in a paragraph in view. */
export async function alone(bytes) {
  const editor = new Editor({ element: document.querySelector("#page"), content: article(bytes), extensions: EXTENSIONS });
  const paragraphs = document.querySelectorAll(".tiptap > p");
  const place = paragraphs[Math.min(40, paragraphs.length - 1)];
  place.scrollIntoView();
  editor.commands.focus(editor.view.posAtDOM(place, 0), { scrollIntoView: false });
  while (!editor.isFocused) await new Promise((done) => requestAnimationFrame(done));
}

Object.assign(window, { alone, reading, typing, waiting, planning, diffing, memoryFor });
window.ready = true;
