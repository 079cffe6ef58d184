// Compares copydesk and TipTap on HTML and JSON.
import { createDocument, getHTMLFromFragment } from "@tiptap/core";
import { Node } from "@tiptap/pm/model";
import { Document } from "copydesk";
import { randomDocument } from "../../../oracle/documents.mjs";
import { randomHtml } from "../../../oracle/html.mjs";
import { randomFrom } from "../../../oracle/random.mjs";
import { shrinkDocument, shrinkText } from "../../../oracle/shrink.mjs";
import { schema } from "../../../oracle/tiptap.mjs";
import { linesOf, sectionsOf } from "../../../oracle/walk.mjs";

/** Compares random HTML of `count` seeds. Returns the first differences, each shrunk. */
export const compareHTMLs = (seed, count) => compareMany(seed, count, randomHtml, compareHTML, shrinkText);

/** Compares random documents of `count` seeds. Returns the first differences, each shrunk. */
export const compareDocuments = (seed, count) => compareMany(seed, count, randomDocument, compareDocument, shrinkDocument);

/** Returns the difference for an HTML text, or null. */
export function compareHTML(html) {
  return compare(() => [Document.fromHTML(html), createDocument(html, schema)]);
}

/** Returns the difference for a document, or null where there is none or TipTap does not accept it. */
export function compareDocument(json) {
  let theirs;
  try {
    theirs = Node.fromJSON(schema, json);
    theirs.check();
  } catch {
    return null;
  }
  return compare(() => [Document.fromJSON(theirs.toJSON()), theirs]);
}

function compareMany(seed, count, make, compare, shrink) {
  const found = [];
  for (let index = 0; index < count && found.length < 5; index++) {
    const input = make(randomFrom(seed + index));
    const difference = compare(input);
    if (!difference) continue;
    // The smallest input with the same difference: a shrinker would also accept any other fault.
    const small = shrink(input, (smaller) => compare(smaller)?.what === difference.what);
    found.push({ seed: seed + index, input: small, ...compare(small) });
  }
  return found;
}

function compare(both) {
  let pair;
  try {
    pair = both();
  } catch (error) {
    return { what: "error", ours: `${error.code}: ${error.message}`, theirs: "" };
  }
  return differenceOf(...pair);
}

/** Returns the difference between a Document and a ProseMirror document, or null. */
export function differenceOf(ours, theirs, { html = true } = {}) {
  const sections = sectionsOf(theirs);
  const htmlOf = (start, end) => getHTMLFromFragment(theirs.content.cut(...[start, end].map((index) => positionOf(theirs, index))), theirs.type.schema);
  const contentOf = ({ blocks: [start, end], heading }) => {
    return heading === null ? htmlOf(start, end) : htmlOf(start, heading) + htmlOf(heading + 1, end);
  };
  const pairs = [
    ["document", () => ours.toJSON(), () => theirs.toJSON()],
    ["lines", () => ours.lines().map(line), () => linesOf(theirs).map(line)],
    ["outline", () => ours.outline(), () => sections.map(({ index, title, from, to }) => ({ index, title, from, to }))],
  ];
  if (html) {
    pairs.push(["html", () => ours.toHTML(), () => getHTMLFromFragment(theirs.content, theirs.type.schema)]);
    pairs.push(["sections", () => ours.sections().map(({ content }) => content), () => sections.map(contentOf)]);
  }
  for (const [what, our, their] of pairs) {
    const [mine, yours] = [our, their].map((make) => wellFormed(JSON.stringify(make())));
    if (mine !== yours) return { what, ours: mine, theirs: yours };
  }
  return null;
}

const line = ({ line, from, to, type, text, path }) => ({ line, from, to, type, text, path });

const positionOf = (doc, index) => {
  let position = 0;
  for (let at = 0; at < index; at++) position += doc.child(at).nodeSize;
  return position;
};

/** Lone surrogates, which an editor may contain, are U+FFFD in the wasm. */
const wellFormed = (json) => json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\ufffd");
