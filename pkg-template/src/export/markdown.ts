/** A document or a book as one Markdown file. */

import type { Schema } from "@tiptap/pm/model";
import type { Lost } from "../markdown-document/compare.js";
import { readMarkdown } from "../markdown-document/opened.js";
import { writeMarkdown, type WriteMarkdownOptions } from "../markdown-document/write.js";
import type { NodeJSON } from "../types.js";
import { publicationOf, type Publication } from "./publication.js";

/** A Markdown file. */
export interface MarkdownExport {
  text: string;
  /** What the text does not hold, with the chapter's index. */
  lost: (Lost & { chapter: number })[];
}

/**
 * Writes documents of a schema as one Markdown file. To save a file that was opened, use `writeMarkdown` of
 * `copydesk/markdown`, which leaves what did not change as it was.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter`.
 */
export function toMarkdown(
  publication: Publication | NodeJSON,
  schema: Schema,
  options?: WriteMarkdownOptions,
): MarkdownExport {
  const { chapters } = publicationOf(publication);
  // Without headings in the schema there is none but an added title.
  const own = (json: NodeJSON): NodeJSON => {
    if (schema.nodes.heading) return json;
    return { ...json, content: json.content?.filter(({ type }) => type !== "heading") };
  };
  const written = chapters.map(({ json }) => writeMarkdown(readMarkdown("", schema), own(json), options));
  return {
    text: written
      .map(({ text }) => text)
      .filter(Boolean)
      .join("\n"),
    lost: written.flatMap(({ lost }, chapter) => lost.map((one) => ({ ...one, chapter }))),
  };
}
