/** The thread of an index: a worker of the browser or of Node. */

import { nodeModule } from "../loading/node-module.js";
import type { MessagePortLike, WebWorker } from "../base/platform.js";
import type { FromIndex, ToIndex } from "./index-messages.js";

/** A worker, in any runtime. */
export interface IndexThread {
  post(message: ToIndex, transfer?: MessagePortLike[]): void;
  /** Ends it at once, whatever it does. */
  terminate(): void;
  /** Lets Node exit while nothing is asked of it. */
  setBusy(isBusy: boolean): void;
}

interface Listeners {
  message(message: FromIndex): void;
  /** It did not load, or has failed. */
  failed(reason: string): void;
}

/** The part of Node's `Worker` that is used. */
interface NodeWorker {
  postMessage(message: unknown, transfer?: MessagePortLike[]): void;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
  on(type: "message" | "error" | "messageerror", listener: (given: unknown) => void): void;
}

/** Starts the worker that `create` returns; without it the one of the package. */
export async function startThread(create: (() => WebWorker) | undefined, listeners: Listeners): Promise<IndexThread> {
  if (create) return inBrowser(create(), listeners);
  if (globalThis.Worker) {
    // Bundlers recognise this expression.
    return inBrowser(new Worker(new URL("../index-worker.js", import.meta.url), { type: "module" }), listeners);
  }
  const { Worker: NodeThread } = await nodeModule<{ Worker: new (url: URL) => NodeWorker }>("worker_threads");
  // No such expression: bundlers would copy the script as a file without its imports.
  const beside = import.meta.url;
  const worker = new NodeThread(new URL(["..", "index-worker.js"].join("/"), beside));
  worker.unref();
  worker.on("message", (message) => listeners.message(message as FromIndex));
  worker.on("messageerror", () => listeners.failed("a message could not be read"));
  worker.on("error", (thrown) => listeners.failed(thrown instanceof Error ? thrown.message : String(thrown)));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => void worker.terminate(),
    setBusy: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
  };
}

function inBrowser(worker: Worker, listeners: Listeners): IndexThread {
  worker.addEventListener("message", ({ data }) => listeners.message(data as FromIndex));
  worker.addEventListener("messageerror", () => listeners.failed("a message could not be read"));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    listeners.failed(event.message || "its script could not be loaded");
  });
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer as Transferable[]),
    terminate: () => worker.terminate(),
    setBusy: () => {},
  };
}
