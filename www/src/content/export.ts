/** Saves a document, or a whole book, as a file, or prints it. */
import { getSchema } from "@tiptap/core";
import type { NodeJSON } from "copydesk";
import { printPublication, toDOCX, toEPUB, toHTML, toMarkdown, type Publication } from "copydesk/export";
import { MarkdownFiles, type OpenedMarkdown } from "copydesk/markdown";
import { schemaExtensions } from "../editor";
import { download } from "../files";
import { withFileImages, type ReadImage } from "./file-images";
import { withDataUrls } from "./own-images";

export type Format = "markdown" | "html" | "docx" | "epub" | "pdf";

/** Returns a document, that of a file if there is one, as a publication. */
export function publicationOf(
  json: NodeJSON,
  file: { path: string; markdown: OpenedMarkdown } | undefined,
): Publication {
  return { chapters: [{ json, ...(file && { path: file.path, file: file.markdown }) }] };
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

/** Saves a publication in a format, with the images that `read` returns. Returns the names of what the file does not hold. */
export async function exportAs(format: Format, given: Publication, read: ReadImage): Promise<string[]> {
  const name = fileName(given);
  // Markdown refers to the images of its folder.
  const publication = format === "markdown" ? given : await withFileImages(given, read);
  switch (format) {
    case "markdown": {
      const { text, lost } = toMarkdown(publication, getSchema(schemaExtensions));
      download(`${name}.md`, await withDataUrls(text), "text/markdown");
      return lost.map(({ message }) => message);
    }
    case "html":
      download(`${name}.html`, await withDataUrls(toHTML(publication)), "text/html");
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

/** Returns the title without what file systems refuse. */
function fileName({ title, chapters }: Publication): string {
  const heading = chapters
    .flatMap(({ json }) => ("content" in json ? (json.content ?? []) : []))
    .find(({ type }) => type === "heading");
  return (
    (title || textOf(heading))
      .replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, 60) || "document"
  );
}

function textOf(node: NodeJSON | undefined): string {
  // A title has no words that a pending change deletes.
  if (node?.marks?.some(({ type }) => type === "deletion")) return "";
  return node?.text ?? (node?.content ?? []).map(textOf).join("");
}
