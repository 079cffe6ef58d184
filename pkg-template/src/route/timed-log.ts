/** A time limit for the operations of a log. */

import type { RunLog } from "./run-log.js";

/** The parts of the limit that are counted: a process that was held up meanwhile has not given the log its time. */
const PARTS = 10;

/** An operation that the log has not answered in time. */
export class LogTimeout extends Error {
  /** The answer, if it comes later: the operation may still be made. */
  readonly answer: Promise<unknown>;

  constructor(ms: number, answer: Promise<unknown>) {
    super(`the log has not answered for ${ms} ms`);
    this.name = "LogTimeout";
    this.answer = answer;
  }
}

/** Returns a log whose operations fail with `LogTimeout` if they take longer than some milliseconds. */
export function timedLog(log: RunLog, ms: number): RunLog {
  const timed = async <T>(ask: () => Promise<T>, limit = ms): Promise<T> => {
    const answer = ask();
    let timer: ReturnType<typeof setInterval> | undefined;
    let left = PARTS;
    const late = new Promise<never>((_resolve, reject) => {
      const count = () => --left > 0 || reject(new LogTimeout(ms, answer));
      timer = setInterval(count, limit / PARTS);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearInterval(timer);
    }
  };
  return {
    claim: (...given) => timed(() => log.claim(...given)),
    append: (...given) => timed(() => log.append(...given)),
    renew: (...given) => timed(() => log.renew(...given)),
    attend: (...given) => timed(() => log.attend(...given)),
    stop: (id) => timed(() => log.stop(id)),
    find: (id) => timed(() => log.find(id)),
    eventsAfter: (...given) => timed(() => log.eventsAfter(...given)),
    // This one waits.
    ...(log.changed && { changed: (id, seq, wait) => timed(() => log.changed!(id, seq, wait), wait + ms) }),
    lock: (...given) => timed(() => log.lock(...given)),
    setLatest: (...given) => timed(() => log.setLatest(...given)),
    latest: (thread) => timed(() => log.latest(thread)),
  };
}
