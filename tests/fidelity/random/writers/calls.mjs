// Turns the tree before and after an edit into a call, in each notation. A writer returns `{ call, variation?, loose? }`,
// or null if its notation cannot state the edit.
//
// `loose`: the call states no marks, so the edit's second form is as good.
import { changedLines, changedNodes, linesOfChildren, sectionAt } from "../ranges.mjs";
import { ITEMS, LISTS, linesOf, unitsOf, walk } from "../tree.mjs";
import { MARK_EDITS } from "../text-edits.mjs";
import { htmlWriter } from "./html.mjs";
import { markdownWriter, Unstated } from "./markdown.mjs";
import { writeReplaceText } from "./replace-text.mjs";
import { rowsOf, shownLines } from "./shown.mjs";

const linesCall = (edits, more = {}) => ({ operation: "replace_lines", edits, ...more });
const edit = ([from, to], content, more = {}) => ({ start_line: from + 1, end_line: to, content, ...more });
const whole = (content, more = {}) => linesCall([{ content, ...more }], { whole: true });

// Lines

const rowOf = ({ parents }) => parents.findLast(({ type }) => type === "tableRow");

/** Returns the range of lines that a call names: extended if it is empty, and in tables to whole rows. */
function namedLines(random, { before, after }) {
  const [a, b] = [linesOf(before), linesOf(after)];
  const { old, new: now } = changedLines(before, after);
  const back = () => old[0] > 0 && (old[0]--, now[0]--, true);
  const on = () => old[1] < a.length && (old[1]++, now[1]++, true);
  if (old[0] === old[1]) old[0] > 0 && (rowOf(a[old[0]] ?? a[0]) || random.chance(0.8)) ? back() : on() || back();
  const wider = random.chance(0.3) ? [random.below(3), random.below(3)] : [0, 0];
  if (wider[0] + wider[1] || now[0] < now[1]) {
    for (let left = wider[0]; left > 0; left -= 1) back();
    for (let left = wider[1]; left > 0; left -= 1) on();
  }
  if (old[1] - old[0] !== now[1] - now[0] || random.chance(0.5)) {
    const inRow = (at) => at > 0 && at < a.length && rowOf(a[at]) && rowOf(a[at]) === rowOf(a[at - 1]);
    const inNew = (at) => at > 0 && at < b.length && rowOf(b[at]) && rowOf(b[at]) === rowOf(b[at - 1]);
    while (inRow(old[0]) || inNew(now[0])) if (!back()) break;
    while (inRow(old[1]) || inNew(now[1])) if (!on()) break;
  }
  return { old, new: now };
}

/** The edits that a call in shown lines can state, with what hinders them. */
function shownStates(context, marks = false) {
  const { before, after, names } = context;
  if (!marks && names.some((name) => name in MARK_EDITS)) return false;
  if (names.includes("removeMark") && losesAllMarks(before, after)) return false;
  if (touchesTwins(before, after) || besideBreaks(after)) return false;
  return true;
}

/** Returns true if a line has no marks any more: text without tags says nothing of marks. */
function losesAllMarks(before, after) {
  const marked = (tree) => {
    const found = new Map();
    for (const { node, segment, text } of linesOf(tree)) {
      const parts = segmentsOf(node)[segment] ?? [];
      found.set(`${node.uid}/${segment}`, { has: parts.some(({ marks }) => marks.length), text });
    }
    return found;
  };
  const now = marked(after);
  return [...marked(before)].some(([key, { has }]) => has && now.has(key) && !now.get(key).has);
}

/** Returns the units of each line of a textblock. */
function segmentsOf({ content }) {
  const segments = [[]];
  for (const unit of unitsOf(content)) unit.text === "\n" ? segments.push([]) : segments.at(-1).push(unit);
  return segments;
}

/** Returns true if a paragraph is added next to one with hard breaks: it may be a further line of that paragraph. */
function besideBreaks(after) {
  const lines = linesOf(after);
  const broken = (line) =>
    line?.node.type === "paragraph" && line.node.content?.some(({ type }) => type === "hardBreak");
  return lines.some(
    ({ node }, at) => node.fresh && node.type === "paragraph" && (broken(lines[at - 1]) || broken(lines[at + 1])),
  );
}

/** Returns true if neighbouring lists of one kind change: shown lines do not tell where one of them ends. */
function touchesTwins(before, after) {
  const pairs = (tree) => {
    const found = [];
    walk(tree, ({ content }) =>
      content?.forEach((child, at) => {
        const next = content[at + 1];
        if (
          next &&
          next.type === child.type &&
          (LISTS.has(child.type) || child.type === "blockquote" || child.type === "table")
        )
          found.push(JSON.stringify([child, next]));
      }),
    );
    return found.join("|");
  };
  return pairs(before) !== pairs(after);
}

