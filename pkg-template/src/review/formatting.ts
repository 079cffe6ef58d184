/** Changes of types, attributes and marks that change no text, described in words. */

import { Fragment, type Mark, type Node } from "@tiptap/pm/model";
import { attributeName, attributeValue, capitalized, nodeName, nodeWords, typeName } from "../view/node-names.js";
import type { Hunk } from "../types/index.js";

/** A mark that is added to a range of the document. */
export interface AddedMark {
  from: number;
  to: number;
  mark: Mark;
}

/** A change of the form of content, whose text stays. */
export interface Formatting {
  /** The change in words, such as "Heading 2 → heading 3". */
  said: string;
  added: readonly AddedMark[];
}

/** The most differences that are named. */
const MOST_NAMED = 3;

/**
 * Returns the change of a hunk that changes no text and no picture, but types, attributes or marks of its nodes; undefined for
 * any other hunk.
 */
export function formattingOf(doc: Node, hunk: Hunk, locale: string | undefined): Formatting | undefined {
  const { from, to, content, kind, conflict, originalText, newText } = hunk;
  if (kind !== "edit" || conflict || originalText !== newText || to > doc.content.size) return undefined;
  if (!doc.resolve(from).sameParent(doc.resolve(to))) return undefined;
  const comparison = new Comparison(locale);
  const after = Fragment.fromJSON(doc.type.schema, content);
  if (!comparison.compare(doc.slice(from, to).content, after, from) || !comparison.said.size) return undefined;
  const said = [...comparison.said];
  const shown = said.length > MOST_NAMED ? [...said.slice(0, MOST_NAMED), "…"] : said;
  return { said: capitalized(nodeWords(locale).list(shown), locale), added: comparison.added };
}

/** Compares content with what it becomes, and collects what changes: `said` in words, and the marks that are `added`. */
class Comparison {
  readonly said = new Set<string>();
  readonly added: AddedMark[] = [];

  constructor(private locale: string | undefined) {}

  /** Compares content that begins at a position. Returns false if text or pictures differ, or the nodes are others. */
  compare(before: Fragment, after: Fragment, at: number): boolean {
    if (before.size !== after.size) return false;
    if (before.firstChild?.isInline) return this.#compareInline(before, after, at);
    if (before.childCount !== after.childCount) return false;
    let position = at;
    for (const [index, child] of before.content.entries()) {
      if (!this.#compareNodes(child, after.child(index), position)) return false;
      position += child.nodeSize;
    }
    return true;
  }

  #compareNodes(before: Node, after: Node, at: number): boolean {
    if (before.isText || after.isText || before.isLeaf !== after.isLeaf) return false;
    if (before.isTextblock !== after.isTextblock) return false;
    // A picture is more than its attributes.
    if (
      before.isLeaf &&
      (before.type !== after.type ||
        (before.type.name === "image" && !before.hasMarkup(after.type, after.attrs, before.marks)))
    )
      return false;
    this.#sayTypes(before, after);
    return this.compare(before.content, after.content, at + 1);
  }

  #sayTypes(before: Node, after: Node): void {
    const { becomes } = nodeWords(this.locale);
    const [was, is] = [before, after].map((node) => nodeName(node, this.locale));
    if (was !== is) this.said.add(becomes(was!, is!));
    else if (before.type !== after.type) this.said.add(is!);
    if (before.type !== after.type) return;
    const isNamed = (name: string) => name === "level" && was !== is;
    this.#sayAttributes(before.attrs, after.attrs, isNamed);
  }

  #sayAttributes(
    before: Readonly<Record<string, unknown>>,
    after: Readonly<Record<string, unknown>>,
    isNamed: (name: string) => boolean = () => false,
    of = "",
  ): void {
    const { attribute, becomes } = nodeWords(this.locale);
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const values = [before[name], after[name]];
      if (JSON.stringify(values[0]) === JSON.stringify(values[1]) || isNamed(name)) continue;
      const [was, is] = values.map((value) => attributeValue(value, this.locale));
      const change = attribute(attributeName(name, this.locale), becomes(was!, is!));
      this.said.add(of ? attribute(of, change) : change);
    }
  }

  #compareInline(before: Fragment, after: Fragment, at: number): boolean {
    const [old, now] = [before.content, after.content];
    let [position, i, j, oldStart, nowStart] = [at, 0, 0, 0, 0];
    while (i < old.length && j < now.length) {
      const [one, other] = [old[i]!, now[j]!];
      if (one.isText !== other.isText) return false;
      if (!one.isText) {
        if (!this.#compareNodes(one, other, position)) return false;
        this.#compareMarks(one.marks, other.marks, position, position + one.nodeSize);
        position += one.nodeSize;
        [i, j] = [i + 1, j + 1];
        continue;
      }
      const size = Math.min(one.nodeSize - oldStart, other.nodeSize - nowStart);
      if (one.text!.slice(oldStart, oldStart + size) !== other.text!.slice(nowStart, nowStart + size)) return false;
      this.#compareMarks(one.marks, other.marks, position, position + size);
      position += size;
      oldStart += size;
      nowStart += size;
      if (oldStart === one.nodeSize) [i, oldStart] = [i + 1, 0];
      if (nowStart === other.nodeSize) [j, nowStart] = [j + 1, 0];
    }
    return i === old.length && j === now.length;
  }

  #compareMarks(before: readonly Mark[], after: readonly Mark[], from: number, to: number): void {
    const words = nodeWords(this.locale);
    for (const mark of after) {
      const same = before.find(({ type }) => type === mark.type);
      const name = typeName(mark.type, this.locale);
      if (!same) {
        this.said.add(name);
        this.added.push({ from, to, mark });
      } else if (!same.eq(mark)) this.#sayAttributes(same.attrs, mark.attrs, () => false, name);
    }
    for (const { type } of before)
      if (!after.some((mark) => mark.type === type)) this.said.add(words.removed(typeName(type, this.locale)));
  }
}
