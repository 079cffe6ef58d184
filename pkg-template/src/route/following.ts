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
export function eventsOf(log: RunLog, id: string, after: number, options: FollowOptions) {
  const { keepAlive, failed, closing } = options;
  const stream = new EventStream({ keepAlive, onCancel: () => {} });
  const close = () => stream.close();
  closing.addEventListener("abort", close);
  follow(log, id, after, stream)
    .catch(failed)
    .finally(() => {
      closing.removeEventListener("abort", close);
      stream.close();
    });
  return stream.body;
}

export interface FollowOptions {
  /** The time between two comments, in milliseconds. */
  readonly keepAlive: number;
  readonly failed: (reason: unknown) => void;
  /** Ends the stream: the client comes back to another instance. */
  readonly closing: AbortSignal;
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
