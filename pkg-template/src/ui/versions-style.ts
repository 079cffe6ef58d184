/** The style of `<copydesk-versions>`. */

import { css } from "lit";

export const versionsStyle = css`
  .versions > li {
    padding-bottom: 2px;
  }
  .versions ol {
    margin-inline-start: 12px;
  }
  .version {
    display: flex;
    flex-direction: column;
    gap: 1px;
    width: 100%;
    padding: 4px 8px;
    border-radius: 6px;
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
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  .text-button,
  .versions .problem {
    margin-inline: 8px;
  }
  .more-versions {
    font-size: 12px;
  }
  copydesk-diff {
    margin: 4px 8px;
  }
  [part="restore"] {
    margin: 6px 8px;
  }
`;
