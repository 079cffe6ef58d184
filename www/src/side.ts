/** The left column: panels of which one is shown, chosen by tabs. A panel is made when it is shown first. */
import { h, set } from "./dom";
import { icon, type IconName } from "./icons";
import { localize, messages, type Messages } from "./locale";
import { loadItem, saveItem } from "./storage";

export interface SideTab {
  id: string;
  icon: IconName;
  name: (m: Messages) => string;
  /** Makes the panel, in an element of its own. */
  mount: (panel: HTMLElement) => void | Promise<void>;
  /** True for a panel that needs a wider column than the outline. */
  wide?: boolean;
}

interface Registered {
  tab: SideTab;
  button: HTMLButtonElement;
  panel: HTMLElement;
  mounted: Promise<void> | null;
}

export class Side {
  private bar = h("div", { class: "side-tabs", role: "tablist" });
  private heading = h("h2", { class: "side-heading" });
  private tabs: Registered[] = [];
  private active: Registered | null = null;

  constructor(private element: HTMLElement) {
    element.append(this.bar, this.heading);
    localize(() => this.draw());
    this.bar.addEventListener("keydown", (event) => this.move(event));
  }

  /** Adds a tab after the others. The first one is shown, or the one that was shown last. */
  register(tab: SideTab): void {
    const [button, panel] = [
      h("button", { type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}` }),
      h("div", { class: "side-panel", role: "tabpanel", id: `panel-${tab.id}`, "aria-labelledby": `tab-${tab.id}` }),
    ];
    button.className = "side-tab";
    button.append(icon(tab.icon));
    panel.hidden = true;
    button.addEventListener("click", () => void this.show(tab.id));
    this.tabs.push({ tab, button, panel, mounted: null });
    this.bar.append(button);
    this.element.append(panel);
    this.draw();
    if (!this.active || loadItem("side") === tab.id) void this.show(tab.id);
  }

  /** Shows a panel; resolves when it is made. */
  show(id: string): Promise<void> {
    const found = this.tabs.find(({ tab }) => tab.id === id);
    if (!found) return Promise.resolve();
    const isChoice = this.active !== null;
    this.active = found;
    if (isChoice) saveItem("side", id);
    for (const { panel } of this.tabs) panel.hidden = panel !== found.panel;
    this.element.closest(".app")?.classList.toggle("wide-side", found.tab.wide === true);
    this.draw();
    found.mounted ??= Promise.resolve(found.tab.mount(found.panel)).catch((error: unknown) => {
      // The next click tries again.
      found.mounted = null;
      console.warn(error);
      found.panel.replaceChildren(h("p", { class: "side-problem", role: "alert" }, messages().panelFailed));
    });
    return found.mounted;
  }

  private draw(): void {
    const m = messages();
    set(this.bar, { "aria-label": m.panels });
    this.heading.textContent = this.active?.tab.name(m) ?? "";
    for (const registered of this.tabs) {
      const isActive = registered === this.active;
      set(registered.button, {
        "aria-selected": String(isActive),
        "aria-label": registered.tab.name(m),
        title: registered.tab.name(m),
        tabindex: isActive ? 0 : -1,
      });
    }
  }

  private move(event: KeyboardEvent): void {
    const at = this.tabs.findIndex(({ button }) => button === document.activeElement);
    const count = this.tabs.length;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + count, Home: 0, End: count - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    const { tab, button } = this.tabs[next % count]!;
    void this.show(tab.id);
    button.focus();
  }
}
