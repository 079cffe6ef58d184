/** The builds of the wasm, and their start. */

import { complete } from "./complete.js";
import { CopydeskError } from "../base/error.js";
import { onLanguage } from "../languages/languages.js";
import { loadMarkdown, markdownToHTML } from "../markdown/markdown.js";
import type { WasmModule } from "../base/platform.js";

type Page = typeof import("../wasm/page/copydesk.js");

/** The part of wasm-bindgen's JavaScript that all builds have. */
export type Glue = Pick<
  Page,
  | "AgentHandle"
  | "DocumentHandle"
  | "DocumentSource"
  | "FileIndex"
  | "estimateTokens"
  | "fencedText"
  | "loadCatalogs"
  | "onPanic"
  | "selectPaths"
  | "useMarkdown"
> & {
  readonly default: (given: { module_or_path: WasmModule }) => Promise<unknown>;
};

/** The source of a build's wasm. */
export type WasmSource = URL | WasmModule | ArrayBuffer;

/** A build of the wasm. */
export interface Build<G extends Glue = Glue> {
  readonly name: "page" | "full" | "parts";
  readonly glue: G;
  /** Returns its file in the package, or what an entry point has instead: the module, or the bytes. */
  readonly source: () => WasmSource | Promise<WasmSource>;
  /** Returns the file of its later part, if it has one. */
  readonly rest?: () => WasmSource | Promise<WasmSource>;
}

/** The part of wasm-bindgen's JavaScript that a build in two parts has. */
export type PartsGlue = Glue & Pick<typeof import("../wasm/parts/copydesk.js"), "partsAreComplete">;

/** A build in two parts. */
export type PartsBuild = Build<PartsGlue> & Required<Pick<Build, "rest">>;

/** The listeners for a panic of a build, and the panic after it has occurred. */
interface PanicState {
  error?: CopydeskError;
  readonly waiting: Set<(error: CopydeskError) => void>;
}

const panicStates = new WeakMap<Glue, PanicState>();
/** The exports of the first part of a build. */
const firstParts = new WeakMap<Glue, object>();

/** Starts a build with its compiled module. Called once per build. */
export async function start({ glue }: Build, module: WasmModule): Promise<void> {
  firstParts.set(glue, (await glue.default({ module_or_path: module })) as object);
  const state: PanicState = { waiting: new Set() };
  panicStates.set(glue, state);
  glue.useMarkdown(markdownToHTML, loadMarkdown);
  onLanguage(({ tag, messages }) => glue.loadCatalogs(tag, JSON.stringify(messages)));
  glue.onPanic((what: string) => {
    console.error(`copydesk: ${what}`);
    const message = `copydesk failed: ${what}. Applied edits are kept. Reload the page to continue, and please report this error.`;
    state.error = new CopydeskError({ code: "internal", message, details: {} });
    for (const tell of state.waiting) tell(state.error);
  });
}

/** Starts the later part of a build whose first part has started. Called once per build. */
export function startRest(glue: PartsGlue, module: WasmModule): Promise<void> {
  return complete(glue, firstParts.get(glue)!, module);
}

/** Returns a promise that settles as the given one, or rejects when the build panics. */
export function rejectOnPanic<T>(glue: Glue, promise: Promise<T>): Promise<T> {
  const state = panicStates.get(glue);
  if (!state) return promise;
  const { error, waiting } = state;
  if (error) return Promise.reject(error);
  // Promise.race with one promise per build would keep every result in memory.
  return new Promise<T>((resolve, reject) => {
    waiting.add(reject);
    promise.then(resolve, reject).finally(() => waiting.delete(reject));
  });
}
