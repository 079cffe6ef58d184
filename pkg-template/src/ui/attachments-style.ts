/** The look of attachments in `<copydesk-composer>`. */

import { css } from "lit";

export const attachmentsStyle = css`
  .attachments {
    display: flex;
    flex: 1 0 100%;
    flex-wrap: wrap;
    gap: calc(5px * var(--_density));
    min-width: 0;
    /* The field below it stays in view on phones. */
    max-height: min(170px, 16dvh);
    overflow-y: auto;
    padding: calc(2px * var(--_density)) calc(2px * var(--_density)) calc(6px * var(--_density));
    list-style: none;
  }
  .attachment {
    display: flex;
    align-items: center;
    gap: calc(7px * var(--_density));
    min-width: 0;
    max-width: 100%;
    min-height: 38px;
    padding-inline: calc(9px * var(--_density)) calc(2px * var(--_density));
    border: 1px solid var(--_hairline);
    border-radius: var(--_radius);
    background: var(--_surface);
    font-size: calc(12.5 * var(--_px));
    line-height: 1.35;
  }
  .attachment .icon {
    color: var(--_muted);
  }
  .attachment img {
    width: 28px;
    height: 28px;
    flex: none;
    margin-inline-start: calc(-4px * var(--_density));
    border-radius: calc(0.625 * var(--_radius));
    object-fit: cover;
  }
  .attachment-text {
    display: grid;
    min-width: 0;
  }
  .attachment-name,
  .attachment-size {
    max-width: 17em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .attachment-size {
    font-size: calc(11.5 * var(--_px));
    color: var(--_muted);
  }
  .attachment-error {
    display: flex;
    flex: 1 0 100%;
    align-items: center;
    justify-content: space-between;
    gap: calc(10px * var(--_density));
    min-width: 0;
    padding: calc(2px * var(--_density)) calc(4px * var(--_density)) calc(6px * var(--_density));
    font-size: calc(12.5 * var(--_px));
    line-height: 1.4;
    color: var(--_error);
    overflow-wrap: anywhere;
  }
  .attachment-error .button {
    flex: none;
  }
  .attachments-total {
    flex: 1 0 100%;
    padding: 0 calc(4px * var(--_density)) calc(4px * var(--_density));
    font-size: calc(12 * var(--_px));
    line-height: 1.4;
    color: var(--_muted);
  }
  .attachables {
    box-sizing: border-box;
    max-height: 320px;
    list-style: none;
  }
  .popup .attachable {
    display: flex;
    align-items: center;
    gap: calc(9px * var(--_density));
    min-height: 32px;
    padding: calc(3px * var(--_density)) calc(9px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
    font-size: calc(13 * var(--_px));
    cursor: pointer;
  }
  .attachable .icon {
    color: var(--_muted);
  }
  .attachable:hover {
    background: var(--_tint);
  }
  .attachable[aria-selected="true"] {
    background: var(--_tint-strong);
  }
  .attachable-name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .attachable-kind {
    flex: none;
    font-size: calc(12 * var(--_px));
    color: var(--_muted);
  }
  @media (pointer: coarse) {
    .popup .attachable {
      min-height: 40px;
    }
  }
  @media (forced-colors: active) {
    .attachable[aria-selected="true"] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
