/** Modules that runtimes give as compiled wasm. */

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

/** Node's class for pages, by the path of the package's file: Node has a module of the same name. */
declare module "buffer/index.js" {
  export const Buffer: unknown;
}
