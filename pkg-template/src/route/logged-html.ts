/** The document of a run in the log. */

import { Document } from "../document.js";
import type { Locale } from "../types.js";
import type { LoggedRun } from "./run-log.js";
import { SourceHTML } from "./source-html.js";

/** Returns the document as HTML. `content` is what the run began with. */
export function htmlOf({ state }: LoggedRun, content: string, locale: Locale): string {
  if (!state) return content;
  const sent = Document.fromHTML(content, { locale });
  const source = new SourceHTML(content, sent, locale);
  return source.render(Document.fromJSON(state.document, undefined, { locale }));
}
