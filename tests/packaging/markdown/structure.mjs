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
