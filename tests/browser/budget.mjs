// What a test run leaves to the long form, `COPYDESK_LONG=1 cargo xtask test`, and the number of cases of a random test: as many as
// fit into some seconds, or exactly those that the environment asks for.

/** True in the long form. */
export const isLong = process.env.COPYDESK_LONG === "1";

/** The options of a test that only the long form plays. */
export const long = { skip: isLong ? false : "takes long: COPYDESK_LONG=1 cargo xtask test" };

/** Returns the number that the environment sets, or one for the long form and a smaller one otherwise. */
export const countOf = (variable, inLong, otherwise) => Number(process.env[variable] ?? (isLong ? inLong : otherwise));

/** The time for the cases of one test, in seconds. */
const SECONDS = isLong ? 12 : 2;

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
