/** The look of attachments in `<copydesk-composer>`. */

import { css } from "lit";

export const attachmentsStyle = css`
  .attachments {
    display: flex;
    flex: 1 0 100%;
    flex-wrap: wrap;
    gap: 5px;
    min-width: 0;
    /* The field below it stays in view on phones. */
    max-height: min(170px, 16dvh);
    overflow-y: auto;
    padding: 2px 2px 6px;
    list-style: none;
  }
  .attachment {
    display: flex;
    align-items: center;
    gap: 7px;
    min-width: 0;
    max-width: 100%;
    min-height: 38px;
    padding-inline: 9px 2px;
    border: 1px solid var(--_hairline);
    border-radius: 8px;
    background: var(--_surface);
    font-size: 12.5px;
    line-height: 1.35;
  }
  .attachment .icon {
    color: var(--_muted);
  }
  .attachment img {
    width: 28px;
    height: 28px;
    flex: none;
    margin-inline-start: -4px;
    border-radius: 5px;
    object-fit: cover;
  }
  .attachment-text {
    display: grid;
    min-width: 0;
  }
  .attachment-name,
  .attachment-size {
    max-width: 220px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .attachment-size {
    font-size: 11.5px;
    color: var(--_muted);
  }
  .attachment-error {
    display: flex;
    flex: 1 0 100%;
    align-items: center;
    justify-content: space-between;
    gap: 10px;
    min-width: 0;
    padding: 2px 4px 6px;
    font-size: 12.5px;
    line-height: 1.4;
    color: var(--_error);
    overflow-wrap: anywhere;
  }
  .attachments-total {
    flex: 1 0 100%;
    padding: 0 4px 4px;
    font-size: 12px;
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
    gap: 9px;
    min-height: 32px;
    padding: 3px 9px;
    border-radius: 6px;
    font-size: 13px;
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
    font-size: 12px;
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
