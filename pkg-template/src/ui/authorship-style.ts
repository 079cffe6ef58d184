/** The style of `<copydesk-authorship>`. */

import { css } from "lit";

export const authorshipStyle = css`
  :host {
    display: block;
  }
  ul {
    list-style: none;
  }
  li {
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(12px * var(--_density));
    align-items: baseline;
    padding: calc(6px * var(--_density)) 0 calc(6px * var(--_density)) calc(10px * var(--_density));
    border-inline-start: 3px solid var(--_line);
  }
  li + li {
    margin-top: calc(8px * var(--_density));
  }
  .agent {
    border-inline-start-color: var(--_author, var(--_accent));
  }
  .name {
    flex: 1 1 120px;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .share {
    font-variant-numeric: tabular-nums;
  }
  .about {
    flex-basis: 100%;
    color: var(--_muted);
    font-size: calc(12.5 * var(--_px));
    overflow-wrap: anywhere;
  }
  label {
    display: flex;
    gap: calc(8px * var(--_density));
    align-items: center;
    min-height: 24px;
    margin-top: calc(14px * var(--_density));
  }
  .note {
    color: var(--_muted);
  }
  details {
    margin-top: calc(14px * var(--_density));
  }
  .sources {
    padding-inline-start: 0;
    font-size: calc(12.5 * var(--_px));
    overflow-wrap: anywhere;
  }
  .sources li {
    border: 0;
    padding: calc(2px * var(--_density)) 0;
    margin: 0;
  }
`;
