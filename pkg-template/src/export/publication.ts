/** The input of an export: one document, or the chapters of a book in their order. */

import type { Editor } from "@tiptap/core";
import { isLineBreak } from "../document/node-kinds.js";
import { isDisclosure, type Disclosure } from "../authorship/summary.js";
import { check, members } from "../base/error.js";
import type { OpenedMarkdown } from "../markdown-document/opened.js";
import { inlineSourceOf } from "../markdown-document/source-parts.js";
import type { NodeJSON } from "../types/index.js";
import { checkDocument } from "./valid-document.js";
import { changeOf, isEditor, pendingJSON, type Pending } from "./pending.js";

/** A chapter of a book. */
export interface Chapter {
  /**
   * For the table of contents; a chapter that does not begin with a heading begins with it. Default: the chapter's first
   * heading.
   */
  title?: string;
  /** The document. Of an editor, the option `pending` says what its pending changes come to. */
  json: NodeJSON | Editor;
  /** The path of the file that the chapter was read from. Links of other chapters to that file lead to the chapter. */
  path?: string;
  /**
   * The Markdown file that the document was opened from, or written to. With it, inline source for which the schema has
   * no nodes or marks is printed as its result, such as the image of `![text](url)` where images are blocks. Otherwise
   * it is text. In Markdown, unedited parts keep their source.
   */
  file?: OpenedMarkdown;
}

/** A book, or a document with its title. */
export interface Publication {
  /** Default: the first heading. */
  title?: string;
  author?: string;
  /**
   * The authors, as `disclosureOf` of `copydesk/authorship` returns them. DOCX and EPUB files have them in their
   * metadata. For an editor with the extension `Authorship` that is exported as a whole, they are known.
   */
  disclosure?: Disclosure;
  /** A language tag such as `en` or `zh-CN`. Default: that of the text, English or Chinese. */
  language?: string;
  chapters: readonly Chapter[];
}

/** Content that an exported file does not hold. */
export interface ExportLoss {
  /**
   * An image that could not be loaded or has a format that the file cannot hold, a node without a form, a link to what is
   * not in the file, a footnote without a reference, or a value of a style that the format cannot have.
   */
  kind: "image" | "node" | "link" | "footnote" | "style";
  /** The URL of the image or link, the node's type, the footnote's label, or the style's value. */
  name: string;
  reason: string;
}

/** A file that was made. */
export interface ExportedFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** Its media type. */
  type: string;
  lost: ExportLoss[];
}

/** A publication whose documents are JSON. Titles are those that were given. */
export interface CheckedPublication {
  title: string | undefined;
  author: string | undefined;
  disclosure: Disclosure | undefined;
  language: string;
  chapters: {
    title: string | undefined;
    json: NodeJSON;
    path: string | undefined;
    /** The inline source that is text in the document. */
    source: ReadonlySet<string>;
    file: OpenedMarkdown | undefined;
  }[];
}

/** The possible inputs: a book, a document as JSON, or that of an editor. */
export type Exportable = Publication | NodeJSON | Editor;

/** Checks a publication; a document is one with a single chapter. */
export function publicationOf(given: Exportable, pending?: Pending): CheckedPublication {
  const publication = isDocument(given) || isEditor(given) ? asPublication(given) : members(given, "publication");
  const { title, author, language, disclosure } = publication;
  check(disclosure === undefined || isDisclosure(disclosure), "disclosure", disclosure, "the result of disclosureOf");
  const isList =
    Array.isArray(publication.chapters) &&
    publication.chapters.length > 0 &&
    publication.chapters.every(({ json }) => isDocument(json) || isEditor(json));
  const valid = "a list of at least one {title?, json}, whose json is an editor or editor.getJSON()";
  check(isList, "chapters", publication.chapters, valid);
  const chapters = publication.chapters.map(({ title, json, path, file }) => {
    const source = file ? inlineSourceOf(file) : new Set<string>();
    return { title, json: isEditor(json) ? pendingJSON(json, pending) : json, path, source, file };
  });
  chapters.forEach(({ json }, at) => checkDocument(json, `chapters[${at}].json`));
  for (const [name, value] of Object.entries({ title, author, language })) {
    check(value === undefined || typeof value === "string", name, value, "a string");
  }
  check(language === undefined || isTag(language.trim()), "language", language, "a language tag such as en or zh-CN");
  for (const { path } of chapters) check(path === undefined || typeof path === "string", "path", path, "a string");
  const hasHan = () => chapters.some(({ json }) => /\p{Script=Han}/u.test(textOf(json).slice(0, 4_000)));
  const tag = language?.trim() || (hasHan() ? "zh-CN" : "en");
  return {
    title: title?.trim() || undefined,
    author: author?.trim() || undefined,
    disclosure,
    language: tag,
    chapters: chapters.map(({ title: given, json, ...rest }) => {
      const own = given?.trim() || undefined;
      return { ...rest, title: own, json: own ? withHeading(json, own) : json };
    }),
  };
}

