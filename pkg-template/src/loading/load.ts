/** Loading of the wasm in browsers, bundlers and Node. */

import { start, startRest, type Build, type Glue, type PartsGlue, type WasmSource } from "./build.js";
import { guarded, restIsLoaded, wasmIsLoaded } from "../document/calls.js";
import { CopydeskError } from "../base/error.js";
import { unpack } from "./inlined.js";
import { readFile } from "./local-file.js";
import { parts } from "./parts.js";
import type { Bytes, WasmModule } from "../base/platform.js";
import { isPage } from "./runtime.js";

/** A source of the wasm: a URL, a response, its bytes, or the compiled module. */
export type InitSource = URL | string | Response | Promise<Response> | Bytes | WasmModule;

let loading: Promise<void> | undefined;
const started = new Map<Glue, Promise<void>>();
const modules = new Map<Glue, LoadedModule>();
/** The build that is used, if it has a later part. */
let inParts: Build | undefined;
let completing: Promise<void> | undefined;

/** The compiled module of a build, and its later part, if it has one. */
export interface LoadedModule {
  build: Build["name"];
  module: WasmModule;
  rest?: WasmModule;
}

/**
 * Loads the wasm. Await it once before anything else of copydesk is used. Later and simultaneous calls return
 * the same promise, whatever their parameters; a failed call can be repeated.
 *
 * `build` is the build to use, such as `full` of `copydesk/full`. Without it, the main thread of a browser uses the
 * page build; workers and runtimes like Node use the full build. A `source` without a `build` uses the build that it
 * contains.
 *
 * Without a `source` the file in the package is used. Where a server delivers JavaScript only, `copydesk/inline` has
 * the wasm in a JavaScript module: `init(undefined, page)`.
 *
 * A page with a Content-Security-Policy must allow `'wasm-unsafe-eval'` in `script-src`.
 *
 * @throws a {@link CopydeskError} with the code `wasm_load`, whose `cause` is the original error.
 */
export function init(source?: InitSource, build?: Build): Promise<void> {
  loading ??= use(source, build).catch((failed: unknown) => {
    loading = undefined;
    throw failed;
  });
  return loading;
}

/** Loads a build and makes it the current one. Without a build, the source or the runtime decides. */
async function use(source: InitSource | undefined, given: Build | undefined): Promise<void> {
  const module = source === undefined ? undefined : await compiled(source);
  const build = given ?? (await ownBuild(module ? isFull(module) : !isPage()));
  await load(build, module);
  inParts = build.rest && build;
  wasmIsLoaded(build.glue, !inParts);
}

/**
 * Loads the rest of a build in two parts (`copydesk/parts`), after `init()`; a build in one part needs nothing. Later and
 * simultaneous calls return the same promise; a failed call can be repeated. `source` is the file, if the package's own is
 * not served.
 *
 * @throws a {@link CopydeskError} with the code `wasm_load`, whose `cause` is the original error.
 */
export async function loadRest(source?: InitSource): Promise<void> {
  await init();
  if (!inParts) return;
  completing ??= useRest(inParts, source).catch((failed: unknown) => {
    completing = undefined;
    throw failed;
  });
  return completing;
}

/** Loads the later part of a build. */
async function useRest({ glue, rest }: Build, source: InitSource | undefined): Promise<void> {
  try {
    const module = await compile(await (source ?? rest!()));
    const loaded = modules.get(glue)!;
    checkPair(loaded.module as WebAssembly.Module, module);
    await startRest(glue as PartsGlue, module);
    loaded.rest = module;
  } catch (cause) {
    throw loadError(cause, source ? PASS_REST : SERVE_REST);
  }
  restIsLoaded();
}

/** Throws unless two modules are the parts of one build: others would read each other's memory in different ways. */
function checkPair(...modules: WebAssembly.Module[]): void {
  const [first, rest] = modules.map((module) => WebAssembly.Module.customSections(module, "copydesk_parts")[0]);
  const [one, other] = [first, rest].map((section) => section && String(new Uint8Array(section)));
  if (!one || one !== other)
    throw new WebAssembly.LinkError("it is not the later part of the file that init() has loaded");
}

/** Loads a build, if it is not loaded yet, without changing the current one. */
export function load(build: Build, module?: WasmModule): Promise<void> {
  const loaded = started.get(build.glue) ?? begin(build, module);
  started.set(build.glue, loaded);
  return loaded;
}

/** The compiled module of the current build, for a worker. Fails with `not_loaded` before `init()` has resolved. */
export async function loadedModule(): Promise<LoadedModule> {
  const loaded = guarded((glue) => modules.get(glue)) as LoadedModule;
  await loadRest();
  return loaded;
}

