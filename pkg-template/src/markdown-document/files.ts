/** Opens and saves Markdown files in a worker, so that the page stays responsive meanwhile. */

import type { Schema } from "@tiptap/pm/model";
import { readInput } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import type { WebWorker } from "../base/platform.js";
import type { NodeJSON } from "../types/index.js";
import { errorOf } from "../base/worker-error.js";
import { messageOf } from "./compare.js";
import { inTasks, join, split, type Slice } from "./json-slices.js";
import type { FromMarkdown, ReadParts, ToMarkdown, WrittenParts } from "./messages.js";
import { checkSource, readMarkdown, type OpenedMarkdown } from "./opened.js";
import { portable, type PortableSchema } from "./portable-schema.js";
import { openLater, sourceOf } from "./source-parts.js";
import { writeMarkdown, type WriteMarkdownOptions, type WrittenMarkdown } from "./write.js";

/** The milliseconds that the worker may take to load. */
const LONGEST_START = 30_000;

export interface MarkdownFilesOptions {
  /** Creates the worker, whose script imports `copydesk/markdown/worker`. Default: the script in the package. */
  worker?: () => WebWorker;
}

/**
 * Opens and saves files of one schema in a worker. Without one (in Node, where it does not load, and for a schema whose
 * `leafText` or `validate` are functions) it does so in this thread.
 */
export class MarkdownFiles {
  readonly #schema: Schema;
  readonly #create: (() => WebWorker) | undefined;
  #thread: Promise<MarkdownThread | undefined> | undefined;
  #isClosed = false;

  constructor(schema: Schema, { worker }: MarkdownFilesOptions = {}) {
    this.#schema = schema;
    this.#create = worker;
  }

  /** Reads a file, like `readMarkdown`. */
  async read(source: string): Promise<OpenedMarkdown> {
    checkSource(source, this.#schema);
    const parts = await this.#ask<ReadParts>({ type: "read", source });
    return parts ? this.#opened(source, parts) : readMarkdown(source, this.#schema);
  }

  /**
   * Writes a document, like `writeMarkdown`, into a file that was opened here or by `readMarkdown`. `json` must not change
   * until it is written.
   */
  async write(opened: OpenedMarkdown, json: NodeJSON, options: WriteMarkdownOptions = {}): Promise<WrittenMarkdown> {
    const source = sourceOf(opened);
    const { ignoredAttributes: ignored, ...rest } = options;
    // A copy: the proxies of reactive frameworks cannot be sent to a worker.
    const resolved = { ...rest, ...(ignored && { ignoredAttributes: [...ignored] }), locale: localeOf(options.locale) };
    const slices = await inTasks(split([json])).catch((thrown: unknown) => {
      return readInput("json", (): Slice[] => {
        throw thrown;
      });
    });
    const parts = await this.#ask<WrittenParts>({ type: "write", source, json: slices, options: resolved });
    if (!parts) return writeMarkdown(opened, json, resolved);
    // The worker has the languages that ship only.
    const lost = parts.lost.map((one) => ({ ...one, message: messageOf(one, resolved.locale) }));
    return { text: parts.text, lost, opened: await this.#opened(parts.text, parts) };
  }

  /** Ends the worker. Unfinished and later requests are carried out in this thread. */
  close(): void {
    this.#isClosed = true;
    void this.#thread?.then((thread) => thread?.end());
  }

  /** Returns the worker's answer; undefined if there is no worker. */
  async #ask<T>(request: Request): Promise<T | undefined> {
    if (this.#isClosed) return undefined;
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    return thread?.ask(request) as Promise<T | undefined> | undefined;
  }

  async #start(): Promise<MarkdownThread | undefined> {
    const schema = portable(this.#schema);
    if (!schema || !(this.#create ?? globalThis.Worker)) return undefined;
    try {
      // Bundlers recognise this expression.
      const worker =
        this.#create?.() ?? new Worker(new URL("../markdown-worker.js", import.meta.url), { type: "module" });
      const thread = new MarkdownThread(worker as Worker, schema);
      return (await thread.ready) ? thread : undefined;
    } catch {
      return undefined;
    }
  }

  async #opened(source: string, { json, frontMatter, inlineSource }: ReadParts): Promise<OpenedMarkdown> {
    const [doc] = await inTasks(join(json));
    return openLater({ json: doc as NodeJSON, frontMatter, source }, this.#schema, inlineSource);
  }
}

type Request = DistributiveOmit<Exclude<ToMarkdown, { type: "schema" }>, "id">;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
interface Pending {
  resolve(result: unknown): void;
  reject(thrown: unknown): void;
}

/** The worker and its pending requests. */
class MarkdownThread {
  /** Resolves to false if the worker did not load. */
  readonly ready: Promise<boolean>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #isGone = false;
  #started: (isReady: boolean) => void = () => {};

  constructor(worker: Worker, schema: PortableSchema) {
    this.#worker = worker;
    this.ready = new Promise((resolve) => (this.#started = resolve));
    const late = setTimeout(() => this.end(), LONGEST_START);
    void this.ready.then(() => clearTimeout(late));
    worker.addEventListener("message", ({ data }) => this.#receive(data as FromMarkdown));
    worker.addEventListener("messageerror", () => this.end());
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end();
    });
    this.#post({ type: "schema", schema });
  }

  /** Resolves to undefined if the worker is gone. */
  ask(request: Request): Promise<unknown> {
    if (this.#isGone) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#post({ ...request, id });
      this.#pending.set(id, { resolve, reject });
    });
  }

  end(): void {
    this.#isGone = true;
    this.#worker.terminate();
    this.#started(false);
    for (const { resolve } of this.#pending.values()) resolve(undefined);
    this.#pending.clear();
  }

  #post(message: ToMarkdown): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromMarkdown): void {
    if (message.type === "ready") return this.#started(true);
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === "done") return pending?.resolve(message.result);
    pending?.reject(errorOf(message));
  }
}
