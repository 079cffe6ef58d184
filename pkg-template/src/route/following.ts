/** The events of a run that another instance of the route owns, or that is over. */

import type { ClientWriter, EventId } from "./client-writer.js";
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
  /** Continues the run after an event, when the lease of its owner has expired. Absent if that needs another request. */
  readonly goOn?: (after: EventId) => Promise<ReadableStream<Uint8Array> | null>;
}

/** Returns the events of a run as they come. When the lease of its owner has expired, this instance continues the run. */
export function eventsOf(log: RunLog, id: string, run: LoggedRun, options: FollowOptions) {
  const { keepAlive, failed, closing, writerOf, goOn } = options;
  let cancel = () => {};
  const stream = new EventStream({ keepAlive, onCancel: () => cancel() });
  const forget = closing.add(() => stream.close());
  const followed = async () => {
    const last = await follow(log, id, run, writerOf, stream);
    const body = last && stream.isOpen ? await goOn?.(last) : undefined;
    if (!body) return;
    // The run closes its streams itself.
    forget();
    const reader = body.getReader();
    cancel = () => void reader.cancel().catch(() => {});
    if (!stream.isOpen) return cancel();
    await pipe(reader, stream);
  };
  followed()
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

async function pipe(reader: ReadableStreamDefaultReader<Uint8Array>, stream: EventStream): Promise<void> {
  const decoder = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    stream.write(decoder.decode(read.value, { stream: true }));
    await stream.ready();
  }
}

/** Writes the events up to the end of the run, or of its owner's lease. Returns the last event then. */
async function follow(
  log: RunLog,
  id: string,
  found: LoggedRun,
  writerOf: FollowOptions["writerOf"],
  stream: EventStream,
): Promise<EventId | undefined> {
  let run: LoggedRun | undefined = found;
  const writer = writerOf(() => run ?? found);
  for (let seq = writer.after; stream.isOpen;) {
    if (!run.isOver) await log.attend(id, 2 * LONGEST);
    const events = await log.eventsAfter(id, seq);
    run = await log.find(id);
    stream.write(writer.write(events));
    seq = events.at(-1)?.seq ?? seq;
    if (!run) return undefined;
    if (run.lastSeq > seq) continue;
    if (run.isOver) return undefined;
    if (run.leaseLeft === 0) return { seq: Math.max(seq, writer.last.seq), part: Infinity };
    await stream.ready();
    const longest = Math.min(run.leaseLeft + 1, log.changed ? LONGEST : BETWEEN);
    await (log.changed?.(id, seq, longest) ?? new Promise((resolve) => setTimeout(resolve, longest)));
  }
  return undefined;
}
