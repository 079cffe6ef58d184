/** The files of a workspace in memory, as searches and checks use them: in a worker, or in this thread. */

import type { Glue } from "../build.js";
import type { CheckKind, CheckReport, FileSearchResult } from "../types.js";
import type { Query } from "./query.js";
import { compile, searchWith } from "./regex-search.js";

/** The files to add; those without a text are removed. */
export type ChangedFile = { path: string; text?: string };

/** The part of the wasm that searches for literals and checks stories. */
export type LiteralIndex = Pick<InstanceType<Glue["FileIndex"]>, "set" | "remove" | "search" | "check" | "free">;

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

  search(query: Query): FileSearchResult {
    if (query.regex) return searchWith(compile(query.pattern, query.caseSensitive), query, this.#texts);
    return JSON.parse(this.#literals.search(JSON.stringify(query))) as FileSearchResult;
  }

  check(kind: CheckKind, locale: string | undefined): CheckReport {
    return JSON.parse(this.#literals.check(kind, locale)) as CheckReport;
  }

  free(): void {
    this.#literals.free();
  }
}
