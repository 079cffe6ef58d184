/** Text files as documents: Markdown, HTML and plain text. */

import { DOMParser as DocumentParser, type Schema } from "@tiptap/pm/model";
import { parseInert } from "../view/inert-html.js";
import { FileError } from "../insert/file-error.js";
import { textFormatOf, type TextFormat } from "../insert/text-format.js";
import type { KeepImage } from "../insert/images.js";
import { localeOf } from "../base/locale.js";
import type { NodeJSON } from "../types/index.js";
import { chineseIn } from "../workspace/encoding.js";
import { readOnce } from "./read-once.js";

export interface ReadTextFileOptions {
  /** Keeps the images that are in an HTML file as data URLs. Those that it does not keep stay data URLs. */
  keepImage?: KeepImage;
  /** The language of the user: files that name no encoding have the one that is usual there. Default: the page's. */
  locale?: string;
}

/**
 * Reads a text file as a document of a schema. HTML needs a page.
 *
 * @throws a {@link FileError} with the code `unsupported_file`, `file_too_large` or `not_text`, and for Markdown what
 * `readMarkdown` throws.
 */
export async function readTextFile(file: File, schema: Schema, options: ReadTextFileOptions = {}): Promise<NodeJSON> {
  const format = textFormatOf(file);
  const text = decode(new Uint8Array(await file.arrayBuffer()), format, localeOf(options.locale));
  if (text === undefined) throw new FileError("not_text", { name: file.name });
  switch (format) {
    case "markdown":
      return readOnce(text, schema);
    case "html":
      return readHTML(text, schema, options.keepImage);
    case "text":
      return readText(text, schema);
  }
}

/**
 * Returns the text of a file by its byte order mark, as UTF-8, or in the encoding that it declares, that its bytes look
 * like, or that is usual for the language. Undefined if that is not text.
 */
function decode(bytes: Uint8Array, format: TextFormat, locale: string): string | undefined {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  const usual = locale === "zh-CN" ? "gb18030" : "windows-1252";
  const text = marked
    ? decodedAs(bytes, marked)
    : (decodedAs(bytes, "utf-8") ??
      decodedAs(bytes, format === "html" ? declaredEncoding(bytes) : undefined) ??
      chineseIn(bytes)?.text ??
      decodedAs(bytes, usual));
  return text?.includes("\0") ? undefined : text;
}

function decodedAs(bytes: Uint8Array, encoding: string | undefined): string | undefined {
  try {
    return encoding === undefined ? undefined : new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Another encoding, or one that is not known.
    return undefined;
  }
}

/** Returns the encoding that an HTML file declares in its first bytes. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  return /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1];
}

/** Reads the body of a page by the schema. */
async function readHTML(text: string, schema: Schema, keepImage: KeepImage | undefined): Promise<NodeJSON> {
  // The head of a page would become a part of the body.
  const body = parseInert(new DOMParser().parseFromString(text, "text/html").body.innerHTML);
  for (const image of keepImage ? body.querySelectorAll<HTMLImageElement>('img[src^="data:image/"]') : []) {
    const file = fileOf(image.getAttribute("src")!);
    const url = file && (await keepImage!(file).catch((error: unknown) => void console.warn(error)));
    if (url) image.setAttribute("src", url);
  }
  return DocumentParser.fromSchema(schema).parse(body).toJSON() as NodeJSON;
}

/** Returns the file in a data URL with Base64; null if it has none. */
function fileOf(url: string): File | null {
  const [, type, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(url) ?? [];
  if (!type || !data) return null;
  try {
    return new File([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], "image", { type });
  } catch {
    return null;
  }
}

/** Makes each line a paragraph, as pasting does. */
function readText(text: string, schema: Schema): NodeJSON {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim());
  const paragraph = schema.nodes.paragraph!;
  const blocks = lines.map((line) => paragraph.create(null, schema.text(line)));
  return schema.topNodeType.create(null, blocks.length ? blocks : paragraph.create()).toJSON() as NodeJSON;
}
