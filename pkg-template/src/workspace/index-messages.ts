/** The messages between a page and the worker of an index. */

import type { WasmModule } from "../platform.js";
import type { CheckKind } from "../types.js";
import type { ChangedFile } from "./index-engine.js";
import type { Query } from "./query.js";

/** Loads the wasm: a compiled module and the build that it is of. */
export interface StartIndex {
  copydesk: "index";
  build: "page" | "full";
  module: WasmModule;
}

export type IndexRequest =
  | { type: "change"; files: ChangedFile[] }
  | { type: "search"; query: Query }
  | { type: "check"; kind: CheckKind; locale: string | undefined };

export type ToIndex = StartIndex | ({ copydesk: "request"; id: number } & IndexRequest);

export type FromIndex =
  | { type: "ready" }
  | { type: "failed"; reason: string }
  /** The search with a regular expression begins: its time runs. */
  | { type: "begun"; id: number }
  | { type: "done"; id: number; result: unknown }
  | { type: "error"; id: number; name: string; message: string; code?: string; details?: Record<string, unknown> };
