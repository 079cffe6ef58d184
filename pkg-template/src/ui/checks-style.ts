/** The style of `<copydesk-checks>`. */

import { css } from "lit";

export const checksStyle = css`
  .finding {
    display: flex;
    flex-direction: column;
    gap: 1px;
    width: 100%;
    margin-top: 4px;
    padding: 4px 8px;
    border-inline-start: 3px solid var(--_error);
    border-radius: 6px;
    border-start-start-radius: 2px;
    border-end-start-radius: 2px;
    line-height: 1.45;
    text-align: start;
  }
  .finding:hover {
    background: var(--_tint);
  }
  .finding[data-severity="warning"] {
    border-color: var(--_warning);
  }
  .finding[data-waived] {
    border-color: var(--_line);
  }
  .finding-kind {
    color: var(--_error);
    font-size: 12px;
    font-weight: 600;
  }
  [data-severity="warning"] > .finding-kind {
    color: var(--_warning);
  }
  [data-waived] > .finding-kind,
  .finding-location,
  .finding > .line {
    color: var(--_muted);
    font-size: 12px;
  }
  .finding-message,
  .finding-location {
    overflow-wrap: anywhere;
  }
`;
