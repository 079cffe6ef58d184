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
    min-height: 24px;
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

/** Panels: their sentences, lists and menus. */
export const panelStyle = css`
  :host {
    display: block;
    font-size: var(--copydesk-font-size, 13px);
  }
  :is(ul, ol) {
    list-style: none;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .panel-bar {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .heading {
    margin: 14px 0 2px;
    color: var(--_muted);
    font-size: 12px;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .hint,
  .status {
    margin: 8px 0;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  .status:empty {
    display: none;
  }
  .problem {
    margin: 2px 0;
    color: var(--_error);
    overflow-wrap: anywhere;
  }
  .text-button {
    min-height: 24px;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 2px;
    overflow-wrap: anywhere;
  }
  .menu-opener.dots {
    min-width: 28px;
    min-height: 24px;
    padding: 0 6px;
    border-radius: 6px;
    color: var(--_muted);
    text-align: center;
  }
  .menu-opener.dots:hover {
    background: var(--_tint);
    color: var(--_ink);
  }
  .menu > .popup {
    width: max-content;
    min-width: 160px;
    max-width: calc(100vw - 16px);
  }
  .popup > .menu-item {
    padding: 6px 10px;
  }
  .popup > .menu-item:focus-visible {
    background: var(--_tint);
  }
  summary {
    width: fit-content;
    max-width: 100%;
    padding: 2px 0;
    cursor: pointer;
  }
  .text {
    max-height: 14em;
    margin: 4px 0;
    padding: 6px 8px;
    overflow-y: auto;
    border-inline-start: 2px solid var(--_line);
    background: var(--_surface);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .reading {
    width: 100%;
  }
  .skipped {
    margin: 6px 0;
    overflow-wrap: anywhere;
  }
  .skipped li + li {
    margin-top: 4px;
  }
  .line {
    display: -webkit-box;
    flex: 1;
    min-width: 0;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow-wrap: anywhere;
  }
  mark {
    border-radius: 2px;
    background: var(--_tint-strong);
    color: inherit;
    font-weight: 600;
  }
  @media (pointer: coarse) {
    :is(button, summary, select) {
      min-height: 36px;
    }
  }
`;

/** Lists of cards, and the form that adds one. */
export const cardStyle = css`
  .cards:not(:empty) {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
    margin-bottom: 10px;
  }
  .card {
    padding: 6px 8px 8px;
    border: 1px solid color-mix(in srgb, var(--_line) 45%, transparent);
    border-radius: 8px;
    overflow-wrap: anywhere;
  }
  .card > * + * {
    margin: 4px 0 0;
  }
  .card-head {
    display: flex;
    align-items: center;
    gap: 8px;
  }
  .card-name {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 7px;
    min-width: 0;
    min-height: 24px;
    font-weight: 600;
    cursor: pointer;
  }
  .card-name > span {
    min-width: 0;
  }
  .card-state,
  .card-origin {
    color: var(--_muted);
    font-size: 12px;
  }
  .card[data-state="failed"] .card-state {
    color: var(--_error);
  }
  .card[data-state="disabled"] .card-name {
    color: var(--_muted);
  }
  .warning {
    color: var(--_warning);
  }
  .about {
    display: block;
    color: var(--_muted);
  }
  summary > span {
    display: inline-block;
    max-width: calc(100% - 18px);
    vertical-align: top;
  }
  .add-form,
  .add-form > .field {
    display: grid;
    gap: 4px;
    margin-top: 8px;
  }
  .add-form > .panel-bar {
    margin-top: 8px;
  }
`;

/** Panels of a workspace: their sentences begin where the names of files do. */
export const workspaceStyle = css`
  form,
  .hint,
  .status,
  .heading,
  .skipped {
    padding-inline: 8px;
  }
`;
