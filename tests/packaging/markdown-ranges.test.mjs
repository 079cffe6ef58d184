// Ranges that are deleted, replaced or joined as an editor does: all lines that they are not in stay as they are.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { joinBackward } from "@tiptap/pm/commands";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { plain, rich } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? 20261128);
/** The edits of each file in each schema. */
const EDITS = countOf("EDITS", 10, 3);
const folder = new URL("../fixtures/notations/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");

/** The starts of the words of a document. */
function words(doc) {
  const found = [];
  doc.descendants((node, at) => {
    if (node.isText) for (const { index } of node.text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{2,}/gu)) found.push(at + index);
  });
  return found;
}

/** The index of the line that a word at a position is in. */
function lineOf(opened, doc, at) {
  const state = EditorState.create({ doc });
  const { text } = writeMarkdown(opened, state.apply(state.tr.insertText("Qzebra", at + 1)).doc.toJSON());
  return text.split("\n").findIndex((line) => line.includes("Qzebra"));
}

const selected = (doc, from, to = from) => {
  const state = EditorState.create({ doc });
  return state.apply(state.tr.setSelection(TextSelection.create(doc, from, to)));
};

/** Changes a document; returns it with the positions of the first and last word in the change. */
function edited(doc, random) {
  const places = words(doc);
  const at = random.below(places.length);
  const kind = random.pick(["delete", "replace", "join"]);
  if (kind === "join") {
    const { pos } = doc.resolve(places[at]);
    const start = doc.resolve(pos).start();
    let after;
    if (!joinBackward(selected(doc, start), (tr) => (after = tr.doc))) return undefined;
    const before = places.filter((place) => place < start).at(-1);
    const first = places.find((place) => place >= start);
    return before === undefined ? undefined : { kind, after, from: before, to: first };
  }
  const [from, to] = [places[at], places[Math.min(places.length - 1, at + random.below(12))]];
  const state = selected(doc, from + 1, to + 1);
  const tr = state.tr.deleteSelection();
  return { kind, after: (kind === "replace" ? tr.insertText("zebra") : tr).doc, from, to };
}

/** Lines without their bullets, signs of quotes and indentation, which follow the block that they come into. */
const linesOf = (lines) => lines.map((line) => line.replace(/^(?:[ \t>]|[-+*]\s|\d+[.)]\s|\[ \](?:\s|$))+/, "").trimEnd()).filter(Boolean);

