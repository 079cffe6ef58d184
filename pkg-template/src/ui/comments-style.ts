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
    margin-top: 10px;
    padding: 10px 12px;
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
    padding-inline-start: 8px;
    color: var(--_muted);
    text-align: start;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .quote:hover {
    color: var(--_ink);
  }
  .comment {
    margin-top: 8px;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0 8px;
    color: var(--_muted);
    font-size: 12.5px;
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
    margin-top: 8px;
    padding: 6px 8px;
    border: 1px solid var(--_line);
    border-radius: 6px;
    background: var(--_surface);
    resize: vertical;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-top: 8px;
  }
  .note {
    margin-top: 6px;
    color: var(--_muted);
    font-size: 12.5px;
  }
  details {
    margin-top: 14px;
  }
`;
