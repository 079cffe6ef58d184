/** Changes in words: the old text struck through, the new text after it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Schema } from "@tiptap/pm/model";
import type { Change } from "../assistant/changes.js";
import type { NodeJSON } from "../types/index.js";
import { capitalized, formsInWords, nodeWords, typeName } from "../view/node-names.js";
import { languageOf } from "./element.js";
import type { Words } from "./words/en.js";
import type { RowDetailWords } from "./words/row-details.js";

/** The words of a row with its details. */
export type DetailedWords = Words & RowDetailWords;

/** The largest number of changes that are listed. */
const MOST_LISTED = 20;

/** Returns the list; leaves of the schema are named in the texts. */
export function changeList(changes: readonly Change[], m: DetailedWords, schema: Schema | undefined): TemplateResult {
  const more = changes.length - MOST_LISTED;
  return html`<ul class="row-changes" part="changes" tabindex="0">
    ${changes.slice(0, MOST_LISTED).map((change) => item(change, m, schema))}
    ${more > 0 ? html`<li class="change more">${m.moreChanges(more)}</li>` : nothing}
  </ul>`;
}

function item(change: Change, m: DetailedWords, schema: Schema | undefined): TemplateResult {
  const { originalText, newText, nodes, accepted } = change;
  const said = (text: string, typed: readonly NodeJSON[] = []) =>
    readable(schema ? formsInWords(text, schema, m.lang, typed.map(typedIn).join("")) : text);
  const [before, after] = [said(originalText, nodes?.[0]), said(newText, nodes?.[1])];
  if (originalText !== newText) return line(before, after, m, accepted);
  if (before)
    return listed(
      html`<span dir="auto" lang=${languageOf(before)}>${before}</span> · ${m.formattingOnly}`,
      m,
      accepted,
    );
  const [was = "", is = ""] = schema && nodes ? nodes.map((some) => namesOf(some, schema, m.lang)) : [];
  return was === is ? listed(m.formattingOnly, m, accepted) : line(was, is, m, accepted);
}

function line(before: string, after: string, m: DetailedWords, accepted: boolean | undefined): TemplateResult {
  const marked = [
    before ? html`<del dir="auto" lang=${languageOf(before)}>${before}</del>` : "",
    before && after ? " " : "",
    after ? html`<ins dir="auto" lang=${languageOf(after)}>${after}</ins>` : "",
  ];
  return listed(marked, m, accepted);
}

function listed(marked: unknown, m: DetailedWords, accepted: boolean | undefined): TemplateResult {
  const state = accepted === undefined ? "pending" : accepted ? "accepted" : "rejected";
  const verdict = state === "pending" ? "" : html`<span class="change-verdict">${m.verdicts[state]}</span>`;
  return html`<li class="change" dir="auto" data-verdict=${state}>${marked}${verdict}</li>`;
}

/** Returns the names of nodes without text. */
function namesOf(nodes: readonly NodeJSON[], schema: Schema, locale: string): string {
  const names = nodes.map(({ type, attrs }) => {
    if (type === "image") return nodeWords(locale).image(typeof attrs?.alt === "string" ? attrs.alt : "");
    const known = schema.nodes[type];
    return known ? capitalized(typeName(known, locale), locale) : "";
  });
  return names.filter(Boolean).join("\n");
}

/** Returns what the nodes of text in a node contain. */
function typedIn({ text, content }: NodeJSON): string {
  return text ?? `${(content ?? []).map(typedIn).join("")}\n`;
}

function readable(text: string): string {
  return text
    .replace(/\ufffc/g, "▣")
    .replace(/[ \t]*\n\s*/g, "\n")
    .trim();
}
