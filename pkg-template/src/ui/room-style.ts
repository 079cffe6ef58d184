/** The style of `<copydesk-room>`. */

import { css } from "lit";

export const roomStyle = css`
  :host {
    display: block;
  }
  section {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(6px * var(--_density)) calc(12px * var(--_density));
  }
  input,
  select {
    min-height: 28px;
    padding: calc(2px * var(--_density)) calc(8px * var(--_density));
    border: 1px solid var(--_line);
    border-radius: calc(0.75 * var(--_radius));
    background: var(--_surface);
  }
  input {
    width: 9em;
    border-inline-start: 3px solid var(--_author, var(--_line));
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: calc(4px * var(--_density)) calc(12px * var(--_density));
    list-style: none;
  }
  li {
    max-width: 16em;
    overflow: hidden;
    border-inline-start: 3px solid var(--_author, var(--_line));
    padding-inline-start: calc(6px * var(--_density));
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .note {
    color: var(--_muted);
    font-size: calc(12.5 * var(--_px));
  }
`;
