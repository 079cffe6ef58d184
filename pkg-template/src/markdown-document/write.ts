/** Saving a document as Markdown: blocks that are as they were keep their source. */

import type { Node, Schema } from "@tiptap/pm/model";
import { CopydeskError, check, readInput } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import type { NodeJSON } from "../types/index.js";
import { lossesOf, lossOfCells, type Lost } from "./compare.js";
import { withinEffort } from "./limits.js";
import { readMarkdown, type OpenedMarkdown } from "./opened.js";
import { withoutOuterSpace } from "./outer-space.js";
import { Plan, type Mode } from "./plan.js";
import { partsOf, type Parts } from "./source-parts.js";

export interface WriteMarkdownOptions {
  /** Writes what Markdown lacks, such as underlined text and mentions, as HTML. Default: true. */
  html?: boolean;
  /** Attributes of blocks that are not content, such as ids. Default: `["id"]`. */
  ignoredAttributes?: readonly string[];
  /** The language of the messages in `lost`, such as `zh`. Default: the page's. */
  locale?: string;
}

export interface WrittenMarkdown {
  text: string;
  /** The parts of the document that the text does not have; show them before saving. */
  lost: Lost[];
  /** The written text as an opened file, for the next save. */
  opened: OpenedMarkdown;
}

/**
 * Writes a document as Markdown. Top-level blocks that did not change keep their source byte for byte, and so does
 * everything between them. The text is read again to find what it does not hold.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter` if `json` is not a document of the schema, or
 * `too_large` and `too_deep` if its text cannot be read again.
 */
export function writeMarkdown(
  opened: OpenedMarkdown,
  json: NodeJSON,
  options: WriteMarkdownOptions = {},
): WrittenMarkdown {
  return withinEffort(() => written(partsOf(opened), json, options));
}

/**
 * Writes a document as a new file, with inline source that is text in it. With the source of the file that it was opened from,
 * what was not edited keeps it; front matter is left out.
 */
export function writeNew(
  schema: Schema,
  json: NodeJSON,
  source: ReadonlySet<string>,
  options: WriteMarkdownOptions,
  file = "",
): Pick<WrittenMarkdown, "text" | "lost"> {
  return withinEffort(() => {
    const { text, lost, opened } = written(partsOf(readMarkdown(file, schema)), json, options, source);
    return { text: text.slice(partsOf(opened).head.length), lost };
  });
}

function written(
  parts: Parts,
  json: NodeJSON,
  options: WriteMarkdownOptions,
  source: ReadonlySet<string> = new Set(),
): WrittenMarkdown {
  const { html = true, ignoredAttributes = ["id"] } = options;
  const locale = localeOf(options.locale);
  const doc = documentOf(parts, json);
  const plan = new Plan(parts, doc, html, source);
  const attempt = (mode: Mode): WrittenMarkdown | undefined => {
    const text = plan.text(mode);
    const next = readMarkdown(text, parts.schema);
    if (mode === "quick" && !plan.isReadIn(partsOf(next))) return undefined;
    const cells = plan.lostCellsIn(partsOf(next)).map(({ block, texts }) => lossOfCells(texts, block, locale));
    const lost = [...lossesOf(doc, partsOf(next), new Set(ignoredAttributes), locale), ...cells];
    return { text, lost, opened: next };
  };
  const result = attempt("quick") ?? (attempt("checked") as WrittenMarkdown);
  // Neighbours that were not written for each other can be read as one block.
  return (["apart", "careful"] as const).reduce((best, mode) => {
    if (!best.lost.some(({ kind }) => kind === "content")) return best;
    const again = attempt(mode) as WrittenMarkdown;
    return again.lost.length < best.lost.length ? again : best;
  }, result);
}

function documentOf(parts: Parts, json: NodeJSON): Node {
  const { schema } = parts;
  const doc = readInput("json", () => {
    try {
      const node = schema.nodeFromJSON(json);
      node.check();
      return withoutOuterSpace(node, parts.doc);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `json is no document of the schema: ${reason}. Pass editor.getJSON() of the editor whose schema read the file.`;
      throw new CopydeskError(
        { code: "invalid_parameter", message, details: { name: "json", given: reason } },
        { cause },
      );
    }
  });
  check(doc.type === schema.topNodeType, "json", doc.type.name, "a whole document (editor.getJSON())");
  return doc;
}
