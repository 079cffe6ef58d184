/** Text that an edit keeps or moves. */

/** The largest product of the numbers of words of two texts that are compared. */
const COMPARED = 4_000_000;
/** The length from which on text counts as moved. */
const MOVED = 8;

/**
 * Returns which units of a new text were in the old one: for each its index there, or -1. Words correspond in their order;
 * what is left is looked for as a whole, because an edit may have moved it.
 */
export function correspondence(old: string, now: string): Int32Array {
  const from = new Int32Array(now.length).fill(-1);
  const [before, after] = [wordsOf(old), wordsOf(now)];
  for (const [i, j] of commonWords(before, after))
    for (let by = 0; by < after[j]!.text.length; by++) from[after[j]!.at + by] = before[i]!.at + by;
  const places = placesIn(old);
  for (let index = 0; index + MOVED <= now.length; index++) {
    let [at, length] = [-1, 0];
    for (const place of from[index] === -1 ? places(now.slice(index, index + MOVED)) : []) {
      let end = 0;
      while (from[index + end] === -1 && old[place + end] === now[index + end] && place + end < old.length) end++;
      if (end > length) [at, length] = [place, end];
    }
    if (length < MOVED) continue;
    for (let by = 0; by < length; by++) from[index + by] = at + by;
    index += length - 1;
  }
  return from;
}

/** The number of places of the same text that are compared. */
const MOST_PLACES = 32;

/** Returns a function that finds text of the length `MOVED` in an old text. */
function placesIn(old: string): (text: string) => readonly number[] {
  let known: Map<string, number[]> | undefined;
  return (text) => {
    if (!known) {
      known = new Map();
      for (let at = 0; at + MOVED <= old.length; at++) {
        const key = old.slice(at, at + MOVED);
        const places = known.get(key);
        if (!places) known.set(key, [at]);
        else if (places.length < MOST_PLACES) places.push(at);
      }
    }
    return known.get(text) ?? [];
  };
}

/** Words, and all other characters by themselves; Chinese and Japanese characters are words. */
function wordsOf(text: string): { text: string; at: number }[] {
  const found = text.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+|[^]/gu);
  return Array.from(found, ({ 0: word, index }) => ({ text: word, at: index }));
}

/** Returns the indexes of the words of a longest common subsequence. */
function commonWords(a: readonly { text: string }[], b: readonly { text: string }[]): [number, number][] {
  const common: [number, number][] = [];
  let start = 0;
  while (start < a.length && start < b.length && a[start]!.text === b[start]!.text) common.push([start, start++]);
  let [ends, endsB] = [a.length, b.length];
  while (ends > start && endsB > start && a[ends - 1]!.text === b[endsB - 1]!.text) common.push([--ends, --endsB]);
  const [rows, columns] = [ends - start, endsB - start];
  if (!rows || !columns || rows * columns > COMPARED) return common;
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  const same = (i: number, j: number) => a[start + i]!.text === b[start + j]!.text;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      lengths[i * width + j] = same(i, j)
        ? 1 + lengths[(i + 1) * width + j + 1]!
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  for (let i = 0, j = 0; i < rows && j < columns;)
    if (same(i, j)) common.push([start + i++, start + j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  return common;
}
