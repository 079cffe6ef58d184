/** Reads text files as documents: Markdown, HTML and plain text. Loaded when a file is opened first. */
import type { Editor } from "@tiptap/core";
import { DOMParser as DocumentParser, type Schema } from "@tiptap/pm/model";
import type { NodeJSON } from "copydesk";
import { readInWorker } from "./read-markdown";
import { locale } from "../locale";
import { keepImage } from "./own-images";
import type { TextFormat } from "./open-document";

/** Reads a file. Returns null if it is not text. */
export async function readTextFile(file: File, format: TextFormat, { schema }: Editor): Promise<NodeJSON | null> {
  const text = decode(await file.arrayBuffer(), format);
  if (text === null) return null;
  switch (format) {
    case "markdown":
      return readInWorker(text, schema);
    case "html":
      return readHTML(text, schema);
    case "text":
      return readText(text, schema);
  }
}

/**
 * Returns the text of a file by its byte order mark, as UTF-8, or in the encoding that it declares or that is usual for
 * the language of the page. Null if that is not text.
 */
function decode(bytes: ArrayBuffer, format: TextFormat): string | null {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const marked = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  const usual = locale() === "zh-CN" ? "gb18030" : "windows-1252";
  const encodings = marked ? [marked] : ["utf-8", (format === "html" && declaredEncoding(bytes)) || usual];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return text.includes("\0") ? null : text;
    } catch {
      // Another encoding, or one that is not known.
    }
  }
  return null;
}

/** Returns the encoding that an HTML file declares in its first bytes. */
function declaredEncoding(bytes: ArrayBuffer): string | undefined {
  const start = new TextDecoder("latin1").decode(new Uint8Array(bytes, 0, Math.min(1024, bytes.byteLength)));
  return /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1];
}

/** Reads the body of a page by the editor's schema. Images in it are kept as own images. */
async function readHTML(text: string, schema: Schema): Promise<NodeJSON> {
  // A document of this parser runs no scripts and loads nothing.
  const { body } = new DOMParser().parseFromString(text, "text/html");
  for (const image of body.querySelectorAll<HTMLImageElement>('img[src^="data:image/"]')) {
    const file = fileOf(image.getAttribute("src")!);
    const kept = file && (await keepImage(file));
    if (kept && "url" in kept) image.setAttribute("src", kept.url);
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
