/** One tab at a time edits the document. A tab holds a Web Lock as long as it does. */

const LOCK = "copydesk.document";
/** Time in which the other tab saves the document and releases it, in milliseconds. */
const PATIENCE = 2000;

const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(LOCK) : null;

/**
 * Returns true if this tab may edit the document. `onRelease` is called when another tab takes it over; the lock is
 * released when its promise settles. Browsers without Web Locks give it to every tab.
 */
export function claim(onRelease: () => Promise<void>): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    let isHeld = false;
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      isHeld = lock !== null;
      resolve(isHeld);
      if (!lock) return undefined;
      return new Promise((release) => {
        channel?.addEventListener("message", () => void onRelease().finally(release), { once: true });
      });
    };
    // Rejects if the lock is stolen, or if the browser does not allow locks.
    navigator.locks.request(LOCK, { ifAvailable: true }, hold).catch(() => (isHeld ? onRelease() : resolve(true)));
  });
}

/** Waits until the other tab has saved the document; a tab that does not answer loses it. */
export async function takeOver(): Promise<void> {
  channel?.postMessage("take");
  const nothing = async () => {};
  try {
    await navigator.locks.request(LOCK, { signal: AbortSignal.timeout(PATIENCE) }, nothing);
  } catch {
    await navigator.locks.request(LOCK, { steal: true }, nothing);
  }
}
