/** The document of an editor with the changes that wait for a decision, as HTML. */

import type { Editor } from "@tiptap/core";
import { bodyOf } from "./html.js";
import { pendingJSON, type Pending } from "./pending.js";

/** Returns the document of an editor as HTML, without a page around it. Fails as {@link pendingJSON}. */
export function pendingHTML(editor: Editor, pending?: Pending): string {
  return bodyOf(pendingJSON(editor, pending));
}
