/** Reads attachments, and converts them to messages. Loaded with the first attachment. */

import type { Editor } from "@tiptap/core";
import { DOMParser as DocumentParser } from "@tiptap/pm/model";
import { CopydeskError, type ImageContent, type Locale, type Message, type WorkspaceHost } from "copydesk";
import type { guarded, whenAllLoaded } from "../document/calls.js";
import { dataURL } from "../base/data-url.js";
import { parseInert, serializeInert } from "../view/inert-html.js";
import type { EditorWithCopydesk } from "../agent/options.js";
import { textIn } from "../workspace/encoding.js";
import { attachmentSentences, type AttachmentProblem } from "./attachment-words.js";
import type {
  AttachedContent,
  Attachment,
  AttachmentError,
  AttachmentReader,
  AttachmentSource,
  AttachmentTarget,
} from "./attachment.js";
import type { sectionsOf } from "./sections.js";

/** The modules of the assistant that are used here: with an import of its own, bundlers would split the assistant. */
export interface AttachmentKit {
  readonly guarded: typeof guarded;
  readonly whenAllLoaded: typeof whenAllLoaded;
  readonly sectionsOf: typeof sectionsOf;
}

/** The part of the assistant that attachments need. */
export interface AttachmentHost extends AttachmentKit {
  readonly editor: Editor;
  readonly workspace: WorkspaceHost | undefined;
  readonly readers: readonly AttachmentReader[];
  readonly locale: Locale;
  /** Loads the wasm. */
  load: () => Promise<void>;
  /** The attachments of the next message. */
  current: () => readonly Attachment[];
  set: (attachments: readonly Attachment[]) => void;
}

/** The most attachments of a message. */
const MOST = 20;
/** The most characters of a text: more than any model reads at once. */
const LONGEST_TEXT = 2_000_000;
/** The largest file, in bytes: texts have no more, and a PDF consists of images mostly. */
const LARGEST_TEXT = 8 << 20;
const LARGEST_FILE = 64 << 20;
/** Images that all providers accept, up to this number of bytes; others are drawn again. */
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);
const LARGEST_IMAGE = 3_750_000;
/** The most pixels of the longer side of an image that is drawn again. */
const LONGEST_SIDE = 2048;
/** The most characters of a name. */
const LONGEST_NAME = 80;

/** The sentences for each code. */
let serial = 0;

/** A failure with the code of a sentence. */
class Refusal extends Error {
  constructor(readonly code: AttachmentProblem) {
    super(code);
  }
}

/** Adds attachments, and reads them. Resolves when all are ready or have failed. */
export async function attach(host: AttachmentHost, sources: readonly AttachmentSource[]): Promise<void> {
  await Promise.all(sources.map((source) => attachOne(host, source)));
}

async function attachOne(host: AttachmentHost, source: AttachmentSource): Promise<void> {
  const id = `attachment-${++serial}`;
  const kind = kindOf(source);
  const name = nameOf(host, source);
  const update = (change: Partial<Attachment>) =>
    host.set(host.current().map((one) => (one.id === id ? { ...one, ...change } : one)));
  const part = partOf(host, source, name);
  const others = host.current().filter((one) => part === undefined || one.part !== part);
  const hasRoom = others.filter(({ state }) => state !== "failed").length < MOST;
  const own = part === undefined ? {} : { part };
  host.set([...others, { id, kind, name, text: "", tokens: null, state: "reading", ...own }]);
  try {
    if (!hasRoom) throw new Refusal("attachment_too_many");
    const content = await contentOf(host, source);
    if ("text" in content) {
      if (content.text.length > LONGEST_TEXT) throw new Refusal("attachment_too_large");
      if (!content.text.trim()) throw new Refusal("attachment_empty");
    }
    const image = "image" in content ? content.image : undefined;
    const text = "text" in content ? content.text.replace(/\r\n?/g, "\n").toWellFormed() : "";
    update({ text, ...(image ? { image } : {}), state: "ready" });
    host.whenAllLoaded(() => update({ tokens: host.guarded((wasm) => wasm.estimateTokens(text, image ? 1 : 0)) }));
  } catch (error) {
    update({ state: "failed", error: errorOf(error, name, host.locale) });
  }
}

