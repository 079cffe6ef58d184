/** `<copydesk-rules>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import type { RuleFile } from "../additions/rule-file.js";
import type { Rule } from "../types/plugins.js";
import { freeName, propose } from "./configured-element.js";
import { define } from "./element.js";
import { PanelElement } from "./panel-element.js";
import { fieldStyle, panelStyle } from "./panel-styles.js";
import { popupMenu } from "./popup-menu.js";
import { rulesStyle } from "./rules-style.js";
import type { Sentence } from "./sentence.js";
import { base, popup } from "./styles.js";

/** Milliseconds after a key until what was typed counts. */
const DELAY = 400;
/** Characters of a rule that the agent reads (docs/agent.md#rules). */
const LONGEST = 8000;

/**
 * The rules of the user, and those in files. Rules can be written, turned off, moved and removed; they have the numbers that
 * the assistant sees.
 *
 * @tagname copydesk-rules
 * @fires {CustomEvent<ChangeDetail<readonly Rule[]>>} rules-change - The user has changed rules, also while the user types.
 * @fires {CustomEvent<{ file: RuleFile, isUsed: boolean }>} rule-file-change - The user has decided about a file with the text that was shown.
 * @fires {CustomEvent<{ path: string, line?: number }>} open-file - The user wants to see a file.
 * @slot missing - Shown while `rules` is missing.
 * @csspart hint - What rules are.
 * @csspart list - The rules of the user.
 * @csspart rule - A rule of the user.
 * @csspart enabled - The box that turns a rule on and off.
 * @csspart number - The number of a rule.
 * @csspart input - The text of a rule.
 * @csspart menu - The button that opens the actions of a rule.
 * @csspart add - The button that adds a rule.
 * @csspart files - The rules in files.
 * @csspart file - A file with a rule.
 * @csspart problem - Why a change was refused.
 * @csspart empty - Shown while `rules` is missing.
 */
export class CopydeskRules extends PanelElement {
  static override properties: PropertyDeclarations = {
    rules: { attribute: false },
    files: { attribute: false },
    shown: { state: true },
    refusal: { state: true },
  };
  static override styles = [base, popup, fieldStyle, panelStyle, rulesStyle];

