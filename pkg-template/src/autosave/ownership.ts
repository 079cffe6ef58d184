/** One tab at a time edits a document. A tab holds a Web Lock as long as it does. */

/** Time in which the other tab saves the document and releases it, in milliseconds. */
const PATIENCE = 2000;

const channelOf = (lock: string) => (typeof BroadcastChannel === "function" ? new BroadcastChannel(lock) : null);

/**
 * Returns true if this tab may edit the document. `onRelease` is called when another tab takes it over; the lock is
 * released when its promise settles, or by `signal`. Browsers without Web Locks give it to every tab.
 */
export function claim(lock: string, onRelease: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    let isHeld = false;
    const hold = (held: Lock | null): Promise<void> | undefined => {
      isHeld = held !== null;
      resolve(isHeld);
      if (!held) return undefined;
      return new Promise((release) => {
        const channel = channelOf(lock);
        const released = () => {
          channel?.close();
          release();
        };
        signal.addEventListener("abort", released, { once: true });
        channel?.addEventListener("message", () => void onRelease().finally(released), { once: true });
      });
    };
    // Rejects if the lock is stolen, or if the browser does not allow locks.
    navigator.locks.request(lock, { ifAvailable: true }, hold).catch(() => (isHeld ? onRelease() : resolve(true)));
  });
}

/** Waits until the other tab has saved the document; a tab that does not answer loses it. */
export async function takeOver(lock: string): Promise<void> {
  const channel = channelOf(lock);
  channel?.postMessage("take");
  channel?.close();
  const nothing = async () => {};
  try {
    await navigator.locks.request(lock, { signal: AbortSignal.timeout(PATIENCE) }, nothing);
  } catch {
    await navigator.locks.request(lock, { steal: true }, nothing);
  }
}
