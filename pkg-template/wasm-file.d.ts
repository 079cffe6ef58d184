import type { WasmModule } from "./platform.js";

/** What a bundler or runtime gives for a wasm file of the package: its URL, its bytes, or the compiled module. */
declare const file: string | URL | ArrayBuffer | WasmModule;
export default file;
