/** Styles that panels share. */

import { css } from "lit";

/** Text fields, choices and their labels. */
export const fieldStyle = css`
  .field > label {
    display: block;
    margin-bottom: calc(3px * var(--_density));
    font-size: calc(13 * var(--_px));
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
    padding: calc(5px * var(--_density)) calc(8px * var(--_density));
    border: 1px solid var(--_line);
    border-radius: calc(0.75 * var(--_radius));
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
    margin-top: calc(3px * var(--_density));
    font-size: calc(12.5 * var(--_px));
    color: var(--_error);
    overflow-wrap: anywhere;
  }
  .field-hint {
    margin-top: calc(8px * var(--_density));
    font-size: calc(13 * var(--_px));
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  @media (pointer: coarse) {
    :is(input:not([type="checkbox"], [type="radio"]), select, textarea) {
      min-height: 40px;
      font-size: max(16px, 1em);
    }
  }
`;

/** Panels: their sentences, lists and menus. */
export const panelStyle = css`
  :host {
    display: block;
    --_px: calc(var(--copydesk-font-size, 13px) / 13);
    font-size: calc(13 * var(--_px));
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
    gap: calc(6px * var(--_density));
  }
  .heading {
    margin: calc(14px * var(--_density)) 0 calc(2px * var(--_density));
    color: var(--_muted);
    font-size: calc(12 * var(--_px));
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .hint,
  .status {
    margin: calc(8px * var(--_density)) 0;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  .status:empty {
    display: none;
  }
  .problem {
    margin: calc(2px * var(--_density)) 0;
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
    padding: 0 calc(6px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
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
    padding: calc(6px * var(--_density)) calc(10px * var(--_density));
  }
  .popup > .menu-item:focus-visible {
    background: var(--_tint);
  }
  summary {
    width: fit-content;
    max-width: 100%;
    padding: calc(2px * var(--_density)) 0;
    cursor: pointer;
  }
  .text {
    max-height: 14em;
    margin: calc(4px * var(--_density)) 0;
    padding: calc(6px * var(--_density)) calc(8px * var(--_density));
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
    margin: calc(6px * var(--_density)) 0;
    overflow-wrap: anywhere;
  }
  .skipped li + li {
    margin-top: calc(4px * var(--_density));
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
    border-radius: calc(0.25 * var(--_radius));
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
    gap: calc(8px * var(--_density));
    margin-bottom: calc(10px * var(--_density));
  }
  .card {
    padding: calc(6px * var(--_density)) calc(8px * var(--_density)) calc(8px * var(--_density));
    border: 1px solid color-mix(in srgb, var(--_line) 45%, transparent);
    border-radius: var(--_radius);
    overflow-wrap: anywhere;
  }
  .card > :not(:first-child) {
    margin: calc(4px * var(--_density)) 0 0;
  }
  .card-head {
    display: flex;
    align-items: center;
    gap: calc(8px * var(--_density));
  }
  .card-name {
    display: flex;
    flex: 1;
    align-items: center;
    gap: calc(7px * var(--_density));
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
    font-size: calc(12 * var(--_px));
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
    gap: calc(4px * var(--_density));
    margin-top: calc(8px * var(--_density));
  }
  .add-form > .panel-bar {
    margin-top: calc(8px * var(--_density));
  }
`;

/** Panels of a workspace: their sentences begin where the names of files do. */
export const workspaceStyle = css`
  form,
  .hint,
  .status,
  .heading,
  .skipped {
    padding-inline: calc(8px * var(--_density));
  }
`;
