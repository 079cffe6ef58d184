/** Formats of a stream: how events are written. */

import type { AgentEvent } from "../../types.js";

/** Writes the events of one run. */
export interface EventWriter {
  /** Headers besides those of every event stream. */
  readonly headers: Record<string, string>;
  /** Returns an event as server-sent events; empty if the format has nothing for it. */
  write(event: AgentEvent): string;
}
