/** The inline content of a block as one text, in which notations are found that several nodes hold. */

import { isRaw } from "../document/node-kinds.js";
import type { NodeJSON } from "../types/index.js";

/** The character for what has no notations: code, links, images and other nodes. */
export const OPAQUE = "\ufffc";

/** A range of a row and what replaces it. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly nodes: readonly NodeJSON[];
}

export class InlineRow {
  readonly text: string;
  /** The position of each node. */
  readonly #starts: number[] = [];

  constructor(readonly content: readonly NodeJSON[]) {
    let text = "";
    for (const node of content) {
      this.#starts.push(text.length);
      text += shownText(node);
    }
    this.text = text;
  }

  /** Returns the nodes of a range. */
  slice(from: number, to: number): NodeJSON[] {
    const nodes: NodeJSON[] = [];
    for (let at = this.#indexAt(from); at < this.content.length && this.#starts[at]! < to; at++) {
      const node = this.content[at]!;
      const start = this.#starts[at]!;
      if (node.text === undefined) nodes.push(node);
      else {
        const text = node.text.slice(Math.max(from - start, 0), to - start);
        if (text) nodes.push(text === node.text ? node : { ...node, text });
      }
    }
    return nodes;
  }

  /** Returns the content with ranges replaced, which are in their order and apart. */
  replaced(replacements: readonly Replacement[]): readonly NodeJSON[] {
    if (replacements.length === 0) return this.content;
    const parts: (readonly NodeJSON[])[] = [];
    let at = 0;
    for (const { from, to, nodes } of replacements) {
      parts.push(this.slice(at, from), nodes);
      at = to;
    }
    return [...parts, this.slice(at, this.text.length)].flat();
  }

  /** Returns the marks of the text at a position. */
  marksAt(position: number): Pick<NodeJSON, "marks"> {
    const { marks } = this.content[this.#indexAt(position)] ?? {};
    return marks ? { marks } : {};
  }

  /** Returns the index of the last node that begins at a position or before it. */
  #indexAt(position: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= position) low = middle;
      else high = middle;
    }
    return low;
  }
}

function shownText({ text, marks }: NodeJSON): string {
  if (text === undefined) return OPAQUE;
  const isOpaque = marks?.some(({ type }) => type === "code" || type === "link");
  return isOpaque ? OPAQUE.repeat(text.length) : text;
}

/** Returns true for a node whose content may be text with notations. */
export function isRow({ type, content }: NodeJSON): boolean {
  return !isRaw(type) && (content?.some(({ text }) => text !== undefined) ?? false);
}
