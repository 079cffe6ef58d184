/** The conversion of Markdown, which models write at times, by a module that is loaded on demand. */

import { CopydeskError } from "../base/error.js";

/** The module that converts Markdown. */
type Converter = Pick<typeof import("./markdown-content.js"), "markdownToHTML">;

/** Loads the module that converts Markdown. */
export type ParserLoader = () => Promise<Converter>;

let converter: Converter | undefined;
let loading: Promise<void> | undefined;
let parser: ParserLoader | undefined;

/** Sets how the parser is loaded, which depends on the entry point. */
export function setParserLoader(loader: ParserLoader): void {
  parser = loader;
}

/**
 * Loads the Markdown parser, so that `document.apply` accepts Markdown. An agent loads it when its model writes
 * Markdown. Later calls return the same promise; a failed call can be repeated.
 *
 * @throws a {@link CopydeskError} with the code `markdown_not_loaded`, whose `cause` is the original error.
 */
export function loadMarkdown(): Promise<void> {
  loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The Markdown parser could not be loaded: ${reason}. Try again, or write HTML.`;
    throw new CopydeskError({ code: "markdown_not_loaded", message, details: { reason } }, { cause });
  });
  return loading;
}

/**
 * Converts Markdown to HTML; undefined while the parser is not loaded.
 *
 * @throws errors of the parser, and an error with `work` or `characters` beyond a limit.
 */
export function markdownToHTML(markdown: string): string | undefined {
  return converter?.markdownToHTML(markdown);
}

async function load(): Promise<void> {
  if (!parser) throw new Error("Import copydesk by one of its entry points, such as `copydesk`.");
  converter = await parser();
}
