/** The document of a run in the log. */

import { Document } from "../document/document.js";
import { CopydeskError } from "../base/error.js";
import type { Locale } from "../types/index.js";
import type { LoggedRun } from "./run-log.js";
import { SourceHTML } from "./source-html.js";

/**
 * Returns the document as HTML. `content` is what the run began with. Nothing for a document of the app's own that has
 * nodes of its editor's schema: only the owner of the run has that.
 */
export function htmlOf({ state }: LoggedRun, content: string, locale: Locale): string | undefined {
  if (!state) return content;
  const sent = Document.fromHTML(content, { locale });
  const source = new SourceHTML(content, sent, locale);
  try {
    return source.render(Document.fromJSON(state.document, undefined, { locale }));
  } catch (thrown) {
    if (thrown instanceof CopydeskError) return undefined;
    throw thrown;
  }
}
