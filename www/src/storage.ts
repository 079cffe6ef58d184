/** Values in `localStorage`, and for the visit in `sessionStorage`. Where storage is disabled, nothing is saved and nothing
 * fails. */
import { localItems } from "copydesk/additions";

const PREFIX = "copydesk.";
export const items = localItems(PREFIX);
const { get, set, remove } = items;

/** The functions for values that last across visits. */
export { get as loadItem, set as saveItem, remove as removeItem };

export function loadForVisit(name: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Saves a value until the tab is closed. */
export function saveForVisit(name: string, value: string): void {
  try {
    sessionStorage.setItem(PREFIX + name, value);
  } catch {
    // It is lost when the page is loaded again.
  }
}
