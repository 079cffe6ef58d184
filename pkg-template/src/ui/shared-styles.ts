/** Generated from actions.css and review.css by xtask/js/styles.mjs; do not edit. */

import { css } from "lit";

// prettier-ignore
export const actionsStyle = css`
:where(.copydesk-actions) {
  --_copydesk-accent: var(--copydesk-accent, color-mix(in srgb, #3580ff 63%, CanvasText));
  --_copydesk-error: var(--copydesk-error, color-mix(in srgb, #f14b3d 62%, CanvasText));
  --_copydesk-surface: var(--copydesk-surface, Canvas);
  --_copydesk-ink: var(--copydesk-ink, CanvasText);
  --_copydesk-line: var(--copydesk-line, #858178);
}

.copydesk-actions {
  z-index: 20;
  box-sizing: border-box;
  width: max-content;
  max-width: calc(100vw - 16px);
  padding: calc(4px * var(--copydesk-density, 1));
  border: 1px solid var(--_copydesk-line);
  border-radius: calc(1.25 * var(--copydesk-radius, 8px));
  background: var(--_copydesk-surface);
  color: var(--_copydesk-ink);
  box-shadow: 0 4px 16px #0003;
  font:
    500 var(--copydesk-font-size, 13px) / 1.4 system-ui,
    sans-serif;
}
.copydesk-actions[hidden] {
  display: none;
}
.copydesk-menu {
  display: flex;
  gap: calc(2px * var(--copydesk-density, 1));
  overflow-x: auto;
  scrollbar-width: none;
}
.copydesk-menu::-webkit-scrollbar {
  display: none;
}
.copydesk-menu .copydesk-action {
  flex: none;
}

.copydesk-actions :is(button, .copydesk-action) {
  all: unset;
  box-sizing: border-box;
  display: inline-flex;
  align-items: center;
  min-height: 30px;
  padding: calc(3px * var(--copydesk-density, 1)) calc(9px * var(--copydesk-density, 1));
  border-radius: calc(0.75 * var(--copydesk-radius, 8px));
  cursor: pointer;
  white-space: nowrap;
}
.copydesk-actions [aria-haspopup="menu"]::after {
  content: "▾";
  content: "▾" / "";
  margin-inline-start: 0.4em;
  opacity: 0.7;
}
.copydesk-back::before {
  content: "←";
  content: "←" / "";
  margin-inline-end: 0.4em;
}
.copydesk-actions :is(button, .copydesk-action):hover {
  background: color-mix(in srgb, currentcolor 10%, transparent);
}
.copydesk-actions :is(button, input):focus-visible {
  outline: 2px solid var(--_copydesk-accent);
  outline-offset: -2px;
}
.copydesk-actions :is(.copydesk-ask, .copydesk-send, .copydesk-stop) {
  color: var(--_copydesk-accent);
}

.copydesk-slash {
  display: flex;
  flex-direction: column;
  min-width: 14rem;
  max-height: min(20rem, 50vh);
  overflow-y: auto;
}
.copydesk-slash[hidden] {
  display: none;
}
.copydesk-slash .copydesk-action {
  flex: none;
  display: flex;
  max-width: 26rem;
  overflow-wrap: anywhere;
  white-space: normal;
}
.copydesk-slash [aria-selected="true"] {
  background: color-mix(in srgb, var(--_copydesk-accent) 14%, transparent);
  box-shadow: inset 2px 0 var(--_copydesk-accent);
}

.copydesk-form {
  display: flex;
  gap: calc(4px * var(--copydesk-density, 1));
  width: min(26rem, calc(100vw - 28px));
}
.copydesk-field {
  flex: 1;
  min-width: 0;
  box-sizing: border-box;
  min-height: 30px;
  padding: calc(3px * var(--copydesk-density, 1)) calc(9px * var(--copydesk-density, 1));
  border: 0;
  border-radius: calc(0.75 * var(--copydesk-radius, 8px));
  background: none;
  color: inherit;
  font:
    400 calc(14 / 13 * var(--copydesk-font-size, 13px)) / 1.4 system-ui,
    sans-serif;
}
.copydesk-field::placeholder {
  color: inherit;
  opacity: 0.75;
}

.copydesk-insert:not(.copydesk-insert ~ .copydesk-insert):not(:first-child) {
  box-shadow: 0 -1px var(--_copydesk-line);
}

.copydesk-state {
  max-width: 46rem;
  display: flex;
  align-items: center;
  gap: calc(8px * var(--copydesk-density, 1));
  padding-inline-start: calc(8px * var(--copydesk-density, 1));
}
.copydesk-said {
  flex: 1;
  margin: 0;
  max-height: 30vh;
  overflow-y: auto;
  overflow-wrap: anywhere;
  white-space: pre-line;
  font-weight: 400;
}
.copydesk-error .copydesk-said {
  color: var(--_copydesk-error);
}

.copydesk-scope {
  background: color-mix(in srgb, var(--copydesk-accent, #5580f5) 16%, transparent);
}

@media (pointer: coarse) {
  .copydesk-actions :is(button, .copydesk-action, .copydesk-field) {
    min-height: 44px;
  }
  .copydesk-field {
    font-size: max(16px, 1em);
  }
}
@media (forced-colors: active) {
  .copydesk-slash [aria-selected="true"] {
    outline: 2px solid Highlight;
    outline-offset: -2px;
  }
  .copydesk-scope {
    background: Mark;
    color: MarkText;
  }
}
`;

