/** The style of `<copydesk-comments>`. */

import { css } from "lit";

export const commentsStyle = css`
  :host {
    display: block;
  }
  ul {
    list-style: none;
  }
  .thread {
    margin-top: calc(10px * var(--_density));
    padding: calc(10px * var(--_density)) calc(12px * var(--_density));
    border: 1px solid var(--_hairline);
    border-radius: var(--_radius);
  }
  .thread[aria-current] {
    border-color: var(--_accent);
  }
  .quote {
    display: block;
    width: 100%;
    min-height: 24px;
    overflow: hidden;
    border-inline-start: 2px solid var(--_warning);
    padding-inline-start: calc(8px * var(--_density));
    color: var(--_muted);
    text-align: start;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .quote:hover {
    color: var(--_ink);
  }
  .comment {
    margin-top: calc(8px * var(--_density));
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(8px * var(--_density));
    color: var(--_muted);
    font-size: calc(12.5 * var(--_px));
  }
  .name {
    color: var(--_ink);
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .withdrawn .text {
    text-decoration: line-through;
    color: var(--_muted);
  }
  textarea {
    display: block;
    width: 100%;
    min-height: 60px;
    margin-top: calc(8px * var(--_density));
    padding: calc(6px * var(--_density)) calc(8px * var(--_density));
    border: 1px solid var(--_line);
    border-radius: calc(0.75 * var(--_radius));
    background: var(--_surface);
    resize: vertical;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: calc(8px * var(--_density));
    margin-top: calc(8px * var(--_density));
  }
  .note {
    margin-top: calc(6px * var(--_density));
    color: var(--_muted);
    font-size: calc(12.5 * var(--_px));
  }
  details {
    margin-top: calc(14px * var(--_density));
  }
`;
