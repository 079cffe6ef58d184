/** The fields of `<copydesk-settings>`. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

/** A value with its name. */
type Option<T extends string> = readonly [value: T, name: string];

export interface TextField {
  id: string;
  label: string;
  value: string;
  typed: (value: string) => void;
  type?: "text" | "url";
  inputmode?: "decimal";
  placeholder?: string;
  /** The id of a `datalist`. */
  list?: string;
  /** The fault of the value. */
  problem?: string | undefined;
}

/** Returns a text field with its label, and its problem. */
export function textField({ id, label, value, typed, type = "text", problem, ...field }: TextField): TemplateResult {
  return html`<div class="field" part="field">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      part="input"
      type=${type}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      inputmode=${field.inputmode ?? nothing}
      placeholder=${field.placeholder ?? nothing}
      list=${field.list ?? nothing}
      aria-invalid=${problem ? "true" : nothing}
      aria-describedby=${problem ? `${id}-problem` : nothing}
      .value=${live(value)}
      @input=${(event: Event) => typed((event.target as HTMLInputElement).value)}
    />
    <p class="field-problem" part="problem" id="${id}-problem" ?hidden=${!problem} .textContent=${problem ?? ""}></p>
  </div>`;
}

/** Returns a choice from a list. */
export function selectField<T extends string>(
  id: string,
  label: string,
  options: readonly Option<T>[],
  chosen: T,
  choose: (value: T) => void,
): TemplateResult {
  return html`<div class="field" part="field">
    <label for=${id}>${label}</label>
    <select
      id=${id}
      part="input"
      .value=${live(chosen)}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as T)}
    >
      ${options.map(([value, name]) => html`<option value=${value} ?selected=${value === chosen}>${name}</option>`)}
    </select>
  </div>`;
}

/** Returns a choice whose options are all in view. */
export function choices<T extends string>(
  name: string,
  legend: string,
  options: readonly Option<T>[],
  chosen: T,
  choose: (value: T) => void,
  isLegendHidden = false,
): TemplateResult {
  return html`<fieldset class="choices" part="choices">
    <legend class=${isLegendHidden ? "visually-hidden" : ""}>${legend}</legend>
    ${options.map(
      ([value, text]) =>
        html`<label
          ><input
            type="radio"
            name=${name}
            value=${value}
            .checked=${live(value === chosen)}
            @change=${() => choose(value)}
          /><span>${text}</span></label
        >`,
    )}
  </fieldset>`;
}
