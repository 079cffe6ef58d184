/** The footnotes of a chapter: found by their notation, and numbered in the order of their references. */

import { isRaw } from "../document/node-kinds.js";
import type { NodeJSON } from "../types/index.js";
import { InlineNote, withInlineNotes } from "./inline-notes.js";
import { changeOf } from "./pending.js";
import { isComment, type ExportLoss } from "./publication.js";
import { contentOfSource, isSource } from "./source-content.js";

/** The type of the nodes that represent references. Their attribute is `number`. */
export const REFERENCE = "footnoteReference";

export interface Footnote {
  readonly number: number;
  readonly content: readonly NodeJSON[];
}

/** A document whose references to footnotes are nodes. */
export interface Annotated {
  readonly json: NodeJSON;
  readonly footnotes: readonly Footnote[];
  readonly lost: readonly ExportLoss[];
  /** The inline source in the blocks of source that have become content. */
  readonly source: ReadonlySet<string>;
}

const LABEL = /\[\^([^\s[\]]+)\]/g;
/** The beginning of a definition that is a paragraph, in schemas without code blocks. */
const DEFINITION = /^\[\^([^\s[\]]+)\]:\s*/;

/** Labels differ in more than their case, as those of definitions in Markdown. */
const identifierOf = (label: string): string => label.toLowerCase().toUpperCase();

/** Replaces notations of source by content, and takes the definitions of footnotes out of a document. */
export function annotated(doc: NodeJSON): Annotated {
  const reader = new FootnoteReader();
  const blocks = reader.withoutDefinitions(doc, labelsOf(doc));
  const json = reader.withReferences(blocks);
  const footnotes = reader.footnotes();
  return { json, footnotes, lost: reader.unused(), source: reader.source };
}

/** Returns the identifiers that a document refers to. */
function labelsOf(node: NodeJSON, found = new Set<string>()): Set<string> {
  const text = hasCode(node) ? "" : (node.text ?? "").replace(DEFINITION, "");
  for (const [, label = ""] of text.matchAll(LABEL)) found.add(identifierOf(label));
  for (const child of node.content ?? []) labelsOf(child, found);
  return found;
}

function hasCode({ marks }: NodeJSON): boolean {
  return marks?.some(({ type }) => type === "code") ?? false;
}

class FootnoteReader {
  readonly source = new Set<string>();
  /** By identifier. A definition that a pending change deletes counts if there is no other. */
  private readonly definitions = new Map<string, { label: string; content: readonly NodeJSON[]; isDeleted: boolean }>();
  private readonly numbers = new Map<string, number>();
  /** In the order of their numbers. */
  private readonly contents: (readonly NodeJSON[])[] = [];

  withoutDefinitions(node: NodeJSON, used: ReadonlySet<string>): NodeJSON {
    if (!node.content || (isRaw(node.type) && !isSource(node))) return node;
    const content = node.content.flatMap((child): NodeJSON[] => {
      const isDeleted = changeOf(child) === "deletion";
      if (isSource(child) && !isComment(child)) {
        const { blocks, footnotes, source } = contentOfSource(child);
        for (const text of source) this.source.add(text);
        for (const { label, content } of footnotes) this.define(label, content, isDeleted);
        const { marks } = child;
        return blocks.map((block) => (marks ? { ...block, marks } : block));
      }
      const definition = paragraphDefinition(child);
      if (!definition || !used.has(identifierOf(definition.label))) return [this.withoutDefinitions(child, used)];
      this.define(definition.label, [definition.paragraph], isDeleted);
      return [];
    });
    return { ...node, content };
  }

  private define(label: string, content: readonly NodeJSON[], isDeleted: boolean): void {
    const id = identifierOf(label);
    const isFirst = !this.definitions.has(id) || (this.definitions.get(id)?.isDeleted && !isDeleted);
    if (isFirst) this.definitions.set(id, { label, content, isDeleted });
  }

  /** Replaces the references of a document by nodes, and numbers them. */
  withReferences(node: NodeJSON): NodeJSON {
    if (!node.content || isRaw(node.type)) return node;
    const content = withInlineNotes(node.content).flatMap((child) => {
      return child instanceof InlineNote ? [this.inlineReference(child)] : this.references(child);
    });
    return { ...node, content };
  }

  private inlineReference({ content, marks }: InlineNote): NodeJSON {
    const number = this.contents.push([{ type: "paragraph", content }]);
    return { type: REFERENCE, attrs: { number }, ...(marks && { marks }) };
  }

  private references(node: NodeJSON): NodeJSON[] {
    // A node of an extension with this name has no footnote here.
    if (node.type === REFERENCE) return [{ ...node, type: "unknown" }];
    if (node.text === undefined) return [this.withReferences(node)];
    if (hasCode(node)) return [node];
    const { text, marks } = node;
    const parts: NodeJSON[] = [];
    let at = 0;
    for (const { 0: source, 1: label = "", index } of text.matchAll(LABEL)) {
      const number = this.numberOf(label);
      if (number === undefined) continue;
      if (index > at) parts.push({ ...node, text: text.slice(at, index) });
      parts.push({ type: REFERENCE, attrs: { number }, ...(marks && { marks }) });
      at = index + source.length;
    }
    if (at < text.length) parts.push({ ...node, text: text.slice(at) });
    return parts;
  }

  private numberOf(label: string): number | undefined {
    const id = identifierOf(label);
    const definition = this.definitions.get(id);
    if (!definition) return undefined;
    if (!this.numbers.has(id)) this.numbers.set(id, this.contents.push(definition.content));
    return this.numbers.get(id);
  }

  /** Returns the footnotes, those that others refer to behind them. */
  footnotes(): Footnote[] {
    const found: Footnote[] = [];
    for (let at = 0; at < this.contents.length; at++) {
      const { content = [] } = this.withReferences({ type: "doc", content: [...this.contents[at]!] });
      found.push({ number: at + 1, content });
    }
    return found;
  }

  unused(): ExportLoss[] {
    const unused = [...this.definitions].filter(([id]) => !this.numbers.has(id));
    return unused.map(([, { label }]) => {
      return { kind: "footnote", name: label, reason: "No text refers to this footnote." };
    });
  }
}

/** Returns the label and the content of a paragraph that defines a footnote. */
function paragraphDefinition(node: NodeJSON): { label: string; paragraph: NodeJSON } | undefined {
  const [first, ...others] = node.content ?? [];
  const [start, label] =
    node.type === "paragraph" && first && !hasCode(first) ? (DEFINITION.exec(first.text ?? "") ?? []) : [];
  if (start === undefined || label === undefined) return undefined;
  const rest = first!.text!.slice(start.length);
  return { label, paragraph: { ...node, content: rest ? [{ ...first!, text: rest }, ...others] : others } };
}
