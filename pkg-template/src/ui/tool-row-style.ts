/** The look of `<copydesk-tool-row>`. */

import { css } from "lit";

export const rowStyle = css`
  .row-head {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr) auto 16px;
    align-items: start;
    gap: 8px;
    width: 100%;
    padding: 4px 6px;
    border-radius: 6px;
    text-align: start;
    font-size: 13.5px;
    line-height: 20px;
  }
  .row-head:hover,
  :host([data-pointed]) .row-head {
    background: var(--_tint);
  }
  .row-icon {
    display: grid;
    place-items: center;
    height: 20px;
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
    font-size: 12px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .row-head > .icon {
    width: 12px;
    height: 20px;
    justify-self: end;
    color: var(--_muted);
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
  .row-part[data-state="rejected"] :is(.row-text, .row-icon) {
    color: var(--_muted);
  }
  .row-part[data-state="rejected"] .row-text {
    text-decoration: line-through;
    text-decoration-thickness: 1px;
  }
  .row-body {
    margin-block: 4px 10px;
    margin-inline: 30px 0;
    display: grid;
    gap: 6px;
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
    gap: 0 10px;
    padding-block: 0 4px;
    padding-inline: 30px 6px;
    font-size: 12.5px;
  }
  .row-verdict {
    display: flex;
    align-items: center;
    gap: 5px;
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
    gap: 0 12px;
    padding-block: 0 4px;
    padding-inline: 30px 6px;
    font-size: 12.5px;
    color: var(--_muted);
  }
  :host {
    display: block;
    position: relative;
  }
  copydesk-approval {
    display: block;
    margin: 4px 0 8px;
    margin-inline-start: 30px;
  }
`;
