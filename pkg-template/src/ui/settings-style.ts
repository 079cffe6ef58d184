/** The style of `<copydesk-settings>`. */

import { css } from "lit";

export const settingsStyle = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    container-type: inline-size;
  }
  form,
  .all {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-width: 0;
    min-height: 0;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .body {
    flex: 1;
    min-height: 0;
    overflow-y: auto;
    padding: calc(4px * var(--_density)) var(--_space) calc(18px * var(--_density));
  }
  .foot {
    display: flex;
    justify-content: flex-end;
    gap: calc(10px * var(--_density));
    padding: calc(12px * var(--_density)) var(--_space);
    border-top: 1px solid var(--_hairline);
  }
  section + section {
    margin-top: calc(20px * var(--_density));
    padding-top: calc(18px * var(--_density));
    border-top: 1px solid var(--_hairline);
  }
  h3 {
    margin-bottom: calc(8px * var(--_density));
    font-size: calc(14 * var(--_px));
    font-weight: 650;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: calc(6px * var(--_density));
  }
  legend:not(.visually-hidden) {
    float: inline-start;
    width: 100%;
    margin-bottom: calc(4px * var(--_density));
    padding: 0;
    font-size: calc(13 * var(--_px));
    color: var(--_muted);
  }
  .choices > label {
    position: relative;
    cursor: pointer;
  }
  .choices input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    opacity: 0;
    cursor: pointer;
  }
  .choices span {
    display: block;
    padding: calc(4px * var(--_density)) calc(12px * var(--_density));
    border: 1px solid var(--_line);
    border-radius: 999px;
    font-size: calc(13.5 * var(--_px));
    line-height: 1.5;
  }
  .choices input:checked + span {
    border-color: var(--_accent);
    background: var(--_tint-strong);
    font-weight: 600;
    box-shadow: inset 0 0 0 1px var(--_accent);
  }
  .choices input:focus-visible + span {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .choices label:hover span {
    border-color: var(--_accent);
  }
  .fields {
    display: grid;
    gap: calc(12px * var(--_density));
    margin-top: calc(12px * var(--_density));
  }
  .fields.two {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    align-items: end;
  }
  .fields.two:has(.field-problem:not([hidden])) {
    align-items: start;
  }
  .field :is(input, select) {
    min-height: 36px;
    background: var(--_ground);
  }
  .field-box > input {
    padding-inline-end: 40px;
  }
  .reveal {
    position: absolute;
    inset-inline-end: 2px;
    top: 2px;
  }
  .reveal[aria-pressed="true"] {
    background: var(--_tint-strong);
    color: var(--_accent);
  }
  .key-link {
    justify-self: start;
    padding: calc(3px * var(--_density)) 0;
    color: var(--_accent-deep);
    font-size: calc(13 * var(--_px));
  }
  .connection {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(6px * var(--_density)) calc(12px * var(--_density));
    margin-top: calc(12px * var(--_density));
  }
  .connection > .field-hint {
    flex: 1;
    min-width: min(200px, 100%);
    margin: 0;
  }
  .more {
    margin-top: calc(12px * var(--_density));
  }
  summary {
    width: fit-content;
    cursor: pointer;
    font-size: calc(13 * var(--_px));
    color: var(--_muted);
  }
  .checkbox {
    display: flex;
    gap: calc(10px * var(--_density));
    margin-top: calc(20px * var(--_density));
    padding-top: calc(16px * var(--_density));
    border-top: 1px solid var(--_hairline);
    cursor: pointer;
  }
  .checkbox > input {
    margin-top: calc(3px * var(--_density));
  }
  .checkbox span {
    display: block;
  }
  small {
    font-size: calc(12.5 * var(--_px));
    color: var(--_muted);
  }
  @container (max-width: 420px) {
    .fields.two {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (forced-colors: active) {
    .choices input:checked + span {
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }
  @media (pointer: coarse) {
    .reveal {
      top: 0;
    }
  }
`;
