/** A button that opens a menu. */
import { h, set } from "./h";
import type { Words } from "./words";

export interface PopupItem<W = Words> {
  name: (words: W) => string;
  run: () => void;
}

export interface PopupMenu<W = Words> {
  element: HTMLElement;
  /** Writes the texts; `label` names the button if its text does not. */
  draw: (words: W, text: string, label?: string) => void;
}

export function popupMenu<W = Words>(items: readonly PopupItem<W>[]): PopupMenu<W> {
  const opener = h("button", {
    type: "button",
    class: "copydesk-button",
    "aria-haspopup": "menu",
    "aria-expanded": "false",
  });
  const buttons = items.map(({ run }) => {
    const button = h("button", { type: "button", class: "copydesk-popup-item", role: "menuitem" });
    button.addEventListener("click", () => {
      menu.hidePopover();
      run();
    });
    return button;
  });
  const menu = h("div", { class: "copydesk-popup", role: "menu", popover: "auto" }, ...buttons);
  opener.popoverTargetElement = menu;
  menu.addEventListener("toggle", (event) => {
    const isOpen = (event as ToggleEvent).newState === "open";
    set(opener, { "aria-expanded": String(isOpen) });
    if (!isOpen) return;
    const [at, size] = [opener.getBoundingClientRect(), menu.getBoundingClientRect()];
    menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(at.bottom + 4, innerHeight - size.height - 8))}px`;
    buttons[0]?.focus();
  });
  menu.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  });
  return {
    element: h("span", { class: "copydesk-popup-anchor" }, opener, menu),
    draw: (words, text, label) => {
      opener.textContent = text;
      set(opener, { "aria-label": label, title: label });
      set(menu, { "aria-label": label ?? text });
      items.forEach(({ name }, at) => (buttons[at]!.textContent = name(words)));
    },
  };
}