/** Extends a range to all of a code block whose language changes, or beside which the range has other lines. */
function wholeCode(range, before, after) {
  const languages = new Map();
  walk(before, (node) => node.type === "codeBlock" && languages.set(node.uid, node.attrs?.language));
  const lines = linesOf(after);
  const inside = lines.slice(...range.new).map(({ node }) => node);
  const mixed = new Set(inside).size > 1;
  const changed = ({ node }) =>
    node.type === "codeBlock" &&
    ((mixed && inside.includes(node)) || (languages.has(node.uid) && languages.get(node.uid) !== node.attrs?.language));
  const [from, to] = [lines.findIndex(changed), lines.findLastIndex(changed) + 1];
  if (from < 0) return range;
  const back = Math.max(0, range.new[0] - from);
  const on = Math.max(0, to - range.new[1]);
  return { old: [range.old[0] - back, range.old[1] + on], new: [range.new[0] - back, range.new[1] + on] };
}

const writeShown = (marks) => (random, context) => {
  const { before, after, names } = context;
  if (!shownStates(context, marks)) return null;
  // One line without a sign is plain text, which keeps the kind of its line.
  if (names.includes("toParagraph") || names.some((name) => name.endsWith("Column"))) return null;
  const range = wholeCode(namedLines(random, context), before, after);
  if (range.new[0] === range.new[1]) return { call: linesCall([edit(range.old, "")]), loose: true };
  if (emptyCellRange(range, before, after)) return null;
  const style = { ...random.pick([{}, {}, {}, {}, { indent: 4 }, { bullet: "*" }]), marks };
  if (style.indent && !showsLevels(linesOf(after).slice(...range.new))) delete style.indent;
  const rows = rowsOf(shownLines(after, style), after, range.new);
  const varied = vary(random, rows, range, before, style);
  const variation = varied.variation ?? (style.indent ? "indent 4" : style.bullet ? "star" : undefined);
  return { call: linesCall([edit(range.old, varied.content)]), variation, loose: !marks };
};

/** Returns true if the new lines of a range have no cells, although the old ones have. */
function emptyCellRange({ old, new: now }, before, after) {
  const cells = (tree, [from, to]) =>
    linesOf(tree)
      .slice(from, to)
      .filter((line) => rowOf(line)).length;
  return cells(after, now) === 0 && cells(before, old) > 0 && now[1] > now[0];
}

/** Returns true if lines begin at the first level of a list and continue below it: their indent defines a level. */
function showsLevels(lines) {
  const levels = lines.map(({ parents }) => parents.filter(({ type }) => ITEMS.has(type)).length);
  return levels[0] <= 1 && levels.some((level) => level > 1);
}

function vary(random, rows, range, before, style) {
  const content = rows.map(({ text }) => text).join("\n");
  const roll = random.below(12);
  if (roll === 0) {
    let number = range.old[0];
    return {
      content: rows.map(({ text, line }) => (line === undefined ? text : `${(number += 1)}: ${text}`)).join("\n"),
      variation: "numbers",
    };
  }
  if (roll === 1 && !content.includes("```") && content.includes("\n"))
    return { content: `\`\`\`\n${content}\n\`\`\``, variation: "fence" };
  if (roll === 2 || roll === 3) {
    const shown = shownLines(before, style);
    const at = roll === 2 ? range.old[0] - 1 : range.old[1];
    const line = shown[at];
    if (line?.text && !line.open && !line.close && rows.length > 1) {
      const row = line.prefix + line.text;
      return {
        content: roll === 2 ? `${row}\n${content}` : `${content}\n${row}`,
        variation: roll === 2 ? "neighbour before" : "neighbour after",
      };
    }
  }
  return { content };
}

const writeShownWhole = (marks) => (random, context) => {
  const { before, after, names } = context;
  if (!shownStates(context, marks) || names.some((name) => name.endsWith("Column"))) return null;
  const heads = after.content.filter(({ type }) => type === "heading").length;
  if (names.includes("toParagraph") && heads < 2) return null;
  const style = { ...random.pick([{}, {}, {}, { indent: 4 }, { bullet: "*" }]), marks };
  const rows = rowsOf(shownLines(after, style), after, [0, linesOf(after).length]);
  const numbered = random.chance(0.15);
  const content = rows
    .map(({ text, line }) => (numbered && line !== undefined ? `${line + 1}: ${text}` : text))
    .join("\n");
  return {
    call: whole(content),
    variation: numbered ? "numbers" : style.indent ? "indent 4" : style.bullet ? "star" : undefined,
    loose: !marks,
  };
};

