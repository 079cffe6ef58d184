/** The files of a workspace in memory, as searches and checks use them: in a worker, or in this thread. */

import type { Glue } from "../loading/build.js";
import type { CheckKind, CheckReport, FileSearchResult } from "../types/index.js";
import type { Query } from "./query.js";
import { compile, searchWith } from "./regex-search.js";
import { BATCH } from "./storage.js";

/** The files to add; those without a text are removed. */
export type ChangedFile = { path: string; text?: string };

/** The characters that are searched between two signs of progress. */
const SLICE = 1_000_000;

/** The part of the wasm that searches for literals and checks stories. */
export type LiteralIndex = Pick<InstanceType<Glue["FileIndex"]>, "set" | "remove" | "search" | "check" | "free">;

/** Searches for literals, which is the wasm's. Keeps the texts for the thread that searches for regular expressions. */
export class IndexedFiles {
  readonly #literals: LiteralIndex;
  readonly #texts = new Map<string, string>();

  constructor(literals: LiteralIndex) {
    this.#literals = literals;
  }

  change(files: readonly ChangedFile[]): void {
    for (const { path, text } of files) {
      if (text === undefined) {
        this.#texts.delete(path);
        this.#literals.remove(path);
      } else {
        this.#texts.set(path, text);
        this.#literals.set(path, text);
      }
    }
  }

  /** The texts in batches. */
  *batches(): Iterable<ChangedFile[]> {
    let [batch, length]: [ChangedFile[], number] = [[], 0];
    for (const [path, text] of this.#texts) {
      batch.push({ path, text });
      length += text.length;
      if (length < BATCH) continue;
      yield batch;
      [batch, length] = [[], 0];
    }
    yield batch;
  }

  search(query: Query): FileSearchResult {
    return JSON.parse(this.#literals.search(JSON.stringify(query))) as FileSearchResult;
  }

  check(kind: CheckKind, locale: string | undefined): CheckReport {
    return JSON.parse(this.#literals.check(kind, locale)) as CheckReport;
  }

  free(): void {
    this.#literals.free();
  }
}

/** Searches texts for regular expressions. It runs in a thread that is ended when an expression takes too long. */
export class Matcher {
  readonly #texts = new Map<string, string>();

  change(files: readonly ChangedFile[]): void {
    for (const { path, text } of files) {
      if (text === undefined) this.#texts.delete(path);
      else this.#texts.set(path, text);
    }
  }

  /** Calls `begun` with the characters to search, then `going` after each part of them. */
  search(query: Query, begun: (length: number) => void, going: () => void): FileSearchResult {
    const regex = compile(query.pattern, query.caseSensitive);
    const paths = query.paths ?? [...this.#texts.keys()].sort();
    begun(paths.reduce((sum, path) => sum + (this.#texts.get(path)?.length ?? 0), 0));
    let length = 0;
    return searchWith(regex, { ...query, paths }, this.#texts, (text) => {
      length += text.length;
      if (length < SLICE) return;
      length = 0;
      going();
    });
  }
}
