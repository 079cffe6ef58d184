/** Documents as HTML that is also valid XML, for pages and for EPUB. */

import { isInline, isLineBreak } from "../document/node-kinds.js";
import type { NodeJSON } from "../types/index.js";
import { isComment, leafText, readersText, shownValue, textOf, withoutControls } from "./publication.js";
import { imageURL, linkURL } from "../base/url-reference.js";
import { wholeNumber } from "./whole-number.js";
import { changeOf } from "./pending.js";
import { isBlockRightToLeft } from "./direction.js";
import { isCSSValue } from "./css-syntax.js";
import { REFERENCE, type Footnote } from "./footnotes.js";
import { columnWidthsOf, spansOf } from "./table-spans.js";

/** The file that a document is written for. */
export interface HTMLForm {
  /** Returns the source of an image in the file; undefined shows its description. */
  image(src: string): string | undefined;
  /** Returns the target of a link; undefined leaves its text. */
  link(href: unknown): string | undefined;
  /** Is told the values of styles that the file does not hold. */
  lose?(style: string): void;
  /** Set for documents whose headings and footnotes are those of a book. */
  readonly book?: BookForm;
}

export interface BookForm {
  /** The chapter in ids of footnotes, which are those of one page. */
  readonly chapter: number;
  readonly footnotes: readonly Footnote[];
  readonly isEPUB: boolean;
  readonly isRightToLeft: boolean;
}

const PLAIN: HTMLForm = { image: (src) => src, link: linkURL };

/** Limits of numbers in attributes: those of HTML for columns and rows, and that of 32 bits. */
const MOST_COLUMNS = 1000;
const MOST_ROWS = 65_534;
const LARGEST = 2 ** 31 - 1;

/** Writes the blocks of a document, and its footnotes below them. */
export function bodyOf(doc: NodeJSON, form: HTMLForm = PLAIN): string {
  const { book } = form;
  const referred = new Set<number>();
  const writing = { ...form, referred };
  const body = blocks(doc.content, writing);
  if (!book?.footnotes.length) return body;
  const notes = book.footnotes.map((footnote) => noteOf(footnote, book, writing));
  const type = book.isEPUB ? ' epub:type="footnotes"' : "";
  return `${body}\n<section${type} role="doc-endnotes">\n<hr />\n${notes.join("\n")}\n</section>`;
}

interface Writing extends HTMLForm {
  /** The footnotes that a reference was written for. */
  readonly referred: Set<number>;
}

function noteOf({ number, content }: Footnote, { chapter, isEPUB }: BookForm, writing: Writing): string {
  const back = `<a href="#ref-${chapter}-${number}" role="doc-backlink">${number}</a>. `;
  const [first, ...others] = content;
  const isText = first?.type === "paragraph";
  const start = isText
    ? `<p${direction(first, writing)}>${back}${inline(first.content, writing)}</p>`
    : `<p>${back}</p>`;
  const rest = blocks(isText ? others : content, writing);
  const type = isEPUB ? ' epub:type="footnote"' : "";
  return `<aside id="note-${chapter}-${number}"${type} role="doc-footnote">\n${start}\n${rest}\n</aside>`;
}

function referenceOf(number: number, { chapter, isEPUB }: BookForm, { referred }: Writing): string {
  // The footnote leads back to its first reference.
  const id = referred.has(number) ? "" : ` id="ref-${chapter}-${number}"`;
  referred.add(number);
  const type = isEPUB ? ' epub:type="noteref"' : "";
  return `<sup><a href="#note-${chapter}-${number}"${id}${type} role="doc-noteref">${number}</a></sup>`;
}

/** Writes the direction of a block where it is not that of the book. */
function direction(node: NodeJSON, { book }: HTMLForm): string {
  const ofBook = book?.isRightToLeft ?? false;
  const isRightToLeft = isBlockRightToLeft(node, ofBook);
  return isRightToLeft === ofBook ? "" : ` dir="${isRightToLeft ? "rtl" : "ltr"}"`;
}

