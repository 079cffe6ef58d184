/** The style of the bar for find and replace. */

import { css } from "lit";

export const findStyle = css`
  :host {
    display: block;
    container-type: inline-size;
    padding: calc(6px * var(--_density)) calc(12px * var(--_density));
    border-bottom: 1px solid var(--_hairline);
    background: var(--_ground);
  }
  :host(:not([open])) {
    display: none;
  }
  .find-bar {
    display: flex;
    flex-direction: column;
    gap: calc(6px * var(--_density));
  }
  .find-row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(4px * var(--_density));
  }
  .find-row input {
    flex: 1 1 160px;
    width: auto;
    max-width: 320px;
    height: 32px;
    padding-block: calc(3px * var(--_density));
  }
  .find-row + .find-row {
    padding-inline-start: calc(32px + 4px * var(--_density));
  }
  .find-toggle {
    padding: 0 calc(6px * var(--_density));
    font-size: calc(13 * var(--_px));
  }
  .find-toggle::before {
    content: attr(data-sign);
    content: attr(data-sign) / "";
  }
  .find-toggle[aria-pressed="true"] {
    background: var(--_tint-strong);
    color: var(--_accent);
  }
  .expand .icon {
    rotate: var(--_closed);
  }
  .expand[aria-expanded="true"] .icon {
    rotate: 90deg;
  }
  .find-status {
    min-width: 5em;
    margin-inline-start: calc(6px * var(--_density));
    color: var(--_muted);
    font-size: calc(13 * var(--_px));
    font-variant-numeric: tabular-nums;
  }
  .find-row > .tool:last-child {
    margin-inline-start: auto;
  }
  /* The buttons stay in one row, and what was found is below them. */
  @container (max-width: 480px) {
    .find-row input {
      flex-basis: 60px;
    }
    .find-status {
      order: 1;
      flex-basis: 100%;
      margin-inline-start: calc(32px + 4px * var(--_density));
    }
    .find-status:empty {
      flex-basis: 0;
      min-width: 0;
      margin: 0;
    }
  }
  @container (max-width: 340px) {
    .find-row > .tool:not(.expand) {
      min-width: 28px;
    }
  }
  @media (pointer: coarse) {
    .find-row input {
      height: 40px;
      font-size: max(16px, 1em);
    }
  }
  @media (forced-colors: active) {
    .find-toggle[aria-pressed="true"] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
