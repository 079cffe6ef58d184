/** A document or a book as EPUB 3. */

import { agentsInWords, IPTC_SOURCE_TYPES, type Disclosure } from "../authorship/summary.js";
import { bodyOf, escape } from "./html.js";
import { loadImages, shortened, type ImageOptions } from "./images.js";
import type { PendingOptions } from "./pending.js";
import { isRightToLeft } from "./direction.js";
import type { Exportable, ExportedFile, ExportLoss } from "./publication.js";
import { readable, type ReadableBook } from "./readable.js";
import { strictURL } from "./strict-url.js";
import { STYLESHEET } from "./stylesheet.js";
import { imageURL } from "../base/url-reference.js";
import { loadZip, PLAIN } from "../loading/zip-library.js";

export interface EPUBOptions extends ImageOptions, PendingOptions {
  /** The book's identifier, the same for each edition. Default: a random UUID. */
  identifier?: string;
  /** The time of this edition. Default: now. */
  modified?: Date;
}

/** The formats that every reader of EPUB shows, by image-size's names. */
const MEDIA_TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  svg: "image/svg+xml",
  webp: "image/webp",
};

/**
 * Writes an EPUB file with a chapter per document and a table of contents. Images are part of the file.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter`, or `image_size_not_installed` or `xmldom_not_installed`
 *   if an image or an SVG needs a package that cannot be loaded.
 */
export async function toEPUB(publication: Exportable, options: EPUBOptions = {}): Promise<ExportedFile> {
  const book = readable(publication, options.pending);
  const [{ Uint8ArrayReader, Uint8ArrayWriter, ZipWriter }, { images, lost: failed }] = await Promise.all([
    loadZip(),
    loadImages(book, Object.keys(MEDIA_TYPES), options),
  ]);
  const names = new Map([...images].map(([src, { format }], index) => [src, `images/image-${index + 1}.${format}`]));
  const lost = [...book.lost, ...failed];
  const styles = new Set<string>();
  const isRTL = isRightToLeft(book.language);
  const chapters = book.chapters.map(({ title, json, footnotes }, index) => {
    const form = { chapter: index + 1, footnotes, isEPUB: true, isRightToLeft: isRTL };
    const link = (href: unknown) => linkIn(book, href, index, lost);
    const lose = (style: string) => void styles.add(style);
    const body = bodyOf(json, { image: (src) => names.get(imageURL(src) ?? src), link, lose, book: form });
    return { title, name: nameOf(index), page: page(book, title, body) };
  });
  for (const name of styles) lost.push({ kind: "style", name, reason: "It is no value of CSS." });
  const pictures = [...images].map(([src, image], index) => {
    return {
      id: `image-${index + 1}`,
      name: names.get(src) ?? "",
      bytes: image.bytes,
      type: MEDIA_TYPES[image.format] ?? "",
    };
  });
  const contents = chapters.map(({ name, title }) => `<li><a href="${name}">${escape(title)}</a></li>`).join("\n");
  const zip = new ZipWriter(new Uint8ArrayWriter(), PLAIN);
  const add = (name: string, bytes: Uint8Array, level?: 0) => zip.add(name, new Uint8ArrayReader(bytes), { level });
  const addText = (name: string, text: string, level?: 0) => add(name, new TextEncoder().encode(text), level);
  // The first file, not compressed: readers recognise the format by it.
  await addText("mimetype", "application/epub+zip", 0);
  await addText("META-INF/container.xml", CONTAINER);
  await addText("EPUB/package.opf", packageOf(book, chapters, pictures, options));
  const nav = `<nav epub:type="toc" id="toc">\n<h1>${escape(book.title)}</h1>\n<ol>\n${contents}\n</ol>\n</nav>`;
  await addText("EPUB/nav.xhtml", page(book, book.title, nav));
  await addText("EPUB/style.css", STYLESHEET);
  for (const { name, page } of chapters) await addText(`EPUB/${name}`, page);
  for (const { name, bytes } of pictures) await add(`EPUB/${name}`, bytes, 0);
  const bytes = await zip.close();
  return { bytes, type: "application/epub+zip", lost };
}