function errorOf(error: unknown, name: string, locale: Locale): AttachmentError {
  const isOwn = error instanceof CopydeskError;
  if (isOwn && error.code !== "file_not_found") return { code: error.code, message: error.message };
  const code = error instanceof Refusal ? error.code : isOwn ? "attachment_missing" : "attachment_unreadable";
  const sentence = attachmentSentences(locale).problems[code];
  return { code, message: sentence.replace("{}", () => name) };
}

/** Returns the messages that a text with attachments is sent as: the attachments as data, and the user's message. */
export function messagesOf(
  { guarded }: AttachmentKit,
  text: string,
  attachments: readonly AttachedContent[],
  locale: Locale,
): Message[] {
  const data = attachments
    .filter(({ image }) => !image)
    .map(({ kind, name, text: content }) =>
      guarded((wasm) => wasm.fencedText(kind === "text" ? "attachment" : kind, `${name}\n\n${content}`)),
    );
  const images = attachments.flatMap(({ image }) => image ?? []);
  const head = attachmentSentences(locale).note;
  return [
    ...(data.length ? [{ role: "note" as const, content: [head, ...data].join("\n\n") }] : []),
    { role: "user", content: images.length ? [{ type: "text", text }, ...images] : text },
  ];
}

/** Returns the parts of the document and the workspace that can be attached: the selection, the sections, the files. */
export async function targetsOf(
  { sectionsOf }: AttachmentKit,
  editor: Editor,
  workspace: WorkspaceHost | undefined,
): Promise<AttachmentTarget[]> {
  const { from, to, empty } = editor.state.selection;
  const selected = empty ? "" : shortName(editor.state.doc.textBetween(from, to, " ", " "));
  const sections = sectionsOf(editor).filter(
    ({ state, number, title }) => state !== "deleted" && (number > 0 || title),
  );
  // The sections can be attached without the workspace.
  const files = (await workspace?.list().catch(() => [])) ?? [];
  return [
    ...(selected ? [{ kind: "selection" as const, name: selected }] : []),
    ...sections.map(({ number, title }) => ({ kind: "section" as const, number, name: shortName(title) })),
    ...files.map(({ path }) => ({ kind: "file" as const, path, name: path })),
  ];
}

function kindOf(source: AttachmentSource): Attachment["kind"] {
  if (!(source instanceof File)) return source.kind;
  return isImage(source) ? "image" : "text";
}

/** SVG is text. */
function isImage({ type }: File): boolean {
  return type.startsWith("image/") && type !== "image/svg+xml";
}

function nameOf({ editor, sectionsOf }: AttachmentHost, source: AttachmentSource): string {
  if (source.name) return shortName(source.name);
  if (source instanceof File) return "file";
  switch (source.kind) {
    case "selection": {
      const { from, to } = editor.state.selection;
      return shortName(editor.state.doc.textBetween(from, to, " ", " "));
    }
    case "section":
      return shortName(
        sectionsOf(editor).find(({ number, state }) => number === source.number && state !== "deleted")?.title ?? "",
      );
    case "file":
      return source.path;
    case "text":
      return shortName(source.text);
  }
}

/** Returns the identity of a part of the document or of the workspace; undefined for files and texts of the user. */
function partOf({ editor }: AttachmentHost, source: AttachmentSource, name: string): string | undefined {
  if (source instanceof File) return undefined;
  switch (source.kind) {
    case "selection":
      return `selection ${editor.state.selection.from}-${editor.state.selection.to}`;
    case "section":
      // Sections are numbered again when one is inserted.
      return `section ${source.number} ${name}`;
    case "file":
      return `file ${source.path}`;
    case "text":
      return undefined;
  }
}

/** Returns a name in one line, without what could end its quotation. */
function shortName(text: string): string {
  const line = text
    .slice(0, 400)
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
}

