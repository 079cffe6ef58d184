/** Values in `localStorage`, and for the visit in `sessionStorage`. Where storage is disabled, nothing is saved and nothing
 * fails. */

const PREFIX = "copydesk.";

export function loadItem(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Returns false if there is no room, or storage is disabled: the value is lost when the page is closed. */
export function saveItem(name: string, value: string): boolean {
  try {
    localStorage.setItem(PREFIX + name, value);
    return true;
  } catch {
    return false;
  }
}

export function removeItem(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was saved.
  }
}

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
