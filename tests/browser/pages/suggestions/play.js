// The loop that all programs of schedules share.

/**
 * Plays schedules from a seed on: `server` in the options is the URL of the server that they use, if any. Returns the first one
 * that failed, and the sums of what was done.
 */
export async function playAll(schedule, seed, count, options) {
  const sums = {};
  // No schedule asks for a layout, and ProseMirror would cause one with each transaction.
  window.document.querySelector("#pages").hidden = true;
  for (let index = 0; index < count; index++) {
    const result = await schedule(seed + index, options ?? {});
    if (result.wrong) return { wrong: result, sums };
    for (const [key, number] of Object.entries(result)) sums[key] = (sums[key] ?? 0) + number;
  }
  return { wrong: null, sums };
}
