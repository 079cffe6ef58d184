/** Changes in words: the old text struck through, the new text after it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Change } from "../assistant/changes.js";
import { languageOf } from "./element.js";
import type { Words } from "./words/en.js";

/** The largest number of changes that are listed. */
const MOST_LISTED = 20;

export function changeList(changes: readonly Change[], m: Words): TemplateResult {
  const more = changes.length - MOST_LISTED;
  return html`<ul class="row-changes" part="changes" tabindex="0">
    ${changes.slice(0, MOST_LISTED).map((change) => item(change, m))}
    ${more > 0 ? html`<li class="change more">${m.moreChanges(more)}</li>` : nothing}
  </ul>`;
}

function item({ originalText, newText, accepted }: Change, m: Words): TemplateResult {
  const [before, after] = [readable(originalText), readable(newText)];
  const state = accepted === undefined ? "pending" : accepted ? "accepted" : "rejected";
  const marked = [
    before ? html`<del lang=${languageOf(before)}>${before}</del>` : "",
    before && after ? " " : "",
    after ? html`<ins lang=${languageOf(after)}>${after}</ins>` : "",
    before || after ? "" : m.formattingOnly,
    state === "pending" ? "" : html`<span class="change-verdict">${m.verdicts[state]}</span>`,
  ];
  return html`<li class="change" dir="auto" data-verdict=${state}>${marked}</li>`;
}

function readable(text: string): string {
  return text
    .replace(/\ufffc/g, "▣")
    .replace(/[ \t]*\n\s*/g, "\n")
    .trim();
}
