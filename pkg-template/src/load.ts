/** Loading of the wasm in browsers, bundlers and Node. */

import { start, type Build } from "./build.js";
import { wasmIsLoaded } from "./calls.js";
import { CopydeskError } from "./error.js";
import { isPage } from "./runtime.js";

/** A source of the wasm: a URL, a response, its bytes, or the compiled module. */
export type InitSource = URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module;

let loading: Promise<void> | undefined;
const started = new Map<Build, Promise<void>>();

/**
 * Loads the wasm. Await it once before anything else of copydesk is used. Later and simultaneous calls return
 * the same promise, whatever their parameters; a failed call can be repeated.
 *
 * `build` is the build to use, such as `full` of `copydesk/full`. Without it, the main thread of a browser uses the page build;
 * workers and runtimes like Node use the full build. A `source` without a `build` uses the build that it contains.
 *
 * Without a `source` the file in the package is used, or a copy of it in a JavaScript module where the file cannot be loaded (some
 * development servers move the JavaScript and leave the wasm behind).
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
  wasmIsLoaded(build.glue);
}

/** Loads a build, if it is not loaded yet, without changing the current one. */
export function load(build: Build, module?: WebAssembly.Module): Promise<void> {
  const loaded = started.get(build) ?? begin(build, module);
  started.set(build, loaded);
  return loaded;
}

async function begin(build: Build, module: WebAssembly.Module | undefined): Promise<void> {
  try {
    await start(build, module ?? (await ownModule(build)));
  } catch (cause) {
    started.delete(build);
    throw loadError(cause, module ? PASS_SOURCE : SERVE_FILE);
  }
}

/** Loads the JavaScript of one of the package's builds only. */
async function ownBuild(full: boolean): Promise<Build> {
  try {
    return full ? (await import("./full-build.js")).full : (await import("./page-build.js")).page;
  } catch (cause) {
    // Service workers do not support dynamic import.
    throw loadError(cause, "Import `full` from `copydesk/full` and call init(undefined, full).");
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

async function ownModule({ file, copy }: Build): Promise<WebAssembly.Module> {
  try {
    return await compile(file());
  } catch (cause) {
    // A Content-Security-Policy that forbids compiling applies to the copy as well.
    if (isForbidden(cause)) throw cause;
    const { default: base64 } = await copy();
    return WebAssembly.compile(await unpack(base64));
  }
}

async function compile(source: Awaited<InitSource>): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === "string") {
    const file = String(source);
    return file.startsWith("file:") ? WebAssembly.compile(await readFile(file)) : compile(await fetch(file));
  }
  if (!(source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw new Error(`${source.url} responded with status ${source.status}`);
  const type = source.headers.get("content-type")?.split(";")[0];
  if (type === "application/wasm") return WebAssembly.compileStreaming(source);
  if (type === "text/html") throw new Error(`${source.url} is a page of HTML, not the wasm`);
  return WebAssembly.compile(await source.arrayBuffer());
}

async function readFile(url: string): Promise<BufferSource> {
  // Hides the import from bundlers for browsers; they would resolve a string literal.
  const fs = new URL("node:fs/promises").href;
  const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ fs);
  return readFile(new URL(url));
}

async function unpack(base64: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

function isForbidden(cause: unknown): boolean {
  return cause instanceof WebAssembly.CompileError && /content security policy|unsafe-eval|\bCSP\b/i.test(cause.message);
}

const FILES = "the file that `copydesk/copydesk_bg.wasm` (page build) or `copydesk/copydesk_full_bg.wasm` (full build) names";
const SERVE_FILE = `Serve ${FILES}, and pass its URL to init().`;
const PASS_SOURCE = `Pass init() the URL or the bytes of ${FILES}.`;

function loadError(cause: unknown, remedy: string): CopydeskError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (isForbidden(cause)) remedy = "Add 'wasm-unsafe-eval' to script-src of the page's Content-Security-Policy.";
  else if (cause instanceof WebAssembly.LinkError) {
    remedy = "The wasm and the JavaScript belong to different builds or versions. Pass init() the file of this build and version, and clear caches.";
  }
  const message = `copydesk could not load its wasm: ${reason}. ${remedy}`;
  return new CopydeskError({ code: "wasm_load", message, details: { reason } }, { cause });
}
