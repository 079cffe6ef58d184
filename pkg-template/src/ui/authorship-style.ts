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
    gap: 0 12px;
    align-items: baseline;
    padding: 6px 0 6px 10px;
    border-inline-start: 3px solid var(--_line);
  }
  li + li {
    margin-top: 8px;
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
    font-size: 12.5px;
    overflow-wrap: anywhere;
  }
  label {
    display: flex;
    gap: 8px;
    align-items: center;
    min-height: 24px;
    margin-top: 14px;
  }
  .note {
    color: var(--_muted);
  }
  details {
    margin-top: 14px;
  }
  .sources {
    padding-inline-start: 0;
    font-size: 12.5px;
    overflow-wrap: anywhere;
  }
  .sources li {
    border: 0;
    padding: 2px 0;
    margin: 0;
  }
`;
