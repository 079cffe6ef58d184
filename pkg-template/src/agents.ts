/** The agents of each document. */

import type { Agent } from "./agent.js";
import type { Document } from "./document.js";

/** Weak, so that an unreferenced agent can be collected. */
const agents = new WeakMap<Document, WeakRef<Agent>[]>();

/** Adds an agent to those of a document. */
export function addAgent(document: Document, agent: Agent): void {
  agents.set(document, [...listed(document), new WeakRef(agent)]);
}

/** Removes an agent that was disposed. */
export function removeAgent(document: Document, agent: Agent): void {
  agents.set(document, listed(document).filter((ref) => ref.deref() !== agent));
}

/** Returns the agent that was created last for a document and is not disposed. */
export function agentOf(document: Document): Agent | undefined {
  return listed(document).at(-1)?.deref();
}

function listed(document: Document): WeakRef<Agent>[] {
  return (agents.get(document) ?? []).filter((ref) => ref.deref());
}