/** Escapes text for HTML and XML. */
export function escape(text: string): string {
  return withoutControls(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}

function blocks(content: readonly NodeJSON[] | undefined, form: Writing): string {
  return (content ?? []).map((node) => block(node, form)).join("\n");
}

function block(node: NodeJSON, form: Writing): string {
  const { type, attrs = {}, content } = node;
  const inner = (tag: string, attributes = ""): string => `<${tag}${attributes}>\n${blocks(content, form)}\n</${tag}>`;
  const text = (tag: string, attributes = ""): string => `<${tag}${attributes}>${inline(content, form)}</${tag}>`;
  switch (type) {
    case "paragraph":
      return text("p", direction(node, form) + style({ "text-align": attrs.textAlign }, form));
    case "heading": {
      const id = form.book && typeof attrs.id === "string" ? ` id="${escape(attrs.id)}"` : "";
      return text(
        `h${wholeNumber(attrs.level, 1, 6) ?? 1}`,
        id + direction(node, form) + style({ "text-align": attrs.textAlign }, form),
      );
    }
    case "bulletList":
      return inner("ul", direction(node, form));
    case "orderedList": {
      const start = wholeNumber(attrs.start, -LARGEST, LARGEST) ?? 1;
      const type = ["a", "A", "i", "I"].find((one) => one === attrs.type);
      const numbered = (start === 1 ? "" : ` start="${start}"`) + (type ? ` type="${type}"` : "");
      return inner("ol", numbered + direction(node, form));
    }
    case "listItem":
      return inner("li");
    case "taskList":
      return inner("ul", ' class="tasks"');
    case "taskItem": {
      const checked = attrs.checked === true ? ' checked="checked"' : "";
      return `<li><input type="checkbox" disabled="disabled"${checked} />\n${blocks(content, form)}\n</li>`;
    }
    case "blockquote":
      return inner("blockquote");
    case "codeBlock": {
      if (isComment(node)) return "";
      const language = typeof attrs.language === "string" ? ` class="language-${escape(attrs.language)}"` : "";
      return `<pre><code${language}>${(content ?? []).map((child) => changed(child, escape(textOf(child)))).join("")}</code></pre>`;
    }
    case "horizontalRule":
      return changed(node, "<hr />");
    case "image":
      return `<figure>${changed(node, picture(attrs, form))}</figure>`;
    case "table":
      return `<table${direction(node, form)}>\n${columnsOf(node)}<tbody>\n${blocks(content, form)}\n</tbody>\n</table>`;
    case "tableRow":
      return inner("tr");
    case "tableHeader":
      return inner("th", cell(attrs, form));
    case "tableCell":
      return inner("td", cell(attrs, form));
    case "details":
      return inner("details", attrs.open === true ? ' open="open"' : "");
    case "detailsSummary":
      return text("summary");
    case "blockMath":
      return `<p class="formula">${changed(node, `<code>${escape(leafText(node))}</code>`)}</p>`;
    default:
      return hasInline(node) ? text("p") : other(node, form);
  }
}

/** Marks what a pending change inserts or deletes. */
function changed(node: NodeJSON, html: string): string {
  const change = changeOf(node);
  const tag = change && TAGS.get(change);
  return tag ? `<${tag}>${html}</${tag}>` : html;
}

/** A block of an extension: its content, or a link to what it shows. */
function other(node: NodeJSON, form: Writing): string {
  if (node.content)
    return node.type === "detailsContent" ? blocks(node.content, form) : `<div>\n${blocks(node.content, form)}\n</div>`;
  const url = form.link(node.attrs?.src);
  return url === undefined ? `<p>${escape(leafText(node))}</p>` : `<p><a href="${escape(url)}">${escape(url)}</a></p>`;
}

/** Writes the widths of a table's columns, if it has any. */
function columnsOf({ content = [] }: NodeJSON): string {
  const widths = columnWidthsOf(content, spansOf(content));
  if (widths.every((width) => width === undefined)) return "";
  const columns = widths.map((width) => (width === undefined ? "<col />" : `<col style="width: ${width}px" />`));
  return `<colgroup>${columns.join("")}</colgroup>\n`;
}

function hasInline({ content }: NodeJSON): boolean {
  return content?.some(({ type, text }) => text !== undefined || isInline(type)) ?? false;
}

function cell({ colspan, rowspan, align, backgroundColor }: Record<string, unknown>, form: HTMLForm): string {
  const span = (name: string, value: unknown, most: number): string => {
    const count = wholeNumber(value, 2, most);
    return count === undefined ? "" : ` ${name}="${count}"`;
  };
  const css = style({ "text-align": align, "background-color": backgroundColor }, form);
  return span("colspan", colspan, MOST_COLUMNS) + span("rowspan", rowspan, MOST_ROWS) + css;
}

function picture(attrs: Record<string, unknown>, form: Writing): string {
  const url = imageURL(attrs.src);
  const src = url === undefined ? undefined : form.image(url);
  const alt = typeof attrs.alt === "string" ? attrs.alt : "";
  if (src === undefined) return `<em>${escape(alt)}</em>`;
  const title = typeof attrs.title === "string" ? ` title="${escape(attrs.title)}"` : "";
  const size = (["width", "height"] as const).map((name) => {
    const length = wholeNumber(attrs[name], 1, LARGEST);
    return length === undefined ? "" : ` ${name}="${length}"`;
  });
  return `<img src="${escape(src)}" alt="${escape(alt)}"${title}${size.join("")} />`;
}

function inline(content: readonly NodeJSON[] | undefined, form: Writing): string {
  return (content ?? []).map((node) => marked(node, form)).join("");
}

function marked(node: NodeJSON, form: Writing): string {
  const html = leaf(node, form);
  return (node.marks ?? []).reduceRight((inside, { type, attrs = {} }) => {
    const tag = TAGS.get(type);
    if (tag)
      return `<${tag}${type === "highlight" ? style({ "background-color": attrs.color }, form) : ""}>${inside}</${tag}>`;
    if (type === "link") {
      // A reference is a link itself.
      if (node.type === REFERENCE) return inside;
      const href = form.link(attrs.href);
      const title = typeof attrs.title === "string" ? ` title="${escape(attrs.title)}"` : "";
      return href === undefined ? inside : `<a href="${escape(href)}"${title}>${inside}</a>`;
    }
    if (type !== "textStyle") return inside;
    const { color, backgroundColor, fontFamily, fontSize } = attrs;
    const values = { color, "background-color": backgroundColor, "font-family": fontFamily, "font-size": fontSize };
    const css = style(values, form);
    return css ? `<span${css}>${inside}</span>` : inside;
  }, html);
}

const TAGS: ReadonlyMap<string, string> = new Map([
  ["bold", "strong"],
  ["italic", "em"],
  ["strike", "s"],
  ["underline", "u"],
  ["code", "code"],
  ["subscript", "sub"],
  ["superscript", "sup"],
  ["highlight", "mark"],
  ["insertion", "ins"],
  ["deletion", "del"],
]);

function leaf(node: NodeJSON, form: Writing): string {
  if (node.text !== undefined) return escape(readersText(node));
  if (isLineBreak(node.type)) return "<br />";
  if (node.type === REFERENCE && form.book)
    return referenceOf(wholeNumber(node.attrs?.number, 1, LARGEST) ?? 1, form.book, form);
  if (node.type === "image") return picture(node.attrs ?? {}, form);
  if (node.type === "inlineMath") return `<code class="formula">${escape(leafText(node))}</code>`;
  return `<span>${escape(leafText(node))}</span>`;
}

/** Writes CSS; values that are invalid, or could load something, are left out. */
function style(values: Record<string, unknown>, { lose }: HTMLForm): string {
  const css = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === "") return [];
    if (typeof value === "string" && isCSSValue(value)) return [`${name}: ${value}`];
    lose?.(shownValue(value));
    return [];
  });
  return css.length > 0 ? ` style="${escape(css.join("; "))}"` : "";
}
