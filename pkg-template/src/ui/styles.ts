/**
 * Tokens and components that all elements share. Pages set `--copydesk-…`; the elements read `--_…`. Sizes of text are
 * multiples of `--_px`, and spaces of `--_density`, so that pages can change them.
 */

import { css } from "lit";

export const base = css`
  :host {
    --_surface: var(--copydesk-surface, light-dark(#ffffff, #252523));
    --_ground: var(--copydesk-ground, light-dark(#fbfaf7, #171716));
    --_ink: var(--copydesk-ink, light-dark(#1d1d1b, #e9e7e2));
    --_muted: var(--copydesk-muted, light-dark(#5f5c54, #a8a49b));
    --_line: var(--copydesk-line, light-dark(#8f8b80, #77736b));
    --_hairline: var(--copydesk-hairline, light-dark(#e1ded4, #343330));
    --_accent: var(--copydesk-accent, light-dark(#2b5bd7, #7ea2ff));
    --_accent-deep: var(--copydesk-accent-deep, light-dark(#214bb8, #9db8ff));
    --_on-accent: var(--copydesk-on-accent, light-dark(#ffffff, #10131c));
    --_tint: var(--copydesk-tint, light-dark(#2b5bd714, #7ea2ff1f));
    --_tint-strong: var(--copydesk-tint-strong, light-dark(#2b5bd726, #7ea2ff33));
    --_error: var(--copydesk-error, light-dark(#a3352a, #f0948a));
    --_warning: var(--copydesk-warning, light-dark(#8a5a00, #e2b661));
    --_insert: var(--copydesk-insert, light-dark(#1f4fc4, #8fb0ff));
    --_delete: var(--copydesk-delete, light-dark(#9c2f24, #f0948a));
    --_shadow: var(--copydesk-shadow, 0 12px 40px light-dark(#1d1d1b2e, #000000a6));
    --_mono: var(--copydesk-mono, ui-monospace, "SF Mono", Menlo, Consolas, monospace);
    --_heading: var(--copydesk-heading-font, inherit);
    --_radius: var(--copydesk-radius, 8px);
    --_space: var(--copydesk-space, 20px);
    --_density: var(--copydesk-density, 1);
    /* A fourteenth of the size of the text, in panels a thirteenth. */
    --_px: calc(var(--copydesk-font-size, 14px) / 14);
    box-sizing: border-box;
    color: var(--_ink);
    font-size: calc(14 * var(--_px));
    line-height: 1.55;
  }
  :host(:lang(zh)) {
    line-height: 1.7;
  }
  /* CJK fonts draw ’ and “ ” full-width; Latin text needs them narrow. */
  :lang(en) {
    font-variant-east-asian: proportional-width;
  }
  :lang(zh) {
    font-variant-east-asian: normal;
  }
  :host(:dir(rtl)) {
    --_closed: 180deg;
  }
  /* The page may have no words of its own language, and another direction. */
  [lang]:not([dir]):is(:lang(en), :lang(es), :lang(zh)) {
    direction: ltr;
    --_closed: 0deg;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  ol,
  ul {
    margin: 0;
    padding: 0;
  }
  button,
  textarea,
  select {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }
  button {
    cursor: pointer;
    background: none;
    border: 0;
    padding: 0;
    text-align: inherit;
  }
  button:disabled {
    cursor: default;
    opacity: 0.5;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  summary {
    min-height: 24px;
  }
  .icon {
    width: 16px;
    height: 16px;
    flex: none;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.4;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .tool {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-width: 32px;
    height: 32px;
    flex: none;
    border-radius: calc(0.75 * var(--_radius));
    color: var(--_muted);
  }
  .tool:hover:not(:disabled) {
    background: var(--_tint);
    color: var(--_ink);
  }
  .button {
    min-width: 24px;
    min-height: 24px;
    padding: calc(7px * var(--_density)) calc(16px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
    white-space: nowrap;
  }
  .button:hover {
    background: var(--_accent-deep);
  }
  .button.plain {
    background: none;
    color: var(--_ink);
    box-shadow: inset 0 0 0 1px var(--_line);
    font-weight: 500;
  }
  .button.plain:hover {
    background: var(--_tint);
  }
  .button.small {
    padding: calc(3px * var(--_density)) calc(11px * var(--_density));
    font-size: calc(13 * var(--_px));
  }
  .inline-link {
    min-width: 24px;
    min-height: 24px;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .empty {
    padding: var(--_space);
    color: var(--_muted);
  }
  @media (pointer: coarse) {
    .tool {
      min-width: 40px;
      height: 40px;
    }
  }
  @media (forced-colors: active) {
    .button {
      border: 1px solid ButtonText;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;

/** Panels over the page. */
export const popup = css`
  .popup {
    inset: auto;
    margin: 0;
    width: min(340px, calc(100vw - 16px));
    max-height: 60dvh;
    overflow-y: auto;
    padding: calc(5px * var(--_density));
    color: var(--_ink);
    background: var(--_surface);
    border: 1px solid var(--_hairline);
    border-radius: var(--_radius);
    box-shadow: var(--_shadow);
  }
  .popup ul {
    list-style: none;
  }
  .popup li {
    display: flex;
    align-items: center;
  }
  .menu-item {
    display: flex;
    align-items: flex-start;
    gap: calc(10px * var(--_density));
    flex: 1;
    min-width: 0;
    width: 100%;
    padding: calc(8px * var(--_density)) calc(10px * var(--_density));
    border-radius: calc(0.75 * var(--_radius));
    text-align: start;
  }
  .menu-item:hover {
    background: var(--_tint);
  }
  .menu-text {
    display: grid;
    gap: calc(2px * var(--_density));
    min-width: 0;
  }
  .menu-text > span:first-child {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [aria-current] .menu-text > span:first-child {
    font-weight: 650;
  }
  .menu-hint {
    font-size: calc(12.5 * var(--_px));
    line-height: 1.4;
    color: var(--_muted);
  }
`;
