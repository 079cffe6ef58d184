/** The events of a run that another instance of the route owns, or that is over. */

import type { ClientWriter } from "./client-writer.js";
import type { Closing } from "./closing.js";
import { EventStream, LOG_FAILED } from "./event-stream.js";
import type { LoggedRun, RunLog } from "./run-log.js";

/** The time in milliseconds between two looks into a log that tells no changes, and the longest one. */
const BETWEEN = 500;
const LONGEST = 2_000;

export interface FollowOptions {
  /** Returns the writer for the client. Its argument returns the run as it was after the last events. */
  readonly writerOf: (run: () => LoggedRun) => ClientWriter;
  /** The time between two comments, in milliseconds. */
  readonly keepAlive: number;
  readonly failed: (reason: unknown) => void;
  /** Ends the stream: the client comes back to another instance. */
  readonly closing: Closing;
}

/**
 * Returns the events of a run as they come. The stream ends with the run, or when the lease of its owner has expired:
 * the client comes back then, and the instance that it reaches continues the run.
 */
export function eventsOf(log: RunLog, id: string, run: LoggedRun, options: FollowOptions) {
  const { keepAlive, failed, closing, writerOf } = options;
  const stream = new EventStream({ keepAlive, onCancel: () => {} });
  const forget = closing.add(() => stream.close());
  follow(log, id, run, writerOf, stream)
    .catch((reason: unknown) => {
      failed(reason);
      stream.write(LOG_FAILED);
    })
    .finally(() => {
      forget();
      stream.close();
    });
  return stream.body;
}

async function follow(
  log: RunLog,
  id: string,
  found: LoggedRun,
  writerOf: FollowOptions["writerOf"],
  stream: EventStream,
): Promise<void> {
  let run: LoggedRun | undefined = found;
  const writer = writerOf(() => run ?? found);
  for (let seq = writer.after; stream.isOpen;) {
    if (!run.isOver) await log.attend(id, 2 * LONGEST);
    const events = await log.eventsAfter(id, seq);
    run = await log.find(id);
    stream.write(writer.write(events));
    seq = events.at(-1)?.seq ?? seq;
    if (!run) return;
    if (run.lastSeq > seq) continue;
    if (run.isOver || run.leaseLeft === 0) return;
    await stream.ready();
    const longest = Math.min(run.leaseLeft + 1, log.changed ? LONGEST : BETWEEN);
    await (log.changed?.(id, seq, longest) ?? new Promise((resolve) => setTimeout(resolve, longest)));
  }
}
