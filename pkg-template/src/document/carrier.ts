/** The interface of a document to a module that shares its hunks with other pages, such as `copydesk/suggestions`. */

import type { ChangedRange } from "./changed-ranges.js";
import type { Which } from "../types/index.js";

export interface Carrier {
  /** Called after a change of the document was reported to the wasm. `isLocal` is false if other participants made it. */
  followed(ranges: readonly ChangedRange[], isLocal: boolean): void;
  /** Calls `dispatch`, which makes a change that the wasm requests. */
  dispatching(dispatch: () => void): void;
  /** Called after a call of this page has added, changed or decided hunks. */
  reviewed(): void;
  /** Returns the hunks of a selection that the user may decide. Throws `not_permitted` if the user may decide none of them. */
  permitted(which: Which): Which;
  /** Returns what was decided, by whomever, about hunks of tool calls. */
  outcome(toolIds: readonly string[]): "accepted" | "rejected" | undefined;
  /** Returns true if the user may decide a hunk. */
  mayDecide(id: string): boolean;
}

/** Carriers by their documents. */
const carriers = new WeakMap<object, Carrier>();

/** Returns the carrier of a `Document`; `undefined` if its hunks are not shared. */
export function carrierOf(document: object): Carrier | undefined {
  return carriers.get(document);
}

export function setCarrier(document: object, carrier: Carrier): void {
  carriers.set(document, carrier);
}
