/** Back-pressure: the consumer of an agent's events holds back what the agent reads from the model. */

import type { Document } from "../document/document.js";

/** Returns a promise to wait for before the next read, or nothing. */
export type ReadGate = () => Promise<void> | undefined;

const gates = new WeakMap<Document, ReadGate>();

/** Sets the gate of the agents that are created for a document afterwards; undefined removes it. */
export function setReadGate(document: Document, gate: ReadGate | undefined): void {
  if (gate) gates.set(document, gate);
  else gates.delete(document);
}

export function readGateOf(document: Document): ReadGate | undefined {
  return gates.get(document);
}
