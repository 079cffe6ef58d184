/** The participants of a room, by their awareness. Any peer may have written it. */

import type { Awareness } from "y-protocols/awareness";
import { isObject } from "../base/json.js";
import { readAuthor } from "../suggestions/entry.js";
import type { AgentActivity } from "../suggestions/activity.js";
import type { Participant } from "./state.js";

/** The largest number of participants that are listed. */
const MOST = 100;
const ACTIVITIES: readonly unknown[] = ["thinking", "reading", "writing"];

/** Returns those who have a name, in the order of their clients: this person first. */
export function participantsOf(awareness: Awareness): Participant[] {
  const found = [...awareness.getStates()].flatMap(([client, state]): Participant[] => {
    const { user, agent } = (isObject(state) ? state : {}) as Record<string, unknown>;
    const activity = isObject(agent) ? (agent as Record<string, unknown>).activity : undefined;
    const author = readAuthor({ ...(user as object), kind: agent ? "agent" : "person" });
    if (!author?.name) return [];
    const isActivity = ACTIVITIES.includes(activity);
    const isSelf = client === awareness.clientID;
    return [{ ...author, client, isSelf, ...(isActivity && { activity: activity as AgentActivity }) }];
  });
  return found.sort((a, b) => Number(b.isSelf) - Number(a.isSelf) || a.client - b.client).slice(0, MOST);
}
