/** The left column: panels with tabs, which choose the one that is shown. A panel is created when it is first shown. */
import { html, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { drawIn } from "./draw";
import { icon, type IconName } from "./icons";
import { messages, type Messages } from "./locale";
import { loadItem, saveItem } from "./storage";

export interface SideTab {
  id: string;
  icon: IconName;
  name: (m: Messages) => string;
  /** Draws into the panel, an element of its own. */
  mount: (panel: HTMLElement) => void | Promise<void>;
  /** True for a panel that needs a wider column than the outline. */
  wide?: boolean;
  /** True for a panel that changes documents. */
  edits?: boolean;
}

export class Side {
  private tabs: SideTab[] = [];
  private active: SideTab | null = null;
  private mounted = new Map<SideTab, Promise<void>>();
  private isReadOnly = false;
  private draw: () => void;

  constructor(private element: HTMLElement) {
    this.draw = drawIn(
      element,
      (m) =>
        html`<div class="side-tabs" role="tablist" aria-label=${m.panels} @keydown=${this.move}>
            ${this.tabs.map((tab) => this.button(tab, m))}
          </div>
          <h2 class="side-heading">${this.active?.name(m) ?? ""}</h2>
          ${repeat(this.tabs, ({ id }) => id, this.panel)}`,
    );
  }

  /** Adds a tab after the others. The first one is shown, or the one that was shown last. */
  register(tab: SideTab): void {
    this.tabs.push(tab);
    this.draw();
    if (!this.active || loadItem("side") === tab.id) void this.show(tab.id);
  }

  /** Lets the user read the panels that change documents, but not use them. */
  setReadOnly(isReadOnly: boolean): void {
    this.isReadOnly = isReadOnly;
    this.draw();
  }

  /** Shows a panel; resolves when it is made. */
  show(id: string): Promise<void> {
    const tab = this.tabs.find((tab) => tab.id === id);
    if (!tab) return Promise.resolve();
    const isChoice = this.active !== null;
    this.active = tab;
    if (isChoice) saveItem("side", id);
    this.element.closest(".app")?.classList.toggle("wide-side", tab.wide === true);
    this.draw();
    const mounted = this.mounted.get(tab) ?? this.mount(tab);
    this.mounted.set(tab, mounted);
    return mounted;
  }

  private async mount(tab: SideTab): Promise<void> {
    const panel = this.element.querySelector<HTMLElement>(`#panel-${tab.id}`)!;
    try {
      await tab.mount(panel);
    } catch (error) {
      // The next click tries again.
      this.mounted.delete(tab);
      console.warn(error);
      render(html`<p class="side-problem" role="alert">${messages().panelFailed}</p>`, panel);
    }
  }

  private button(tab: SideTab, m: Messages) {
    const isActive = tab === this.active;
    return html`<button
      type="button"
      role="tab"
      id="tab-${tab.id}"
      class="side-tab"
      aria-controls="panel-${tab.id}"
      aria-selected=${isActive}
      aria-label=${tab.name(m)}
      title=${tab.name(m)}
      tabindex=${isActive ? 0 : -1}
      @click=${() => void this.show(tab.id)}
    >
      ${icon(tab.icon)}
    </button>`;
  }

  private panel = (tab: SideTab) =>
    html`<div
      class="side-panel"
      role="tabpanel"
      id="panel-${tab.id}"
      aria-labelledby="tab-${tab.id}"
      ?hidden=${tab !== this.active}
      ?inert=${tab.edits && this.isReadOnly}
    ></div>`;

  private move = (event: KeyboardEvent): void => {
    const at = this.tabs.findIndex(({ id }) => `tab-${id}` === document.activeElement?.id);
    const count = this.tabs.length;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + count, Home: 0, End: count - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    const { id } = this.tabs[next % count]!;
    void this.show(id);
    this.element.querySelector<HTMLElement>(`#tab-${id}`)?.focus();
  };
}
