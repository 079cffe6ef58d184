/** The look of `<copydesk-conversation>`. */

import { css, unsafeCSS } from "lit";

/** The space between runs, in pixels. */
export const SPACE_BETWEEN = 26;
const BETWEEN = unsafeCSS(SPACE_BETWEEN);

export const conversationStyle = css`
  :host {
    display: flex;
    min-width: 0;
    min-height: 0;
  }
  .content {
    min-height: 100%;
    display: flex;
    flex-direction: column;
  }
  .log {
    position: relative;
    flex: 1;
    min-width: 0;
    overflow-y: auto;
    overflow-x: hidden;
    padding: var(--_space);
    outline-offset: -3px;
    overscroll-behavior: contain;
  }
  .welcome {
    display: flex;
    flex-direction: column;
    flex: 1;
  }
  .welcome h3 {
    font-family: var(--_heading);
    font-size: 21px;
    font-weight: 600;
    line-height: 1.3;
  }
  .welcome > p {
    margin-top: 6px;
    color: var(--_muted);
    max-width: 34em;
  }
  .suggestions {
    list-style: none;
    display: grid;
    gap: 8px;
    margin-top: 20px;
  }
  .suggestion {
    width: 100%;
    padding: 9px 13px;
    border: 1px solid var(--_hairline);
    border-radius: var(--_radius);
    background: var(--_ground);
    text-align: start;
    line-height: 1.45;
  }
  .suggestion:hover {
    border-color: var(--_accent);
    color: var(--_accent);
  }
  /* The layout of many blocks is faster than that of many items. */
  .runs:not([data-empty]) {
    display: block;
  }
  .runs[data-empty] {
    display: contents;
  }
  /* A change in one run is no reason to lay out the others. */
  .run {
    contain: layout style;
  }
  .runs > * + * {
    margin-top: ${BETWEEN}px;
  }
  * + .run {
    padding-top: 24px;
    border-top: 1px solid var(--_hairline);
  }
  .user-message {
    width: fit-content;
    max-width: 92%;
    margin-inline-start: auto;
    padding: 8px 13px;
    border-radius: 12px;
    border-end-end-radius: 3px;
    background: var(--_tint-strong);
    overflow-wrap: anywhere;
  }
  .message-attachments {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 12px;
    margin-top: 5px;
    list-style: none;
    font-size: 12.5px;
    color: var(--_muted);
  }
  .message-attachments li {
    display: flex;
    align-items: center;
    gap: 4px;
    min-width: 0;
  }
  .message-attachments .icon {
    width: 12px;
    height: 12px;
  }
  .answer {
    margin-top: 14px;
    display: grid;
    gap: 12px;
    grid-template-columns: minmax(0, 1fr);
  }
  .assistant-message {
    overflow-wrap: anywhere;
  }
  .assistant-message > * + * {
    margin-top: 0.65em;
  }
  .assistant-message ul,
  .assistant-message ol {
    padding-inline-start: 1.5em;
  }
  .assistant-message li + li {
    margin-top: 0.2em;
  }
  .assistant-message li::marker {
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .message-heading {
    font-weight: 650;
  }
  .assistant-message a {
    color: var(--_accent);
    text-underline-offset: 2px;
  }
  .assistant-message code {
    font: 12.5px var(--_mono);
    padding: 0.1em 0.3em;
    border-radius: 4px;
    background: var(--_ground);
  }
  .assistant-message pre {
    padding: 10px 12px;
    border-radius: 6px;
    background: var(--_ground);
    overflow-x: auto;
  }
  .thinking {
    color: var(--_muted);
    font-size: 13px;
  }
  .thinking summary {
    cursor: pointer;
    width: fit-content;
  }
  .thinking-text {
    margin-top: 6px;
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--_hairline);
    overflow-wrap: anywhere;
  }
  .notice {
    padding-inline-start: 10px;
    border-inline-start: 2px solid var(--_warning);
    font-size: 13px;
    color: var(--_muted);
  }
  .run-end {
    font-size: 12.5px;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .run-end.stopped {
    color: var(--_warning);
    font-size: 13px;
  }
  .needs-model {
    margin-top: 4px;
  }
  .failure {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 9px;
    padding: 10px 14px;
    border-inline-start: 3px solid var(--_error);
    border-start-end-radius: var(--_radius);
    border-end-end-radius: var(--_radius);
    background: var(--_ground);
    overflow-wrap: anywhere;
  }
  .timeline {
    list-style: none;
    margin-inline-start: -6px;
  }
  .row:not(:last-child)::before {
    content: "";
    position: absolute;
    inset-inline-start: 13.5px;
    top: 25px;
    bottom: -3px;
    width: 1px;
    background: var(--_hairline);
  }
  .row {
    position: relative;
    border-radius: 6px;
  }
  .run-setup {
    margin-bottom: 6px;
    color: var(--_muted);
    font-size: 13px;
  }
  .run-setup > summary {
    display: flex;
    align-items: center;
    gap: 8px;
    width: fit-content;
    cursor: pointer;
    list-style: none;
  }
  .run-setup > summary::-webkit-details-marker {
    display: none;
  }
  .run-setup > summary > .icon:last-child {
    width: 12px;
    transition: rotate 0.12s;
  }
  .run-setup[open] > summary > .icon:last-child {
    rotate: 90deg;
  }
  .run-setup > ul {
    margin-block-start: 4px;
    margin-inline-start: 24px;
    padding: 0;
    list-style: none;
    overflow-wrap: anywhere;
  }
  .run-undo {
    font-size: 12.5px;
    color: var(--_muted);
  }
  .message-text {
    white-space: pre-wrap;
  }
  .earlier {
    align-self: center;
    margin-bottom: var(--_space);
  }
  .message-tools {
    display: flex;
    justify-content: flex-end;
    min-height: 24px;
    font-size: 12.5px;
  }
  .message-tools .inline-link {
    opacity: 0;
  }
  .run:is(:hover, :focus-within) .message-tools .inline-link {
    opacity: 1;
  }
  .message-tools + .answer {
    margin-top: 0;
  }
  @media (hover: none) {
    .message-tools .inline-link {
      opacity: 1;
    }
  }
  .edit-message textarea {
    width: 100%;
    padding: 8px 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_ground);
    resize: vertical;
  }
  .edit-buttons {
    display: flex;
    justify-content: flex-end;
    gap: 8px;
    margin-top: 6px;
  }
  .run-foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 12px;
    font-size: 12.5px;
  }
`;
