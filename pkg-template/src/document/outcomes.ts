/** The decisions about the hunks of tool calls, for data that is decided with them, such as comments. */

import { carrierOf } from "./carrier.js";
import type { Hunk } from "../types/index.js";

export type Outcome = "accepted" | "rejected";

interface Decided {
  toolIds: readonly string[];
  outcome: Outcome;
}

/** The number of hunks whose decisions are remembered. */
const MOST = 2_000;
/** The decisions of this page, by the documents and the ids of the hunks. */
const decided = new WeakMap<object, Map<string, Decided>>();

/** Makes a decision, and remembers it for the hunks that are not pending any more. */
export function withOutcome<T>(document: { hunks(): Hunk[] }, act: () => T, outcome: Outcome): T {
  const before = document.hunks().filter(({ toolIds }) => toolIds.length);
  const result = act();
  if (!before.length) return result;
  const known = decided.get(document) ?? new Map<string, Decided>();
  decided.set(document, known);
  const pending = new Set(document.hunks().map(({ id }) => id));
  for (const { id, toolIds } of before) {
    if (pending.has(id)) continue;
    known.delete(id);
    known.set(id, { toolIds, outcome });
  }
  for (const id of [...known.keys()].slice(0, Math.max(0, known.size - MOST))) known.delete(id);
  return result;
}

/** Returns what was decided about hunks of these tool calls that are not pending: an acceptance counts before a
 * rejection. `undefined` if nothing is known. */
export function outcomeOf(document: object, toolIds: readonly string[]): Outcome | undefined {
  const shared = carrierOf(document)?.outcome(toolIds);
  if (shared) return shared;
  const own = [...(decided.get(document)?.values() ?? [])].filter((one) =>
    one.toolIds.some((id) => toolIds.includes(id)),
  );
  return own.find(({ outcome }) => outcome === "accepted")?.outcome ?? own[0]?.outcome;
}
