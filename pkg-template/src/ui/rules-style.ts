/** The style of `<copydesk-rules>`. */

import { css } from "lit";

export const rulesStyle = css`
  .rules:not(:empty) {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(6px * var(--_density));
    margin-bottom: calc(10px * var(--_density));
  }
  .rule {
    display: flex;
    align-items: flex-start;
    gap: calc(7px * var(--_density));
  }
  .rule-box {
    display: grid;
    flex: none;
    place-items: center start;
    min-width: 24px;
    min-height: 24px;
    margin-inline-end: -8px;
  }
  .rule > .rule-box {
    margin-top: calc(4px * var(--_density));
  }
  .rule > textarea {
    flex: 1;
    field-sizing: content;
    min-height: 2.3em;
    max-height: 14em;
    line-height: 1.5;
    resize: vertical;
  }
  .rule[data-off] > textarea {
    color: var(--_muted);
  }
  .rule > .menu {
    margin-top: calc(2px * var(--_density));
  }
  .rule-number {
    flex: none;
    min-width: 1.2em;
    color: var(--_muted);
    text-align: end;
  }
  .rule > .rule-number {
    margin-top: calc(5px * var(--_density));
  }
  .rule-file-head {
    display: flex;
    align-items: center;
    gap: calc(7px * var(--_density));
  }
  .rule-file[data-off] > .text {
    color: var(--_muted);
  }
`;
