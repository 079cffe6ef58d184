// Random changes of documents other than typing. Each returns how many lines of the source it is in at most.
const ALL = 1000;

/** All nodes of a document with their parents. */
function nodes(node, parent) {
  return [{ node, parent }, ...(node.content ?? []).flatMap((child) => nodes(child, node))];
}

const isText = ({ node, parent }) => node.type === "text" && parent.type !== "codeBlock" && parent.type !== "detailsSummary";
const isList = ({ node }) => /List$/.test(node.type);
const isTable = ({ node }) => node.type === "table";
const paragraph = (text) => ({ type: "paragraph", content: [{ type: "text", text }] });

const isFilled = (node) => node?.type === "paragraph" && node.content?.length > 0;
const isOneParagraph = (item) => item?.content?.length === 1 && isFilled(item.content[0]);
const before = (node, parent) => parent?.content[parent.content.indexOf(node) - 1];

/** Returns inline content with other content behind it. */
function joined(one, other) {
  const [last, first] = [one.at(-1), other[0]];
  const isText = last.type === "text" && first.type === "text" && JSON.stringify(last.marks) === JSON.stringify(first.marks);
  return isText ? [...one.slice(0, -1), { ...last, text: last.text + first.text }, ...other.slice(1)] : [...one, ...other];
}

/** Returns a document without the spaces at the ends of its paragraphs, which are no content of a file. */
export function withoutEnds(node) {
  if (node.type !== "paragraph" || !node.content) return node.content ? { ...node, content: node.content.map(withoutEnds) } : node;
  const content = [...node.content];
  for (const [at, pattern] of [[0, /^ +/], [content.length - 1, / +$/]]) {
    const { text, marks } = content[at];
    if (text && !marks?.some(({ type }) => type === "code")) content[at] = { ...content[at], text: text.replace(pattern, "") };
  }
  return { ...node, content: content.filter(({ text }) => text !== "") };
}

export const CHANGES = {
  "replace a word": [(one) => isText(one) && /\p{L}{3,}/u.test(one.node.text), ({ node }) => {
    node.text = node.text.replace(/\p{L}{3,}/u, "zebra");
    return 1;
  }],
  "make a word bold": [
    (one) => isText(one) && / \p{L}+ /u.test(one.node.text) && !one.node.marks?.some(({ type }) => ["code", "bold"].includes(type)),
    ({ node, parent }) => {
      const { 1: word, index } = / (\p{L}+) /u.exec(node.text);
      const parts = [node.text.slice(0, index + 1), word, node.text.slice(index + 1 + word.length)].map((text) => ({ ...node, text }));
      parts[1].marks = [{ type: "bold" }, ...(node.marks ?? [])];
      parent.content.splice(parent.content.indexOf(node), 1, ...parts);
      return 1;
    },
  ],
  "check a task": [({ node }) => node.type === "taskItem", ({ node }) => {
    node.attrs.checked = !node.attrs.checked;
    return 1;
  }],
  "add an item": [isList, ({ node }, random) => {
    const attrs = node.type === "taskList" ? { attrs: { checked: false } } : {};
    const item = { type: node.content[0].type, ...attrs, content: [paragraph("new zebra")] };
    node.content.splice(random.below(node.content.length + 1), 0, item);
    // Those behind it are numbered.
    return node.type === "orderedList" ? node.content.length : 0;
  }],
  "remove an item": [(one) => isList(one) && one.node.content.length > 1, ({ node }, random) => {
    node.content.splice(random.below(node.content.length), 1);
    return ALL;
  }],
  "add a row": [isTable, ({ node }, random) => {
    const cells = node.content[0].content.map((cell) => ({ ...cell, type: "tableCell", content: [paragraph("zebra")] }));
    node.content.splice(1 + random.below(node.content.length), 0, { type: "tableRow", content: cells });
    return 0;
  }],
  "remove a row": [(one) => isTable(one) && one.node.content.length > 1, ({ node }, random) => {
    node.content.splice(1 + random.below(node.content.length - 1), 1);
    return 1;
  }],
  "split a paragraph": [
    ({ node, parent }) => node.type === "paragraph" && /^(?:doc|blockquote|listItem)$/.test(parent?.type) && /\S \S/.test(node.content?.[0]?.text),
    ({ node, parent }) => {
      const [first, ...rest] = node.content;
      const at = /\S \S/.exec(first.text).index + 1;
      const halves = [[{ ...first, text: first.text.slice(0, at) }], [{ ...first, text: first.text.slice(at + 1) }, ...rest]];
      parent.content.splice(parent.content.indexOf(node), 1, ...halves.map((content) => ({ ...node, content })));
      return 1;
    },
  ],
  "split an item before a word": [
    ({ node, parent }) => node.type === "listItem" && isOneParagraph(node) && /\S \S/.test(node.content[0].content?.[0].text) && parent,
    ({ node, parent }) => {
      const [first, ...rest] = node.content[0].content;
      const at = /\S \S/.exec(first.text).index + 2;
      const halves = [[{ ...first, text: first.text.slice(0, at) }], [{ ...first, text: first.text.slice(at) }, ...rest]];
      const items = halves.map((content) => ({ ...node, content: [{ ...node.content[0], content }] }));
      parent.content.splice(parent.content.indexOf(node), 1, ...items);
      return parent.type === "orderedList" ? parent.content.length : 1;
    },
  ],
  "join two items": [
    ({ node, parent }) => node.type === "listItem" && isOneParagraph(node) && isOneParagraph(before(node, parent)),
    ({ node, parent }) => {
      const [text] = before(node, parent).content;
      text.content = joined(text.content, node.content[0].content);
      parent.content.splice(parent.content.indexOf(node), 1);
      return parent.type === "orderedList" ? parent.content.length + 3 : 3;
    },
  ],
  "join two paragraphs": [
    ({ node, parent }) => isFilled(node) && isFilled(before(node, parent)),
    ({ node, parent }) => {
      const text = before(node, parent);
      text.content = joined(text.content, node.content);
      parent.content.splice(parent.content.indexOf(node), 1);
      return 3;
    },
  ],
  "type a space at the end": [
    ({ node }) => isFilled(node) && node.content.at(-1).type === "text" && !node.content.at(-1).marks,
    ({ node }) => {
      node.content.at(-1).text += " ";
      return 0;
    },
  ],
  "add a paragraph": [({ node }) => /^(?:doc|blockquote)$/.test(node.type), ({ node }, random) => {
    node.content.splice(random.below(node.content.length + 1), 0, paragraph("new zebra"));
    return 0;
  }],
};

/** Changes a document in place; undefined if there is nothing to change so. */
export function change(name, json, random) {
  const [fits, make] = CHANGES[name];
  const found = nodes(json).filter(fits);
  return found.length > 0 ? make(random.pick(found), random) : undefined;
}

const LINE_END = /\r\n?|\n/;

/** Returns the number of lines of a text that another one has not. */
export function linesGone(before, after) {
  const counts = new Map();
  for (const line of after.split(LINE_END)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return before.split(LINE_END).filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  }).length;
}
