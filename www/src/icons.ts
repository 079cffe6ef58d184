/** Icons: line drawings in a 16 × 16 view box, in the current color. */
import { html, type TemplateResult } from "lit";
import paths from "./icons.json";

export type IconName = keyof typeof paths;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${paths[name]}></path></svg>`;
}

/** Returns the logo of copydesk: a blue pencil. */
export function logo(): TemplateResult {
  return html`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
    <path class="logo-body" d="M14.8 5.1 18.9 9.2 9.3 18.8 5.2 14.7z"></path>
    <path class="logo-end" d="m16 3.9.9-.9a1.9 1.9 0 0 1 2.7 0l1.4 1.4a1.9 1.9 0 0 1 0 2.7l-.9.9z"></path>
    <path class="logo-tip" d="M4.6 15.9 8.1 19.4 3.9 20.9a.6.6 0 0 1-.8-.8z"></path>
    <path class="logo-line" d="M11.5 21.2h9"></path>
  </svg>`;
}
