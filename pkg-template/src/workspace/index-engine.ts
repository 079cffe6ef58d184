/** The files of a workspace in memory, as searches and checks use them: in a worker, or in this thread. */

import type { CheckKind, CheckReport, SearchQuery, SearchResult } from "../types.js";
import { compile, searchWith } from "./regex-search.js";

/** The files to add; those without a text are removed. */
export type ChangedFile = { path: string; text?: string };

/** The part of the wasm that searches for literals and checks stories. */
export interface LiteralIndex {
  set(path: string, text: string): void;
  remove(path: string): void;
  search(query: string): string;
  check(kind: string, locale: string): string;
  free(): void;
}

/** Holds texts for regular expressions, which are the browser's, and for literals, which are the wasm's. */
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

  search(query: SearchQuery): SearchResult {
    if (query.regex) return searchWith(compile(query.pattern, query.caseSensitive ?? false), query, this.#texts);
    return JSON.parse(this.#literals.search(JSON.stringify(query))) as SearchResult;
  }

  check(kind: CheckKind, locale: string): CheckReport {
    return JSON.parse(this.#literals.check(kind, locale)) as CheckReport;
  }

  free(): void {
    this.#literals.free();
  }
}
