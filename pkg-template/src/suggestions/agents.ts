/** The agents among the participants of rooms. */

import type { Awareness } from "y-protocols/awareness";

/** The most UTF-16 code units of a text that others see while an agent writes it. */
const MOST_TEXT = 2_000;
const own = new WeakMap<Awareness, Set<number>>();

/** Returns the clients that are agents of this page. */
export function ownAgentsOf(awareness: Awareness): Set<number> {
  const agents = own.get(awareness) ?? new Set();
  own.set(awareness, agents);
  return agents;
}

/** Returns the end of a text that an agent writes, with an ellipsis before it if there is more. */
export function shownEnd(text: string): string {
  if (text.length <= MOST_TEXT) return text;
  // No half of a character outside of the Basic Multilingual Plane.
  return `…${text.slice(1 - MOST_TEXT).replace(/^[\udc00-\udfff]/, "")}`;
}
