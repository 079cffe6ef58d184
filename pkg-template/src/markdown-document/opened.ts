/** A Markdown file that is open as a document. */

import type { Schema } from "@tiptap/pm/model";
import { check } from "../error.js";
import type { NodeJSON } from "../types.js";
import { checkLimits, withinEffort } from "./limits.js";
import { opened } from "./source-parts.js";

/** A Markdown file that was read: its document, and what a save needs to leave unchanged blocks as they are. */
export interface OpenedMarkdown {
  /** The document, for `editor.commands.setContent(json)` or the option `content`. */
  readonly json: NodeJSON;
  /** The front matter without its fences; null if there is none. It is no part of the document. */
  readonly frontMatter: string | null;
  /** The text that was read. */
  readonly source: string;
}

/**
 * Reads Markdown as a document of a schema (`editor.schema`). What the schema has no node for is kept as its source:
 * blocks as code blocks with the language `markdown-source`, inline content as text.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter` if the source is no text, `too_large` above
 * 2,000,000 characters, or `too_deep`.
 */
export function readMarkdown(source: string, schema: Schema): OpenedMarkdown {
  check(typeof source === "string", "source", source, "a string");
  check(
    schema?.nodes?.paragraph !== undefined,
    "schema",
    schema,
    "a ProseMirror schema with paragraphs (editor.schema)",
  );
  checkLimits(source);
  return withinEffort(() => opened(source, schema));
}
