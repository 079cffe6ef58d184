/** `copydesk/workspace/worker`: the worker that searches and checks the files of a workspace. */

import { nodeModule } from "./node-module.js";
import { IndexedFiles } from "./workspace/index-engine.js";
import type { FromIndex, StartIndex, ToIndex } from "./workspace/index-messages.js";
import * as full from "./wasm/full/copydesk.js";
import * as page from "./wasm/page/copydesk.js";

/** The part of a worker's port that is used. */
interface Port {
  post(message: FromIndex): void;
  onMessage(listener: (message: ToIndex) => void): void;
}
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
  let files: IndexedFiles | undefined;
  port.onMessage((message) => {
    if (message?.copydesk === "index") {
      void start(message).then(
        (started) => {
          files = started;
          port.post({ type: "ready" });
        },
        (thrown: unknown) => port.post({ type: "failed", reason: String(thrown) }),
      );
    } else if (message?.copydesk === "request" && files) {
      const isLimited = message.type === "search" && message.query.regex;
      if (isLimited) port.post({ type: "begun", id: message.id });
      port.post(answer(files, message));
    }
  });
}

async function start({ build, module }: StartIndex): Promise<IndexedFiles> {
  const glue = build === "full" ? full : page;
  await glue.default({ module_or_path: module });
  return new IndexedFiles(new glue.FileIndex());
}

function answer(files: IndexedFiles, message: Extract<ToIndex, { copydesk: "request" }>): FromIndex {
  const { id } = message;
  try {
    switch (message.type) {
      case "change":
        return { type: "done", id, result: files.change(message.files) };
      case "search":
        return { type: "done", id, result: files.search(message.query) };
      case "check":
        return { type: "done", id, result: files.check(message.kind, message.locale) };
    }
  } catch (thrown) {
    // Errors lose their members on the way to the page.
    const {
      name,
      message: text,
      code,
      details,
    } = thrown as Error & { code?: string; details?: Record<string, unknown> };
    return { type: "error", id, name, message: text, ...(code ? { code, details: details ?? {} } : {}) };
  }
}
