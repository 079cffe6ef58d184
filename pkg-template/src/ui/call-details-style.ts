/** The look of what a row of `<copydesk-tool-row>` unfolds into. */

import { css } from "lit";

export const detailsStyle = css`
  .row-body h4 {
    font-size: 12px;
    font-weight: 600;
    color: var(--_muted);
  }
  .row-words {
    max-height: 12em;
    overflow-y: auto;
    padding-inline-start: 10px;
    border-inline-start: 2px solid var(--_hairline);
    font-size: 13px;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .row-details {
    width: 100%;
    font-size: 12.5px;
    color: var(--_muted);
  }
  .row-details summary {
    width: fit-content;
    cursor: pointer;
  }
  .row-details .json {
    margin-top: 6px;
    color: var(--_ink);
  }
  .row-error {
    color: var(--_error);
    font-size: 13px;
  }
  .json {
    width: 100%;
    max-height: 240px;
    margin: 0;
    padding: 9px 11px;
    overflow: auto;
    border: 1px solid var(--_hairline);
    border-radius: 6px;
    background: var(--_ground);
    font: 12px/1.5 var(--_mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .row-image {
    max-width: 100%;
    max-height: 240px;
    border: 1px solid var(--_hairline);
    border-radius: 6px;
  }
  .row-changes {
    width: 100%;
    max-height: 16em;
    margin: 0;
    padding: 0;
    overflow-y: auto;
    list-style: none;
    font-size: 13px;
  }
  .change {
    position: relative;
    padding-block: 2px;
    padding-inline: 10px 0;
    border-inline-start: 2px solid var(--_accent);
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .change + .change {
    margin-top: 6px;
  }
  .change[data-verdict="accepted"] {
    border-inline-start-color: var(--_line);
  }
  .change[data-verdict="rejected"] {
    border-inline-start-color: var(--_error);
    border-inline-start-style: dashed;
  }
  .change.more {
    border-inline-start-color: transparent;
    color: var(--_muted);
  }
  .change del {
    color: var(--_delete);
    text-decoration-thickness: 1px;
  }
  .change ins {
    color: var(--_insert);
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
  }
  .change[data-verdict="accepted"] ins {
    color: var(--_ink);
  }
  .change[data-verdict="rejected"] del {
    color: inherit;
    text-decoration: none;
  }
  .change[data-verdict="rejected"] ins {
    color: var(--_muted);
    text-decoration: line-through;
  }
  .change-verdict {
    display: block;
    color: var(--_muted);
    font-size: 12px;
  }
`;
