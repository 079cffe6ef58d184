// TipTap's public commands: insertContentAt and deleteRange with the ranges of lines, sections and texts.
import { atomsOf, linesOf, sectionsOf } from "../tree.mjs";
import { blocksOf, escapeHtml, htmlOf, imageHtml, readContent } from "./content.mjs";
import { withShown } from "./shown.mjs";

const QUIET = { updateSelection: false };

/** Returns the positions of all textblocks and leaf blocks. */
function blocksIn(doc) {
  const found = [];
  doc.descendants((node, from) => {
    if (node.isTextblock || (node.isLeaf && node.isBlock)) found.push({ node, from, to: from + node.nodeSize });
    return !node.isTextblock;
  });
  return found;
}

/** Returns the positions of lines of a textblock, counted from 0. */
function textRange({ node, from }, first, last) {
  const ends = [];
  node.forEach((child, offset) => {
    if (child.type.name === "hardBreak") ends.push({ at: offset, after: offset + 1 });
    else if (node.type.spec.code) {
      for (const { index } of child.text.matchAll(/\n/g)) ends.push({ at: offset + index, after: offset + index + 1 });
    }
  });
  const start = first ? ends[first - 1].after : 0;
  return { from: from + 1 + start, to: from + 1 + (ends[last]?.at ?? node.content.size) };
}

function replaceLines(editor, document, { start_line: start, end_line: end = start, content, format }) {
  if (start === undefined)
    return void editor.commands.insertContentAt(
      { from: 0, to: editor.state.doc.content.size },
      blocksOf(content, format),
      QUIET,
    );
  const lines = linesOf(document);
  if (!lines[start - 1] || !lines[end - 1]) return "no_such_line";
  const keys = [...new Set(lines.map(({ path }) => path.join()))];
  const blocks = blocksIn(editor.state.doc);
  const [first, last] = [start, end].map((line) => blocks[keys.indexOf(lines[line - 1].path.join())]);
  const range = { from: first.from, to: last.to };
  if (content === "") return void editor.commands.deleteRange(range);
  const { html, inline } = readContent(content, format);
  const within = inline && first === last && first.node.isTextblock;
  const text = within && textRange(first, lines[start - 1].segment, lines[end - 1].segment);
  editor.commands.insertContentAt(text || range, within ? html : blocksOf(content, format), QUIET);
  return undefined;
}

function replaceText(editor, { old, new: text, all }) {
  const places = [];
  for (const { node, from } of blocksIn(editor.state.doc)) {
    const whole = node.textBetween(0, node.content.size, undefined, "\uFFFC");
    for (let at = whole.indexOf(old); at >= 0; at = whole.indexOf(old, at + old.length))
      places.push({ from: from + 1 + at, to: from + 1 + at + old.length });
  }
  if (!places.length) return "not_found";
  for (const place of (all ? places : places.slice(0, 1)).toReversed()) {
    if (text) editor.commands.insertContentAt(place, escapeHtml(text), QUIET);
    else editor.commands.deleteRange(place);
  }
  return undefined;
}

function changeSection(editor, document, call) {
  const { doc } = editor.state;
  const start = (index) => (index < doc.childCount ? blockStart(doc, index) : doc.content.size);
  const sections = sectionsOf(document).map(({ from, to }) => ({
    from: start(from),
    to: start(to),
    heading: doc.maybeChild(from),
  }));
  const { operation, sectionIndex, title, content, format } = call;
  const section = sections[sectionIndex];
  const heading = title === undefined ? "" : `<h2>${escapeHtml(title)}</h2>`;
  const put = (at, html) => void editor.commands.insertContentAt(at, html, QUIET);
  if (operation === "append" || (operation === "insert" && !section))
    return put(doc.content.size, heading + blocksOf(content, format));
  if (!section) return "no_such_section";
  if (operation === "insert") return put(section.from, heading + blocksOf(content, format));
  if (operation === "delete") return void editor.commands.deleteRange(section);
  if (operation === "insert_image")
    return put(call.position === "before_section" ? section.from : section.to, imageHtml(call));
  if (operation === "move_section") {
    const moved = doc.slice(section.from, section.to).content.toJSON();
    const target =
      call.toIndex > sectionIndex
        ? sections[call.toIndex].to - (section.to - section.from)
        : sections[call.toIndex].from;
    editor.commands.deleteRange(section);
    return put(target, moved);
  }
  const hasHeading = section.heading?.type.name === "heading" && section.heading.attrs.level <= 2;
  const from = section.from + (hasHeading ? section.heading.nodeSize : 0);
  put({ from, to: section.to }, blocksOf(content, format));
  if (title !== undefined && hasHeading) put({ from: section.from + 1, to: from - 1 }, escapeHtml(title));
  return undefined;
}

function blockStart(doc, index) {
  let position = 0;
  for (let at = 0; at < index; at += 1) position += doc.child(at).nodeSize;
  return position;
}

export default {
  name: "TipTap insertContentAt",
  available: () => true,
  run(one, editor) {
    const call = withShown(one.call, (index) => htmlOf(atomsOf(one.document)[index]));
    if (call.operation === "replace_text") return { refused: replaceText(editor, call) };
    if (call.operation !== "replace_lines") return { refused: changeSection(editor, one.document, call) };
    // From the end, so that the ranges before stay what they were.
    for (const edit of call.edits.toSorted((a, b) => (b.start_line ?? 0) - (a.start_line ?? 0))) {
      const refused = replaceLines(editor, one.document, edit);
      if (refused) return { refused };
    }
    return {};
  },
};
