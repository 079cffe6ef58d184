/**
 * The parts of the package that bundlers and runtimes load in different ways: builds of the wasm, and the Markdown
 * parser. Each entry point provides them before it exports anything else.
 */

import type { Build } from "./build.js";
import type { full } from "./full-build.js";
import { setParserLoader, type ParserLoader } from "../markdown/markdown.js";

export interface Parts {
  /** Loads the page build. */
  page(): Promise<Build>;
  /** Loads the full build. */
  full(): Promise<typeof full>;
  /** Loads the Markdown parser. */
  readonly markdown: ParserLoader;
  /** Loads a copy of a build's wasm in a JavaScript module (gzip, base64). Only development servers need one. */
  copyOf?(name: "page" | "full"): Promise<{ default: string }>;
}

let provided: Parts | undefined;

/** Sets the parts. Entry points of one page share them: the first one wins. */
export function provide(parts: Parts): void {
  if (provided) return;
  provided = parts;
  setParserLoader(parts.markdown);
}

/** The parts that the entry point has provided. */
export function parts(): Parts {
  if (!provided) throw new Error("Import copydesk by one of its entry points, such as `copydesk`.");
  return provided;
}
