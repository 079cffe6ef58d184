/** `<copydesk-search>`. */

import { html, type TemplateResult } from "lit";
import type { FileMatch, FileSearchResult } from "../types/workspace-host.js";
import type { Workspace } from "../types/workspace.js";
import { define } from "./element.js";
import { fieldStyle, panelStyle, workspaceStyle } from "./panel-styles.js";
import { ReadingElement, type ReadFiles } from "./reading-element.js";
import { searchStyle } from "./search-style.js";
import { base } from "./styles.js";

/** Results that are shown at most. */
const LIMIT = 200;
/** Characters of a line that are shown before a match. */
const LEAD = 24;

/** A search. */
interface Query {
  pattern: string;
  regex: boolean;
  caseSensitive: boolean;
  /** The files to search, as a glob; empty for all. */
  glob: string;
}

interface Found {
  result: FileSearchResult;
  query: Query;
}

/**
 * A search in the files of a workspace. A result opens its file at the line.
 *
 * @tagname copydesk-search
 * @fires {CustomEvent<{ path: string, line?: number }>} open-file - The user wants to see the line of a result.
 * @slot missing - Shown while `workspace` is missing.
 * @csspart form - The form.
 * @csspart input - A field of the form.
 * @csspart run - The button that searches.
 * @csspart status - The number of results, or why there are none.
 * @csspart progress - How many files were read.
 * @csspart skipped - The files that were not searched.
 * @csspart file - The path of a file with results.
 * @csspart result - A result.
 * @csspart number - The number of its line.
 * @csspart line - The text of its line.
 * @csspart match - The match in it.
 * @csspart empty - Shown while `workspace` is missing.
 */
export class CopydeskSearch extends ReadingElement<Found> {
  static override styles = [base, fieldStyle, panelStyle, workspaceStyle, searchStyle];

  protected override render(): TemplateResult {
    const { m, result: found } = this;
    if (!this.workspace) return this.empty();
    const files = byFile(found?.result.matches ?? []);
    return html`<div lang=${m.lang}>
      ${this.#form()}
      <p class="status" part="status" role="status" .textContent=${this.#status()}></p>
      ${this.reading()} ${this.skipped(found?.result.skipped, m.search.skipped)}
      ${[...files].map(([path, matches]) => this.#file(path, matches))}
    </div>`;
  }

  #form(): TemplateResult {
    const m = this.m.search;
    const box = (name: string, label: string) =>
      html`<label class="check"><input type="checkbox" name=${name} /><span>${label}</span></label>`;
    return html`<form role="search" part="form" @submit=${this.#submitted}>
      <label for="pattern">${m.pattern}</label>
      <input id="pattern" name="pattern" type="search" part="input" spellcheck="false" autocomplete="off" />
      ${box("caseSensitive", m.caseSensitive)} ${box("regex", m.regex)}
      <label for="glob">${m.glob}</label>
      <input
        id="glob"
        name="glob"
        type="text"
        part="input"
        spellcheck="false"
        autocomplete="off"
        autocapitalize="off"
        placeholder=${m.globHint}
      />
      <button type="submit" class="button small" part="run" .textContent=${m.run}></button>
    </form>`;
  }

  #status(): string {
    const { m, result: found } = this;
    if (this.isReading) return m.search.running;
    if (this.problem) return this.said(this.problem);
    if (!found) return "";
    const { matches, isCut } = found.result;
    const files = new Set(matches.map(({ path }) => path)).size;
    return m.search.matches(matches.length, files, isCut) + (this.isStale ? ` ${m.workspace.stale}` : "");
  }

  #file(path: string, matches: readonly FileMatch[]): TemplateResult {
    return html`<h3 class="heading" part="file" .textContent=${path}></h3>
      <ul>
        ${matches.map((match) => this.#match(match))}
      </ul>`;
  }

  #match({ path, line, text }: FileMatch): TemplateResult {
    return html`<li>
      <button
        type="button"
        class="result"
        part="result"
        title="${path}, ${this.m.workspace.line(line)}"
        @click=${() => this.open({ path, line })}
      >
        <span class="line-number" part="number">${line}</span
        ><span class="line" part="line">${this.#marked(text)}</span>
      </button>
    </li>`;
  }

  /** Returns a line with its first match marked, cut before it. */
  #marked(text: string): TemplateResult | string {
    const query = this.result?.query;
    const range = query && !query.regex ? rangeOf(text, query.pattern, query.caseSensitive) : undefined;
    if (!range) return text.trim();
    const [from, to] = range;
    const start = from > LEAD ? from - LEAD : 0;
    const before = (start ? "…" : "") + text.slice(start, from);
    return html`${before}<mark part="match">${text.slice(from, to)}</mark>${text.slice(to)}`;
  }

  #submitted = (event: Event): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(data.get(name) ?? "");
    const query = {
      pattern: text("pattern"),
      regex: data.has("regex"),
      caseSensitive: data.has("caseSensitive"),
      glob: text("glob").trim(),
    };
    if (query.pattern) void this.#search(query);
  };

  async #search(query: Query): Promise<void> {
    await this.show(async (workspace, progress) => ({
      query,
      result: await this.#resultOf(workspace, query, progress),
    }));
  }

  async #resultOf(
    workspace: Workspace,
    { pattern, regex, caseSensitive, glob }: Query,
    progress: ReadFiles,
  ): Promise<FileSearchResult> {
    const paths = glob ? await pathsOf(workspace, glob, this.m.lang) : undefined;
    if (paths?.length === 0) return { matches: [], isCut: false };
    return workspace.search({ pattern, regex, caseSensitive, limit: LIMIT, progress, ...(paths ? { paths } : {}) });
  }
}

/** Returns the matches by their files, in their order. */
function byFile(matches: readonly FileMatch[]): ReadonlyMap<string, readonly FileMatch[]> {
  const files = new Map<string, FileMatch[]>();
  for (const match of matches) {
    const own = files.get(match.path);
    if (own) own.push(match);
    else files.set(match.path, [match]);
  }
  return files;
}

/** Returns the files that a glob selects, as the agent's tools do. One without `/` is compared with names. */
async function pathsOf(workspace: Workspace, glob: string, lang: string): Promise<string[]> {
  const [{ guarded }, { loadRest }, entries] = await Promise.all([
    import("../document/calls.js"),
    import("copydesk"),
    workspace.list(),
  ]);
  await loadRest();
  const paths = JSON.stringify(entries.map(({ path }) => path));
  return JSON.parse(guarded(({ selectPaths }) => selectPaths(paths, glob, lang))) as string[];
}

/** Returns the range of a literal in a line. */
function rangeOf(text: string, pattern: string, caseSensitive: boolean): [number, number] | undefined {
  const literal = pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = new RegExp(literal, caseSensitive ? "u" : "iu").exec(text);
  return found ? [found.index, found.index + found[0].length] : undefined;
}

define("copydesk-search", CopydeskSearch);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-search": CopydeskSearch;
  }
}
