/** Builds of the wasm: what they have in common, and how one is started. */

import { CopydeskError } from "./error.js";
import { loadMarkdown, markdownToHTML } from "./markdown.js";

type Page = typeof import("./wasm/page/copydesk.js");

/** The JavaScript that wasm-bindgen wrote beside a build, as far as all builds have it. */
export type Glue = Pick<Page, "AgentHandle" | "DocumentHandle" | "onPanic" | "useMarkdown"> & {
  readonly default: (given: { module_or_path: WebAssembly.Module }) => Promise<unknown>;
};

/** One build of the wasm. */
export interface Build<G extends Glue = Glue> {
  readonly glue: G;
  /** Returns the URL of its file in the package. */
  readonly file: () => URL;
  /** Loads a copy of it in a JavaScript module, for where the file cannot be had. */
  readonly copy: () => Promise<{ default: string }>;
}

/** The listeners for a panic of a build, and the panic itself once it has occurred. */
interface Stop {
  error?: CopydeskError;
  readonly waiting: Set<(error: CopydeskError) => void>;
}

const stops = new WeakMap<Glue, Stop>();

/** Starts a build with its compiled module. To be called once for each build. */
export async function start({ glue }: Build, module: WebAssembly.Module): Promise<void> {
  await glue.default({ module_or_path: module });
  const stop: Stop = { waiting: new Set() };
  stops.set(glue, stop);
  glue.useMarkdown(markdownToHTML, loadMarkdown);
  glue.onPanic((what: string) => {
    console.error(`copydesk: ${what}`);
    const message = `copydesk failed: ${what}. What was written is kept; reload the page to go on, and please report this.`;
    stop.error = new CopydeskError({ code: "internal", message, details: {} });
    for (const tell of stop.waiting) tell(stop.error);
  });
}

/** Returns a promise that settles as the given one, or rejects when the build panics. */
export function unlessStopped<T>(glue: Glue, promise: Promise<T>): Promise<T> {
  const stop = stops.get(glue);
  if (!stop) return promise;
  const { error, waiting } = stop;
  if (error) return Promise.reject(error);
  // No race with one promise of the build: that would keep the outcome of each for as long as the page lives.
  return new Promise<T>((resolve, reject) => {
    waiting.add(reject);
    promise.then(resolve, reject).finally(() => waiting.delete(reject));
  });
}
