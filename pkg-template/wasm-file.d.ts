import type { WasmModule } from "./base/platform.js";

/** A wasm file of the package as a bundler or runtime gives it: its URL, its bytes, or the compiled module. */
declare const file: string | URL | ArrayBuffer | WasmModule;
export default file;
