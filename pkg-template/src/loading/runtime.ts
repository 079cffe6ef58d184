/** The runtime that this code runs in. */

/** The part of Node's `process` that is used. Deno, Bun and Electron have it too. */
interface Process {
  readonly type?: string;
  readonly versions?: { readonly node?: string };
}

/** Returns whether this is the main thread of a browser: not a worker, and not a runtime like Node, even with a
 * simulated page. */
export function isPage(): boolean {
  if (typeof globalThis.document !== "object" || typeof globalThis.DOMParser !== "function") return false;
  const { process } = globalThis as { process?: Process };
  // A window of Electron may have Node's `process`.
  if (process?.versions?.node && process.type !== "renderer") return false;
  return !/jsdom|happydom/i.test(globalThis.navigator?.userAgent ?? "");
}
