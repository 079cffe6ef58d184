/** Values in `localStorage`. Where storage is disabled, nothing is saved and nothing fails. */

const PREFIX = "copydesk.";

export function loadItem(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function saveItem(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // The value is lost when the page is closed.
  }
}

export function removeItem(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was saved.
  }
}
