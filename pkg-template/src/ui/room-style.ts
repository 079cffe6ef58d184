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
    gap: 6px 12px;
  }
  input,
  select {
    min-height: 28px;
    padding: 2px 8px;
    border: 1px solid var(--_line);
    border-radius: 6px;
    background: var(--_surface);
  }
  input {
    width: 9em;
    border-inline-start: 3px solid var(--_author, var(--_line));
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    list-style: none;
  }
  li {
    max-width: 16em;
    overflow: hidden;
    border-inline-start: 3px solid var(--_author, var(--_line));
    padding-inline-start: 6px;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .note {
    color: var(--_muted);
    font-size: 12.5px;
  }
`;
