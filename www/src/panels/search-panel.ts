/** `<copydesk-search>`: search in the files of a workspace. A result opens its file at the line. */
import type { FileMatch, FileSearchResult } from "copydesk/workspace";
import picomatch from "picomatch";
import { PanelElement, messageOf } from "./element";
import { h, set } from "./h";
import { Reading } from "./reading";
import { showSkipped } from "./skipped";
import type { Words } from "./words";

/** Results that are shown at most. */
const LIMIT = 200;
/** Characters of a line that are shown before a match. */
const LEAD = 24;

export class SearchPanel extends PanelElement {
  private form = h("form", { role: "search", class: "copydesk-search-form" });
  private field = h("input", { type: "search", spellcheck: "false", autocomplete: "off" });
  private glob = h("input", { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  private caseBox = h("input", { type: "checkbox" });
  private regexBox = h("input", { type: "checkbox" });
  private labels = { field: h("label"), glob: h("label"), caseBox: h("span"), regexBox: h("span") };
  private go = h("button", { type: "submit", class: "copydesk-button main" });
  private status = h("p", { class: "copydesk-status", role: "status" });
  private reading = new Reading();
  private skipped = h("details", { class: "copydesk-skipped" });
  private list = h("div", { class: "copydesk-results" });
  private found: FileSearchResult | null = null;
  private isStale = false;
  private asked = 0;

  override focus(): void {
    this.field.focus();
  }

  protected build(): void {
    const id = Math.random().toString(36).slice(2, 8);
    for (const [name, input] of [
      ["field", this.field],
      ["glob", this.glob],
    ] as const) {
      input.id = `copydesk-${name}-${id}`;
      set(this.labels[name], { for: input.id });
    }
    this.form.append(
      this.labels.field,
      this.field,
      h("label", { class: "copydesk-check" }, this.caseBox, this.labels.caseBox),
      h("label", { class: "copydesk-check" }, this.regexBox, this.labels.regexBox),
      this.labels.glob,
      this.glob,
      this.go,
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.search();
    });
    this.append(this.form, this.status, this.reading.element, this.skipped, this.list);
  }

  protected draw(words: Words): void {
    this.labels.field.textContent = words.searchFor;
    this.labels.glob.textContent = words.inFiles;
    this.labels.caseBox.textContent = words.caseSensitive;
    this.labels.regexBox.textContent = words.regex;
    this.go.textContent = words.search;
    set(this.glob, { placeholder: words.inFilesHint });
    this.drawFound(words);
  }

  protected changed(): void {
    if (!this.found) return;
    this.isStale = true;
    this.drawStatus(this.words);
  }

  protected override forget(): void {
    this.asked++;
    this.found = null;
    this.reading.end();
  }

  private async search(): Promise<void> {
    const { workspace } = this;
    const pattern = this.field.value;
    if (!workspace || !pattern) return;
    const asked = ++this.asked;
    this.status.textContent = this.words.searching;
    try {
      const paths = await this.paths();
      if (asked !== this.asked) return;
      const query = {
        pattern,
        regex: this.regexBox.checked,
        caseSensitive: this.caseBox.checked,
        limit: LIMIT,
        progress: this.reading.begin(this.words),
        ...(paths ? { paths } : {}),
      };
      const found = paths?.length === 0 ? { matches: [], isCut: false } : await workspace.search(query);
      if (asked !== this.asked) return;
      [this.found, this.isStale] = [found, false];
      this.drawFound(this.words);
    } catch (error) {
      if (asked !== this.asked) return;
      this.found = null;
      this.drawFound(this.words);
      this.status.textContent = messageOf(error);
    } finally {
      if (asked === this.asked) this.reading.end();
    }
  }

  /** Returns the files to search; undefined for all. A pattern without `/` is compared with names. */
  private async paths(): Promise<string[] | undefined> {
    const glob = this.glob.value.trim().replace(/^\.\//, "");
    if (!glob) return undefined;
    const accepts = picomatch(glob, { basename: !glob.includes("/") });
    return (await this.workspace!.list()).map(({ path }) => path).filter((path) => accepts(path));
  }

  private drawStatus(words: Words): void {
    if (!this.found) return void (this.status.textContent = "");
    const { matches, isCut } = this.found;
    const files = new Set(matches.map(({ path }) => path)).size;
    const stale = this.isStale ? ` ${words.stale}` : "";
    this.status.textContent = words.matches(matches.length, files, isCut) + stale;
  }

  private drawFound(words: Words): void {
    this.drawStatus(words);
    const files = new Map<string, FileMatch[]>();
    for (const match of this.found?.matches ?? []) {
      const own = files.get(match.path);
      if (own) own.push(match);
      else files.set(match.path, [match]);
    }
    this.drawSkipped(words);
    this.list.replaceChildren(
      ...[...files].flatMap(([path, matches]) => [
        h("h3", { class: "copydesk-folder" }, path),
        h("ul", {}, ...matches.map((match) => this.row(match, words))),
      ]),
    );
  }

  /** Shows the number of the files that were not searched, and the reasons on demand. */
  private drawSkipped(words: Words): void {
    showSkipped(this.skipped, this.found?.skipped, words, words.notSearched);
  }

  private row({ path, line, text }: FileMatch, words: Words): HTMLElement {
    const button = h(
      "button",
      { type: "button", class: "copydesk-result", title: `${path}, ${words.line(line)}` },
      h("span", { class: "copydesk-line-number" }, String(line)),
      h("span", { class: "copydesk-line" }, ...this.marked(text)),
    );
    button.addEventListener("click", () => this.open({ path, line }));
    return h("li", {}, button);
  }

  /** Returns a line with its first match marked, cut before it. */
  private marked(text: string): (Node | string)[] {
    const range = this.regexBox.checked ? undefined : rangeOf(text, this.field.value, this.caseBox.checked);
    if (!range) return [text.trim()];
    const [from, to] = range;
    const start = from > LEAD ? from - LEAD : 0;
    const before = (start ? "…" : "") + text.slice(start, from);
    return [before, h("mark", {}, text.slice(from, to)), text.slice(to)];
  }
}

/** Returns the range of a literal in a line. */
function rangeOf(text: string, pattern: string, caseSensitive: boolean): [number, number] | undefined {
  const literal = pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = new RegExp(literal, caseSensitive ? "u" : "iu").exec(text);
  return found ? [found.index, found.index + found[0].length] : undefined;
}
