// The page of editors, with agents in workers.
import "../editor/main.js";
import { createWorkerAgent } from "copydesk/worker-agent";

const newWorker = () => new Worker(new URL("./agent-worker.js", import.meta.url), { type: "module" });
const newBrokenWorker = () => new Worker(new URL("./broken-worker.js", import.meta.url), { type: "module" });

Object.assign(window, { createWorkerAgent, newBrokenWorker, newWorker, readyForWorkers: true });
