/** The look of what a row of `<copydesk-tool-row>` unfolds into. */

import { css } from "lit";

export const detailsStyle = css`
  .row-body h4 {
    font-size: calc(12 * var(--_px));
    font-weight: 600;
    color: var(--_muted);
  }
  .row-words {
    max-height: 12em;
    overflow-y: auto;
    padding-inline-start: calc(10px * var(--_density));
    border-inline-start: 2px solid var(--_hairline);
    font-size: calc(13 * var(--_px));
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .row-details {
    width: 100%;
    font-size: calc(12.5 * var(--_px));
    color: var(--_muted);
  }
  .row-details summary {
    width: fit-content;
    cursor: pointer;
  }
  .row-details .json {
    margin-top: calc(6px * var(--_density));
    color: var(--_ink);
  }
  .row-error {
    color: var(--_error);
    font-size: calc(13 * var(--_px));
  }
  .json {
    width: 100%;
    max-height: 240px;
    margin: 0;
    padding: calc(9px * var(--_density)) calc(11px * var(--_density));
    overflow: auto;
    border: 1px solid var(--_hairline);
    border-radius: calc(0.75 * var(--_radius));
    background: var(--_ground);
    font: calc(12 * var(--_px))/1.5 var(--_mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .row-image {
    max-width: 100%;
    max-height: 240px;
    border: 1px solid var(--_hairline);
    border-radius: calc(0.75 * var(--_radius));
  }
  .row-changes {
    width: 100%;
    max-height: 16em;
    margin: 0;
    padding: 0;
    overflow-y: auto;
    list-style: none;
    font-size: calc(13 * var(--_px));
  }
  .change {
    position: relative;
    padding-block: calc(2px * var(--_density));
    padding-inline: calc(10px * var(--_density)) 0;
    border-inline-start: 2px solid var(--_accent);
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .change + .change {
    margin-top: calc(6px * var(--_density));
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
    font-size: calc(12 * var(--_px));
  }
`;
