/** Documents whose editors are read-only: the user decides nothing, and agents change nothing. Calls of the app may. */

const checks = new WeakMap<object, () => boolean>();

/** Sets the function that returns true while the editor of a `Document` is read-only. */
export function setReadOnly(document: object, isReadOnly: () => boolean): void {
  checks.set(document, isReadOnly);
}

/** Gives another object of the same document the same function. */
export function shareReadOnly(document: object, copy: object): void {
  const check = checks.get(document);
  if (check) checks.set(copy, check);
}

/** Returns true while the editor of a document is read-only; false without an editor, or if it was destroyed. */
export function isReadOnly(document: object): boolean {
  return checks.get(document)?.() === true;
}
