/** The style of `<copydesk-outline>`. */

import { css } from "lit";

export const outlineStyle = css`
  :host {
    display: block;
  }
  .outline-list {
    list-style: none;
  }
  button {
    display: flex;
    gap: calc(8px * var(--_density));
    width: 100%;
    min-height: 24px;
    padding: calc(5px * var(--_density)) calc(8px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
    text-align: start;
    line-height: 1.4;
    color: var(--_muted);
  }
  button:hover {
    background: var(--_tint);
    color: var(--_ink);
  }
  [aria-current] {
    color: var(--_ink);
    font-weight: 600;
  }
  [aria-current] .outline-number {
    color: var(--_accent);
  }
  .outline-title {
    margin-bottom: calc(2px * var(--_density));
  }
  .outline-number {
    min-width: 1.1em;
    font-variant-numeric: tabular-nums;
  }
  .outline-name {
    overflow-wrap: anywhere;
  }
  .proposed {
    color: var(--_insert);
  }
  .deleted .outline-name {
    color: var(--_delete);
    text-decoration: line-through;
  }
  .deleted .outline-number {
    visibility: hidden;
  }
  .outline-none,
  .outline-length {
    padding: 0 calc(8px * var(--_density));
    color: var(--_muted);
    font-size: calc(13 * var(--_px));
  }
  .outline-length {
    margin-top: calc(14px * var(--_density));
    padding-top: calc(12px * var(--_density));
    border-top: 1px solid var(--_hairline);
  }
  .outline-length:empty {
    display: none;
  }
`;
