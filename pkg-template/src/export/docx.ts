/** A document or a book as DOCX, by the library `docx`, which is loaded with the first file. */

import { CopydeskError } from "../error.js";
import { DocxWriter, type Library } from "./docx-writer.js";
import { loadImages, type ImageOptions } from "./images.js";
import type { PendingOptions } from "./pending.js";
import { publicationOf, withoutControls, type Exportable, type ExportedFile } from "./publication.js";

export interface DOCXOptions extends ImageOptions, PendingOptions {
  /** The font of the text. Default: Word's for the language. */
  font?: string;
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
  const book = publicationOf(publication, options.pending);
  const [docx, { images, lost }] = await Promise.all([loadLibrary(), loadImages(book, FORMATS, options)]);
  const isChinese = book.language.toLowerCase().startsWith("zh");
  const writer = new DocxWriter(docx, images, lost, isChinese ? "助手" : "Assistant");
  const sections = book.chapters.map(({ json }) => ({ children: writer.body(json) }));
  const font = options.font ?? { ascii: "Calibri", hAnsi: "Calibri", eastAsia: isChinese ? "SimSun" : "Calibri" };
  const file = new docx.Document({
    title: withoutControls(book.title),
    creator: withoutControls(book.author ?? ""),
    styles: {
      default: {
        document: {
          run: { font, size: 24, language: isChinese ? { eastAsia: book.language } : { value: book.language } },
          paragraph: { spacing: { after: 160, line: 320 } },
        },
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

async function loadLibrary(): Promise<Library> {
  try {
    return await import("docx");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The package docx could not be loaded: ${reason}. Install it (npm install docx), or export another format.`;
    throw new CopydeskError({ code: "docx_not_installed", message, details: { reason } }, { cause });
  }
}
