import type { Awareness } from "y-protocols/awareness";

/** What an agent does while it runs, as the others in a room see it. */
export type AgentActivity = "thinking" | "reading" | "writing";

const agents = new WeakMap<Awareness, Set<number>>();

/** Returns the clients that are agents of this page. */
export function ownAgentsOf(awareness: Awareness): Set<number> {
  const own = agents.get(awareness) ?? new Set();
  agents.set(awareness, own);
  return own;
}
