/** The messages between a page and the worker of Markdown. Documents are sent as JSON text, which is faster than structured
 * clones, in slices, so that the page can do other things between them. */

import type { ErrorData } from "../base/worker-error.js";
import type { Lost } from "./compare.js";
import type { Slice } from "./json-slices.js";
import type { PortableSchema } from "./portable-schema.js";
import type { WriteMarkdownOptions } from "./write.js";

export type ToMarkdown =
  | { type: "schema"; schema: PortableSchema }
  | { type: "read"; id: number; source: string }
  | { type: "write"; id: number; source: string; json: Slice[]; options: WriteMarkdownOptions };

export interface ReadParts {
  json: Slice[];
  frontMatter: string | null;
  /** The inline source that is text in the document. */
  inlineSource: readonly string[];
}

export interface WrittenParts extends ReadParts {
  text: string;
  lost: Lost[];
}

export type FromMarkdown =
  | { type: "ready" }
  | { type: "done"; id: number; result: ReadParts | WrittenParts }
  | ({ type: "error"; id: number } & ErrorData);
