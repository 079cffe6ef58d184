/** Icons: line drawings in a 16 × 16 view box, in the current color. */

import { html, svg, type TemplateResult } from "lit";

const PATHS = {
  more: "M3 8h.6M7.7 8h.6M12.4 8h.6",
  plus: "M8 3.2v9.6M3.2 8h9.6",
  attach: "M12.6 7.4 7.9 12a2.9 2.9 0 0 1-4.1-4.1l5-5a1.9 1.9 0 0 1 2.7 2.7l-5 5a.9.9 0 0 1-1.3-1.3l4.2-4.2",
  send: "M8 13V3.2M3.8 7.2 8 3l4.2 4.2",
  check: "m3.2 8.4 3.1 3.1 6.5-7",
  cross: "m4 4 8 8M12 4l-8 8",
  chevron: "m6 4 4 4-4 4",
  up: "m4 10 4-4 4 4",
  down: "m4 6 4 4 4-4",
  close: "m4 4 8 8M12 4l-8 8",
  read: "M2.5 3.5c2-.7 4-.5 5.5.7 1.5-1.2 3.5-1.4 5.5-.7v9c-2-.7-4-.5-5.5.7-1.5-1.2-3.5-1.4-5.5-.7zM8 4.2v9",
  write: "M10.6 2.9a1.3 1.3 0 0 1 1.8 0l.7.7a1.3 1.3 0 0 1 0 1.8l-6.9 6.9-3.4.9.9-3.4zM9.4 4.1l2.5 2.5",
  image: "M2.5 3h11v10h-11zM2.5 11l3.3-3.3 2.5 2.5 2-2 3.2 3.2M10.5 5.8h.01",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.2 3.2",
  delete: "M3 13.2h10M9.3 2.9l3.8 3.8-4.6 4.6H5.7L3 8.6z",
  files: "M2 4.5a1 1 0 0 1 1-1h3l1.5 1.8H13a1 1 0 0 1 1 1v5.7a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z",
  checks: "M8 1.8 13 3.6v3.6c0 3.2-2 5.6-5 7-3-1.4-5-3.8-5-7V3.6zM5.6 7.8l1.8 1.8 3-3.4",
  skills: "M8 1.8 9.6 6.4 14.2 8 9.6 9.6 8 14.2 6.4 9.6 1.8 8 6.4 6.4z",
  eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8ZM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z",
  tool: "M8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4Z",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${svg`<path d=${PATHS[name]}></path>`}</svg>`;
}
