/** The state of the extension, and of its plugin. */

import { PluginKey } from "@tiptap/pm/state";
import type { CopydeskError } from "../base/error.js";

/** The state of the extension. */
export interface GhostTextState {
  /** `waiting` for the end of a pause, or for the model. `failed`: nothing is asked until the next key; after a failure that
   * only settings can mend, until `setGhostText(true)`. */
  readonly status: "off" | "idle" | "waiting" | "shown" | "failed";
  /** The text that is shown. */
  readonly text: string;
  readonly error: CopydeskError | null;
}

/** A text that is shown at a position. */
export interface Ghost {
  readonly at: number;
  readonly text: string;
}

/** Marks the transaction that inserts a text that was shown. */
export const ACCEPTED = "copydeskGhostAccepted";

export const ghostKey = new PluginKey<Ghost | null>("copydeskGhostText");