  /** The rules of the user. */
  declare rules: readonly Rule[] | undefined;
  /** The files whose texts are rules, in the order of the agent. */
  declare files: readonly RuleFile[];
  /** The rules with what the user is typing. */
  declare private shown: readonly Rule[] | undefined;
  declare private refusal: Sentence | null;
  /** The rules that the page has given, and those that were told since, as JSON: the page may give them back late. */
  #told: readonly string[] = [];
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.files = [];
    this.refusal = null;
  }

  protected override missing(): string | null {
    return this.rules ? null : "needs the property `rules`, the rules of the user (an empty list for none).";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pagehide", this.#flush);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pagehide", this.#flush);
    this.#flush();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("rules")) return;
    // What the user is typing is newer than what the page knows.
    const told = JSON.stringify(this.rules);
    const at = this.#told.lastIndexOf(told);
    // The page has the rules that were reported until then; former rules are its own decision.
    this.#told = at < 0 ? [told] : this.#told.slice(at);
    if (at < 0) this.shown = this.rules;
  }

  protected override render(): TemplateResult {
    const { m, shown, refusal } = this;
    if (!shown) return this.empty();
    const numbers = numbersOf(shown);
    return html`<fieldset ?disabled=${this.disabled} lang=${m.lang}>
        <p class="hint" part="hint">${m.rules.hint}</p>
        <ol class="rules" part="list">
          ${repeat(
            shown,
            ({ id }) => id,
            (rule, at) => this.#row(rule, at, numbers[at]),
          )}
        </ol>
        <p class="problem" part="problem" role="alert" ?hidden=${!refusal} .textContent=${refusal?.(m) ?? ""}></p>
        <button
          type="button"
          class="button plain small"
          part="add"
          .textContent=${m.rules.add}
          @click=${() => void this.#add()}
        ></button>
      </fieldset>
      ${this.files.length ? this.#fromFiles(numbers.filter((number) => number !== undefined).length) : nothing}`;
  }

  #row({ id, text, enabled }: Rule, at: number, number: number | undefined): TemplateResult {
    const { m, shown } = this;
    const name = number === undefined ? m.rules.unused(at + 1) : m.rules.rule(number);
    const isLast = at === (shown?.length ?? 0) - 1;
    return html`<li class="rule" part="rule" data-rule=${id} ?data-off=${enabled === false}>
      <label class="rule-box"
        ><input
          type="checkbox"
          part="enabled"
          aria-label=${m.enable(name)}
          .checked=${live(enabled !== false)}
          @change=${(event: Event) => this.#change(this.#with(id, { enabled: (event.target as HTMLInputElement).checked }))} /></label
      ><span class="rule-number" part="number">${number ?? ""}</span
      ><textarea
        part="input"
        rows="1"
        maxlength=${LONGEST}
        placeholder=${m.rules.placeholder}
        aria-label=${name}
        .value=${live(text)}
        @input=${(event: Event) => this.#typed(id, (event.target as HTMLTextAreaElement).value)}
        @change=${this.#flush}
      ></textarea
      >${popupMenu({
        id,
        label: m.actionsFor(name),
        items: [
          ...(at > 0 ? [{ name: m.rules.moveUp, run: () => void this.#move(at, at - 1) }] : []),
          ...(isLast ? [] : [{ name: m.rules.moveDown, run: () => void this.#move(at, at + 1) }]),
          { name: m.remove, run: () => void this.#remove(id) },
        ],
      })}
    </li>`;
  }

  /** `before` is the number of the last rule of the user. */
  #fromFiles(before: number): TemplateResult {
    const { files } = this;
    const m = this.m.rules;
    let number = before;
    const hint = files.some(({ consent }) => consent) ? m.fromFolderHint : m.fromFilesHint;
    return html`<section part="files" lang=${this.m.lang}>
      <h3 class="heading">${m.fromFiles}</h3>
      <p class="hint">${hint}</p>
      ${repeat(
        files,
        ({ path }) => path,
        (file) => this.#file(file, isOff(file) ? undefined : ++number),
      )}
    </section>`;
  }

  #file(file: RuleFile, number: number | undefined): TemplateResult {
    const { path, text } = file;
    return html`<div class="rule-file" part="file" ?data-off=${isOff(file)}>
      <div class="rule-file-head">
        ${file.consent ? this.#consent(file) : nothing}
        <span class="rule-number" part="number">${number ?? ""}</span>
        <button
          type="button"
          class="text-button"
          .textContent=${path}
          @click=${() => this.emit("open-file", { path })}
        ></button>
      </div>
      <div class="text" tabindex="0" role="group" aria-label=${path} .textContent=${text.trim()}></div>
    </div>`;
  }

  #consent(file: RuleFile): TemplateResult {
    const label = this.m.enable(file.path);
    const changed = (event: Event) =>
      this.emit("rule-file-change", { file, isUsed: (event.target as HTMLInputElement).checked });
    return html`<label class="rule-box" title=${label}
      ><input
        type="checkbox"
        part="enabled"
        aria-label=${label}
        ?disabled=${this.disabled}
        .checked=${live(!isOff(file))}
        @change=${changed}
    /></label>`;
  }

  #with(id: string, changes: Partial<Rule>): readonly Rule[] {
    return (this.shown ?? []).map((rule) => (rule.id === id ? { ...rule, ...changes } : rule));
  }

  /** Shows a typed text at once, and tells it after a pause. */
  #typed(id: string, text: string): void {
    this.shown = this.#with(id, { text });
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#tell(), DELAY);
  }

  /** Tells at once what was typed. */
  #flush = (): void => {
    if (this.#typing !== undefined) void this.#tell();
  };

  #change(rules: readonly Rule[]): void {
    this.shown = rules;
    void this.#tell();
  }

  async #tell(): Promise<void> {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    const rules = this.shown ?? [];
    this.#told = [...this.#told, JSON.stringify(rules)];
    this.refusal = await propose(rules, (detail) => this.emit("rules-change", detail));
    // What the page gives after a refusal may be what it had before.
    if (this.refusal) this.#told = this.#told.slice(-1);
  }

  async #add(): Promise<void> {
    const rules = this.shown ?? [];
    const taken = rules.map(({ id }) => id);
    const id = freeName(`rule-${rules.length + 1}`, taken);
    this.#change([...rules, { id, text: "", enabled: true }]);
    await this.#focus(`[data-rule="${CSS.escape(id)}"] > textarea`);
  }

  async #move(from: number, to: number): Promise<void> {
    const rules = [...(this.shown ?? [])];
    const [moved] = rules.splice(from, 1);
    if (!moved) return;
    rules.splice(to, 0, moved);
    this.#change(rules);
    await this.#focus(`[data-rule="${CSS.escape(moved.id)}"] > textarea`);
  }

  async #remove(id: string): Promise<void> {
    this.#change((this.shown ?? []).filter((rule) => rule.id !== id));
    await this.#focus("[part=add]");
  }

  async #focus(selector: string): Promise<void> {
    await this.updateComplete;
    this.shadowRoot?.querySelector<HTMLElement>(selector)?.focus();
  }
}

/** Returns the numbers that rules have for the assistant: those that are off or empty have none. */
function numbersOf(rules: readonly Rule[]): (number | undefined)[] {
  let number = 0;
  return rules.map(({ enabled, text }) => (enabled !== false && text.trim() !== "" ? ++number : undefined));
}

/** Returns true if the assistant does not follow a file. */
function isOff({ consent }: RuleFile): boolean {
  return consent === "asked" || consent === "refused";
}

define("copydesk-rules", CopydeskRules);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-rules": CopydeskRules;
  }
}
