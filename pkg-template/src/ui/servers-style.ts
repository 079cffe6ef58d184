/** The style of `<copydesk-servers>`. */

import { css } from "lit";

export const serversStyle = css`
  .version-name {
    white-space: nowrap;
  }
  .tools {
    max-height: 22em;
    overflow-y: auto;
  }
  .tools > li {
    padding: calc(4px * var(--_density)) 0;
  }
  .mark {
    margin-inline-start: calc(8px * var(--_density));
    color: var(--_warning);
    font-size: calc(12 * var(--_px));
  }
  .choice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(2px * var(--_density)) calc(8px * var(--_density));
    color: var(--_muted);
  }
  .choice > select {
    width: auto;
    max-width: 100%;
    padding: calc(2px * var(--_density)) calc(4px * var(--_density));
    color: var(--_ink);
  }
`;
