/** The style of `<copydesk-search>`. */

import { css } from "lit";

export const searchStyle = css`
  form {
    display: grid;
    gap: 6px;
    margin-bottom: 10px;
  }
  form > label {
    color: var(--_muted);
  }
  form > .check {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 24px;
    color: inherit;
  }
  form > .button {
    justify-self: start;
  }
  .result {
    display: flex;
    gap: 8px;
    width: 100%;
    min-height: 24px;
    padding: 4px 8px;
    border-radius: 6px;
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
