/**
 * The details of a row of `<copydesk-tool-row>`, shown when it unfolds: the changes in words, and data. Loaded after
 * the rows.
 */

import { adoptStyles, html, nothing, type CSSResultOrNative, type LitElement, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import type { Hunk, NodeJSON } from "../types/index.js";
import { hunksOf } from "../review/hunks.js";
import type { Change } from "../assistant/changes.js";
import { errorOf, type ToolCallState } from "../assistant/run.js";
import { detailsStyle } from "./call-details-style.js";
import { changesOfFile, wordsOf } from "./call-words.js";
import { changeList, type DetailedWords } from "./change-list.js";
import { languageOf } from "./element.js";
import type { Words, WordTables } from "./words/index.js";
import { rowDetailWordsFor } from "./words/row-details.js";

export { formsInWords } from "../view/node-names.js";

/** Adds the look of details to a row. */
export function adoptDetailsStyle(row: LitElement): void {
  const { elementStyles } = row.constructor as typeof LitElement;
  adoptStyles(row.renderRoot as ShadowRoot, [...elementStyles, detailsStyle] as CSSResultOrNative[]);
}

/** Returns the details of a call in the document of an editor; `show` scrolls the document to its edit. */
export function callDetails(
  call: ToolCallState,
  words: { m: Words; tag: string; tables: WordTables | undefined },
  editor: Editor | undefined,
  show: () => void,
): TemplateResult {
  const m: DetailedWords = { ...words.m, ...rowDetailWordsFor(words.tag, words.tables) };
  const reason = reasonOf(call, m);
  const pending = call.pending.map((hunk): Change => {
    const { id, originalText, newText, content, proposedFrom: at } = hunk;
    return { originalText, newText, at, nodes: [originalOf(editor, id), content] };
  });
  const decided = call.decisions.map(({ back, ...decision }): Change => {
    return { ...decision, ...(back ? { nodes: [back.original, back.content] } : {}) };
  });
  const changes = [...decided, ...pending, ...changesOfFile(call)].sort((a, b) => a.at - b.at);
  const text = changes.length ? "" : wordsOf(call, m);
  return html`
    ${
      call.hasRange
        ? html`<button type="button" class="button plain small" part="show" @click=${show}>${m.showInDocument}</button>`
        : nothing
    }
    ${reason ? html`<p class="row-error">${reason}</p>` : nothing}
    ${changes.length ? changeList(changes, m, editor?.schema) : nothing}
    ${text ? html`<p class="row-words" tabindex="0" dir="auto" lang=${languageOf(text)}>${text}</p>` : nothing}
    ${call.images.map(
      ({ data, mimeType }, at) =>
        html`<img class="row-image" src="data:${mimeType};base64,${data}" alt=${m.plugins.resultImage(at + 1)} />`,
    )}
    <details class="row-details">
      <summary>${m.details}</summary>
      ${json(call.input)} ${call.content === undefined ? nothing : json(call.content)}
    </details>
  `;
}

/** Returns the nodes that a pending change would replace. */
function originalOf(editor: Editor | undefined, id: Hunk["id"]): readonly NodeJSON[] {
  const hunk = editor && hunksOf(editor).find((one) => one.id === id);
  return hunk ? ((editor.state.doc.slice(hunk.from, hunk.to).content.toJSON() ?? []) as NodeJSON[]) : [];
}

/** Returns why a call has no result. */
function reasonOf({ state, content }: ToolCallState, m: DetailedWords): string | undefined {
  if (state !== "failed" && state !== "rejected" && state !== "stopped") return undefined;
  const { code = "", message } = errorOf(content) ?? {};
  return m.reasons[code] ?? m.files.reasons[code] ?? (state === "failed" ? message : undefined);
}

function json(value: unknown): TemplateResult {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<pre tabindex="0" class="json">${text}</pre>`;
}
