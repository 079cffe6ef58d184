/** A log of runs in IndexedDB, for service workers. */

import { over, result } from "../base/idb-request.js";
import type { LoggedEvent, LoggedRun, RunLog, RunOwner, RunState, RunStatus } from "./run-log.js";

interface Lease {
  owner: string;
  /** By `Date.now()`. */
  until: number;
}

interface StoredRun extends Lease {
  id: string;
  begun: number;
  request: string;
  state: RunState | undefined;
  lastSeq: number;
  isOver: boolean;
  isStopped: boolean;
  attendedUntil: number;
}

/** The time in milliseconds after which a run is removed. */
const KEPT = 24 * 60 * 60 * 1000;

/** Creates a log in a database of this name. */
export function indexedDbLog(name = "copydesk-runs"): RunLog {
  let opening: Promise<IDBDatabase> | undefined;
  const opened = () => {
    const closed = () => void (opening = undefined);
    opening ??= open(name, closed).catch((failed: unknown) => {
      closed();
      throw failed;
    });
    return opening;
  };
  const stores = async (mode: IDBTransactionMode) => {
    const database = await opened();
    const transaction = database.transaction(["runs", "events", "documents", "threads"], mode);
    return {
      runs: transaction.objectStore("runs"),
      events: transaction.objectStore("events"),
      documents: transaction.objectStore("documents"),
      threads: transaction.objectStore("threads"),
      over: over(transaction),
    };
  };
  const workers = new Workers();
  const ofRun = (id: string, after = -1) => IDBKeyRange.bound([id, after], [id, Infinity], true);
  /** Changes a run, unless there is none. */
  const change = async <T>(id: string, make: (run: StoredRun, events: IDBObjectStore) => T): Promise<T | undefined> => {
    const { runs, events, over } = await stores("readwrite");
    let made: T | undefined;
    const found = runs.get(id);
    found.onsuccess = () => {
      const run = found.result as StoredRun | undefined;
      if (!run) return;
      made = make(run, events);
      runs.put(run);
    };
    await over;
    return made;
  };
  /** A run that was removed continues without its log. */
  const REMOVED: RunStatus = { isOwner: true, isStopped: false, isAttended: false };
  return {
    async claim(id, owner, request) {
      const isLive = await workers.live(owner.owner);
      const { runs, events, threads, over } = await stores("readwrite");
      const old = runs.index("begun").openCursor(IDBKeyRange.upperBound(Date.now() - KEPT));
      old.onsuccess = () => {
        const cursor = old.result;
        if (!cursor) return;
        events.delete(ofRun(String(cursor.primaryKey)));
        const latest = threads.index("id").getKey(cursor.primaryKey);
        latest.onsuccess = () => latest.result !== undefined && threads.delete(latest.result);
        cursor.delete();
        cursor.continue();
      };
      let claimed: Awaited<ReturnType<RunLog["claim"]>> = { isOwner: true, run: undefined };
      const found = runs.get(id);
      found.onsuccess = () => {
        const run = found.result as StoredRun | undefined;
        const begun = { id, begun: Date.now(), request, state: undefined, lastSeq: -1 };
        const added = { ...begun, isOver: false, isStopped: false, attendedUntil: 0 };
        const isOwner = !run || (!run.isOver && isFree(run, owner, isLive));
        claimed = { isOwner, run: run && loggedRun(run, isLive) };
        if (isOwner) runs.put({ ...(run ?? added), ...leaseOf(owner) } satisfies StoredRun);
      };
      await over;
      return claimed;
    },
    async append(id, owner, after, added) {
      const status = await change(id, (run, events) => {
        const isOwner = run.owner === owner.owner && run.lastSeq === after;
        if (isOwner) {
          for (const event of added.events) events.put({ id, ...event });
          run.state = added.state ?? run.state;
          run.lastSeq = added.events.at(-1)?.seq ?? run.lastSeq;
          run.isOver ||= added.isOver;
          Object.assign(run, leaseOf(owner));
        }
        return statusOf(run, isOwner);
      });
      return status ?? REMOVED;
    },
    async renew(id, owner) {
      const status = await change(id, (run) => {
        const isOwner = run.owner === owner.owner;
        if (isOwner) Object.assign(run, leaseOf(owner));
        return statusOf(run, isOwner);
      });
      return status ?? REMOVED;
    },
    async attend(id, ms) {
      await change(id, (run) => (run.attendedUntil = Date.now() + ms));
    },
    async stop(id) {
      const isStopped = await change(id, (run) => !run.isOver && (run.isStopped = true));
      return isStopped ?? false;
    },
    async find(id) {
      const isLive = await workers.live();
      const { runs } = await stores("readonly");
      const run = (await result(runs.get(id))) as StoredRun | undefined;
      return run && loggedRun(run, isLive);
    },
    async eventsAfter(id, seq) {
      const { events } = await stores("readonly");
      return (await result(events.getAll(ofRun(id, seq)))) as LoggedEvent[];
    },
    async setLatest(thread, id) {
      const { runs, threads, over } = await stores("readwrite");
      const found = runs.getKey(id);
      found.onsuccess = () => found.result !== undefined && threads.put({ thread, id });
      await over;
    },
    async latest(thread) {
      const { runs, threads } = await stores("readonly");
      const found = (await result(threads.get(thread))) as { id: string } | undefined;
      return found && ((await result(runs.getKey(found.id))) as string | undefined);
    },
    async lock(documentId, owner) {
      const { documents, over } = await stores("readwrite");
      let isLocked = false;
      const found = documents.get(documentId);
      found.onsuccess = () => {
        const lease = found.result as Lease | undefined;
        isLocked = !lease || isFree(lease, owner, () => true);
        if (!isLocked) return;
        if (owner.lease > 0) documents.put({ documentId, ...leaseOf(owner) });
        else documents.delete(documentId);
      };
      await over;
      return isLocked;
    },
  };
}

