/** A document or a book as DOCX, by the library `docx`, which is loaded with the first file. */

import { agentsInWords, IPTC_SOURCE_TYPES, type Disclosure } from "../authorship/summary.js";
import { check } from "../base/error.js";
import { loadLibrary, type Library } from "./docx-library.js";
import { DocxWriter, type Area } from "./docx-writer.js";
import { isRightToLeft } from "./direction.js";
import { loadImages, type ImageOptions } from "./images.js";
import type { PendingOptions } from "./pending.js";
import { withoutControls, type Exportable, type ExportedFile } from "./publication.js";
import { readable } from "./readable.js";
import { publicationWords } from "./words.js";

/** Width and height of pages in twentieths of a point. */
const PAGES = {
  A4: [11_906, 16_838],
  A5: [8_391, 11_906],
  B5: [9_978, 14_173],
  Letter: [12_240, 15_840],
  Legal: [12_240, 20_160],
} as const;
const MARGIN = 1_440;
/** The regions whose paper is Letter. */
const LETTER = /^(?:US|CA|MX|PH|CL|CO|VE|GT|CR|PA|DO|PR)$/;

export interface DOCXOptions extends ImageOptions, PendingOptions {
  /** The font of the text. Default: Word's for the language. */
  font?: string;
  /** The size of a page. Default: `Letter` for languages of regions that use it, such as `en-US`, else `A4`. */
  pageSize?: keyof typeof PAGES;
  /** Writes the number of each page below it. Default: true. */
  pageNumbers?: boolean;
}

/** The formats that Word shows, by image-size's names. */
const FORMATS = ["png", "jpg", "gif", "bmp"];

/**
 * Writes a DOCX file; chapters start on pages of their own. Images are part of the file. With `pending: "marked"` the
 * changes are tracked changes, which Word accepts and rejects.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter`, or `docx_not_installed` if the package `docx`
 * cannot be loaded.
 */
export async function toDOCX(publication: Exportable, options: DOCXOptions = {}): Promise<ExportedFile> {
  const book = readable(publication, options.pending);
  const { pageSize = pageOf(book.language), pageNumbers = true } = options;
  check(Object.hasOwn(PAGES, pageSize), "pageSize", pageSize, Object.keys(PAGES).join(", "));
  const [width, height] = PAGES[pageSize];
  const [docx, { images, lost: failed }] = await Promise.all([loadLibrary(), loadImages(book, FORMATS, options)]);
  const lost = [...book.lost, ...failed];
  const isChinese = book.language.toLowerCase().startsWith("zh");
  const area: Area = { width: width - 2 * MARGIN, height: height - 2 * MARGIN };
  const writer = new DocxWriter(
    { docx, book, images, lost, changedBy: publicationWords(book.language).assistant },
    area,
  );
  const page = { size: { width, height }, margin: { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN } };
  const sections = book.chapters.map((_, chapter) => ({
    properties: { page },
    // Later sections have the footer of the first.
    ...(pageNumbers && chapter === 0 ? { footers: { default: numbered(docx) } } : {}),
    children: writer.body(chapter),
  }));
  const font = options.font ?? { ascii: "Calibri", hAnsi: "Calibri", eastAsia: isChinese ? "SimSun" : "Calibri" };
  const file = new docx.Document({
    title: withoutControls(book.title),
    creator: withoutControls(book.author ?? ""),
    ...(book.disclosure && { customProperties: propertiesOf(book.disclosure) }),
    styles: {
      default: {
        document: {
          run: { font, size: 24, language: languageOf(book.language) },
          // Lines that are at least as high as what is in them: an image is.
          paragraph: { spacing: { after: 160, line: 320, lineRule: docx.LineRuleType.AUTO } },
        },
        ...headings(),
      },
      paragraphStyles: [
        { id: "Quote", name: "Quote", basedOn: "Normal", paragraph: { indent: { left: 567 } }, run: { italics: true } },
        { id: "Code", name: "Code", basedOn: "Normal", run: { font: "Consolas", size: 20 } },
      ],
    },
    numbering: { config: writer.numberings() },
    sections,
  });
  const bytes = new Uint8Array(await docx.Packer.toArrayBuffer(file));
  return { bytes, type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", lost };
}

/** Returns the disclosure as custom properties, which Word shows with the properties of the file. */
function propertiesOf(disclosure: Disclosure): { name: string; value: string }[] {
  const { kind, agents, people, sources } = disclosure;
  const characters = agents.reduce((sum, agent) => sum + agent.characters, 0);
  const all = {
    "ai-disclosure": kind,
    ...(kind !== "none" && {
      "ai-digital-source-type": IPTC_SOURCE_TYPES[kind],
      "ai-agents": agentsInWords(disclosure),
    }),
    "ai-characters": String(characters),
    "people-characters": String(people),
    ...(sources.length && { "ai-sources": sources.join(" ") }),
  };
  return Object.entries(all).map(([name, value]) => ({ name, value: withoutControls(value) }));
}

function pageOf(language: string): keyof typeof PAGES {
  return LETTER.test(/-([a-z]{2})(?:-|$)/i.exec(language)?.[1]?.toUpperCase() ?? "") ? "Letter" : "A4";
}

function languageOf(language: string): { value?: string; eastAsia?: string; bidirectional?: string } {
  if (/^(?:zh|ja|ko)\b/i.test(language)) return { eastAsia: language };
  return isRightToLeft(language) ? { bidirectional: language } : { value: language };
}

/** Headings stay on the page of the text below them. */
function headings(): Record<string, { paragraph: { keepNext: boolean; keepLines: boolean } }> {
  const paragraph = { keepNext: true, keepLines: true };
  return Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`heading${level}`, { paragraph }]));
}

function numbered(docx: Library) {
  const children = [new docx.TextRun({ children: [docx.PageNumber.CURRENT] })];
  return new docx.Footer({ children: [new docx.Paragraph({ alignment: docx.AlignmentType.CENTER, children })] });
}
