/** A button that opens a menu, for the templates of panels. Its style is `popup`. */

import { html, type TemplateResult } from "lit";
import { placeBelow, returnFocus } from "./popup-place.js";

export interface MenuItem {
  name: string;
  run: () => void;
}

export interface PopupMenu {
  /** Identifies it in its tree. */
  id: string;
  /** The name of the button, if it has no text. */
  label?: string;
  /** The text of the button. Default: three dots. */
  text?: string;
  items: readonly MenuItem[];
}

/** Returns the button with its menu. */
export function popupMenu({ id, label, text, items }: PopupMenu): TemplateResult {
  const menu = `menu-${id}`;
  return html`<span class="menu" data-menu=${id}
    ><button
      type="button"
      class="menu-opener ${text === undefined ? "dots" : "button plain small"}"
      part="menu"
      popovertarget=${menu}
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label=${label ?? text ?? ""}
      title=${label ?? ""}
      .textContent=${text ?? "⋯"}
    ></button
    ><span
      id=${menu}
      class="popup"
      role="menu"
      popover="auto"
      aria-label=${label ?? text ?? ""}
      @beforetoggle=${returnFocus}
      @toggle=${toggled}
      @keydown=${moved}
      >${items.map(
        ({ name, run }) =>
          html`<button
            type="button"
            class="menu-item"
            role="menuitem"
            .textContent=${name}
            @click=${(event: Event) => {
              menuOf(event).hidePopover();
              run();
            }}
          ></button>`,
      )}</span
    ></span
  >`;
}

function menuOf(event: Event): HTMLElement {
  return (event.currentTarget as HTMLElement).closest<HTMLElement>("[popover]")!;
}

function buttonsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
}

function toggled(event: ToggleEvent): void {
  const menu = event.currentTarget as HTMLElement;
  const opener = menu.previousElementSibling!;
  const isOpen = event.newState === "open";
  opener.setAttribute("aria-expanded", String(isOpen));
  if (!isOpen) return;
  placeBelow(menu, opener, 4);
  buttonsOf(menu)[0]?.focus();
}

function moved(event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLElement;
  const buttons = buttonsOf(menu);
  const at = buttons.indexOf((menu.getRootNode() as ShadowRoot).activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1 + buttons.length, Home: 0, End: buttons.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  buttons[next % buttons.length]?.focus();
}
