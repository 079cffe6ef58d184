/** The state of a room. These types do without Yjs, which pages without rooms do not have. */

import type { AgentActivity } from "../suggestions/activity.js";
import type { Author } from "../types/index.js";

export interface Participant extends Author {
  /** The client in the awareness. */
  client: number;
  /** True for the person at this page. */
  isSelf: boolean;
  /** The current activity of an agent. */
  activity?: AgentActivity;
}

export interface RoomState {
  /** True while the server answers; `undefined` without a server. */
  readonly isConnected: boolean | undefined;
  /** Those who are in the room: the person at this page first. Names are text, never HTML. */
  readonly participants: readonly Participant[];
  /** Calls `listener` after each change of the participants or the connection. Returns the function that ends this. */
  readonly subscribe: (listener: () => void) => () => void;
}
