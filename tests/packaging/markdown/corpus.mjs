// Markdown files that packages and crates bring along, and edits of one word in them.
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { readMarkdown, SOURCE_LANGUAGE, writeMarkdown } from "copydesk/markdown";
import { fromMarkdown } from "mdast-util-from-markdown";

/** Longer files are left out: their time is the subject of other tests. */
const LARGEST = 60_000;
/** The inserted word. */
const WORD = "zebra";

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));
/** The folders of what a clone has installed anyway. */
export const INSTALLED = [modules, `${process.env.CARGO_HOME ?? `${homedir()}/.cargo`}/registry/src`];

/** The paths of all Markdown files below folders, in a fixed order. */
export function markdownFiles(folders) {
  return folders.flatMap((folder) => {
    try {
      const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".md"));
      return names.sort().map((name) => `${folder}/${name}`);
    } catch {
      return [];
    }
  });
}

/** The text of a file; undefined if it is no text of ordinary length. */
export function textOf(file) {
  const source = readFileSync(file, "utf8");
  return source.length === 0 || source.length > LARGEST || source.includes("\uFFFD") ? undefined : source;
}

/** The kinds of blocks, the first that is around a text counts. */
const FAMILIES = [
  ["table", /^table$/],
  ["list", /^(?:bullet|ordered)List$/],
  ["task list", /^taskList$/],
  ["quote", /^blockquote$/],
  ["code", /^codeBlock$/],
  ["heading", /^heading$/],
  ["paragraph", /^/],
];

/** The text nodes of a document with their families. Blocks that are source are one of their own. */
function textNodes(node, around = []) {
  if (node.type === "text") {
    const [family] = FAMILIES.find(([, pattern]) => around.some((type) => pattern.test(type)));
    return [{ node, family }];
  }
  const inner = (node.content ?? []).flatMap((child) => textNodes(child, [...around, node.type]));
  return node.attrs?.language === SOURCE_LANGUAGE ? inner.map((found) => ({ ...found, family: "source" })) : inner;
}

/**
 * Opens a source, inserts a word in one of its texts and saves it. The outcome is
 *
 * - `kept` if the word is all that changed,
 * - `own` if the rest of the change is notation of the text itself: of the link whose label or URL it was, or the line end
 *   beside it, which a space takes, or of emphasis beside it, whose signs Markdown does not read there; or characters of
 *   the text, which mean something with the word and are escaped,
 * - `named` if `lost` has an entry,
 * - `changed` otherwise.
 *
 * Returns undefined for a document without text.
 */
export function editWord(source, schema, random) {
  const opened = readMarkdown(source, schema);
  const json = structuredClone(opened.json);
  const nodes = textNodes(json);
  if (nodes.length === 0) return undefined;
  const { node, family } = random.pick(nodes);
  // Behind a word, where people type.
  const ends = [...node.text.matchAll(/[\p{L}\p{N}](?![\p{L}\p{N}])/gu)].map(({ index, 0: letter }) => index + letter.length);
  const at = ends.length > 0 ? random.pick(ends) : node.text.length;
  const inserted = random.chance(0.5) ? ` ${WORD}` : WORD;
  const old = node.text;
  node.text = old.slice(0, at) + inserted + old.slice(at);
  const { text, lost } = writeMarkdown(opened, json, { locale: "en" });
  const isSame = contentOf(readMarkdown(text, schema).json) === contentOf(json);
  const outcome = lost.length > 0 || isSame ? outcomeOf({ source, text, lost, inserted, old }) : "changed";
  return { family, outcome, text, lost, node };
}

/** Returns the JSON text of a document without the spaces that Markdown does not have: at the ends of textblocks and lines. */
function contentOf(json) {
  return JSON.stringify(json, function (key, value) {
    if (key !== "content" || this.type === "codeBlock") return value;
    const last = value.length - 1;
    return value.map((node, at) => {
      if (node.type !== "text") return node;
      const text = node.text.replace(/ +/g, " ");
      const start = at === 0 ? text.replace(/^ +/, "") : text;
      return { ...node, text: at === last ? start.replace(/ +$/, "") : start };
    });
  });
}

/** Returns the outcome of text that was inserted into a text node `old`, as for {@link editWord}. */
export function outcomeOf({ source, text, lost, inserted, old }) {
  if (lost.length > 0) return "named";
  // A space beside the end of a line is none of the file.
  if (isInsertion(source, text, inserted) || isInsertion(source, text, inserted.trim())) return "kept";
  const isOwn = isInsertion(plainSigns(withoutLineEnd(source, text)), plainSigns(text), inserted);
  return isOwn || isInLink(source, text) || isInText(source, text, old) ? "own" : "changed";
}

/** Returns a text in which signs and tags of emphasis are the same. */
function plainSigns(text) {
  return text.replace(/<\/?strong>/g, "**").replace(/<\/?em>|_/g, "*").replace(/<\/?del>/g, "~~");
}

/** Returns a text with a space in place of the line end at which another one differs. */
function withoutLineEnd(before, after) {
  const { start } = difference(before, after);
  const [lineEnd] = /^[ \t]*\r?\n[ \t>]*/.exec(before.slice(start)) ?? [""];
  return lineEnd ? `${before.slice(0, start)} ${before.slice(start + lineEnd.length)}` : before;
}

/** Returns where two texts start and end to differ in the first one. */
function difference(before, after) {
  let [start, end] = [0, 0];
  const least = Math.min(before.length, after.length);
  while (start < least && before[start] === after[start]) start += 1;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { start, end: before.length - end };
}

/** Returns true if all that differs is in one occurrence of a text. */
function isInText(before, after, text) {
  const [one, other, part] = [before, after, text].map((value) => value.replace(/\s+/g, " "));
  const { start, end } = difference(one, other);
  const at = one.lastIndexOf(part, start);
  return at >= 0 && end <= at + part.length;
}

/** Returns true if all that differs is in a link that is written as its URL or its label. */
function isInLink(before, after) {
  const { start, end } = difference(before, after);
  const isAround = (node) => {
    const [from, to] = [node.position.start.offset, node.position.end.offset];
    if (from > start || to < end) return false;
    const isShort = node.type === "link" ? before[from] === "<" : node.type === "linkReference" && node.referenceType !== "full";
    return isShort || (node.children ?? []).some(isAround);
  };
  return isAround(fromMarkdown(before));
}

/** Returns true if a text is another one with a string inserted somewhere, and nothing else changed. */
function isInsertion(before, after, inserted) {
  if (after.length !== before.length + inserted.length) return false;
  let first = 0;
  while (first < before.length && before[first] === after[first]) first += 1;
  for (let at = first; at >= 0 && at >= first - inserted.length; at -= 1) {
    if (after.startsWith(inserted, at) && before.slice(at) === after.slice(at + inserted.length)) return true;
  }
  return false;
}
