/** The conversation's title, which opens the list of the saved conversations. */
import { h, set } from "../dom";
import { icon } from "../icons";
import { locale, localize, messages } from "../locale";
import type { ConversationHeader } from "../store/database";

export interface ConversationListOptions {
  /** Returns the saved conversations, the newest first. */
  all: () => readonly ConversationHeader[];
  current: () => ConversationHeader;
  open: (id: string) => void;
  remove: (id: string) => void;
}

export class ConversationList {
  readonly element: HTMLElement;
  private opener = h("button", {
    type: "button",
    class: "conversation-title",
    "aria-expanded": "false",
    "aria-haspopup": "dialog",
  });
  private panel = h("div", { class: "conversations", role: "dialog", popover: "auto" });

  constructor(private options: ConversationListOptions) {
    this.element = h("span", { class: "conversation-anchor" }, this.opener, this.panel);
    this.opener.popoverTargetElement = this.panel;
    // The items are drawn before the panel opens: `toggle` comes a task after it.
    this.panel.addEventListener("beforetoggle", (event) => {
      if ((event as ToggleEvent).newState === "open") this.drawItems();
    });
    this.panel.addEventListener("toggle", (event) => {
      const open = (event as ToggleEvent).newState === "open";
      this.opener.setAttribute("aria-expanded", String(open));
      if (open) this.show();
    });
    localize(() => this.draw());
  }

  /** Updates the title. */
  draw(): void {
    const m = messages();
    const { title } = this.options.current();
    const others = this.options.all().some(({ id }) => id !== this.options.current().id);
    this.opener.replaceChildren(h("span", {}, title || m.newConversation), icon("chevron"));
    this.opener.hidden = !title && !others;
    set(this.opener, { title: m.conversations, "aria-label": `${m.conversations}: ${title || m.newConversation}` });
    set(this.panel, { "aria-label": m.conversations });
  }

  private show(): void {
    const [at, size] = [this.opener.getBoundingClientRect(), this.panel.getBoundingClientRect()];
    this.panel.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
    this.panel.style.top = `${Math.max(8, Math.min(at.bottom + 6, innerHeight - size.height - 8))}px`;
    this.panel.querySelector<HTMLElement>("button")?.focus();
  }

  private drawItems(): void {
    const m = messages();
    const current = this.options.current();
    const saved = this.options.all();
    const all = saved.some(({ id }) => id === current.id) || !current.title ? saved : [current, ...saved];
    const day = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
    const items = all.map(({ id, title, changed }) => {
      const open = h(
        "button",
        { type: "button", class: "menu-item", "aria-current": id === current.id ? "true" : undefined },
        h("span", { class: "menu-text" }, h("span", {}, title), h("span", { class: "menu-hint" }, day.format(changed))),
      );
      open.addEventListener("click", () => {
        this.panel.hidePopover();
        if (id !== current.id) this.options.open(id);
      });
      const remove = h(
        "button",
        {
          type: "button",
          class: "tool",
          "aria-label": m.deleteConversation(title),
          title: m.deleteConversation(title),
        },
        icon("delete"),
      );
      remove.addEventListener("click", () => {
        this.options.remove(id);
        this.panel.hidePopover();
        this.draw();
      });
      return h("li", {}, open, remove);
    });
    this.panel.replaceChildren(h("ul", {}, ...items));
  }
}
