/** A log of runs in IndexedDB, for service workers. */

import { over, result } from "../idb-request.js";
import type { LoggedEvent, RunLog, RunState } from "./run-log.js";

interface StoredRun {
  id: string;
  begun: number;
  documentContent: string;
  state: RunState | undefined;
  lastSeq: number;
  isOver: boolean;
}

/** The time in milliseconds after which a run is removed. */
const KEPT = 24 * 60 * 60 * 1000;

/** Creates a log in a database of this name. */
export function indexedDbLog(name = "copydesk-runs"): RunLog {
  let opening: Promise<IDBDatabase> | undefined;
  const opened = () => {
    opening ??= open(name).catch((failed: unknown) => {
      opening = undefined;
      throw failed;
    });
    return opening;
  };
  const stores = async (mode: IDBTransactionMode) => {
    const database = await opened();
    const transaction = database.transaction(["runs", "events"], mode);
    return {
      runs: transaction.objectStore("runs"),
      events: transaction.objectStore("events"),
      over: over(transaction),
    };
  };
  const ofRun = (id: string, after = -1) => IDBKeyRange.bound([id, after], [id, Infinity], true);
  return {
    async begin(id, documentContent) {
      const { runs, events, over } = await stores("readwrite");
      const old = runs.index("begun").openCursor(IDBKeyRange.upperBound(Date.now() - KEPT));
      old.onsuccess = () => {
        const cursor = old.result;
        if (!cursor) return;
        events.delete(ofRun(String(cursor.primaryKey)));
        cursor.delete();
        cursor.continue();
      };
      runs.put({
        id,
        begun: Date.now(),
        documentContent,
        state: undefined,
        lastSeq: -1,
        isOver: false,
      } satisfies StoredRun);
      await over;
    },
    async append(id, added, state, isOver) {
      const { runs, events, over } = await stores("readwrite");
      for (const event of added) events.put({ id, ...event });
      const found = runs.get(id);
      found.onsuccess = () => {
        const run = found.result as StoredRun | undefined;
        if (!run) return;
        run.state = state ?? run.state;
        run.lastSeq = added.at(-1)?.seq ?? run.lastSeq;
        run.isOver ||= isOver;
        runs.put(run);
      };
      await over;
    },
    async find(id) {
      const { runs } = await stores("readonly");
      return (await result(runs.get(id))) as StoredRun | undefined;
    },
    async eventsAfter(id, seq) {
      const { events } = await stores("readonly");
      return (await result(events.getAll(ofRun(id, seq)))) as LoggedEvent[];
    },
  };
}

function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    const database = request.result;
    database.createObjectStore("runs", { keyPath: "id" }).createIndex("begun", "begun");
    database.createObjectStore("events", { keyPath: ["id", "seq"] });
  };
  return result(request);
}
