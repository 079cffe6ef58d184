/** `<page-menu>`: a button that opens a menu. */
import { html, LitElement, nothing, type PropertyDeclarations } from "lit";
import { icon, type IconName } from "../icons";
import { localize, messages, type Messages } from "../locale";

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
  /** Default: three dots. */
  icon?: IconName;
  name?: (m: Messages) => string;
  /** The slot of an element that has the menu. */
  slot?: string;
  /** Set for a button of a toolbar. */
  tabIndex?: number;
  isPressed?: boolean;
  isHidden?: boolean;
}

let serial = 0;

class PageMenu extends LitElement {
  static override properties: PropertyDeclarations = {
    items: { attribute: false },
    look: { attribute: false },
    isOpen: { state: true },
  };

  declare items: readonly MenuItem[];
  declare look: MenuOpener;
  declare protected isOpen: boolean;
  private name = `menu-${++serial}`;
  private release = () => {};

  constructor() {
    super();
    this.items = [];
    this.look = {};
    this.isOpen = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.release = localize(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release();
  }

  protected override render() {
    const m = messages();
    const { look } = this;
    const name = look.name?.(m) ?? m.more;
    return html`<button
        type="button"
        class="tool"
        popovertarget=${this.name}
        aria-haspopup="menu"
        aria-expanded=${this.isOpen}
        aria-label=${name}
        title=${name}
        aria-pressed=${look.isPressed ?? nothing}
        tabindex=${look.tabIndex ?? nothing}
        ?hidden=${look.isHidden}
      >
        ${icon(look.icon ?? "more")}
      </button>
      <div
        class="menu"
        id=${this.name}
        role="menu"
        popover="auto"
        aria-label=${name}
        @beforetoggle=${() => this.requestUpdate()}
        @toggle=${this.toggled}
        @keydown=${this.moved}
      >
        ${this.items.filter(({ when }) => when?.() !== false).map((item) => this.item(item, m))}
      </div>`;
  }

  private item(item: MenuItem, m: Messages) {
    const { file, hint } = item;
    const image = item.icon ? icon(item.icon) : nothing;
    const hinted = hint ? html`<span class="menu-hint">${hint(m)}</span>` : nothing;
    const face = html`${image}<span class="menu-text"><span>${item.name(m)}</span>${hinted}</span>`;
    const run = (event: Event) => this.choose(event, item);
    const button = () => html`<button type="button" class="menu-item" role="menuitem" @click=${run}>${face}</button>`;
    if (!file) return button();
    const picked = ({ currentTarget }: Event) => {
      const picker = currentTarget as HTMLInputElement;
      const [first] = picker.files ?? [];
      picker.value = "";
      if (first) file(first);
    };
    return html`<div role="none">
      ${button()}<input type="file" accept=".json,application/json" hidden tabindex="-1" @change=${picked} />
    </div>`;
  }

  private choose({ currentTarget }: Event, { file, run }: MenuItem): void {
    this.menu.hidePopover();
    if (file) (currentTarget as Element).parentElement!.querySelector("input")!.click();
    else run?.();
  }

  private get menu(): HTMLElement {
    return this.querySelector<HTMLElement>("[role=menu]")!;
  }

  private toggled = ({ newState }: ToggleEvent): void => {
    this.isOpen = newState === "open";
    if (!this.isOpen) return;
    const { menu } = this;
    const [at, size] = [menu.previousElementSibling!.getBoundingClientRect(), menu.getBoundingClientRect()];
    menu.style.left = `${Math.max(8, Math.min(at.right - size.width, innerWidth - size.width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(at.bottom + 6, innerHeight - size.height - 8))}px`;
    menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  };

  private moved = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const all = [...this.querySelectorAll<HTMLElement>("[role=menuitem]")];
    all[(all.indexOf(document.activeElement as HTMLElement) + step + all.length) % all.length]?.focus();
  };
}

customElements.define("page-menu", PageMenu);

/** Returns the button with its menu. Its items are compared by identity: they are made once. */
export const moreMenu = (items: readonly MenuItem[], look: MenuOpener) =>
  html`<page-menu class="menu-anchor" slot=${look.slot ?? nothing} .items=${items} .look=${look}></page-menu>`;
