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
    padding: 4px 0;
  }
  .mark {
    margin-inline-start: 8px;
    color: var(--_warning);
    font-size: 12px;
  }
  .choice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 8px;
    color: var(--_muted);
  }
  .choice > select {
    width: auto;
    max-width: 100%;
    padding: 2px 4px;
    color: var(--_ink);
  }
`;
