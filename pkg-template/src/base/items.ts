/** Small values that last across visits. */

/** A place for texts by name. */
export interface Items {
  /** Returns null if there is none. */
  get(name: string): string | null;
  /** Returns false if there is no room, or storage is disabled: the value is lost when the page is closed. */
  set(name: string, value: string): boolean;
  remove(name: string): void;
}

/** Keeps values in `localStorage`, with a prefix before their names. Where storage is disabled, nothing is kept and nothing
 * fails. */
export function localItems(prefix = "copydesk."): Items {
  return {
    get(name) {
      try {
        return localStorage.getItem(prefix + name);
      } catch {
        return null;
      }
    },
    set(name, value) {
      try {
        localStorage.setItem(prefix + name, value);
        return true;
      } catch {
        return false;
      }
    },
    remove(name) {
      try {
        localStorage.removeItem(prefix + name);
      } catch {
        // Nothing was kept.
      }
    },
  };
}
