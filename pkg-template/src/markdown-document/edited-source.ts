/** Source that is shown as text: it may be edited where it is, and come from nowhere else. */

import type { Origins } from "./origins.js";
import { isSimilar } from "./pair-nodes.js";

/** Returns the source that is text in a block. */
export function sourcesIn(origins: Origins): string[] {
  return [...origins.values()].flatMap(({ pieces = [] }) => {
    return pieces.filter(({ kind }) => kind === "source" || kind === "block").map(({ text }) => text);
  });
}

/** The length of `<a>`: nothing shorter is source. */
const SHORTEST_TAG = 3;

/** Returns true if each source was there before, has moved, or is a part or an edit of one that was removed. */
export function areEdited(before: readonly string[], moved: readonly string[], after: readonly string[]): boolean {
  const removed = [...before];
  const take = (index: number, ...rest: string[]): boolean =>
    index >= 0 && removed.splice(index, 1, ...rest).length > 0;
  const changed = after.filter((source) => !take(removed.indexOf(source)));
  // The source of a block can become those of several inline nodes.
  const edited = changed.filter((source) => {
    const index = removed.findIndex((old) => old.includes(source));
    const [start = "", ...ends] = (removed[index] ?? "").split(source);
    const rest = [start, ends.join(source)].map((part) => part.trim());
    return !take(index, ...rest.filter((part) => part.length >= SHORTEST_TAG));
  });
  const left = [...moved];
  return edited.every((source) => {
    const isEdit = (old: string): boolean =>
      isSimilar(withoutTagName(old), withoutTagName(source)) || signsOf(old) === signsOf(source);
    if (take(removed.findIndex(isEdit))) return true;
    const at = left.indexOf(source);
    return at >= 0 && left.splice(at, 1).length > 0;
  });
}

/** Returns the rest of a source without its words, such as the bullet and the space of an item, or the signs of code. */
function signsOf(source: string): string {
  const signs = source.replace(CODE, "$1a$1");
  return signs.replace(/[\p{L}\p{N}]+(?: +[\p{L}\p{N}]+)*/gu, "a");
}

/** Inline code, in which no sign means anything. */
const CODE = /(?<!`)(`+)(?!`)[^]*?[^`]\1(?!`)/g;

/** Returns a source without the name of its tag. A renamed component must have none of the old name. */
function withoutTagName(source: string): string {
  return source.replace(/^(<\/?)[\w.-]+/, "$1");
}
