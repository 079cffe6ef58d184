/** HTML of a document's author as content: its text, images, links and emphasis. Nothing else of it is in a file. */

import { isLineBreak } from "../document/node-kinds.js";
import { parse } from "../markdown-document/syntax.js";
import type { NodeJSON } from "../types/index.js";

type MarkJSON = NonNullable<NodeJSON["marks"]>[number];

/** The tags that are marks. */
const MARKS = new Map([
  ["b", "bold"],
  ["strong", "bold"],
  ["i", "italic"],
  ["em", "italic"],
  ["s", "strike"],
  ["del", "strike"],
  ["u", "underline"],
  ["code", "code"],
  ["kbd", "code"],
  ["sub", "subscript"],
  ["sup", "superscript"],
  ["mark", "highlight"],
]);
/** Elements within a line. All others end the paragraph. */
const INLINE =
  /^(?:a|abbr|bdi|bdo|big|cite|data|dfn|font|img|ins|label|picture|q|samp|small|source|span|time|tt|var|wbr)$/;
/** Elements whose content is not text for readers. */
const NOT_TEXT = /^(?:script|style|template|svg|math|noscript|iframe|object|select|textarea|title|head)$/;
const TOKEN =
  /<!--[^]*?(?:-->|$)|<[!?][^>]*>?|<(\/?)([a-z][\w:-]*)((?:\s+[^\s"'<>=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*)\s*\/?>/gi;
const ATTRIBUTE = /([^\s"'<>=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g;

/** Returns the paragraphs, headings and rules of HTML. */
export function contentOfHTML(html: string): NodeJSON[] {
  const reader = new HTMLReader();
  let at = 0;
  for (const token of html.matchAll(TOKEN)) {
    reader.text(html.slice(at, token.index));
    at = token.index + token[0].length;
    const [, slash, name, attributes = ""] = token;
    if (name !== undefined) reader.tag(name.toLowerCase(), slash === "/", attributes);
  }
  reader.text(html.slice(at));
  return reader.end();
}

class HTMLReader {
  private readonly blocks: NodeJSON[] = [];
  private inline: NodeJSON[] = [];
  private marks: { tag: string; mark: MarkJSON }[] = [];
  private level = 0;
  /** The element without text that is open. */
  private hidden: string | undefined;

  text(html: string): void {
    if (this.hidden !== undefined) return;
    const isAtStart = this.inline.length === 0 || isBreak(this.inline.at(-1));
    const text = decoded(html).replace(/[\t\n\f\r ]+/g, " ");
    const kept = isAtStart ? text.replace(/^ /, "") : text;
    if (kept) this.add({ type: "text", text: kept });
  }

  tag(name: string, isEnd: boolean, source: string): void {
    if (this.hidden !== undefined) {
      if (isEnd && name === this.hidden) this.hidden = undefined;
    } else if (NOT_TEXT.test(name)) this.hidden = isEnd ? undefined : name;
    else if (name === "br") this.add({ type: "hardBreak" });
    else if (name === "img") this.image(attributesOf(source));
    else if (MARKS.has(name) || name === "a") this.mark(name, isEnd, source);
    else if (!INLINE.test(name)) this.block(name, isEnd);
  }

  end(): NodeJSON[] {
    const [content, level] = [this.inline, this.level];
    while (content.at(-1)?.text?.trim() === "" || isBreak(content.at(-1))) content.pop();
    if (content.length)
      this.blocks.push(level ? { type: "heading", attrs: { level }, content } : { type: "paragraph", content });
    [this.inline, this.level] = [[], 0];
    return this.blocks;
  }

  private block(name: string, isEnd: boolean): void {
    this.end();
    if (name === "hr") this.blocks.push({ type: "horizontalRule" });
    if (!isEnd && /^h[1-6]$/.test(name)) this.level = Number(name[1]);
  }

  private image({ src, alt, width, height, title }: Record<string, string | undefined>): void {
    this.add({ type: "image", attrs: { src, alt, title, width, height } });
  }

  private mark(tag: string, isEnd: boolean, source: string): void {
    if (isEnd) {
      const at = this.marks.findLastIndex((one) => one.tag === tag);
      if (at >= 0) this.marks.splice(at, 1);
      return;
    }
    const { href, title } = tag === "a" ? attributesOf(source) : {};
    const type = MARKS.get(tag) ?? "link";
    if (type === "link" && href === undefined) return;
    this.marks.push({ tag, mark: type === "link" ? { type, attrs: { href, title } } : { type } });
  }

  private add(node: NodeJSON): void {
    // A mark within one of its kind is the same.
    const marks = this.marks
      .map(({ mark }) => mark)
      .filter(({ type }, at, all) => {
        return all.findIndex((other) => other.type === type) === at;
      });
    this.inline.push(marks.length ? { ...node, marks } : node);
  }
}

function attributesOf(source: string): Record<string, string | undefined> {
  const found = [...source.matchAll(ATTRIBUTE)].map(([, name = "", double, single, bare]) => {
    return [name.toLowerCase(), decoded(double ?? single ?? bare ?? "")];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

/** Replaces character references. Markdown has those of HTML, so its parser knows their names. */
function decoded(html: string): string {
  return html.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (reference) => {
    const [paragraph] = parse(reference, { hasMath: false, hasFrontMatter: false }).children;
    const [text] = paragraph?.type === "paragraph" ? paragraph.children : [];
    return text?.type === "text" ? text.value : reference;
  });
}

function isBreak(node: NodeJSON | undefined): boolean {
  return node !== undefined && isLineBreak(node.type);
}
