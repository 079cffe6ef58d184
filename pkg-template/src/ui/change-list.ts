/** Changes in words: the old text struck through, the new text after it. */

import { css, html, nothing, type TemplateResult } from "lit";
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

export const changeListStyle = css`
  .row-changes {
    width: 100%;
    max-height: 16em;
    margin: 0;
    padding: 0;
    overflow-y: auto;
    list-style: none;
    font-size: 13px;
  }
  .change {
    position: relative;
    padding-block: 2px;
    padding-inline: 10px 0;
    border-inline-start: 2px solid var(--_accent);
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .change + .change {
    margin-top: 6px;
  }
  .change[data-verdict="accepted"] {
    border-inline-start-color: var(--_line);
  }
  .change[data-verdict="rejected"] {
    border-inline-start-color: var(--_error);
    border-inline-start-style: dashed;
  }
  .change.more {
    border-inline-start-color: transparent;
    color: var(--_muted);
  }
  .change del {
    color: var(--_delete);
    text-decoration-thickness: 1px;
  }
  .change ins {
    color: var(--_insert);
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
  }
  .change[data-verdict="accepted"] ins {
    color: var(--_ink);
  }
  .change[data-verdict="rejected"] del {
    color: inherit;
    text-decoration: none;
  }
  .change[data-verdict="rejected"] ins {
    color: var(--_muted);
    text-decoration: line-through;
  }
  .change-verdict {
    display: block;
    color: var(--_muted);
    font-size: 12px;
  }
`;
