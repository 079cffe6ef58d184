/** The later part of a build in two parts. */

import type { WasmModule } from "../base/platform.js";

/** Starts the later part with what the first one exports: they have one memory and one table of functions. */
export async function complete(glue: { partsAreComplete(): void }, first: object, module: WasmModule): Promise<void> {
  await WebAssembly.instantiate(module as WebAssembly.Module, { __wasm_split: first as WebAssembly.ModuleImports });
  glue.partsAreComplete();
}