/** The signs of removed blocks: underlines, fences, tags and delimiters of tables. A block has one of each. */
const isSign = (line) => /^(?:[-=*_ ]+|[`~:]{3,}.*|<\/?[\w-]+>|[|: -]+)$/.test(line);

test("the lines outside of a deleted range stay as they are", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  let [all, changed] = [0, 0];
  for (const file of files) {
    const source = readFileSync(new URL(file, folder), "utf8");
    for (const [name, schema] of Object.entries({ plain, rich })) {
      const opened = readMarkdown(source, schema);
      const doc = schema.nodeFromJSON(opened.json);
      if (words(doc).length < 4) continue;
      for (let round = 0; round < EDITS; round += 1) {
        const done = edited(doc, random);
        if (!done || done.after.eq(doc)) continue;
        // A heading is one line, and source in code is text elsewhere.
        const isInLines = [done.from, done.to].every((at) => doc.resolve(at).parent.type.name === "paragraph");
        if (!isInLines) continue;
        const { text, lost } = writeMarkdown(opened, done.after.toJSON(), { locale: "en" });
        if (lost.length > 0) continue;
        const [from, to] = [lineOf(opened, doc, done.from), lineOf(opened, doc, done.to)];
        const lines = source.split("\n");
        const left = linesOf(text.split("\n"));
        const gone = linesOf([...lines.slice(0, from), ...lines.slice(to + 1)]).filter((line) => {
          const at = left.indexOf(line);
          if (at >= 0) left.splice(at, 1);
          return at < 0 && !isSign(line);
        });
        all += 1;
        if (gone.length === 0) continue;
        changed += 1;
        t.diagnostic(`seed ${SEED}, ${file}, ${name}, ${done.kind}: ${JSON.stringify(gone)}`);
      }
    }
  }
  t.diagnostic(`${changed} of ${all}`);
  assert.ok(all > files.length * EDITS * 0.5 && changed <= 3 + all * 0.01, `seed ${SEED}: ${changed} of ${all}`);
});

const LISTS = ["bulletList", "orderedList", "taskList"];
const nodesOf = (json, types, found = []) => {
  if (types.includes(json.type)) found.push(json);
  for (const child of json.content ?? []) nodesOf(child, types, found);
  return found;
};

/** Moves of whole blocks, items and rows; each returns false if a document has nothing to move. */
const MOVES = {
  quote(doc, random) {
    const at = random.below(doc.content.length);
    const content = doc.content.splice(at, 1 + random.below(3));
    doc.content.splice(at, 0, { type: "blockquote", content });
  },
  item(doc, random) {
    const type = random.pick(LISTS);
    const lists = nodesOf(doc, [type]).filter(({ content }) => content.length > 1);
    if (lists.length === 0) return false;
    const [from, to] = [random.pick(lists), random.pick(lists)];
    const [item] = from.content.splice(random.below(from.content.length), 1);
    // An item does not move into itself.
    (nodesOf(item, LISTS).includes(to) ? from : to).content.splice(random.below(to.content.length + 1), 0, item);
  },
  lists(doc) {
    const at = doc.content.findIndex(({ type }, index, all) => LISTS.includes(type) && all.slice(index + 1).some((next) => next.type === type));
    if (at < 0) return false;
    const next = doc.content.findIndex(({ type }, index) => index > at && type === doc.content[at].type);
    doc.content[at].content.push(...doc.content[next].content);
    doc.content.splice(at + 1, next - at);
    return { at, gone: next - at - 1 };
  },
  header(doc, random) {
    const tables = nodesOf(doc, ["table"]).filter(({ content }) => content.length > 2);
    if (tables.length === 0) return false;
    const { content } = random.pick(tables);
    content.splice(0, 1);
    for (const cell of content[0].content) cell.type = "tableHeader";
  },
  rows(doc, random) {
    const tables = nodesOf(doc, ["table"]).filter(({ content }) => content.length > 2);
    if (tables.length === 0) return false;
    const { content } = random.pick(tables);
    content.push(...content.splice(1, 1));
  },
};

test("blocks, items and rows that move keep their source", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  const all = Object.fromEntries(Object.keys(MOVES).map((kind) => [kind, 0]));
  let [count, changed] = [0, 0];
  for (const file of files) {
    const source = readFileSync(new URL(file, folder), "utf8");
    for (const [name, schema] of Object.entries({ plain, rich })) {
      const opened = readMarkdown(source, schema);
      for (const [kind, move] of Object.entries(MOVES)) {
        const json = structuredClone(opened.json);
        const done = move(json, random);
        if (done === false) continue;
        const before = nodesOf(opened.json, ["text"]).map(({ text }) => text);
        const after = nodesOf(json, ["text"]).map(({ text }) => text);
        const { text, lost } = writeMarkdown(opened, json, { locale: "en" });
        // Footnotes, for example, have no place in quotes.
        if (lost.some((one) => one.kind !== "attribute")) continue;
        const left = linesOf(text.split("\n"));
        const gone = linesOf(source.split("\n")).filter((line) => {
          const at = left.indexOf(line);
          if (at >= 0) left.splice(at, 1);
          return at < 0 && !isSign(line);
        });
        all[kind] += 1;
        count += 1;
        // Lines of what was removed, such as the header.
        const isRemoved = (line) => before.length !== after.length && (kind === "header" ? line.includes("|") : done?.gone > 0);
        const rewritten = gone.filter((line) => !isRemoved(line));
        if (rewritten.length === 0 || (kind === "header" && gone.length === 1)) continue;
        changed += 1;
        t.diagnostic(`seed ${SEED}, ${file}, ${name}, ${kind}: ${JSON.stringify(rewritten)}`);
      }
    }
  }
  t.diagnostic(`${changed} of ${count}: ${JSON.stringify(all)}`);
  assert.ok(Object.values(all).every((some) => some > 10) && changed <= count * 0.02, `seed ${SEED}: ${changed} of ${count}`);
});

// The schema, a source, the texts at which a range begins and ends, what is typed in its place, and what is written.
const RANGES = [
  [plain, "One two.\n\nThree four\nfive \\*six\\* &copy;\n", "two", "four", "", "One four\nfive \\*six\\* &copy;\n"],
  [plain, "- one two\n- three four\n  five _six_\n- seven\n", "two", "four", "new ", "- one new four\n  five _six_\n- seven\n"],
  [plain, "One two.\n\n> three four\n> five **six**.\n> seven\n", "two", "four", "", "One four\nfive **six**.\nseven\n"],
  [plain, "　　林远推开门。\n　　雨下大了。\n\n　　第二天，雨停了。\n　　太阳照着。\n　　都新了。\n", "雨下大", "雨停", "", "　　林远推开门。\n　　雨停了。\n　　太阳照着。\n　　都新了。\n"],
  [plain, "# One two\n\nThree four\nfive *six*\n", "two", "four", "", "# One four five *six*\n"],
  [plain, "**One two** three.\n\nFour five\nsix\n", "two", "five", "", "**One** five\nsix\n"],
  [plain, "__One__ _two_\nthree **four** five ![x](y) six\nseven  \neight\n", "our", "six", "", "__One__ _two_\nthree **f**six\nseven  \neight\n"],
];

test("text that comes into another block keeps its source", () => {
  for (const [schema, source, first, last, typed, wanted] of RANGES) {
    const opened = readMarkdown(source, schema);
    const doc = schema.nodeFromJSON(opened.json);
    const at = (text) => {
      let found;
      doc.descendants((node, place) => {
        if (node.isText && node.text.includes(text)) found ??= place + node.text.indexOf(text);
      });
      return found;
    };
    const state = selected(doc, at(first), at(last));
    const tr = typed ? state.tr.insertText(typed) : state.tr.deleteSelection();
    const { text, lost } = writeMarkdown(opened, tr.doc.toJSON());
    assert.equal(text, wanted, source);
    assert.deepEqual(lost, [], source);
  }
});
