/** Types of the platform that TypeScript has only with the library of the DOM, which projects for Node do without. */

/** `WebAssembly.Module`, or any object in a project without the types of the DOM. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

/** `BufferSource` of the DOM. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** `Worker` of browsers. */
export type WebWorker = typeof globalThis extends { Worker: { prototype: infer Worker } } ? Worker : object;

/** `FileSystemDirectoryHandle`. */
export type DirectoryHandle = typeof globalThis extends { FileSystemDirectoryHandle: { prototype: infer Handle } }
  ? Handle
  : object;

/** The part of `MessagePort` that is used, of browsers and of Node. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  close(): void;
}
