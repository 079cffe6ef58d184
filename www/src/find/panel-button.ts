/** The button above the search in files that searches the document that is shown. */
import { html, type TemplateResult } from "lit";
import { icon } from "../icons";
import type { Messages } from "../locale";

export function findInDocument(m: Messages, open: () => void): TemplateResult {
  return html`<button type="button" class="own-document" @click=${open}>
    ${icon("read")}<span>${m.findInDocument}</span>
  </button>`;
}
