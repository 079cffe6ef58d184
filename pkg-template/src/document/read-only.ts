/** Documents whose editors are read-only: the user decides nothing, and agents change nothing. Calls of the app may. */

const checks = new WeakMap<object, () => boolean>();

/** Sets the function that returns true while the editor of a `Document` is read-only; null when the editor is destroyed, which
 * the function would keep. */
export function setReadOnly(document: object, isReadOnly: (() => boolean) | null): void {
  if (isReadOnly) checks.set(document, isReadOnly);
  else checks.delete(document);
}

/** Lets another object of the same document be read-only when it is. */
export function shareReadOnly(document: object, copy: object): void {
  checks.set(copy, () => isReadOnly(document));
}

/** Returns true while the editor of a document is read-only; false without an editor, or if it was destroyed. */
export function isReadOnly(document: object): boolean {
  return checks.get(document)?.() === true;
}
