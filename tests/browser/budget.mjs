// The number of cases of a random test: as many as fit into some seconds, or exactly those that the environment asks for.

/** The time for the cases of one test, in seconds. */
const SECONDS = 12;

/**
 * Calls `play(first, count)` with batch after batch of cases: all of them if their number was set in the environment, and
 * otherwise until the time is over, at most `most`. Returns the number of cases that were played.
 */
export async function playCases(t, { variable, most, batch, seed }, play) {
  const set = process.env[variable];
  const wanted = set === undefined ? most : Number(set);
  const end = set === undefined ? Date.now() + SECONDS * 1000 : Infinity;
  let played = 0;
  while (played < wanted && (played === 0 || Date.now() < end)) {
    const count = Math.min(batch, wanted - played);
    await play(played, count);
    played += count;
  }
  t.diagnostic(`${played} cases from seed ${seed}; COPYDESK_SEED sets another, ${variable} the number`);
  return played;
}
