/** The agents of this page among the participants of rooms. */

import type { Awareness } from "y-protocols/awareness";

const agents = new WeakMap<Awareness, Set<number>>();

/** Returns the clients that are agents of this page. */
export function ownAgentsOf(awareness: Awareness): Set<number> {
  const own = agents.get(awareness) ?? new Set();
  agents.set(awareness, own);
  return own;
}
