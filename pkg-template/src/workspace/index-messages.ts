/** The messages between a page and the worker of an index. */

import type { MessagePortLike, WasmModule } from "../base/platform.js";
import type { CheckKind } from "../types/index.js";
import type { ErrorData } from "../base/worker-error.js";
import type { ChangedFile } from "./index-engine.js";
import type { Query } from "./query.js";

/** Loads the wasm: a compiled module and the build that it is of. */
export interface StartIndex {
  copydesk: "index";
  build: "page" | "full" | "parts";
  module: WasmModule;
  /** Its later part, if it has one. */
  rest?: WasmModule;
  /** The messages of languages that the page has added, by tag. */
  languages: [tag: string, messages: object][];
}

/**
 * Makes a worker the one of regular expressions, which is ended when one takes too long. It gets the texts from the index
 * through the port: it sends "next", and the index a batch of files, or null at the end.
 */
export interface StartMatcher {
  copydesk: "matcher";
  port: MessagePortLike;
}

/** Asks the index for its texts. */
export interface ServeTexts {
  copydesk: "texts";
  port: MessagePortLike;
}

export type IndexRequest =
  | { type: "change"; files: ChangedFile[] }
  | { type: "search"; query: Query }
  | { type: "check"; kind: CheckKind; locale: string | undefined };

export type ToIndex = StartIndex | StartMatcher | ServeTexts | ({ copydesk: "request"; id: number } & IndexRequest);

export type FromIndex =
  | { type: "ready" }
  | { type: "failed"; reason: string }
  /** The search with a regular expression begins in this number of characters: its time runs. */
  | { type: "begun"; id: number; length: number }
  /** It has searched a part of them, and taken this number of milliseconds. */
  | { type: "going"; id: number; ms: number }
  | { type: "done"; id: number; result: unknown }
  | ({ type: "error"; id: number } & ErrorData);
