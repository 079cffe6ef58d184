/** The look of `<copydesk-composer>`. */

import { css } from "lit";

export const composerStyle = css`
  .progress {
    position: relative;
    display: flex;
    align-items: center;
    min-height: 32px;
    margin-top: calc(-1 * var(--_pad-block, 0px));
    padding: 0 calc(4px * var(--_density));
    font-size: calc(13 * var(--_px));
    color: var(--_accent);
  }
  .progress[data-idle] {
    display: none;
  }
  .progress-line {
    position: absolute;
    top: -1px;
    inset-inline: calc(-1 * var(--_pad-inline, 0px));
    height: 2px;
    overflow: hidden;
    background: var(--_tint-strong);
  }
  .progress-line::before {
    content: "";
    position: absolute;
    width: 30%;
    border-top: 2px solid var(--_accent);
    animation: along 1.4s ease-in-out infinite alternate;
  }
  @keyframes along {
    from {
      left: 0;
    }
    to {
      left: 70%;
    }
  }
  .progress-text {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .composer-box {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-end;
    gap: 0 calc(4px * var(--_density));
    padding: calc(5px * var(--_density));
    border: 1px solid var(--_line);
    border-radius: calc(1.5 * var(--_radius));
    background: var(--_ground);
  }
  .composer-box:focus-within {
    border-color: var(--_accent);
    outline: 1px solid var(--_accent);
  }
  .composer textarea {
    flex: 1;
    min-width: 0;
    padding: calc(6px * var(--_density)) calc(4px * var(--_density));
    border: 0;
    outline: none;
    resize: none;
    background: none;
    line-height: 1.47;
    font-size: calc(15 * var(--_px));
    max-height: 200px;
  }
  .composer textarea::placeholder {
    overflow: hidden;
    color: var(--_muted);
    opacity: 1;
    /* The field is one line high while it is empty. */
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .attach,
  .send,
  .send-later {
    display: grid;
    place-items: center;
    width: 34px;
    height: 34px;
    flex: none;
    border-radius: var(--_radius);
    background: var(--_hairline);
    color: var(--_muted);
  }
  .attach {
    background: none;
  }
  .attach:hover:not(:disabled) {
    background: var(--_tint);
    color: var(--_ink);
  }
  .has-text .send,
  .send[data-mode="stop"] {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .has-text .send:hover,
  .send[data-mode="stop"]:hover {
    background: var(--_accent-deep);
  }
  .send-later {
    background: none;
    color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }
  .send-later:hover {
    background: var(--_tint);
  }
  .queue {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(6px * var(--_density));
    margin-bottom: calc(8px * var(--_density));
    list-style: none;
  }
  .queue-item {
    display: flex;
    align-items: center;
    gap: calc(8px * var(--_density));
    padding-block: calc(3px * var(--_density));
    padding-inline: calc(11px * var(--_density)) calc(3px * var(--_density));
    border: 1px dashed var(--_line);
    border-radius: var(--_radius);
    font-size: calc(13 * var(--_px));
  }
  .queue-label {
    flex: none;
    color: var(--_muted);
  }
  .queue-text {
    display: -webkit-box;
    flex: 1;
    min-width: 0;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow-wrap: anywhere;
  }
  /* The button that removes a queued message, or an attachment. */
  .remove {
    display: grid;
    place-items: center;
    width: 28px;
    height: 28px;
    flex: none;
    border-radius: calc(0.75 * var(--_radius));
    color: var(--_muted);
  }
  .remove:hover {
    background: var(--_tint);
    color: var(--_ink);
  }
  .remove .icon {
    width: 12px;
    height: 12px;
  }
  /* Forced colors keep borders, not backgrounds. */
  .stop-square {
    border: 5.5px solid;
    border-radius: calc(0.25 * var(--_radius));
  }
  .composer-hint {
    margin-top: calc(6px * var(--_density));
    padding-inline-start: calc(4px * var(--_density));
    font-size: calc(12 * var(--_px));
    line-height: 1.4;
    color: var(--_muted);
  }
  .composer-foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: calc(12px * var(--_density));
    margin-top: calc(6px * var(--_density));
    padding-inline-start: calc(4px * var(--_density));
    min-height: 26px;
  }
  .composer-foot .composer-hint {
    flex: 1 1 9em;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  .mode-select {
    flex: none;
    padding: calc(2px * var(--_density)) calc(4px * var(--_density));
    border: 0;
    border-radius: calc(0.75 * var(--_radius));
    background: transparent;
    color: var(--_muted);
    font-size: calc(12.5 * var(--_px));
    cursor: pointer;
    min-height: 24px;
    max-width: 100%;
  }
  .mode-select:hover {
    background: var(--_tint);
    color: var(--_ink);
  }
  .mode-select option {
    background: var(--_surface);
    color: var(--_ink);
  }
  .composer textarea:disabled {
    opacity: 0.6;
  }
  @media (max-width: 699px) {
    /* Smaller text makes phones zoom in. */
    .composer textarea {
      padding: calc(9px * var(--_density)) calc(4px * var(--_density));
      font-size: max(16px, calc(15 * var(--_px)));
    }
    .composer-hint {
      display: none;
    }
    .attach,
    .send,
    .send-later {
      width: 40px;
      height: 40px;
    }
    .mode-select {
      margin-inline-start: auto;
      padding: calc(8px * var(--_density)) calc(4px * var(--_density));
      font-size: calc(13 * var(--_px));
    }
  }
  @media (max-width: 699px), (pointer: coarse) {
    .remove {
      width: 36px;
      height: 36px;
    }
  }
  @media (forced-colors: active) {
    .send,
    .send-later {
      border: 1px solid ButtonText;
    }
  }
`;
