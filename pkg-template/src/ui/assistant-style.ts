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
    gap: calc(8px * var(--_density));
    min-height: 42px;
    padding-block: calc(5px * var(--_density)) 0;
    padding-inline: var(--_space) calc(12px * var(--_density));
  }
  .chat-title {
    flex: 1;
    font-size: calc(14 * var(--_px));
    font-weight: 600;
  }
  .chat-notices {
    flex: none;
    min-width: 0;
    padding: 0 var(--_space) calc(8px * var(--_density));
    border-bottom: 1px solid var(--_hairline);
    font-size: calc(13 * var(--_px));
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
    gap: calc(6px * var(--_density));
    min-width: 0;
    max-width: 100%;
    min-height: 28px;
    margin-inline-start: calc(-6px * var(--_density));
    padding: calc(2px * var(--_density)) calc(6px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
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
  :is(.offline-notice, .storage-notice) {
    color: var(--_warning);
  }
  .conversations {
    width: min(300px, calc(100vw - 16px));
  }
  .chat-foot {
    --_pad-inline: calc(16px * var(--_density));
    --_pad-block: calc(12px * var(--_density));
    flex: none;
    padding: var(--_pad-block) var(--_pad-inline);
    border-top: 1px solid var(--_hairline);
  }
  @media (max-height: 420px) {
    /* A low window, as of a zoomed page, has no room for all at once. */
    :host {
      overflow-y: auto;
    }
    copydesk-conversation {
      flex-shrink: 0;
      min-height: 10em;
    }
  }
  @container (max-width: 360px) {
    .chat-head,
    .chat-notices {
      padding-inline: calc(12px * var(--_density));
    }
  }
`;
