/** The state of a log, for health checks. */

import type { RunLog } from "./run-log.js";

/** The time in milliseconds in which a log has to answer. */
const WITHIN = 2_000;

/** Asks a log for a run that is not there. */
export async function stateOf(log: RunLog | undefined): Promise<"none" | "ok" | "failed"> {
  if (!log) return "none";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"failed">((resolve) => (timer = setTimeout(() => resolve("failed"), WITHIN)));
  const asked = log.find("health").then(
    () => "ok" as const,
    () => "failed" as const,
  );
  const state = await Promise.race([asked, late]);
  clearTimeout(timer);
  return state;
}
