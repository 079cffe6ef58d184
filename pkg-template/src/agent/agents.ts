/** The agents of each document. */

import type { Document } from "../document/document.js";
import type { PositionRange } from "../types/document.js";
import type { AgentEvent, RunResult } from "../types/agent.js";

/** The part of `Agent` that actions use. Its module imports this one, so the class cannot be named here. */
export interface ActingAgent {
  readonly isRunning: boolean;
  prompt(input: string, images?: undefined, options?: { scope?: PositionRange }): Promise<RunResult>;
  subscribe(listener: (event: AgentEvent) => void): () => void;
  abort(): void;
}

/** Weak, so that an unreferenced agent can be collected. */
const agents = new WeakMap<Document, WeakRef<ActingAgent>[]>();

/** Adds an agent to those of a document. */
export function addAgent(document: Document, agent: ActingAgent): void {
  agents.set(document, [...listed(document), new WeakRef(agent)]);
}

/** Removes an agent that was disposed. */
export function removeAgent(document: Document, agent: ActingAgent): void {
  agents.set(
    document,
    listed(document).filter((ref) => ref.deref() !== agent),
  );
}

/** Returns the agent that was created last for a document and is not disposed. */
export function agentOf(document: Document): ActingAgent | undefined {
  return listed(document).at(-1)?.deref();
}

function listed(document: Document): WeakRef<ActingAgent>[] {
  return (agents.get(document) ?? []).filter((ref) => ref.deref());
}
