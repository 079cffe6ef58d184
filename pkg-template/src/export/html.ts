/** Documents as HTML that is also valid XML, for pages and for EPUB. */

import type { NodeJSON } from "../types.js";
import { isComment, leafText, readersText, textOf, withoutControls } from "./publication.js";
import { imageURL, linkURL } from "../url-reference.js";
import { wholeNumber } from "./whole-number.js";
import { changeOf } from "./pending.js";

/** Returns the source of an image in the file; undefined shows its description. */
export type ImageSource = (src: string) => string | undefined;

/** Limits of numbers in attributes: those of HTML for columns and rows, and that of 32 bits. */
const MOST_COLUMNS = 1000;
const MOST_ROWS = 65_534;
const LARGEST = 2 ** 31 - 1;

/** Writes the blocks of a document. */
export function bodyOf(doc: NodeJSON, image: ImageSource = (src) => src): string {
  return blocks(doc.content, image);
}

/** Escapes text for HTML and XML. */
export function escape(text: string): string {
  return withoutControls(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}

function blocks(content: readonly NodeJSON[] | undefined, image: ImageSource): string {
  return (content ?? []).map((node) => block(node, image)).join("\n");
}

function block(node: NodeJSON, image: ImageSource): string {
  const { type, attrs = {}, content } = node;
  const inner = (tag: string, attributes = ""): string => `<${tag}${attributes}>\n${blocks(content, image)}\n</${tag}>`;
  const text = (tag: string, attributes = ""): string => `<${tag}${attributes}>${inline(content, image)}</${tag}>`;
  switch (type) {
    case "paragraph":
      return text("p", style({ "text-align": attrs.textAlign }));
    case "heading":
      return text(`h${wholeNumber(attrs.level, 1, 6) ?? 1}`, style({ "text-align": attrs.textAlign }));
    case "bulletList":
      return inner("ul");
    case "orderedList": {
      const start = wholeNumber(attrs.start, -LARGEST, LARGEST) ?? 1;
      return inner("ol", start === 1 ? "" : ` start="${start}"`);
    }
    case "listItem":
      return inner("li");
    case "taskList":
      return inner("ul", ' class="tasks"');
    case "taskItem": {
      const checked = attrs.checked === true ? ' checked="checked"' : "";
      return `<li><input type="checkbox" disabled="disabled"${checked} />\n${blocks(content, image)}\n</li>`;
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
      return `<figure>${changed(node, picture(attrs, image))}</figure>`;
    case "table":
      return `<table>\n<tbody>\n${blocks(content, image)}\n</tbody>\n</table>`;
    case "tableRow":
      return inner("tr");
    case "tableHeader":
      return inner("th", cell(attrs));
    case "tableCell":
      return inner("td", cell(attrs));
    case "details":
      return inner("details", attrs.open === true ? ' open="open"' : "");
    case "detailsSummary":
      return text("summary");
    case "blockMath":
      return `<p class="formula">${changed(node, `<code>${escape(leafText(node))}</code>`)}</p>`;
    default:
      return hasInline(node) ? text("p") : other(node, image);
  }
}

/** Marks what a pending change inserts or deletes. */
function changed(node: NodeJSON, html: string): string {
  const change = changeOf(node);
  const tag = change && TAGS.get(change);
  return tag ? `<${tag}>${html}</${tag}>` : html;
}

/** A block of an extension: its content, or a link to what it shows. */
function other(node: NodeJSON, image: ImageSource): string {
  if (node.content)
    return node.type === "detailsContent"
      ? blocks(node.content, image)
      : `<div>\n${blocks(node.content, image)}\n</div>`;
  const url = linkURL(node.attrs?.src);
  return url === undefined ? `<p>${escape(leafText(node))}</p>` : `<p><a href="${escape(url)}">${escape(url)}</a></p>`;
}

function hasInline({ content }: NodeJSON): boolean {
  return content?.some(({ type, text }) => text !== undefined || type === "hardBreak") ?? false;
}

function cell({ colspan, rowspan, align }: Record<string, unknown>): string {
  const span = (name: string, value: unknown, most: number): string => {
    const count = wholeNumber(value, 2, most);
    return count === undefined ? "" : ` ${name}="${count}"`;
  };
  return span("colspan", colspan, MOST_COLUMNS) + span("rowspan", rowspan, MOST_ROWS) + style({ "text-align": align });
}

function picture(attrs: Record<string, unknown>, image: ImageSource): string {
  const url = imageURL(attrs.src);
  const src = url === undefined ? undefined : image(url);
  const alt = typeof attrs.alt === "string" ? attrs.alt : "";
  if (src === undefined) return `<em>${escape(alt)}</em>`;
  const title = typeof attrs.title === "string" ? ` title="${escape(attrs.title)}"` : "";
  const size = (["width", "height"] as const).map((name) => {
    const length = wholeNumber(attrs[name], 1, LARGEST);
    return length === undefined ? "" : ` ${name}="${length}"`;
  });
  return `<img src="${escape(src)}" alt="${escape(alt)}"${title}${size.join("")} />`;
}

function inline(content: readonly NodeJSON[] | undefined, image: ImageSource): string {
  return (content ?? []).map((node) => marked(node, image)).join("");
}

function marked(node: NodeJSON, image: ImageSource): string {
  const html = leaf(node, image);
  return (node.marks ?? []).reduceRight((inside, { type, attrs = {} }) => {
    const tag = TAGS.get(type);
    if (tag)
      return `<${tag}${type === "highlight" ? style({ "background-color": attrs.color }) : ""}>${inside}</${tag}>`;
    if (type === "link") {
      const href = linkURL(attrs.href);
      const title = typeof attrs.title === "string" ? ` title="${escape(attrs.title)}"` : "";
      return href === undefined ? inside : `<a href="${escape(href)}"${title}>${inside}</a>`;
    }
    if (type !== "textStyle") return inside;
    const { color, backgroundColor, fontFamily, fontSize } = attrs;
    const css = style({ color, "background-color": backgroundColor, "font-family": fontFamily, "font-size": fontSize });
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

function leaf(node: NodeJSON, image: ImageSource): string {
  if (node.text !== undefined) return escape(readersText(node));
  if (node.type === "hardBreak") return "<br />";
  if (node.type === "image") return picture(node.attrs ?? {}, image);
  if (node.type === "inlineMath") return `<code class="formula">${escape(leafText(node))}</code>`;
  return `<span>${escape(leafText(node))}</span>`;
}

/** Writes CSS of values that are single words, numbers, colors or names of fonts. */
function style(values: Record<string, unknown>): string {
  const css = Object.entries(values).flatMap(([name, value]) => {
    return typeof value === "string" && /^[\w#(),.%\s'-]+$/.test(value) ? [`${name}: ${value}`] : [];
  });
  return css.length > 0 ? ` style="${css.join("; ")}"` : "";
}
