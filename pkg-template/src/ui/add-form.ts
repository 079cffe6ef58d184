/** A form below the button that opens it. */

import { html, nothing, type TemplateResult } from "lit";
import type { PanelElement } from "./panel-element.js";
import { sentenceOf, type Sentence } from "./sentence.js";
import type { PanelWords } from "./words/panels-en.js";

/** A text field of the form. */
export interface FormField {
  name: string;
  label: string;
  type?: "text" | "url" | "password";
  value?: string;
  placeholder?: string;
  maxlength?: number;
}

export class AddForm {
  private isOpen = false;
  private isBusy = false;
  /** Raised when the form is opened and closed: a late outcome belongs to the form before. */
  private serial = 0;
  private problem: Sentence | null = null;
  private after: () => HTMLElement | null = () => null;

  /** `submit` gets the fields by their names, and returns a sentence if the form stays open. */
  constructor(
    private host: PanelElement,
    private submit: (fields: ReadonlyMap<string, string>) => Sentence | null | Promise<Sentence | null>,
  ) {}

  /** Opens the form. `after` returns what gets the focus when it is closed. Default: the button that opens it. */
  async open(after: () => HTMLElement | null = () => null): Promise<void> {
    this.begin();
    this.after = after;
    // A form for something else begins with other values.
    this.isOpen = false;
    await this.drawn();
    this.isOpen = true;
    await this.drawn();
    this.form?.querySelector("input")?.focus();
  }

  /** Forgets the form before. */
  private begin(): void {
    this.serial++;
    this.isBusy = false;
    this.problem = null;
  }

  /** Focuses the button that opens it. */
  async focusOpener(): Promise<void> {
    await this.drawn();
    this.host.shadowRoot?.querySelector<HTMLElement>(".add-opener")?.focus();
  }

  /** `begin` is called before the button opens the form. */
  template(
    m: PanelWords,
    { opener, ok, begin }: { opener: string; ok: string; begin?: () => void },
    ...fields: unknown[]
  ): TemplateResult {
    const open = () => {
      begin?.();
      void this.open();
    };
    if (!this.isOpen)
      return html`<button
        type="button"
        class="button plain small add-opener"
        part="add"
        .textContent=${opener}
        @click=${open}
      ></button>`;
    return html`<form class="add-form" part="form" novalidate @submit=${this.submitted} @keydown=${this.key}>
      ${fields}
      <p
        class="problem"
        part="problem"
        role="alert"
        id="problem"
        ?hidden=${!this.problem}
        .textContent=${this.problem?.(m) ?? ""}
      ></p>
      <div class="panel-bar">
        <button type="submit" class="button small" part="save" .textContent=${ok} ?disabled=${this.isBusy}></button>
        <button
          type="button"
          class="button plain small"
          part="cancel"
          .textContent=${m.cancel}
          @click=${() => this.close()}
        ></button>
      </div>
    </form>`;
  }

  /** Returns a text field with its label. The first one is described by what is wrong. */
  field(
    { name, label, type = "text", value = "", placeholder, maxlength }: FormField,
    isFirst = false,
  ): TemplateResult {
    const isWrong = isFirst && this.problem !== null;
    return html`<div class="field" part="field">
      <label for="field-${name}">${label}</label>
      <input
        id="field-${name}"
        name=${name}
        part="input"
        type=${type}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        ?data-1p-ignore=${type === "password"}
        .defaultValue=${value}
        maxlength=${maxlength ?? nothing}
        placeholder=${placeholder || nothing}
        aria-invalid=${isWrong ? "true" : nothing}
        aria-describedby=${isWrong ? "problem" : nothing}
      />
    </div>`;
  }

  private get form(): HTMLFormElement | null {
    return this.host.shadowRoot?.querySelector<HTMLFormElement>(".add-form") ?? null;
  }

  private async drawn(): Promise<void> {
    this.host.requestUpdate();
    await this.host.updateComplete;
  }

  private submitted = (event: Event): void => {
    event.preventDefault();
    void this.send();
  };

  private key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    void this.close();
  };

  private async send(): Promise<void> {
    const { form, serial } = this;
    if (!form || this.isBusy) return;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
    this.isBusy = true;
    let problem: Sentence | null;
    try {
      problem = await this.submit(new Map(fields));
    } catch (error) {
      problem = sentenceOf(error);
    }
    if (serial !== this.serial) return;
    this.isBusy = false;
    if (problem === null) return this.close();
    this.problem = problem;
    await this.drawn();
    if (this.hasFocus) this.form?.querySelector("input")?.focus();
  }

  private async close(): Promise<void> {
    const { hasFocus } = this;
    this.begin();
    this.isOpen = false;
    await this.drawn();
    // The user may be writing elsewhere by now.
    if (!hasFocus) return;
    const next = this.after();
    if (next) next.focus();
    else await this.focusOpener();
  }

  /** True if the focus is in the form, or was lost with a button of it. */
  private get hasFocus(): boolean {
    const active = this.host.shadowRoot?.activeElement ?? null;
    return active ? !!this.form?.contains(active) : document.activeElement === document.body;
  }
}