async function begin(build: Build, given: WebAssembly.Module | undefined): Promise<void> {
  try {
    const module = given ?? (await ownModule(build));
    await start(build, module);
    modules.set(build.glue, { build: build.name, module });
  } catch (cause) {
    started.delete(build.glue);
    throw loadError(cause, given ? PASS_SOURCE : SERVE_FILE);
  }
}

/** Loads the JavaScript of one of the package's builds only. */
async function ownBuild(full: boolean): Promise<Build> {
  try {
    return await (full ? parts().full() : parts().page());
  } catch (cause) {
    const remedy =
      typeof TextDecoder === "function"
        ? "In a worker, import `copydesk/worker`, which needs no dynamic import."
        : "This simulated page lacks parts of browsers: use jest-fixed-jsdom instead of jest-environment-jsdom, or " +
          "set globalThis.TextDecoder and TextEncoder from node:util.";
    throw loadError(cause, remedy);
  }
}

/** Returns whether a module is the full build, which alone can replay. */
function isFull(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.exports(module).some(({ name }) => name === "replayRecording");
}

async function compiled(source: InitSource): Promise<WebAssembly.Module> {
  try {
    return await compile(await source);
  } catch (cause) {
    throw loadError(cause, PASS_SOURCE);
  }
}

async function ownModule({ name, source }: Build): Promise<WebAssembly.Module> {
  try {
    return await compile(await source());
  } catch (cause) {
    const { copyOf } = parts();
    // A Content-Security-Policy that forbids compiling applies to the copy as well.
    if (!copyOf || name === "parts" || isForbidden(cause)) throw cause;
    const { default: base64 } = await copyOf(name);
    return WebAssembly.compile(await unpack(base64));
  }
}

async function compile(source: Awaited<InitSource> | WasmSource): Promise<WebAssembly.Module> {
  if (isModule(source)) return source as WebAssembly.Module;
  if (isURL(source)) {
    const file = String(source);
    return file.startsWith("file:") ? WebAssembly.compile(await readFile(file)) : compile(await fetch(file));
  }
  if (!isResponse(source)) return WebAssembly.compile(source as BufferSource);
  if (!source.ok) throw new Error(`${source.url} responded with status ${source.status}`);
  const type = source.headers.get("content-type")?.split(";")[0];
  if (type === "application/wasm" && WebAssembly.compileStreaming) return WebAssembly.compileStreaming(source);
  if (type === "text/html") throw new Error(`${source.url} is a page of HTML, not the wasm`);
  return WebAssembly.compile(await source.arrayBuffer());
}

// These judge by shape: simulated pages (jsdom) and edge functions have classes of another realm, or none.

function isModule(source: object | string): boolean {
  return Object.prototype.toString.call(source) === "[object WebAssembly.Module]";
}

function isURL(source: object | string): source is URL | string {
  return typeof source === "string" || typeof (source as Partial<URL>).href === "string";
}

function isResponse(source: object): source is Response {
  return typeof (source as Partial<Response>).arrayBuffer === "function";
}

function isForbidden(cause: unknown): boolean {
  if (!(cause instanceof WebAssembly.CompileError)) return false;
  return /content security policy|unsafe-eval|\bCSP\b/i.test(cause.message);
}

const FILES =
  "the file that `copydesk/copydesk_bg.wasm` (page build) or `copydesk/copydesk_full_bg.wasm` (full build) names";
const INLINE =
  "call init(undefined, page) with `page` from `copydesk/inline` (full build: `full` from `copydesk/full/inline`)";
const SERVE_FILE = `Serve ${FILES}, and pass its URL to init(); where a server delivers JavaScript only, ${INLINE}.`;
const REST = "the file that `copydesk/copydesk_later_bg.wasm` names";
const SERVE_REST = `Serve ${REST}, and pass its URL to loadRest().`;
const PASS_REST = `Pass loadRest() the URL or the bytes of ${REST}.`;
const PASS_SOURCE = `Pass init() the URL or the bytes of ${FILES}.`;

function loadError(cause: unknown, remedy: string): CopydeskError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (isForbidden(cause)) remedy = "Add 'wasm-unsafe-eval' to script-src of the page's Content-Security-Policy.";
  else if (cause instanceof WebAssembly.LinkError) {
    remedy =
      "The wasm and the JavaScript belong to different builds or versions. Pass init() the file of this build and " +
      "version, and clear caches.";
  }
  const message = `copydesk could not load its wasm: ${reason}. ${remedy}`;
  return new CopydeskError({ code: "wasm_load", message, details: { reason } }, { cause });
}
