// The lines and nodes that an edit concerns.
import { LEAVES, LISTS, linesOf, TEXTBLOCKS } from "./tree.mjs";

const whole = (each) => JSON.stringify(each);

function keysOf(tree) {
  return linesOf(tree).map(({ text, node, segment, parents }) => {
    const around = parents.slice(1).map(({ type, uid, attrs }) => [type, uid, attrs]);
    const first = parents.at(-1).content.indexOf(node) === 0;
    const { content, ...rest } = node;
    return whole([
      around,
      first,
      rest,
      segment,
      text,
      TEXTBLOCKS.has(node.type) ? segmentOf(content ?? [], segment) : null,
    ]);
  });
}

/** The inline content of one line of a textblock. */
function segmentOf(content, segment) {
  if (content.length === 1 && content[0].type === "text" && content[0].text.includes("\n")) return null;
  let at = 0;
  const found = [];
  for (const part of content) {
    if (part.type === "hardBreak") at += 1;
    else if (at === segment) found.push(part);
  }
  return found;
}

/** Returns the lines in which two trees differ: `{ old: [from, to], new: [from, to] }`, from 0, the end excluded. */
export function changedLines(before, after) {
  return ends(keysOf(before), keysOf(after));
}

function ends(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return { old: [start, a.length - end], new: [start, b.length - end] };
}

/**
 * Returns the deepest node whose children hold all of an edit: `{ before, after, old: [from, to], new: [from, to] }`,
 * with the node before and after the edit, and ranges of its children. An empty range is extended by a neighbour.
 */
export function changedNodes(random, before, after) {
  const [a, b] = [before, after].map(({ content }) => content ?? []);
  const range = ends(a.map(whole), b.map(whole));
  const found = withNeighbour({ before, after, ...range });
  const [one, other] = [a[range.old[0]], b[range.new[0]]];
  const single = range.old[1] - range.old[0] === 1 && range.new[1] - range.new[0] === 1;
  const same = single && one.uid === other.uid && one.type === other.type && whole(one.attrs) === whole(other.attrs);
  if (!same || TEXTBLOCKS.has(one.type) || LEAVES.has(one.type) || random.chance(0.2)) return found;
  if (one.type === "details" || one.type === "detailsContent") return found;
  const inner = changedNodes(random, one, other);
  // Blocks for all of a quotation, an item or a cell would be read as the quotation itself.
  const all = inner.before === one && inner.old[0] === 0 && inner.old[1] === (one.content ?? []).length;
  return all && !LISTS.has(one.type) && one.type !== "table" ? found : inner;
}

function withNeighbour(found) {
  const { before, after, old, new: now } = found;
  if (old[1] > old[0] && now[1] > now[0]) return found;
  if (old[0] > 0) return { ...found, old: [old[0] - 1, old[1]], new: [now[0] - 1, now[1]] };
  if (old[1] < before.content.length && now[1] < after.content.length)
    return { ...found, old: [old[0], old[1] + 1], new: [now[0], now[1] + 1] };
  return found;
}

/** Returns the lines of some children of a node of a tree: `[from, to]`, from 0, the end excluded. */
export function linesOfChildren(tree, parent, [from, to]) {
  const wanted = new Set(parent.content.slice(from, to).map(({ uid }) => uid));
  const all = linesOf(tree);
  const inside = ({ node, parents }) => wanted.has(node.uid) || parents.some(({ uid }) => wanted.has(uid));
  return [all.findIndex(inside), all.findLastIndex(inside) + 1];
}

/** Returns the section of a top-level index: `{ index, from, to }`, with the range of its blocks. */
export function sectionAt(tree, at) {
  const starts = [0];
  tree.content.forEach(({ type, attrs }, index) => {
    if (index && type === "heading" && attrs.level === 2) starts.push(index);
  });
  if (tree.content[0]?.type === "heading" && tree.content[0].attrs.level === 2) starts.splice(1, 0, 0);
  const index = starts.findLastIndex((from) => from <= at);
  return { index, from: starts[index], to: starts[index + 1] ?? tree.content.length };
}
