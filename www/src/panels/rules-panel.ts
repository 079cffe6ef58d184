/** `<copydesk-rules>`: the rules of the user, and those in files. */
import type { Rule } from "copydesk";
import { AssistantPanel, freeName, menu } from "./assistant-panel";
import type { AssistantWords } from "./assistant-words";
import type { OpenFileDetail } from "./element";
import { h, set } from "./h";

/** A file with rules. `consent` is the user's to a file of a folder; the user's own files have none, and apply. */
export interface RuleFile {
  path: string;
  text: string;
  consent?: "asked" | "given" | "refused";
}

/** The user's decision about a file with the text that was shown: the detail of the event `rule-file-change`. */
export interface RuleFileDetail {
  file: RuleFile;
  isUsed: boolean;
}

/** Milliseconds after a key until what was typed counts. */
const DELAY = 400;
/** Characters of a rule that the agent reads (docs/agent.md#rules). */
const LONGEST = 8000;

/**
 * Shows the property `rules`, and `files` for reading. It emits `rules-change` with a `ChangeDetail` of the new rules
 * while the user types, `rule-file-change` with {@link RuleFileDetail}, and `open-file` with {@link OpenFileDetail}.
 */
export class RulesPanel extends AssistantPanel {
  private given: readonly Rule[] = [];
  /** The rules that the host has, as JSON. */
  private told = "[]";
  private fromFiles: readonly RuleFile[] = [];
  private hint = h("p", { class: "copydesk-hint" });
  private list = h("ol", { class: "copydesk-rules" });
  private add = h("button", { type: "button", class: "copydesk-button" });
  private inFiles = h("div", {});
  private typing: ReturnType<typeof setTimeout> | undefined;

  get rules(): readonly Rule[] {
    return this.given;
  }

  set rules(rules: readonly Rule[]) {
    // What the user is typing is newer than what the host knows.
    const told = JSON.stringify(rules);
    if (told === this.told) return;
    this.told = told;
    this.given = rules;
    this.update();
  }

