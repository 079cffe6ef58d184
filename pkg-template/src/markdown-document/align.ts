/** Alignment of the blocks of a document with those that were read. */

/** Pairs equal keys in order: the longest sequence that grows on both sides. Returns the old index of each new one. */
export function align(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const paired: (number | undefined)[] = after.map(() => undefined);
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) {
    paired[start] = start;
    start += 1;
  }
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
    paired[newEnd] = oldEnd;
  }
  // Equal keys are paired in their order, then the longest growing sequence remains.
  const places = new Map<string, number[]>();
  for (let at = start; at < oldEnd; at += 1) {
    const key = before[at] as string;
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  const candidates: { at: number; old: number; previous: number }[] = [];
  const tails: number[] = [];
  for (let at = start; at < newEnd; at += 1) {
    const old = places.get(after[at] as string)?.shift();
    if (old === undefined) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((candidates[tails[middle] as number]?.old ?? 0) < old) low = middle + 1;
      else high = middle;
    }
    candidates.push({ at, old, previous: low > 0 ? (tails[low - 1] as number) : -1 });
    tails[low] = candidates.length - 1;
  }
  for (let index = tails.at(-1) ?? -1; index >= 0;) {
    const candidate = candidates[index];
    if (!candidate) break;
    paired[candidate.at] = candidate.old;
    index = candidate.previous;
  }
  return paired;
}
