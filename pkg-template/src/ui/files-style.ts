/** The style of `<copydesk-files>`. */

import { css } from "lit";

export const filesStyle = css`
  .path-form {
    display: grid;
    gap: 6px;
    margin: 10px 0;
  }
  .path-form > label {
    color: var(--_muted);
  }
  .status > .button {
    margin-top: 6px;
    white-space: normal;
  }
  .file-row {
    display: flex;
    align-items: center;
    border-radius: 6px;
  }
  .file-row:is(:hover, :focus-within) {
    background: var(--_tint);
  }
  .file {
    flex: 1;
    min-width: 0;
    min-height: 24px;
    padding: 4px 8px;
    overflow: hidden;
    border-radius: 6px;
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
