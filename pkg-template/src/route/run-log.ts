/** A log of runs, from which a client goes on that was disconnected, and a run whose process has ended. */

import type { Message, NodeJSON } from "../types.js";

/** The point from which a run can go on. */
export interface RunState {
  readonly messages: Message[];
  readonly document: NodeJSON;
}

/** A run in the log, without the events. */
export interface LoggedRun {
  /** The document as it was sent. */
  readonly documentContent: string;
  /** The last state; none before the first. */
  readonly state: RunState | undefined;
  /** The number of the last event; -1 for none. */
  readonly lastSeq: number;
  /** True if the last event is logged. */
  readonly isOver: boolean;
}

/** An event as it is sent. */
export interface LoggedEvent {
  readonly seq: number;
  readonly text: string;
}

/** Storage of runs by id. It receives no keys. */
export interface RunLog {
  /** Adds a run. */
  begin: (id: string, documentContent: string) => Promise<void>;
  /** Resolves when the events, and the state after them, are stored. */
  append: (id: string, events: readonly LoggedEvent[], state: RunState | undefined, isOver: boolean) => Promise<void>;
  find: (id: string) => Promise<LoggedRun | undefined>;
  /** Returns the events after one, in order. */
  eventsAfter: (id: string, seq: number) => Promise<LoggedEvent[]>;
}

/** Creates a log in memory, of the last runs. */
export function memoryLog(most = 1000): RunLog {
  const runs = new Map<
    string,
    { documentContent: string; state: RunState | undefined; events: LoggedEvent[]; isOver: boolean }
  >();
  return {
    async begin(id, documentContent) {
      runs.set(id, { documentContent, state: undefined, events: [], isOver: false });
      for (const [old, { isOver }] of runs) if (runs.size > most && isOver) runs.delete(old);
    },
    async append(id, events, state, isOver) {
      const run = runs.get(id);
      if (!run) return;
      run.events.push(...events);
      run.state = state ?? run.state;
      run.isOver ||= isOver;
    },
    async find(id) {
      const run = runs.get(id);
      return run && { ...run, lastSeq: run.events.at(-1)?.seq ?? -1 };
    },
    eventsAfter: async (id, seq) => runs.get(id)?.events.filter((event) => event.seq > seq) ?? [],
  };
}
