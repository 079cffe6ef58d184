/** Loading the wasm, wherever the package has ended up: in a browser, behind a bundler, in Node. */

import { start, type Build } from "./build.js";
import { wasmIsLoaded } from "./calls.js";
import { CopydeskError } from "./error.js";
import * as glue from "./wasm/copydesk.js";

/** Where the wasm comes from: an address, a response, its bytes, or the compiled module. */
export type InitSource = URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** The build without what only few pages need. */
const standard: Build = {
  glue,
  file: () => new URL("./wasm/copydesk_bg.wasm", import.meta.url),
  copy: () => import("./wasm/copydesk_bg.base64.js"),
};

let loading: Promise<void> | undefined;
const started = new Map<Build, Promise<void>>();

/**
 * Loads the wasm; to be awaited once before anything else of copydesk is used. Later and simultaneous calls give
 * the same promise, whatever their source, and a failed attempt may be repeated.
 *
 * Without a source the file that comes with the package is used, and where that cannot be had (some development
 * servers move the JavaScript and leave the wasm behind) a copy of it in a JavaScript module of its own.
 *
 * `build` is the one to work with; `copydesk/recording` has another.
 *
 * A page with a Content-Security-Policy must allow `'wasm-unsafe-eval'` in `script-src`.
 *
 * @throws a {@link CopydeskError} with the code `wasm_load`, whose `cause` is what the browser said.
 */
export function init(source?: InitSource, build: Build = standard): Promise<void> {
  loading ??= load(build, source).then(
    () => wasmIsLoaded(build.glue),
    (failed: unknown) => {
      loading = undefined;
      throw failed;
    },
  );
  return loading;
}

/** Loads a build that is not loaded yet, and leaves open whether the page works with it. */
export function load(build: Build, source?: InitSource): Promise<void> {
  const loaded = started.get(build) ?? begin(build, source);
  started.set(build, loaded);
  return loaded;
}

async function begin(build: Build, source: InitSource | undefined): Promise<void> {
  try {
    await start(build, source === undefined ? await ownModule(build) : await compile(await source));
  } catch (cause) {
    started.delete(build);
    throw loadError(source, cause);
  }
}

async function ownModule({ file, copy }: Build): Promise<WebAssembly.Module> {
  try {
    return await compile(file());
  } catch (cause) {
    // No copy of the bytes gets past a policy that forbids to compile them.
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
  if (!source.ok) throw new Error(`${source.url} answered with status ${source.status}`);
  const type = source.headers.get("content-type")?.split(";")[0];
  if (type === "application/wasm") return WebAssembly.compileStreaming(source);
  if (type === "text/html") throw new Error(`${source.url} is a page of HTML, not the wasm`);
  return WebAssembly.compile(await source.arrayBuffer());
}

async function readFile(url: string): Promise<BufferSource> {
  // Bundlers for browsers must not look for it; a plain string in a constant is one they see through.
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

function loadError(source: InitSource | undefined, cause: unknown): CopydeskError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const wayOut = isForbidden(cause)
    ? "Add 'wasm-unsafe-eval' to script-src of the page's Content-Security-Policy."
    : cause instanceof WebAssembly.LinkError
      ? "The wasm and the JavaScript are of different versions: give init() the file of this version, and clear caches."
      : source === undefined
        ? "Serve the file that `copydesk/copydesk_bg.wasm` names, and give its address to init()."
        : "Give init() the address or the bytes of the file that `copydesk/copydesk_bg.wasm` names.";
  const message = `copydesk could not load its wasm: ${reason}. ${wayOut}`;
  return new CopydeskError({ code: "wasm_load", message, details: { reason } }, { cause });
}
