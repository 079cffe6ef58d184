/** The runtime that this code runs in. */

/** As much of Node's `process` as is looked at. Deno and Bun have it too, and so has Electron. */
interface Process {
  readonly type?: string;
  readonly versions?: { readonly node?: string };
}

/** Returns whether this is the main thread of a browser: not a worker, and not a runtime like Node, even if it imitates a page. */
export function isPage(): boolean {
  if (typeof globalThis.document !== "object" || typeof globalThis.DOMParser !== "function") return false;
  const { process } = globalThis as { process?: Process };
  // A window of Electron may have Node beside the page.
  if (process?.versions?.node && process.type !== "renderer") return false;
  return !/jsdom|happydom/i.test(globalThis.navigator?.userAgent ?? "");
}
