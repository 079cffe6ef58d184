/** The look of `<copydesk-tool-row>`. */

import { css } from "lit";

export const rowStyle = css`
  .row-head {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr) auto 16px;
    align-items: start;
    gap: calc(8px * var(--_density));
    width: 100%;
    padding: calc(4px * var(--_density)) calc(6px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
    text-align: start;
    font-size: calc(13.5 * var(--_px));
    line-height: 1.48;
  }
  .row-head:hover,
  :host([data-pointed]) .row-head {
    background: var(--_tint);
  }
  .row-icon {
    display: grid;
    place-items: center;
    height: 1.48em;
    color: var(--_muted);
  }
  .has-range .row-icon {
    color: var(--_accent);
  }
  .row-text {
    overflow-wrap: anywhere;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
  }
  .row-time {
    color: var(--_muted);
    font-size: calc(12 * var(--_px));
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .row-head > .icon {
    width: 12px;
    height: 1.48em;
    justify-self: end;
    color: var(--_muted);
    rotate: var(--_closed);
    transition: rotate 0.12s;
  }
  .row-head[aria-expanded="true"] > .icon {
    rotate: 90deg;
  }
  .row-head[aria-expanded="true"] .row-text {
    -webkit-line-clamp: none;
  }
  .row-part[data-state="preparing"] .row-text,
  .row-part[data-state="running"] .row-text {
    color: var(--_accent);
  }
  .row-part[data-state="preparing"] .row-icon,
  .row-part[data-state="running"] .row-icon {
    color: var(--_accent);
  }
  .row-part[data-state="failed"] :is(.row-text, .row-icon) {
    color: var(--_error);
  }
  .row-part[data-state="stopped"] :is(.row-text, .row-icon) {
    color: var(--_muted);
  }
  .row-part[data-state="stopped"] .row-text {
    text-decoration: line-through;
    text-decoration-thickness: 1px;
  }
  .row-part[data-state="approval"] :is(.row-text, .row-icon) {
    color: var(--_warning);
  }
  .row-part:is([data-state="rejected"], [data-state="waiting"]) :is(.row-text, .row-icon) {
    color: var(--_muted);
  }
  .row-part[data-state="rejected"] .row-text {
    text-decoration: line-through;
    text-decoration-thickness: 1px;
  }
  .row-body {
    margin-block: calc(4px * var(--_density)) calc(10px * var(--_density));
    margin-inline: calc(30px * var(--_density)) 0;
    display: grid;
    gap: calc(6px * var(--_density));
    justify-items: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .row-part[data-review="pending"] .row-review {
    color: var(--_accent);
    font-weight: 600;
  }
  .row-part[data-review="pending"] .row-review .inline-link {
    font-weight: 400;
  }
  .row-decided {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 calc(10px * var(--_density));
    padding-block: 0 calc(4px * var(--_density));
    padding-inline: calc(30px * var(--_density)) calc(6px * var(--_density));
    font-size: calc(12.5 * var(--_px));
  }
  .row-verdict {
    display: flex;
    align-items: center;
    gap: calc(5px * var(--_density));
    margin: 0;
    color: var(--_muted);
  }
  .row-verdict .icon {
    width: 13px;
    height: 13px;
  }
  .row-part:is([data-review="accepted"], [data-review="mixed"]) .row-verdict .icon {
    color: var(--_accent);
  }
  .row-part[data-review="rejected"] :is(.row-verdict .icon, .row-icon) {
    color: var(--_error);
  }
  .row-part[data-review="rejected"] .row-text {
    color: var(--_muted);
    text-decoration: line-through;
    text-decoration-thickness: 1px;
  }
  .row-review {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 calc(12px * var(--_density));
    padding-block: 0 calc(4px * var(--_density));
    padding-inline: calc(30px * var(--_density)) calc(6px * var(--_density));
    font-size: calc(12.5 * var(--_px));
    color: var(--_muted);
  }
  :host {
    display: block;
    position: relative;
  }
  copydesk-approval {
    display: block;
    margin: calc(4px * var(--_density)) 0 calc(8px * var(--_density));
    margin-inline-start: calc(30px * var(--_density));
  }
`;
