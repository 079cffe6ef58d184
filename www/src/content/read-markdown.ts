/** Reads Markdown that is pasted or opened. Loaded when it is first needed. */
import type { Schema } from "@tiptap/pm/model";
import type { NodeJSON } from "copydesk";
import { MarkdownFiles, readMarkdown } from "copydesk/markdown";

/** A text of so many characters is read faster than a worker starts. */
const SHORT = 4_000;

/** Reads a text as a document, a long one in a worker. */
export async function readInWorker(text: string, schema: Schema): Promise<NodeJSON> {
  if (text.length <= SHORT) return readMarkdown(text, schema).json;
  const files = new MarkdownFiles(schema);
  try {
    return (await files.read(text)).json;
  } finally {
    files.close();
  }
}
