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
    gap: 8px;
    width: 100%;
    min-height: 24px;
    padding: 5px 8px;
    border-radius: 6px;
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
    margin-bottom: 2px;
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
    padding: 0 8px;
    color: var(--_muted);
    font-size: 13px;
  }
  .outline-length {
    margin-top: 14px;
    padding-top: 12px;
    border-top: 1px solid var(--_hairline);
  }
  .outline-length:empty {
    display: none;
  }
`;
