/** The look of `<copydesk-assistant>`. */

import { css } from "lit";

export const assistantStyle = css`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    container-type: inline-size;
  }
  copydesk-conversation {
    flex: 1;
    min-height: 0;
  }
  .chat-head {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 42px;
    padding-block: 5px 0;
    padding-inline: var(--_space) 12px;
  }
  .chat-title {
    flex: 1;
    font-size: 14px;
    font-weight: 600;
  }
  .chat-notices {
    flex: none;
    min-width: 0;
    padding: 0 var(--_space) 8px;
    border-bottom: 1px solid var(--_hairline);
    font-size: 13px;
    line-height: 1.45;
    color: var(--_muted);
  }
  .conversation-anchor {
    flex: 1;
    min-width: 0;
    display: flex;
  }
  .conversation-title {
    display: flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
    max-width: 100%;
    min-height: 28px;
    margin-inline-start: -6px;
    padding: 2px 6px;
    border-radius: 6px;
    font-weight: 600;
  }
  .conversation-title > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .conversation-title .icon {
    width: 12px;
    rotate: 90deg;
    color: var(--_muted);
  }
  .conversation-title:hover {
    background: var(--_tint);
  }
  .model-name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--_ink);
  }
  .offline-notice {
    color: var(--_warning);
  }
  .menu,
  .conversations {
    inset: auto;
    margin: 0;
    width: min(300px, calc(100vw - 16px));
    padding: 5px;
    color: var(--_ink);
    background: var(--_surface);
    border: 1px solid var(--_hairline);
    border-radius: var(--_radius);
    box-shadow: var(--_shadow);
  }
  .chat-foot {
    --_pad-inline: 16px;
    --_pad-block: 12px;
    flex: none;
    padding: 12px 16px 12px;
    border-top: 1px solid var(--_hairline);
  }
  @media (max-height: 420px) {
    .chat-foot {
      flex-shrink: 1;
      min-height: 0;
      overflow-y: auto;
    }
  }
  .storage-notice {
    color: var(--_warning);
  }
  @container (max-width: 360px) {
    .chat-head,
    .chat-notices {
      padding-inline: 12px;
    }
  }
`;