  set files(files: readonly RuleFile[]) {
    this.fromFiles = files;
    // The list stays as it is, since the user may be typing there.
    if (this.isShown) this.drawFiles(this.words);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pagehide", this.flush);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pagehide", this.flush);
    this.flush();
  }

  /** Says at once what was typed. */
  private flush = (): void => {
    if (this.typing !== undefined) this.say();
  };

  protected build(): void {
    this.add.addEventListener("click", () => {
      const id = freeName(
        `rule-${this.given.length + 1}`,
        this.given.map((rule) => rule.id),
      );
      this.change([...this.given, { id, text: "", enabled: true }]);
      this.textOf(id)?.focus();
    });
    this.append(this.hint, this.list, this.add, this.inFiles);
  }

  protected draw(words: AssistantWords): void {
    this.hint.textContent = words.rulesHint;
    this.add.textContent = words.addRule;
    this.redraw(this.list, ...this.given.map((rule, at) => this.row(rule, at, words)));
    this.drawNumbers(words);
    this.drawFiles(words);
  }

  /** Names the rows by the numbers that the rules have for the assistant: those that are off or empty have none. */
  private drawNumbers(words: AssistantWords): void {
    let number = 0;
    this.given.forEach((rule, at) => {
      const row = this.list.children[at];
      if (!row) return;
      const shown = isFollowed(rule) ? String(++number) : "";
      const name = shown ? words.rule(number) : words.unusedRule(at + 1);
      row.querySelector(".copydesk-rule-number")!.textContent = shown;
      set(row.querySelector("input")!, { "aria-label": words.enable(name) });
      set(row.querySelector("textarea")!, { "aria-label": name });
      const label = words.actionsFor(name);
      set(row.querySelector(".copydesk-row-menu > button")!, { "aria-label": label, title: label });
      set(row.querySelector("[role=menu]")!, { "aria-label": label });
    });
  }

  private drawFiles(words: AssistantWords): void {
    let number = this.given.filter(isFollowed).length;
    const files = this.fromFiles.map((file) => this.file(file, isOff(file) ? "" : String(++number), words));
    const hint = this.fromFiles.some(({ consent }) => consent) ? words.fromFolderHint : words.fromFilesHint;
    this.redraw(
      this.inFiles,
      files.length > 0 && h("h4", { class: "copydesk-folder" }, words.fromFiles),
      files.length > 0 && h("p", { class: "copydesk-hint" }, hint),
      ...files,
    );
  }

  private row({ id, text, enabled }: Rule, at: number, words: AssistantWords): HTMLElement {
    const box = h("input", { type: "checkbox", "data-focus": `${id} enabled` });
    box.checked = enabled !== false;
    box.addEventListener("change", () => this.change(this.with(id, { enabled: box.checked })));
    const field = h("textarea", {
      rows: 1,
      maxlength: LONGEST,
      placeholder: words.ruleHint,
      "data-focus": `${id} text`,
    });
    field.value = text;
    field.addEventListener("input", () => {
      // Only what is said waits: a list that is drawn again has the text.
      this.given = this.with(id, { text: field.value });
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.say(), DELAY);
    });
    field.addEventListener("change", this.flush);
    const actions = menu(words, id, "", [
      ...(at > 0 ? [{ name: (w: AssistantWords) => w.moveUp, run: () => this.move(at, at - 1) }] : []),
      ...(at < this.given.length - 1
        ? [{ name: (w: AssistantWords) => w.moveDown, run: () => this.move(at, at + 1) }]
        : []),
      { name: (w) => w.remove, run: () => this.removeRule(id) },
    ]);
    const row = h("li", { class: "copydesk-rule", "data-rule": id }, box, number(), field, actions);
    set(row, { "data-off": enabled === false });
    return row;
  }

  private file(file: RuleFile, shownNumber: string, words: AssistantWords): HTMLElement {
    const { path, text, consent } = file;
    const button = h("button", { type: "button", class: "copydesk-text-button", "data-focus": path }, path);
    button.addEventListener("click", () => this.emit<OpenFileDetail>("open-file", { path }));
    const row = h(
      "div",
      { class: "copydesk-rule-file" },
      h(
        "div",
        { class: "copydesk-rule-file-head" },
        consent && this.consentBox(file, words),
        number(shownNumber),
        button,
      ),
      h("div", { class: "copydesk-text", tabindex: "0" }, text.trim()),
    );
    set(row, { "data-off": isOff(file) });
    return row;
  }

  private consentBox(file: RuleFile, words: AssistantWords): HTMLElement {
    const { path } = file;
    const label = words.enable(path);
    const box = h("input", { type: "checkbox", "aria-label": label, title: label, "data-focus": `${path} use` });
    box.checked = !isOff(file);
    box.addEventListener("change", () => this.emit<RuleFileDetail>("rule-file-change", { file, isUsed: box.checked }));
    return box;
  }

  private textOf(id: string): HTMLElement | null {
    return this.list.querySelector<HTMLElement>(`[data-focus="${CSS.escape(`${id} text`)}"]`);
  }

  private with(id: string, changes: Partial<Rule>): Rule[] {
    return this.given.map((rule) => (rule.id === id ? { ...rule, ...changes } : rule));
  }

  private change(rules: readonly Rule[]): void {
    this.given = rules;
    this.update();
    this.say();
  }

  private say(): void {
    clearTimeout(this.typing);
    this.typing = undefined;
    this.told = JSON.stringify(this.given);
    // The rows stay as they are, since the user may be typing there.
    this.drawNumbers(this.words);
    this.drawFiles(this.words);
    void this.propose("rules-change", this.given);
  }

  private move(from: number, to: number): void {
    const rules = [...this.given];
    const [moved] = rules.splice(from, 1);
    rules.splice(to, 0, moved!);
    this.change(rules);
    this.textOf(moved!.id)?.focus();
  }

  private removeRule(id: string): void {
    this.change(this.given.filter((rule) => rule.id !== id));
    this.add.focus();
  }
}

/** Returns true if the assistant is told a rule. */
function isFollowed({ enabled, text }: Rule): boolean {
  return enabled !== false && text.trim() !== "";
}

function number(text = ""): HTMLElement {
  return h("span", { class: "copydesk-rule-number" }, text);
}

/** Returns true if the assistant does not follow a file. */
function isOff({ consent }: RuleFile): boolean {
  return consent === "asked" || consent === "refused";
}
