/** Builds of the wasm: the one that comes with the package, and the larger one that can record (`copydesk/recording`). */

import { CopydeskError } from "./error.js";
import { loadMarkdown, markdownToHTML } from "./markdown.js";

type Standard = typeof import("./wasm/copydesk.js");

/** What wasm-bindgen wrote beside a build, as far as all builds have it. */
export type Glue = Pick<Standard, "AgentHandle" | "DocumentHandle" | "onPanic" | "useMarkdown"> & {
  readonly default: (given: { module_or_path: WebAssembly.Module }) => Promise<unknown>;
};

/** One build of the wasm. */
export interface Build {
  readonly glue: Glue;
  /** Its file, in the package. */
  readonly file: () => URL;
  /** A copy of it in a JavaScript module, for where the file cannot be had. */
  readonly copy: () => Promise<{ default: string }>;
}

const stops = new WeakMap<Glue, Promise<never>>();

/** Starts a build with its compiled module, once. */
export async function start({ glue }: Build, module: WebAssembly.Module): Promise<void> {
  await glue.default({ module_or_path: module });
  let stop: (error: CopydeskError) => void;
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  // Most of the time nobody waits for it.
  stopped.catch(() => {});
  stops.set(glue, stopped);
  glue.useMarkdown(markdownToHTML, loadMarkdown);
  glue.onPanic((what: string) => {
    console.error(`copydesk: ${what}`);
    const message = `copydesk failed: ${what}. What was written is kept; reload the page to go on, and please report this.`;
    stop(new CopydeskError({ code: "internal", message, details: {} }));
  });
}

/** Rejects when a build that was started has panicked; after that it answers nothing. None while it was not started. */
export function stopOf(glue: Glue): Promise<never> | undefined {
  return stops.get(glue);
}