// prettier-ignore
export const barStyle = css`
:where(.ProseMirror, .copydesk-bar, .copydesk-notice) {
  --_copydesk-insert: var(--copydesk-insert, color-mix(in srgb, #3580ff 63%, CanvasText));
  --_copydesk-insert-ground: var(
    --copydesk-insert-ground,
    color-mix(in srgb, var(--_copydesk-insert) 10%, transparent)
  );
  --_copydesk-delete: var(--copydesk-delete, color-mix(in srgb, #f14b3d 62%, CanvasText));
  --_copydesk-delete-ground: var(--copydesk-delete-ground, color-mix(in srgb, var(--_copydesk-delete) 8%, transparent));
  --_copydesk-conflict: var(--copydesk-conflict, color-mix(in srgb, #d88d03 64%, CanvasText));
  --_copydesk-conflict-ground: var(
    --copydesk-conflict-ground,
    color-mix(in srgb, var(--_copydesk-conflict) 11%, transparent)
  );
  --_copydesk-surface: var(--copydesk-surface, Canvas);
  --_copydesk-ink: var(--copydesk-ink, CanvasText);
  --_copydesk-line: var(--copydesk-line, #858178);
}
.copydesk-controls button,
.copydesk-bar button {
  all: unset;
  box-sizing: border-box;
  display: inline-grid;
  place-items: center;
  min-width: 26px;
  min-height: 26px;
  padding: 0 calc(6px * var(--copydesk-density, 1));
  border-radius: calc(0.75 * var(--copydesk-radius, 8px));
  cursor: pointer;
  font: inherit;
}
:is(.copydesk-controls, .copydesk-bar) button:hover {
  background: color-mix(in srgb, currentcolor 12%, transparent);
}
:is(.copydesk-controls, .copydesk-bar) button:focus-visible {
  outline: 2px solid var(--_copydesk-insert);
  outline-offset: -1px;
}
.copydesk-bar {
  display: grid;
  grid-template: "steps view open one every" auto / auto auto minmax(0, 1fr) auto auto;
  align-items: center;
  gap: calc(2px * var(--copydesk-density, 1)) calc(10px * var(--copydesk-density, 1));
  box-sizing: border-box;
  width: min(100%, 46rem);
  padding: calc(4px * var(--copydesk-density, 1));
  border: 1px solid var(--_copydesk-line);
  border-radius: calc(1.25 * var(--copydesk-radius, 8px));
  background: var(--_copydesk-surface);
  color: var(--_copydesk-ink);
  font:
    500 var(--copydesk-font-size, 13px) / 1.4 system-ui,
    sans-serif;
}
.copydesk-bar[hidden] {
  display: none;
}
.copydesk-bar > span {
  display: inline-flex;
  align-items: center;
}
.copydesk-steps {
  grid-area: steps;
}
.copydesk-view {
  grid-area: view;
  min-height: 30px;
  padding: 0 calc(4px * var(--copydesk-density, 1));
  border: 0;
  border-radius: calc(0.75 * var(--copydesk-radius, 8px));
  background: transparent;
  color: inherit;
  cursor: pointer;
  font: inherit;
}
.copydesk-view:hover {
  background: color-mix(in srgb, currentcolor 12%, transparent);
}
.copydesk-view:focus-visible {
  outline: 2px solid var(--_copydesk-insert);
  outline-offset: -1px;
}
.copydesk-view option {
  background: var(--_copydesk-surface);
  color: var(--_copydesk-ink);
}
.copydesk-one {
  grid-area: one;
}
.copydesk-every {
  grid-area: every;
}
.copydesk-open {
  grid-area: open;
  min-width: 0;
  padding-inline: calc(4px * var(--copydesk-density, 1));
  color: var(--_copydesk-conflict);
}
.copydesk-bar > .copydesk-open[hidden] {
  display: none;
}
.copydesk-count {
  justify-content: center;
  min-width: 8.6em;
  padding-inline: calc(4px * var(--copydesk-density, 1));
  text-align: center;
  white-space: nowrap;
  font-variant-numeric: tabular-nums;
}
.copydesk-bar button {
  min-width: 30px;
  min-height: 30px;
  padding: 0 calc(8px * var(--copydesk-density, 1));
  white-space: nowrap;
}
.copydesk-bar .copydesk-accept {
  color: var(--_copydesk-insert);
}
.copydesk-bar .copydesk-reject {
  color: var(--_copydesk-delete);
}
.copydesk-bar button[aria-disabled="true"] {
  color: var(--_copydesk-line);
  cursor: default;
}
@media (pointer: coarse) {
.copydesk-bar button {
    min-width: 40px;
    min-height: 40px;
  }
}
`;
