/** The style of `<copydesk-rules>`. */

import { css } from "lit";

export const rulesStyle = css`
  .rules:not(:empty) {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    margin-bottom: 10px;
  }
  .rule {
    display: flex;
    align-items: flex-start;
    gap: 7px;
  }
  .rule > input {
    margin-top: 8px;
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
    margin-top: 2px;
  }
  .rule-number {
    flex: none;
    min-width: 1.2em;
    color: var(--_muted);
    text-align: end;
  }
  .rule > .rule-number {
    margin-top: 5px;
  }
  .rule-file-head {
    display: flex;
    align-items: center;
    gap: 7px;
  }
  .rule-file[data-off] > .text {
    color: var(--_muted);
  }
`;
