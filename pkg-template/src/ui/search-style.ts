/** The style of `<copydesk-search>`. */

import { css } from "lit";

export const searchStyle = css`
  form {
    display: grid;
    gap: calc(6px * var(--_density));
    margin-bottom: calc(10px * var(--_density));
  }
  form > label {
    color: var(--_muted);
  }
  form > .check {
    display: flex;
    align-items: center;
    gap: calc(6px * var(--_density));
    min-height: 24px;
    color: inherit;
  }
  form > .button {
    justify-self: start;
  }
  .result {
    display: flex;
    gap: calc(8px * var(--_density));
    width: 100%;
    min-height: 24px;
    padding: calc(4px * var(--_density)) calc(8px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
    line-height: 1.45;
    text-align: start;
  }
  .result:hover {
    background: var(--_tint);
  }
  .line-number {
    min-width: 1.6em;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
`;