/** Returns true for a language tag, or none. */
function isTag(text: string): boolean {
  try {
    return text === "" || Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** Returns a document that begins with a heading: its own, or this title. */
function withHeading(json: NodeJSON, title: string): NodeJSON {
  const [first] = (json.content ?? []).filter((node) => !isComment(node));
  if (first?.type === "heading") return json;
  const heading = { type: "heading", attrs: { level: 1 }, content: [{ type: "text", text: title }] };
  return { ...json, content: [heading, ...(json.content ?? [])] };
}

function isDocument(given: unknown): given is NodeJSON {
  return typeof given === "object" && given !== null && (given as NodeJSON).type === "doc";
}

function asPublication(json: NodeJSON | Editor): Publication {
  const disclosure = isEditor(json) ? json.storage.authorship?.disclosure : undefined;
  return { chapters: [{ json }], ...(disclosure && { disclosure }) };
}

/** Returns the text of the first heading. */
export function headingOf(json: NodeJSON): string {
  const heading = json.content?.find(({ type }) => type === "heading");
  return heading
    ? withoutComments(textOf(withoutDeleted(heading)))
        .replace(/\s+/g, " ")
        .trim()
    : "";
}

/** Returns a node without what a pending change deletes. */
export function withoutDeleted(node: NodeJSON): NodeJSON {
  const content = node.content?.filter((child) => changeOf(child) !== "deletion").map(withoutDeleted);
  return content ? { ...node, content } : node;
}

/** Returns the text of a node. */
export function textOf(node: NodeJSON): string {
  if (isLineBreak(node.type)) return "\n";
  return node.text ?? (node.content ?? []).map(textOf).join("");
}

/** Returns the text that represents an inline leaf, such as a mention. */
export function leafText({ attrs = {} }: NodeJSON): string {
  const { mentionSuggestionChar, label, id, latex, name } = attrs;
  const text = [latex, label, id, name].find((value) => typeof value === "string") as string | undefined;
  const sign = typeof mentionSuggestionChar === "string" && text !== undefined ? mentionSuggestionChar : "";
  return `${sign}${text ?? ""}`;
}

/** Returns true for the source of a comment, which is not for readers of a book. */
export function isComment(node: NodeJSON): boolean {
  return node.attrs?.language === "markdown-source" && /^<!--[^]*-->$/.test(textOf(node).trim());
}

/** Returns the text of a text node without comments, which are text in a document that was read from Markdown. */
export function readersText({ text = "", marks }: NodeJSON): string {
  return marks?.some(({ type }) => type === "code") ? text : withoutComments(text);
}

function withoutComments(text: string): string {
  let [kept, at] = ["", 0];
  for (let start = text.indexOf("<!--"); start >= 0; start = text.indexOf("<!--", at)) {
    const end = text.indexOf("-->", start + 4);
    if (end < 0) break;
    kept += text.slice(at, start);
    at = end + 3;
  }
  return kept + text.slice(at);
}

/** Removes characters that XML cannot hold. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD").replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
}

/** Returns the value of an attribute as it is named to the user. */
export function shownValue(value: unknown): string {
  const text = typeof value === "object" && value !== null ? (Array.isArray(value) ? "[…]" : "{…}") : String(value);
  return withoutControls(text).slice(0, 60);
}