function leaseOf({ owner, lease }: RunOwner): Lease {
  return { owner, until: Date.now() + lease };
}

type IsLive = (owner: string) => boolean;

function isFree(lease: Lease, { owner }: RunOwner, isLive: IsLive): boolean {
  return lease.owner === owner || lease.until <= Date.now() || !isLive(lease.owner);
}

function statusOf({ isStopped, attendedUntil }: StoredRun, isOwner: boolean): RunStatus {
  return { isOwner, isStopped, isAttended: attendedUntil > Date.now() };
}

function loggedRun(run: StoredRun, isLive: IsLive): LoggedRun {
  const { request, state, lastSeq, isOver, owner, until } = run;
  return { request, state, lastSeq, isOver, leaseLeft: isLive(owner) ? Math.max(0, until - Date.now()) : 0 };
}

/** Workers hold a lock of the browser with the name of each of their owners: when one ends, its leases end at once. */
class Workers {
  readonly #held = new Set<string>();

  /** Returns which owners live; `own` is one from now on. */
  async live(own?: string): Promise<IsLive> {
    const locks = globalThis.navigator?.locks as LockManager | undefined;
    if (!locks) return () => true;
    if (own !== undefined && !this.#held.has(own)) {
      this.#held.add(own);
      await new Promise<void>((held) => {
        void locks.request(lockOf(own), () => {
          held();
          return new Promise(() => {});
        });
      });
    }
    const { held = [] } = await locks.query();
    const names = new Set(held.map((lock) => lock.name));
    return (owner) => names.has(lockOf(owner));
  }
}

function lockOf(owner: string): string {
  return `copydesk-route ${owner}`;
}

function open(name: string, closed: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 3);
  request.onupgradeneeded = () => {
    const database = request.result;
    // Runs of earlier versions are stored otherwise.
    for (const store of [...database.objectStoreNames]) database.deleteObjectStore(store);
    database.createObjectStore("runs", { keyPath: "id" }).createIndex("begun", "begun");
    database.createObjectStore("events", { keyPath: ["id", "seq"] });
    database.createObjectStore("documents", { keyPath: "documentId" });
    database.createObjectStore("threads", { keyPath: "thread" }).createIndex("id", "id");
  };
  return result(request).then((database) => {
    // Another page removes the database, or changes it.
    database.onversionchange = () => {
      database.close();
      closed();
    };
    database.onclose = closed;
    return database;
  });
}
