/** The fields of dialogs. */
import { html, type TemplateResult } from "lit";

/** Returns a field with its label. */
export function field(label: string, id: string, input: TemplateResult): TemplateResult {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <div class="field-box">${input}</div>
  </div>`;
}

/** Returns a choice between values, each with its text. */
export function radios(
  name: string,
  question: string,
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string,
): TemplateResult {
  return html`<fieldset class="radios">
    <legend>${question}</legend>
    ${choices.map(
      ([value, text]) =>
        html`<label
          ><input type="radio" name=${name} value=${value} ?checked=${value === chosen} /><span>${text}</span></label
        >`,
    )}
  </fieldset>`;
}

/** Returns the text of a field without white space around it. */
export const textOf = (values: FormData, name: string): string => String(values.get(name) ?? "").trim();
