/** A log of runs, from which a client goes on that was disconnected, and a run whose process has ended. */

import { check } from "../error.js";
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

/**
 * Storage of runs. It receives no keys of models. The id of a run is made of `runId` and of a hash of the run's token: up to
 * 165 letters, digits, - and _.
 */
export interface RunLog {
  /** Adds a run. */
  begin: (id: string, documentContent: string) => Promise<void>;
  /** Resolves when the events, and the state after them, are stored. */
  append: (id: string, events: readonly LoggedEvent[], state: RunState | undefined, isOver: boolean) => Promise<void>;
  find: (id: string) => Promise<LoggedRun | undefined>;
  /** Returns the events after one, in order. */
  eventsAfter: (id: string, seq: number) => Promise<LoggedEvent[]>;
}

/** Creates a log in memory. It removes the oldest runs, first those that are over, as soon as it exceeds a limit. */
export function memoryLog(maxRuns = 1000, maxBytes = 64 * 1024 * 1024): RunLog {
  const log = new MemoryLog(maxRuns, maxBytes);
  return {
    begin: async (id, documentContent) => log.begin(id, documentContent),
    append: async (...given) => log.append(...given),
    find: async (id) => log.find(id),
    eventsAfter: async (id, seq) => log.eventsAfter(id, seq),
  };
}

interface StoredRun {
  readonly documentContent: string;
  /** As JSON: of the size that is counted. */
  state: string;
  readonly events: LoggedEvent[];
  isOver: boolean;
  bytes: number;
}

/** The bytes of an event and of a run besides their texts, about. */
const OVERHEAD = 100;
const sizeOf = (text: string) => 2 * text.length;

class MemoryLog {
  /** In the order of their beginnings. */
  readonly #runs = new Map<string, StoredRun>();
  readonly #maxRuns: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxRuns: number, maxBytes: number) {
    check(maxRuns > 0, "maxRuns", maxRuns, "a number of runs, at least 1");
    check(maxBytes > 0, "maxBytes", maxBytes, "a number of bytes, at least 1");
    this.#maxRuns = maxRuns;
    this.#maxBytes = maxBytes;
  }

  begin(id: string, documentContent: string): void {
    this.#remove(id);
    const run = { documentContent, state: "", events: [], isOver: false, bytes: 0 };
    this.#runs.set(id, run);
    this.#grow(run, OVERHEAD + sizeOf(id) + sizeOf(documentContent));
  }

  /** Does nothing for a run that was removed: it goes on without its log. */
  append(id: string, events: readonly LoggedEvent[], state: RunState | undefined, isOver: boolean): void {
    const run = this.#runs.get(id);
    if (!run) return;
    run.events.push(...events);
    run.isOver ||= isOver;
    let more = events.reduce((sum, { text }) => sum + OVERHEAD + sizeOf(text), 0);
    if (state) {
      const stored = JSON.stringify(state);
      more += sizeOf(stored) - sizeOf(run.state);
      run.state = stored;
    }
    this.#grow(run, more);
  }

  find(id: string): LoggedRun | undefined {
    const run = this.#runs.get(id);
    if (!run) return undefined;
    const { documentContent, state, events, isOver } = run;
    const stored = state ? (JSON.parse(state) as RunState) : undefined;
    return { documentContent, state: stored, lastSeq: events.at(-1)?.seq ?? -1, isOver };
  }

  eventsAfter(id: string, seq: number): LoggedEvent[] {
    return this.#runs.get(id)?.events.filter((event) => event.seq > seq) ?? [];
  }

  #grow(run: StoredRun, bytes: number): void {
    run.bytes += bytes;
    this.#bytes += bytes;
    while (this.#runs.size > this.#maxRuns || this.#bytes > this.#maxBytes) {
      const ids = [...this.#runs.keys()];
      this.#remove(ids.find((id) => this.#runs.get(id)?.isOver) ?? ids[0]!);
    }
  }

  #remove(id: string): void {
    this.#bytes -= this.#runs.get(id)?.bytes ?? 0;
    this.#runs.delete(id);
  }
}