function nameOf(chapter: number): string {
  return `chapter-${String(chapter + 1).padStart(3, "0")}.xhtml`;
}

/** Returns the target of a link in a chapter. One that is neither in the book nor a URL of its own is lost. */
function linkIn(book: ReadableBook, href: unknown, chapter: number, lost: ExportLoss[]): string | undefined {
  if (typeof href !== "string" || href === "") return undefined;
  const target = book.resolve(href, chapter);
  if (target && "place" in target) {
    const { chapter: to, id } = target.place;
    return encodeURI(`${to === chapter && id ? "" : nameOf(to)}${id ? `#${id}` : ""}`);
  }
  const isOutside = target !== undefined && /^[a-z][a-z\d+.-]*:/i.test(target.url);
  const url = isOutside ? strictURL(target.url) : undefined;
  if (url !== undefined) return url;
  const isInside = target !== undefined && !isOutside;
  const reason = isInside ? "It leads to no chapter or heading of the book." : "No file may have this URL.";
  lost.push({ kind: "link", name: shortened(href), reason });
  return undefined;
}

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

function page({ language }: ReadableBook, title: string, body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${escape(language)}" xml:lang="${escape(language)}"${isRightToLeft(language) ? ' dir="rtl"' : ""}>
<head>
<title>${escape(title)}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
${body}
</body>
</html>
`;
}

/** The vocabularies of the disclosure: that of IPTC, and the name of the proposal for HTML. */
const PREFIX =
  "iptcExt: http://iptc.org/std/Iptc4xmpExt/2008-02-29/ ai: https://github.com/dweekly/ai-content-disclosure#";

/** Returns the disclosure as metadata, each on a line of its own. Agents are contributors. */
function disclosed(disclosure: Disclosure): string {
  const { kind, agents, people, sources } = disclosure;
  const meta = (property: string, value: string) => `\n<meta property="${property}">${escape(value)}</meta>`;
  const characters = agents.reduce((sum, agent) => sum + agent.characters, 0);
  return [
    meta("ai:disclosure", kind),
    meta("ai:characters", String(characters)),
    meta("ai:people-characters", String(people)),
    ...(kind === "none" ? [] : [meta("iptcExt:DigitalSourceType", IPTC_SOURCE_TYPES[kind])]),
    ...agents.map((agent, index) => {
      const id = `ai-agent-${index + 1}`;
      const name = agentsInWords({ ...disclosure, agents: [agent] });
      return `\n<dc:contributor id="${id}">${escape(name)}</dc:contributor>\n<meta refines="#${id}" property="ai:role">agent</meta>`;
    }),
    ...sources.map((url) => `\n<dc:source>${escape(url)}</dc:source>`),
  ].join("");
}

function packageOf(
  { title, author, language, disclosure }: ReadableBook,
  chapters: readonly { name: string }[],
  pictures: readonly { id: string; name: string; type: string }[],
  { identifier, modified = new Date() }: EPUBOptions,
): string {
  const id = identifier ?? `urn:uuid:${crypto.randomUUID()}`;
  const items = [
    '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
    '<item id="style" href="style.css" media-type="text/css"/>',
    ...chapters.map(({ name }, index) => {
      return `<item id="chapter-${index + 1}" href="${name}" media-type="application/xhtml+xml"/>`;
    }),
    ...pictures.map(({ id: picture, name, type }) => `<item id="${picture}" href="${name}" media-type="${type}"/>`),
  ];
  const order = chapters.map((_, index) => `<itemref idref="chapter-${index + 1}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"${disclosure ? ` prefix="${PREFIX}"` : ""}>
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${escape(id)}</dc:identifier>
<dc:title>${escape(title)}</dc:title>
<dc:language>${escape(language)}</dc:language>
${author ? `<dc:creator>${escape(author)}</dc:creator>\n` : ""}<meta property="dcterms:modified">${modified.toISOString().replace(/\.\d+Z$/, "Z")}</meta>${disclosure ? disclosed(disclosure) : ""}
</metadata>
<manifest>
${items.join("\n")}
</manifest>
<spine${isRightToLeft(language) ? ' page-progression-direction="rtl"' : ""}>
${order.join("\n")}
</spine>
</package>
`;
}
