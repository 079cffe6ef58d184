// Determines which nodes of a document an edit must keep as identical objects.

/** Returns the children in common, in order, by `same`: pairs of indexes. Equal ends first, then the longest match. */
function common(old, now, same) {
  const lengths = Array.from({ length: old.length + 1 }, () => Array(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i][j] = same(old[i], now[j]) ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (same(old[i], now[j])) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

const children = (node) => Array.from({ length: node.childCount }, (_, index) => node.child(index));

/** Returns the gaps between pairs, as lists of the nodes in them. */
function* gaps(old, now, pairs) {
  let [i, j] = [0, 0];
  for (const [iNext, jNext] of [...pairs, [old.length, now.length]]) {
    yield [old.slice(i, iNext), now.slice(j, jNext)];
    [i, j] = [iNext + 1, jNext + 1];
  }
}

const isSame = (a, b) => a === b;
const isEqual = (a, b) => a.eq(b);

/** Returns the nodes of `start` that are also in `expected`: blocks, and the content of changed blocks. */
export function keptOf(start, expected) {
  const kept = new Set();
  const walk = (old, now) => {
    const pairs = common(children(old), children(now), isEqual);
    for (const [index] of pairs) {
      kept.add(old.child(index));
      old.child(index).descendants((node) => void kept.add(node));
    }
    for (const [before, after] of gaps(children(old), children(now), pairs)) {
      if (isPairwise(before, after)) before.forEach((node, index) => walk(node, after[index]));
    }
  };
  walk(start, expected);
  return kept;
}

/** Returns whether the nodes are the previous ones, each with different content. */
const isPairwise = (before, after) =>
  before.length === after.length && before.every((node, index) => !node.isTextblock && !node.isLeaf && node.sameMarkup(after[index]));

/** Returns the nodes that `now` should share with `start`, since they are equal, and does not. */
export function keptPairs(start, now, expected) {
  const lost = [];
  const walk = (old, found, wanted) => {
    const [olds, founds] = [children(old), children(found)];
    const same = common(olds, founds, isSame);
    const equal = common(olds, children(wanted), isEqual);
    if (same.length < equal.length) {
      const there = new Set(same.map(([index]) => index));
      lost.push(...equal.filter(([index]) => !there.has(index)).map(([index]) => `${olds[index].type.name} ${olds[index].textContent}`));
    }
    for (const [before, after] of gaps(olds, founds, same)) {
      if (isPairwise(before, after)) before.forEach((node, index) => walk(node, after[index], after[index]));
    }
  };
  if (now.eq(expected)) walk(start, now, expected);
  return lost;
}
