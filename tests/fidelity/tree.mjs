// Lines and sections of documents in JSON, as the glossary of docs/documents.md defines them.

const TEXTBLOCKS = new Set(["paragraph", "heading", "codeBlock", "detailsSummary"]);
const INLINE_TEXT = (part) => (part.type === "text" ? part.text : "\uFFFC");

/**
 * Returns the lines of a document or of a list of blocks: `{ text, type, path, segment }`. `path` leads to the textblock or
 * leaf, `segment` counts the lines of that block, from 0.
 */
export function linesOf(blocks) {
  const lines = [];
  const visit = (node, path) => {
    if (TEXTBLOCKS.has(node.type)) {
      let text = "";
      const texts = [];
      const close = () => {
        texts.push(text);
        text = "";
      };
      for (const part of node.content ?? []) {
        if (part.type === "hardBreak") close();
        else if (part.type === "text" && node.type === "codeBlock") {
          part.text.split("\n").forEach((piece, index) => {
            if (index) close();
            text += piece;
          });
        } else text += INLINE_TEXT(part);
      }
      close();
      texts.forEach((each, segment) => lines.push({ text: each, type: node.type, path, segment }));
    } else if (node.content?.length) node.content.forEach((child, index) => visit(child, [...path, index]));
    else lines.push({ text: "", type: node.type, path, segment: 0 });
  };
  (Array.isArray(blocks) ? blocks : (blocks.content ?? [])).forEach((block, index) => visit(block, [index]));
  return lines;
}

/** Returns the sections of a document: `{ from, to }` as indexes of top-level blocks, the heading included. */
export function sectionsOf(document) {
  const blocks = document.content ?? [];
  const starts = [
    0,
    ...blocks.flatMap((node, index) => (node.type === "heading" && node.attrs.level === 2 ? [index] : [])),
  ];
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? blocks.length }));
}

/** Returns the inline atoms (mentions, formulas) of a document in order, each with the texts of its line around it. */
export function atomsOf(document) {
  const atoms = [];
  const visit = (node) => {
    if (node.type === "mention" || node.type === "inlineMath") atoms.push(node);
    node.content?.forEach(visit);
  };
  visit(document);
  return atoms;
}

/** Returns the node that a path leads to. */
export const nodeAt = (document, path) => path.reduce((node, index) => node.content[index], document);
