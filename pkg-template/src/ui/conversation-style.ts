/** The look of `<copydesk-conversation>`. */

import { css } from "lit";

export const conversationStyle = css`
  :host {
    display: flex;
    min-width: 0;
    min-height: 0;
  }
  :host([data-has-runs]) {
    /* The space around the messages may be higher than the element. */
    overflow: clip;
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
    font-size: calc(21 * var(--_px));
    font-weight: 600;
    line-height: 1.3;
  }
  .welcome > p {
    margin-top: calc(6px * var(--_density));
    color: var(--_muted);
    max-width: 34em;
  }
  .suggestions {
    list-style: none;
    display: grid;
    gap: calc(8px * var(--_density));
    margin-top: calc(20px * var(--_density));
  }
  .suggestion {
    width: 100%;
    padding: calc(9px * var(--_density)) calc(13px * var(--_density));
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
  /* With a combinator of siblings for any element, another run would be a reason to style all of them again. */
  :is(.run, .gap):not(:first-child) {
    margin-top: calc(26px * var(--_density));
  }
  .run:not(:first-child) {
    padding-top: calc(24px * var(--_density));
    border-top: 1px solid var(--_hairline);
  }
  .user-message {
    width: fit-content;
    max-width: 92%;
    margin-inline-start: auto;
    padding: calc(8px * var(--_density)) calc(13px * var(--_density));
    border-radius: calc(1.5 * var(--_radius));
    border-end-end-radius: calc(0.375 * var(--_radius));
    background: var(--_tint-strong);
    overflow-wrap: anywhere;
  }
  .message-attachments {
    display: flex;
    flex-wrap: wrap;
    gap: calc(2px * var(--_density)) calc(12px * var(--_density));
    margin-top: calc(5px * var(--_density));
    list-style: none;
    font-size: calc(12.5 * var(--_px));
    color: var(--_muted);
  }
  .message-attachments li {
    display: flex;
    align-items: center;
    gap: calc(4px * var(--_density));
    min-width: 0;
  }
  .message-attachments .icon {
    width: 12px;
    height: 12px;
  }
  .answer {
    margin-top: calc(14px * var(--_density));
    display: grid;
    gap: calc(12px * var(--_density));
    grid-template-columns: minmax(0, 1fr);
  }
  .assistant-message {
    overflow-wrap: anywhere;
  }
  .assistant-message > :not(:first-child) {
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
    font: calc(12.5 * var(--_px)) var(--_mono);
    padding: 0.1em 0.3em;
    border-radius: calc(0.5 * var(--_radius));
    background: var(--_ground);
  }
  .assistant-message pre {
    padding: calc(10px * var(--_density)) calc(12px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
    background: var(--_ground);
    overflow-x: auto;
  }
  .assistant-message pre code {
    padding: 0;
  }
  .thinking {
    color: var(--_muted);
    font-size: calc(13 * var(--_px));
  }
  .thinking summary {
    cursor: pointer;
    width: fit-content;
  }
  .thinking-text {
    margin-top: calc(6px * var(--_density));
    padding-inline-start: calc(12px * var(--_density));
    border-inline-start: 2px solid var(--_hairline);
    overflow-wrap: anywhere;
  }
  .notice {
    padding-inline-start: calc(10px * var(--_density));
    border-inline-start: 2px solid var(--_warning);
    font-size: calc(13 * var(--_px));
    color: var(--_muted);
  }
  .run-end {
    font-size: calc(12.5 * var(--_px));
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .run-end.stopped {
    color: var(--_warning);
    font-size: calc(13 * var(--_px));
  }
  .failure {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: calc(9px * var(--_density));
    padding: calc(10px * var(--_density)) calc(14px * var(--_density));
    border-inline-start: 3px solid var(--_error);
    border-start-end-radius: var(--_radius);
    border-end-end-radius: var(--_radius);
    background: var(--_ground);
    overflow-wrap: anywhere;
  }
  .timeline {
    list-style: none;
    margin-inline-start: calc(-6px * var(--_density));
  }
  .row:not(:last-child)::before {
    content: "";
    position: absolute;
    inset-inline-start: calc(6px * var(--_density) + 7.5px);
    top: calc(4px * var(--_density) + 1.5em);
    bottom: -3px;
    width: 1px;
    background: var(--_hairline);
  }
  .row {
    position: relative;
    border-radius: calc(0.75 * var(--_radius));
  }
  .run-setup {
    margin-bottom: calc(6px * var(--_density));
    color: var(--_muted);
    font-size: calc(13 * var(--_px));
  }
  .run-setup > summary {
    display: flex;
    align-items: center;
    gap: calc(8px * var(--_density));
    width: fit-content;
    cursor: pointer;
    list-style: none;
  }
  .run-setup > summary::-webkit-details-marker {
    display: none;
  }
  .run-setup > summary > .icon:last-child {
    width: 12px;
    rotate: var(--_closed);
    transition: rotate 0.12s;
  }
  .run-setup[open] > summary > .icon:last-child {
    rotate: 90deg;
  }
  .run-setup > ul {
    margin-block-start: calc(4px * var(--_density));
    margin-inline-start: calc(24px * var(--_density));
    padding: 0;
    list-style: none;
    overflow-wrap: anywhere;
  }
  .run-undo {
    font-size: calc(12.5 * var(--_px));
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
    font-size: calc(12.5 * var(--_px));
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
    padding: calc(8px * var(--_density)) calc(12px * var(--_density));
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_ground);
    resize: vertical;
  }
  .edit-buttons {
    display: flex;
    justify-content: flex-end;
    gap: calc(8px * var(--_density));
    margin-top: calc(6px * var(--_density));
  }
  .run-foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 calc(12px * var(--_density));
    font-size: calc(12.5 * var(--_px));
  }
`;