// Plain text

function kindOf({ node, segment, parents }) {
  const first = parents.at(-1).content[0] === node;
  return JSON.stringify([
    node.type,
    node.attrs?.level,
    segment > 0,
    ITEMS.has(parents.at(-1).type) && first,
    parents.map(({ type }) => type),
  ]);
}

function writeText(random, context) {
  const { before, after } = context;
  if (!shownStates(context)) return null;
  const range = namedLines(random, context);
  const [old, now] = [linesOf(before).slice(...range.old), linesOf(after).slice(...range.new)];
  if (now.length === 0) return { call: linesCall([edit(range.old, "")]), loose: true };
  if ([...old, ...now].some(({ text }) => !text || /^([-+*>|]|#{1,6}|\d+[.)]|```)(\s|$)/.test(text.trim())))
    return null;
  if (statesKinds(old, now, context) === false) return null;
  const format = random.chance(0.3) ? { format: "text" } : {};
  return { call: linesCall([edit(range.old, now.map(({ text }) => text).join("\n"), format)]), loose: true };
}

/** Returns false if lines of plain text do not say the kinds of the new lines. */
function statesKinds(old, now, { names, before, after }) {
  const kinds = [old, now].map((lines) => lines.map(kindOf));
  if (old.length === now.length) return sameNodes(before, after) && kinds[0].every((kind, at) => kind === kinds[1][at]);
  const kept = new Set(old.map(({ node }) => node.uid));
  const added = now.filter(({ node }) => !kept.has(node.uid));
  if (now.length === old.length + 1 && added.length === 1) {
    const [last, previous] = [now.at(-1), now.at(-2)];
    return (
      last === added[0] &&
      now.length > 1 &&
      kindOf(last) === kindOf(previous) &&
      sibling(previous, last) &&
      sameNodes(before, after)
    );
  }
  return (
    names.every((name) => name === "joinParagraphs" || name === "splitParagraph") && new Set(kinds.flat()).size === 1
  );
}

/** Returns true if every old node remains, with its kind, attributes and parent. */
function sameNodes(before, after) {
  const keys = (tree) => {
    const found = new Map();
    walk(tree, ({ uid, type, attrs }, parents) => found.set(uid, JSON.stringify([type, attrs, parents.at(-1)?.uid])));
    return found;
  };
  const [a, b] = [keys(before), keys(after)];
  return [...a].every(([uid, key]) => b.get(uid) === key);
}

/** Returns true if a line is the block or the item after another line, of the same kind. */
function sibling(one, other) {
  const [a, b] = [one.parents.at(-1), other.parents.at(-1)];
  if (ITEMS.has(b.type)) return a !== b && a.content.length === 1 && one.parents.at(-2) === other.parents.at(-2);
  return a === b && one.node.type === "paragraph" && one.segment === 0 && (a.type === "doc" || a.type === "blockquote");
}

// HTML

function htmlStyle(random, { before }) {
  const uids = new Set();
  walk(before, ({ uid }) => uids.add(uid));
  return htmlWriter({
    lean: random.chance(0.4),
    tight: random.chance(0.5),
    forms: random.chance(0.5),
    known: ({ uid }) => uids.has(uid),
  });
}

function namedNodes(random, { before, after }) {
  const found = changedNodes(random, before, after);
  const lines = linesOfChildren(before, found.before, found.old);
  return { ...found, lines };
}

function writeHtml(random, context) {
  const range = namedNodes(random, context);
  const writer = htmlStyle(random, context);
  const children = range.after.content.slice(...range.new);
  if (range.old[0] === range.old[1]) return null;
  // A list without boxes for tasks may have left them out.
  if (context.names.includes("listKind") && JSON.stringify(range.before).includes('"taskList"')) return null;
  const inner =
    !context.names.includes("removeMark") &&
    children.length === 1 &&
    range.old[1] - range.old[0] === 1 &&
    ["paragraph", "heading"].includes(children[0].type);
  if (
    inner &&
    random.chance(0.3) &&
    children[0].type === range.before.content[range.old[0]].type &&
    sameAttrs(children[0], range.before.content[range.old[0]])
  ) {
    const content = writer.inline(children[0].content);
    if (/<(strong|em|s|u|code|a|mark|sub|sup|span)\b/.test(content))
      return { call: linesCall([edit(range.lines, content)]), variation: "inline" };
  }
  if (range.after.type === "tableRow") return null;
  return { call: linesCall([edit(range.lines, children.map(writer.block).join(random.pick(["", "\n"])))]) };
}

const sameAttrs = (one, other) => JSON.stringify(one.attrs) === JSON.stringify(other.attrs);

function writeHtmlWhole(random, context) {
  const writer = htmlStyle(random, context);
  return { call: whole(context.after.content.map(writer.block).join("\n")) };
}

// Sections

/** Returns the section that holds all of an edit: `{ index, title, blocks }`, or null. */
function namedSection({ before, after }) {
  const { old, new: now } = changedNodes({ chance: () => true }, before, after);
  const section = sectionAt(before, Math.min(old[0], before.content.length - 1));
  const from = section.index === 0 ? -1 : section.from;
  if (old[0] <= from || old[1] > section.to) return null;
  const by = after.content.length - before.content.length;
  const blocks = after.content.slice(section.from, section.to + by);
  const [head, ...rest] = section.index === 0 ? [null, ...blocks] : blocks;
  if (rest.some(({ type, attrs }) => type === "heading" && attrs.level <= 2) && section.index > 0) return null;
  if (section.index === 0 && (now[0] === 0 || rest.some(({ type, attrs }) => type === "heading" && attrs.level === 2)))
    return null;
  if (!rest.length) return null;
  return { index: section.index, title: head, blocks: rest };
}

const sectionCall = ({ index }, content, more = {}) => ({
  operation: "replace",
  sectionIndex: index,
  content,
  whole: true,
  ...more,
});

function writeHtmlSection(random, context) {
  const section = namedSection(context);
  if (!section) return null;
  const writer = htmlStyle(random, context);
  return { call: sectionCall(section, section.blocks.map(writer.block).join("\n")) };
}

// Markdown

function markdownStyle(random) {
  const format = random.chance(0.5);
  const style = {
    bullet: random.chance(0.2) ? "*" : "-",
    wide: random.chance(0.15),
    spaces: random.chance(0.3),
    escapes: format,
  };
  return { writer: markdownWriter(style), more: format ? { format: "markdown" } : {}, style };
}

const inMarkdown = (write) => (random, context) => {
  if (context.names.includes("removeMark")) return null;
  try {
    return write(random, context);
  } catch (error) {
    if (error instanceof Unstated) return null;
    throw error;
  }
};

const writeMarkdown = inMarkdown((random, context) => {
  const range = namedNodes(random, context);
  const { writer, more } = markdownStyle(random);
  if (range.old[0] === range.old[1]) return null;
  const { after, new: now, lines } = range;
  const children = after.content.slice(...now);
  // A paragraph and a list for the line of an item may also be the next items.
  if (ITEMS.has(after.type) && children.some(({ type }) => type !== "paragraph")) return null;
  if (!children.length) return { call: linesCall([edit(lines, "")]) };
  if (after.type === "tableRow") return null;
  if (context.names.includes("toParagraph")) return null;
  const rows = LISTS.has(after.type) ? writer.items(after, now) : rowsIn(after, children, writer, now);
  return { call: linesCall([edit(lines, rows.join("\n"), more)]) };
});

function rowsIn(parent, children, writer, [from]) {
  if (parent.type === "table") {
    if (from === 0) return writer.block({ ...parent, content: children });
    return children.flatMap((row) => writer.block(row));
  }
  const rows = writer.blocks(children);
  return parent.type === "blockquote" ? rows.map((row) => (row ? `> ${row}` : ">")) : rows;
}

const writeMarkdownSection = inMarkdown((random, context) => {
  const section = namedSection(context);
  if (!section) return null;
  const { writer, more } = markdownStyle(random);
  return { call: sectionCall(section, writer.blocks(section.blocks).join("\n"), more) };
});

const writeMarkdownWhole = inMarkdown((random, context) => {
  const { writer, more } = markdownStyle(random);
  return { call: whole(writer.blocks(context.after.content).join("\n"), more) };
});

export const NOTATIONS = {
  shown: writeShown(true),
  "shown whole": writeShownWhole(true),
  unmarked: writeShown(false),
  "unmarked whole": writeShownWhole(false),
  text: writeText,
  html: writeHtml,
  "html section": writeHtmlSection,
  "html whole": writeHtmlWhole,
  markdown: writeMarkdown,
  "markdown section": writeMarkdownSection,
  "markdown whole": writeMarkdownWhole,
  replace_text: writeReplaceText,
};
