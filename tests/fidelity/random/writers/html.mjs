// Writes blocks as HTML. `lean` leaves out attributes that the document has already, as models do.
import { formOf } from "../tree.mjs";

export const SIMPLE = {
  bold: "strong",
  italic: "em",
  strike: "s",
  underline: "u",
  code: "code",
  subscript: "sub",
  superscript: "sup",
};

export const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const quoted = (text) => escaped(String(text)).replaceAll('"', "&quot;");
const attributes = (list) =>
  list
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => ` ${name}="${quoted(value)}"`)
    .join("");

/**
 * Returns a writer of HTML: `{ inline(content), block(node) }`.
 *
 * `lean`: without attributes that stay; `tight`: items and cells without `<p>`; `forms`: leaves as their text form.
 * `known(node)` is true for nodes of the old document.
 */
export function htmlWriter({ lean, tight, forms, known }) {
  const mark = ({ type, attrs }, inner) => {
    if (SIMPLE[type]) return `<${SIMPLE[type]}>${inner}</${SIMPLE[type]}>`;
    if (type === "highlight")
      return `<mark data-color="${attrs.color}" style="background-color: ${attrs.color}">${inner}</mark>`;
    const more = lean
      ? []
      : [
          ["target", attrs.target],
          ["rel", attrs.rel],
          ["title", attrs.title],
        ];
    return `<a${attributes([["href", attrs.href], ...more])}>${inner}</a>`;
  };
  const leaf = (part) => {
    if (part.type === "hardBreak") return "<br>";
    if (forms) return escaped(formOf(part));
    const { id, label, mentionSuggestionChar, latex } = part.attrs;
    if (part.type === "inlineMath") return `<span data-type="inline-math" data-latex="${quoted(latex)}"></span>`;
    return `<span${attributes([
      ["data-type", "mention"],
      ["data-id", id],
      ["data-label", label],
      ["data-mention-suggestion-char", mentionSuggestionChar],
    ])}>${escaped(formOf(part))}</span>`;
  };
  const inline = (content = []) =>
    content
      .map((part) =>
        (part.marks ?? []).reduceRight(
          (inner, each) => mark(each, inner),
          part.type === "text" ? escaped(part.text) : leaf(part),
        ),
      )
      .join("");
  const styled = (node) => {
    if (lean && known(node)) return "";
    const { textAlign, dir } = node.attrs ?? {};
    return attributes([
      ["style", textAlign && `text-align: ${textAlign}`],
      ["dir", dir],
    ]);
  };
  const blocks = (content = []) => content.map(block).join("");
  const inner = (node) => {
    const [first, ...rest] = node.content;
    const bare =
      tight &&
      first.type === "paragraph" &&
      !first.attrs &&
      first.content &&
      rest.every(({ type }) => type !== "paragraph");
    return bare ? inline(first.content) + blocks(rest) : blocks(node.content);
  };
  const cell = (node) => {
    const tag = node.type === "tableHeader" ? "th" : "td";
    const { colspan, rowspan, colwidth } = node.attrs ?? {};
    const spans = [
      ["colspan", colspan > 1 ? colspan : null],
      ["rowspan", rowspan > 1 ? rowspan : null],
    ];
    const width = lean ? null : colwidth?.join(",");
    return `<${tag}${attributes([...spans, ["colwidth", width]])}>${inner(node)}</${tag}>`;
  };
  const block = (node) => WRITERS[node.type](node);
  const wrap = (tag, node) => `<${tag}${styled(node)}>${blocks(node.content)}</${tag}>`;
  const WRITERS = {
    paragraph: (node) => `<p${styled(node)}>${inline(node.content)}</p>`,
    heading: (node) => `<h${node.attrs.level}${styled(node)}>${inline(node.content)}</h${node.attrs.level}>`,
    codeBlock: (node) =>
      `<pre><code${attributes([["class", node.attrs?.language && `language-${node.attrs.language}`]])}>` +
      `${escaped(node.content?.[0].text ?? "")}</code></pre>`,
    blockquote: (node) => wrap("blockquote", node),
    bulletList: (node) => wrap("ul", node),
    orderedList: (node) => {
      const start = lean && known(node) ? null : node.attrs?.start;
      return `<ol${attributes([["start", start]])}${styled(node)}>${blocks(node.content)}</ol>`;
    },
    taskList: (node) => `<ul data-type="taskList">${blocks(node.content)}</ul>`,
    listItem: (node) => `<li>${inner(node)}</li>`,
    taskItem: (node) => `<li data-type="taskItem" data-checked="${Boolean(node.attrs?.checked)}">${inner(node)}</li>`,
    table: (node) => `<table><tbody>${blocks(node.content)}</tbody></table>`,
    tableRow: (node) => `<tr>${node.content.map(cell).join("")}</tr>`,
    horizontalRule: () => "<hr>",
    blockMath: ({ attrs }) => `<div data-type="block-math" data-latex="${quoted(attrs.latex)}"></div>`,
    image: (node) => {
      const { src, alt, title, width } = node.attrs;
      const more =
        lean && known(node)
          ? []
          : [
              ["title", title],
              ["width", width],
            ];
      return `<img${attributes([["src", src], ["alt", alt], ...more])}>`;
    },
    details: (node) => `<details>${blocks(node.content)}</details>`,
    detailsSummary: (node) => `<summary>${inline(node.content)}</summary>`,
    detailsContent: (node) => `<div data-type="detailsContent">${blocks(node.content)}</div>`,
  };
  return { inline, block };
}
