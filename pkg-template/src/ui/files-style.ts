/** The style of `<copydesk-files>`. */

import { css } from "lit";

export const filesStyle = css`
  .path-form {
    display: grid;
    gap: calc(6px * var(--_density));
    margin: calc(10px * var(--_density)) 0;
  }
  .path-form > label {
    color: var(--_muted);
  }
  .status > .button {
    margin-top: calc(6px * var(--_density));
    white-space: normal;
  }
  .file-row {
    display: flex;
    align-items: center;
    border-radius: calc(0.75 * var(--_radius));
  }
  .file-row:is(:hover, :focus-within) {
    background: var(--_tint);
  }
  .file {
    flex: 1;
    min-width: 0;
    min-height: 24px;
    padding: calc(4px * var(--_density)) calc(8px * var(--_density));
    overflow: hidden;
    border-radius: calc(0.75 * var(--_radius));
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .file[aria-current] {
    color: var(--_accent);
    font-weight: 600;
  }
  /* The accent alone has too little contrast on the tint. */
  .file-row:is(:hover, :focus-within) > .file[aria-current] {
    color: var(--_insert);
  }
`;
