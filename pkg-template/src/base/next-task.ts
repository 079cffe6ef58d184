/** A pause that lets the browser do other things. */

const waiting: (() => void)[] = [];
let port: MessagePort | undefined;

/** Resolves in a new task. Not by a timer: timers of a hidden tab are delayed by up to a second. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    try {
      startTask(resolve);
    } catch {
      // Simulated pages (jsdom) have neither, and those of edge functions (Next) throw. No tab of theirs is hidden.
      setTimeout(resolve);
    }
  });
}

function startTask(run: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => void };
  if (setImmediate) return setImmediate(run);
  port ??= openPort();
  waiting.push(run);
  port.postMessage(null);
}

function openPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => waiting.shift()?.();
  // Node's port would keep the process alive.
  (port1 as { unref?: () => void }).unref?.();
  return port2;
}
