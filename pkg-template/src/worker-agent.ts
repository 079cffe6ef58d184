/** `copydesk/worker-agent`: an agent that runs in a Web Worker, with the editor in the page. */

import { Agent } from "./agent/agent.js";
import { check, members } from "./base/error.js";
import type { AgentOptions } from "./agent/options.js";
import { RemoteEngine } from "./worker-agent/remote-engine.js";

export interface WorkerOptions {
  /** The longest time in milliseconds that a run waits for the worker to load. Default: 30000. */
  loadTimeout?: number;
}

/**
 * Creates an agent whose run is in a worker: its requests, the decoding of answers, the conversation. The worker calls
 * `serveAgents(self)` of `copydesk/worker-agent/worker`, and may serve several agents. The document, the editor, and
 * the app's tools and hooks stay in the page.
 *
 * The agent has the interface and the events of any `Agent`. Await `init()` before. Dispose it when it is not needed
 * any more; that does not end the worker. If the worker does not load or stops, runs fail with `worker_load` or
 * `worker_stopped`.
 *
 * @throws CopydeskError as `new Agent(options)` does. `record` is not supported.
 */
export function createWorkerAgent(
  worker: Worker,
  options: AgentOptions,
  { loadTimeout = 30_000 }: WorkerOptions = {},
): Agent {
  const isWorker = typeof (worker as Partial<Worker> | null | undefined)?.postMessage === "function";
  check(isWorker, "worker", worker, 'a Worker: new Worker(url, { type: "module" })');
  check(loadTimeout > 0, "loadTimeout", loadTimeout, "a number of milliseconds");
  const { record } = members(options, "options");
  check(!record, "record", record, "left out: an agent in a worker cannot be recorded");
  return new Agent(options, (parts) => new RemoteEngine(worker, parts, loadTimeout));
}
