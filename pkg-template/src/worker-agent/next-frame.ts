/** The next frame of a page. */

/** Calls `run` in the next frame; at once in a page that is hidden, which has no frames. */
export function nextFrame(run: () => void): void {
  const { document } = globalThis;
  if (typeof requestAnimationFrame !== "function" || document?.visibilityState !== "visible") return run();
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    document.removeEventListener("visibilitychange", once);
    run();
  };
  document.addEventListener("visibilitychange", once);
  requestAnimationFrame(once);
}
