/** Styles that panels share. */

import { css } from "lit";

/** Text fields, choices and their labels. */
export const fieldStyle = css`
  .field > label {
    display: block;
    margin-bottom: 3px;
    font-size: 13px;
    color: var(--_muted);
  }
  .field-box {
    position: relative;
    display: flex;
  }
  :is(input:not([type="checkbox"], [type="radio"]), select, textarea) {
    min-width: 0;
    width: 100%;
    padding: 5px 8px;
    border: 1px solid var(--_line);
    border-radius: 6px;
    background: var(--_surface);
    color: inherit;
    font: inherit;
    letter-spacing: inherit;
  }
  :is(input, textarea)::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  :is(input, textarea)[aria-invalid] {
    border-color: var(--_error);
  }
  :is(input[type="checkbox"], input[type="radio"]) {
    flex: none;
    width: 16px;
    height: 16px;
    margin: 0;
    accent-color: var(--_accent);
  }
  .field-problem {
    margin-top: 3px;
    font-size: 12.5px;
    color: var(--_error);
    overflow-wrap: anywhere;
  }
  .field-hint {
    margin-top: 8px;
    font-size: 13px;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  @media (pointer: coarse) {
    :is(input:not([type="checkbox"], [type="radio"]), select, textarea) {
      min-height: 40px;
      font-size: 16px;
    }
  }
`;
