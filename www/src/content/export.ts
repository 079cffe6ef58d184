/** Saves a document, or a whole book, as a file, or prints it. */
import { getSchema } from "@tiptap/core";
import type { NodeJSON } from "copydesk";
import {
  embedImages,
  fileNameOf,
  printPublication,
  toDOCX,
  toEPUB,
  toHTML,
  toMarkdown,
  type ImageReader,
  type Publication,
} from "copydesk/export";
import { MarkdownFiles, type OpenedMarkdown } from "copydesk/markdown";
import { schemaExtensions } from "../editor";
import { download } from "../files";
import { ownImages } from "./own-images";

export type Format = "markdown" | "html" | "docx" | "epub" | "pdf";

/** Returns a document, that of a file if there is one, as a publication. */
export function publicationOf(
  json: NodeJSON,
  file: { path: string; markdown: OpenedMarkdown } | undefined,
  disclosure: Publication["disclosure"],
): Publication {
  return {
    disclosure,
    chapters: [{ json, ...(file && { path: file.path, file: file.markdown }) }],
  };
}

/** Returns the chapters of a book, from their Markdown, as a publication. */
export async function bookOf(
  chapters: readonly { path: string; text: string }[],
  about: { title?: string; author?: string },
): Promise<Publication> {
  const files = new MarkdownFiles(getSchema(schemaExtensions));
  try {
    const read = chapters.map(async ({ path, text }) => {
      const file = await files.read(text);
      return { path, json: file.json, file };
    });
    return { ...about, chapters: await Promise.all(read) };
  } finally {
    files.close();
  }
}

/**
 * Saves a publication in a format, with the images that `read` returns. Returns the names of the parts that are
 * missing.
 */
export async function exportAs(format: Format, given: Publication, read: ImageReader): Promise<string[]> {
  const name = fileNameOf(given);
  const publication = await embedImages(given, async (image) => {
    const own = await ownImages.read(image);
    // Markdown refers to the images of its folder.
    return own ?? (format === "markdown" ? undefined : read(image));
  });
  switch (format) {
    case "markdown": {
      const { text, lost } = toMarkdown(publication, getSchema(schemaExtensions));
      download(`${name}.md`, text, "text/markdown");
      return lost.map(({ message }) => message);
    }
    case "html":
      download(`${name}.html`, toHTML(publication), "text/html");
      return [];
    case "docx":
    case "epub": {
      const { bytes, type, lost } = await (format === "docx" ? toDOCX : toEPUB)(publication);
      download(`${name}.${format}`, bytes, type);
      return lost.map((loss) => loss.name);
    }
    case "pdf":
      await printPublication(publication);
      return [];
  }
}
