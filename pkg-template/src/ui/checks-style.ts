/** The style of `<copydesk-checks>`. */

import { css } from "lit";

export const checksStyle = css`
  .finding {
    display: flex;
    flex-direction: column;
    gap: calc(1px * var(--_density));
    width: 100%;
    margin-top: calc(4px * var(--_density));
    padding: calc(4px * var(--_density)) calc(8px * var(--_density));
    border-inline-start: 3px solid var(--_error);
    border-radius: calc(0.75 * var(--_radius));
    border-start-start-radius: calc(0.25 * var(--_radius));
    border-end-start-radius: calc(0.25 * var(--_radius));
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
    font-size: calc(12 * var(--_px));
    font-weight: 600;
  }
  [data-severity="warning"] > .finding-kind {
    color: var(--_warning);
  }
  [data-waived] > .finding-kind,
  .finding-location,
  .finding > .line {
    color: var(--_muted);
    font-size: calc(12 * var(--_px));
  }
  .finding-message,
  .finding-location {
    overflow-wrap: anywhere;
  }
`;
