/** Blocks that are equal in two states of a document. */

/** The largest table of the exact comparison. */
const MOST = 4_000_000;

/**
 * Returns for each new block the index of the equal old one; each old block is used once. A longest common subsequence
 * stays, then what moved is found.
 */
export function keptBlocks(old: string[], now: string[]): (number | undefined)[] {
  const kept: (number | undefined)[] = Array.from({ length: now.length }, () => undefined);
  let start = 0;
  let [oldEnd, nowEnd] = [old.length, now.length];
  for (; start < oldEnd && start < nowEnd && old[start] === now[start]; start++) kept[start] = start;
  for (; oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]; nowEnd--) kept[nowEnd - 1] = --oldEnd;
  if ((oldEnd - start) * (nowEnd - start) <= MOST) alignExactly(old, now, start, oldEnd, nowEnd, kept);
  return takeMoved(old, now, kept);
}

function alignExactly(
  old: string[],
  now: string[],
  start: number,
  oldEnd: number,
  nowEnd: number,
  kept: (number | undefined)[],
): void {
  const width = nowEnd - start + 1;
  const lengths = new Uint32Array((oldEnd - start + 1) * width);
  const at = (i: number, j: number) => (i - start) * width + (j - start);
  for (let i = oldEnd - 1; i >= start; i--)
    for (let j = nowEnd - 1; j >= start; j--)
      lengths[at(i, j)] =
        old[i] === now[j] ? lengths[at(i + 1, j + 1)]! + 1 : Math.max(lengths[at(i + 1, j)]!, lengths[at(i, j + 1)]!);
  for (let [i, j] = [start, start]; i < oldEnd && j < nowEnd;) {
    if (old[i] === now[j]) kept[j++] = i++;
    else if (lengths[at(i + 1, j)]! >= lengths[at(i, j + 1)]!) i++;
    else j++;
  }
}

function takeMoved(old: string[], now: string[], kept: (number | undefined)[]): (number | undefined)[] {
  const used = new Set(kept);
  /** By block: the first place that is free. By place: the next one with an equal block. */
  const free = new Map<string, number | undefined>();
  const next: (number | undefined)[] = [];
  for (let at = old.length - 1; at >= 0; at--) {
    if (used.has(at)) continue;
    next[at] = free.get(old[at]!);
    free.set(old[at]!, at);
  }
  return kept.map((from, at) => {
    if (from !== undefined) return from;
    const place = free.get(now[at]!);
    if (place !== undefined) free.set(now[at]!, next[place]);
    return place;
  });
}
