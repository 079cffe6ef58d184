/** A Markdown file that is open as a document. */

import type { Schema } from "@tiptap/pm/model";
import { check } from "../base/error.js";
import { checkLimits, withinEffort } from "./limits.js";
import { opened, type OpenedMarkdown } from "./source-parts.js";

export type { OpenedMarkdown };

/**
 * Reads Markdown as a document of a schema (`editor.schema`). What the schema has no node for is kept as its source:
 * blocks as code blocks with the language `markdown-source`, inline content as text.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter` if the source is not a text, `too_large` above
 * 2,000,000 characters, or `too_deep`.
 */
export function readMarkdown(source: string, schema: Schema): OpenedMarkdown {
  checkSource(source, schema);
  return withinEffort(() => opened(source, schema));
}

/** Throws `invalid_parameter`, `too_large` or `too_deep` for a source that cannot be read as a document of a schema. */
export function checkSource(source: string, schema: Schema): void {
  check(typeof source === "string", "source", source, "a string");
  check(
    schema?.nodes?.paragraph !== undefined,
    "schema",
    schema,
    "a ProseMirror schema with paragraphs (editor.schema)",
  );
  checkLimits(source);
}
