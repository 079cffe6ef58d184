/** Reads a Markdown text that is not saved again. */

import type { Schema } from "@tiptap/pm/model";
import type { NodeJSON } from "../types/index.js";
import { MarkdownFiles } from "./files.js";
import { readMarkdown } from "./opened.js";

/** The number of characters up to which a text is read faster than a worker starts. */
const SHORT = 4_000;

/** Reads a text as a document, a long one in a worker. Fails like `readMarkdown`. */
export async function readOnce(text: string, schema: Schema): Promise<NodeJSON> {
  if (text.length <= SHORT) return readMarkdown(text, schema).json;
  const files = new MarkdownFiles(schema);
  try {
    return (await files.read(text)).json;
  } finally {
    files.close();
  }
}
