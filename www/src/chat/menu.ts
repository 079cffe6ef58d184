/** A button that opens a menu. */
import { h, set } from "../dom";
import { icon, type IconName } from "../icons";
import { localize, type Messages } from "../locale";

export interface MenuItem {
  icon?: IconName;
  name: (m: Messages) => string;
  /** An explanation below the name. */
  hint?: (m: Messages) => string;
  run?: () => void;
  /** Returns false while the item is left out. Default: true. */
  when?: () => boolean;
  /** Receives the file that the user picks. */
  file?: (file: File) => void;
}

/** The look of the button that opens a menu. */
export interface MenuOpener {
  icon: IconName;
  name: (m: Messages) => string;
}

const more: MenuOpener = { icon: "more", name: (m) => m.more };

export function moreMenu(items: MenuItem[], look = more): HTMLElement {
  const opener = h(
    "button",
    { type: "button", class: "tool", "aria-haspopup": "menu", "aria-expanded": "false" },
    icon(look.icon),
  );
  const menu = h(
    "div",
    { class: "menu", role: "menu", popover: "auto" },
    ...items.map((item) => button(item, () => menu.hidePopover())),
  );
  menu.addEventListener("beforetoggle", () =>
    items.forEach(({ when }, at) => ((menu.children[at] as HTMLElement).hidden = when?.() === false)),
  );
  localize((m) => {
    set(opener, { "aria-label": look.name(m), title: look.name(m) });
    set(menu, { "aria-label": look.name(m) });
  });
  opener.popoverTargetElement = menu;
  menu.addEventListener("toggle", (event) => {
    const open = (event as ToggleEvent).newState === "open";
    opener.setAttribute("aria-expanded", String(open));
    if (!open) return;
    const [at, size] = [opener.getBoundingClientRect(), menu.getBoundingClientRect()];
    menu.style.left = `${Math.max(8, Math.min(at.right - size.width, innerWidth - size.width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(at.bottom + 6, innerHeight - size.height - 8))}px`;
    menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  });
  menu.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const all = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]:not([hidden])")];
    all[(all.indexOf(document.activeElement as HTMLElement) + step + all.length) % all.length]?.focus();
  });
  return h("span", { class: "menu-anchor" }, opener, menu);
}

function button(item: MenuItem, close: () => void): HTMLElement {
  const [name, hint] = [h("span", {}), h("span", { class: "menu-hint" })];
  const element = h(
    "button",
    { type: "button", class: "menu-item", role: "menuitem" },
    item.icon && icon(item.icon),
    h("span", { class: "menu-text" }, name, item.hint && hint),
  );
  localize((m) => {
    name.textContent = item.name(m);
    hint.textContent = item.hint?.(m) ?? "";
  });
  const { file } = item;
  const picker = h("input", { type: "file", accept: ".json,application/json", hidden: true, tabindex: "-1" });
  picker.addEventListener("change", () => {
    const [picked] = picker.files ?? [];
    picker.value = "";
    if (picked) file?.(picked);
  });
  element.addEventListener("click", () => {
    close();
    if (file) picker.click();
    else item.run?.();
  });
  return file ? h("div", { role: "none" }, element, picker) : element;
}
