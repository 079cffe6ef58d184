/** The style of `<copydesk-versions>`. */

import { css } from "lit";

export const versionsStyle = css`
  .versions > li {
    padding-bottom: calc(2px * var(--_density));
  }
  .versions ol {
    margin-inline-start: calc(12px * var(--_density));
  }
  .version {
    display: flex;
    flex-direction: column;
    gap: calc(1px * var(--_density));
    width: 100%;
    padding: calc(4px * var(--_density)) calc(8px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
    line-height: 1.45;
    text-align: start;
  }
  .version:hover:not(:disabled) {
    background: var(--_tint);
  }
  .version:disabled {
    opacity: 1;
  }
  .version-author {
    color: var(--_muted);
    font-size: calc(12 * var(--_px));
    overflow-wrap: anywhere;
  }
  .text-button,
  .versions .problem {
    margin-inline: calc(8px * var(--_density));
  }
  .more-versions {
    font-size: calc(12 * var(--_px));
  }
  copydesk-diff {
    margin: calc(4px * var(--_density)) calc(8px * var(--_density));
  }
  [part="restore"] {
    margin: calc(6px * var(--_density)) calc(8px * var(--_density));
  }
`;
