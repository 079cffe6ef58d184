// Random choices from a seed: the same seed gives the same choices everywhere.

/** A source of random choices (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit) => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)],
    times: (least, most, make) => Array.from({ length: least + below(most - least + 1) }, make),
  }
}