async function contentOf(
  host: AttachmentHost,
  source: AttachmentSource,
): Promise<{ text: string } | { image: ImageContent }> {
  if (source instanceof File) return contentOfFile(host, source);
  switch (source.kind) {
    case "text":
      return { text: source.text };
    case "selection":
      return { text: selectionOf(host) };
    case "section":
      await host.load();
      return { text: sectionOf(host.editor, source.number) };
    case "file":
      if (!host.workspace) throw new Refusal("attachment_missing");
      return { text: (await host.workspace.read(source.path)).text };
  }
}

/** Returns the selected text; with its HTML if it is more than text. */
function selectionOf({ editor }: AttachmentHost): string {
  const { doc, selection, schema } = editor.state;
  const { content } = doc.slice(selection.from, selection.to);
  if (!content.size) throw new Refusal("attachment_missing");
  let isPlain = content.childCount === 1 && content.firstChild!.isTextblock;
  content.descendants((node) => {
    if (node.marks.length || (node.isInline && !node.isText)) isPlain = false;
  });
  return isPlain ? content.firstChild!.textContent : serializeInert(schema, content);
}

/** Returns a section as HTML, with the changes that wait for review. */
function sectionOf(editor: Editor, number: number): string {
  const section = (editor as EditorWithCopydesk).storage.copydesk.document!.sections()[number];
  if (!section) throw new Refusal("attachment_missing");
  const heading = document.createElement(number ? "h2" : "h1");
  heading.textContent = section.title;
  // The content of section 0 has its title.
  return number ? heading.outerHTML + section.content : section.content;
}

async function contentOfFile(host: AttachmentHost, file: File): Promise<{ text: string } | { image: ImageContent }> {
  if (file.size > LARGEST_FILE) throw new Refusal("attachment_too_large");
  const reader = host.readers.find((one) => one.accepts(file));
  if (reader) return { text: await reader.read(file) };
  if (isImage(file)) return { image: await imageOf(file) };
  if (file.size > LARGEST_TEXT) throw new Refusal("attachment_too_large");
  const text = decoded(new Uint8Array(await file.arrayBuffer()), file);
  if (text === undefined) throw new Refusal("attachment_not_supported");
  const isHTML = file.type === "text/html" || /\.html?$/i.test(file.name);
  return { text: isHTML ? cleanHTML(text, host) : text };
}

/** Returns the text of a file; undefined if it is not text. */
function decoded(bytes: Uint8Array, { name, type }: File): string | undefined {
  const text = textIn(bytes)?.text;
  if (text !== undefined || bytes.includes(0)) return text;
  // Any bytes are text in this encoding.
  const isText = type.startsWith("text/") || /\.(txt|md|markdown|csv|tsv|html?)$/i.test(name);
  return isText ? new TextDecoder("windows-1252").decode(bytes) : undefined;
}

/** Returns the body of a page as the editor's schema reads it: without scripts, styles and content that is not in the schema. */
function cleanHTML(source: string, { editor: { schema } }: AttachmentHost): string {
  // The head of a page would become a part of the body.
  const body = parseInert(new DOMParser().parseFromString(source, "text/html").body.innerHTML);
  for (const element of body.querySelectorAll("script, style, template, noscript, img[src^='data:']")) element.remove();
  return serializeInert(schema, DocumentParser.fromSchema(schema).parse(body).content);
}

/** Returns an image as providers accept it: as it is, or drawn again, smaller. */
async function imageOf(file: File): Promise<ImageContent> {
  // What does not decode would fail at the provider.
  const bitmap = await createImageBitmap(file);
  try {
    if (IMAGE_TYPES.has(file.type) && file.size <= LARGEST_IMAGE) return await imageFrom(file);
    const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d")!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const drawn = (type: string) =>
      new Promise<Blob | null>((resolve) => canvas.toBlob((blob) => resolve(blob), type, 0.85));
    const png = await drawn("image/png");
    const blob = png && png.size <= LARGEST_IMAGE ? png : await drawn("image/jpeg");
    if (!blob || blob.size > LARGEST_IMAGE) throw new Refusal("attachment_too_large");
    return await imageFrom(blob);
  } finally {
    bitmap.close();
  }
}

async function imageFrom(blob: Blob): Promise<ImageContent> {
  const url = await dataURL(blob);
  return { type: "image", data: url.slice(url.indexOf(",") + 1), mimeType: blob.type };
}
