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

/** The messages of the wasm in one language, by crate, as `xtask/js/languages.mjs` writes them into the package. */
declare module "*/wasm-messages.js" {
  const messages: Readonly<Record<string, readonly string[]>>;
  export default messages;
}
