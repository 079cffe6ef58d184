/**
 * `copydesk/workspace/worker`: the worker that searches and checks the files of a workspace. Its first message says whether
 * it is the one of the index, or the one of regular expressions.
 */

import { nodeModule } from "./loading/node-module.js";
import type { MessagePortLike } from "./base/platform.js";
import { complete } from "./loading/complete.js";
import { IndexedFiles, Matcher, type ChangedFile } from "./workspace/index-engine.js";
import type { FromIndex, StartIndex, ToIndex } from "./workspace/index-messages.js";
import type { Query } from "./workspace/query.js";
import type { FileSearchResult } from "./types/index.js";
import { dataOf } from "./base/worker-error.js";
import * as full from "./wasm/full/copydesk.js";
import * as page from "./wasm/page/copydesk.js";
import * as parts from "./wasm/parts/copydesk.js";

/** The part of a worker's port that is used. */
interface Port {
  post(message: FromIndex): void;
  onMessage(listener: (message: ToIndex) => void): void;
}
type Files = IndexedFiles | Matcher;

/** The part of Node's `parentPort` that is used. */
interface NodePort {
  postMessage(message: unknown): void;
  on(type: "message", listener: (message: unknown) => void): void;
}
/** The part of a worker's global scope that is used. */
interface Scope {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
}

const { self } = globalThis as { self?: Partial<Scope> };

// At once in browsers: the first message may be waiting.
if (typeof self?.postMessage === "function") {
  const scope = self as Scope;
  serve({
    post: (message) => scope.postMessage(message),
    onMessage: (listener) => scope.addEventListener("message", ({ data }) => listener(data as ToIndex)),
  });
} else {
  void nodeModule<{ parentPort: NodePort }>("worker_threads").then(({ parentPort }) =>
    serve({
      post: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on("message", (message) => listener(message as ToIndex)),
    }),
  );
}

function serve(port: Port): void {
  let files: Files | undefined;
  port.onMessage((message) => {
    switch (message?.copydesk) {
      case "index":
      case "matcher":
        void (message.copydesk === "index" ? start(message) : fetched(message.port)).then(
          (started) => {
            files = started;
            port.post({ type: "ready" });
          },
          (thrown: unknown) => port.post({ type: "failed", reason: String(thrown) }),
        );
        break;
      case "texts":
        if (files instanceof IndexedFiles) serveTexts(files, message.port);
        break;
      case "request":
        if (files) port.post(answer(files, message, port));
    }
  });
}

/** Sends the texts of an index, a batch each time that the matcher asks for one. */
function serveTexts(files: IndexedFiles, port: MessagePortLike): void {
  const batches = files.batches()[Symbol.iterator]();
  port.onmessage = () => port.postMessage(batches.next().value ?? null);
}

/** Returns a matcher with the texts that the index sends. */
function fetched(port: MessagePortLike): Promise<Matcher> {
  const matcher = new Matcher();
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => {
      if (data === null) {
        port.close();
        return resolve(matcher);
      }
      matcher.change(data as ChangedFile[]);
      port.postMessage("next");
    };
    port.postMessage("next");
  });
}

async function start({ build, module, rest, languages }: StartIndex): Promise<IndexedFiles> {
  const glue = { full, page, parts }[build];
  const first = await glue.default({ module_or_path: module });
  if (rest) await complete(parts, first as object, rest);
  for (const [tag, messages] of languages) glue.loadCatalogs(tag, JSON.stringify(messages));
  return new IndexedFiles(new glue.FileIndex());
}

function answer(files: Files, message: Extract<ToIndex, { copydesk: "request" }>, port: Port): FromIndex {
  const { id } = message;
  try {
    switch (message.type) {
      case "change":
        return { type: "done", id, result: files.change(message.files) };
      case "search":
        return { type: "done", id, result: search(files, message.query, id, port) };
      case "check":
        return { type: "done", id, result: (files as IndexedFiles).check(message.kind, message.locale) };
    }
  } catch (thrown) {
    return { type: "error", id, ...dataOf(thrown) };
  }
}

function search(files: Files, query: Query, id: number, port: Port): FileSearchResult {
  if (files instanceof IndexedFiles) return files.search(query);
  const start = performance.now();
  const begun = (length: number) => port.post({ type: "begun", id, length });
  return files.search(query, begun, () => port.post({ type: "going", id, ms: performance.now() - start }));
}
