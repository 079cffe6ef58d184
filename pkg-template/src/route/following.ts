/** The events of a run that another instance of the route owns. */

import { EventStream } from "./event-stream.js";
import type { RunLog } from "./run-log.js";

/** The time in milliseconds between two looks into a log that tells no changes, and the longest one. */
const BETWEEN = 500;
const LONGEST = 2_000;

/**
 * Returns the events after one as they come. The stream ends with the run, or when the lease of its owner has run out: the
 * client comes back then, and the instance that it reaches goes on with the run.
 */
export function eventsOf(log: RunLog, id: string, after: number, keepAlive: number, failed: (reason: unknown) => void) {
  const stream = new EventStream({ keepAlive, onCancel: () => {} });
  follow(log, id, after, stream)
    .catch(failed)
    .finally(() => stream.close());
  return stream.body;
}

async function follow(log: RunLog, id: string, after: number, stream: EventStream): Promise<void> {
  for (let seq = after; stream.isOpen;) {
    await log.attend(id, 2 * LONGEST);
    // First the run: what it has when it is over is all.
    const run = await log.find(id);
    const events = await log.eventsAfter(id, seq);
    stream.write(events.map(({ text }) => text).join(""));
    seq = events.at(-1)?.seq ?? seq;
    if (!run || run.isOver || run.leaseLeft === 0) return;
    await stream.ready();
    const longest = Math.min(run.leaseLeft + 1, log.changed ? LONGEST : BETWEEN);
    await (log.changed?.(id, seq, longest) ?? new Promise((resolve) => setTimeout(resolve, longest)));
  }
}
