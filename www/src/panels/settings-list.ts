/** The basis of the panels for rules, skills and servers: a list that the user changes, with a form below it. */
import { assistantWords, type AssistantWords } from "./assistant-words";
import { h } from "./h";
import { LocalizedElement } from "./localized";

/**
 * A panel with a list of settings. The owner sets `items`; the panel emits `items-change` with the new list after a change
 * of the user, and shows it at once.
 */
export abstract class SettingsList<Item> extends LocalizedElement<AssistantWords> {
  private list: readonly Item[] = [];
  private hint = h("p", { class: "copydesk-hint" });
  private rows = h("ol", { class: "copydesk-settings" });
  protected problem = h("p", { class: "copydesk-problem", role: "alert" });

  get items(): readonly Item[] {
    return this.list;
  }

  set items(items: readonly Item[]) {
    this.list = items;
    if (this.isShown) this.drawRows(this.words);
  }

  protected get words(): AssistantWords {
    return assistantWords(this.language);
  }

  protected build(): void {
    this.append(this.hint, this.rows, this.form(), this.problem);
  }

  protected draw(words: AssistantWords): void {
    this.hint.textContent = this.about(words);
    this.drawForm(words);
    this.drawRows(words);
  }

  /** Draws the rows again, with the focus where it was. */
  protected drawRows(words: AssistantWords): void {
    const active = this.contains(document.activeElement) ? document.activeElement?.getAttribute("data-focus") : null;
    const rows = this.list.map((item, at) => this.row(item, at, words));
    this.rows.replaceChildren(...(rows.length ? rows : [h("li", { class: "copydesk-hint" }, this.none(words))]));
    if (active) this.rows.querySelector<HTMLElement>(`[data-focus="${CSS.escape(active)}"]`)?.focus();
  }

  /** Takes a list over from the user. */
  protected change(items: readonly Item[]): void {
    this.problem.textContent = "";
    this.items = items;
    this.emit("items-change", items);
  }

  /** Returns the list with another item in a place, or without the one that is there. */
  protected with(at: number, item?: Item): Item[] {
    return item === undefined ? this.list.toSpliced(at, 1) : this.list.toSpliced(at, 1, item);
  }

  /** Returns a box that turns an item on and off. */
  protected toggle(name: string, isOn: boolean, focus: string, change: (on: boolean) => void): HTMLElement {
    const box = h("input", {
      type: "checkbox",
      "aria-label": this.words.enabled(name),
      title: this.words.enabled(name),
      "data-focus": focus,
    });
    box.checked = isOn;
    box.addEventListener("change", () => change(box.checked));
    return box;
  }

  protected button(text: string, name: string, focus: string, run: () => void): HTMLElement {
    const button = h("button", { type: "button", class: "copydesk-text-button", "data-focus": focus }, text);
    if (name !== text) button.setAttribute("aria-label", name);
    button.addEventListener("click", run);
    return button;
  }

  /** Says what the settings are for. */
  protected abstract about(words: AssistantWords): string;
  protected abstract none(words: AssistantWords): string;
  protected abstract row(item: Item, at: number, words: AssistantWords): HTMLLIElement;
  /** Creates the form for new items. */
  protected abstract form(): HTMLElement;
  protected abstract drawForm(words: AssistantWords): void;
}

/** Creates a field with a label. */
export function field(type: "text" | "url" | "password"): {
  label: HTMLLabelElement;
  name: HTMLElement;
  input: HTMLInputElement;
} {
  const [name, input] = [h("span"), h("input", { type, autocomplete: "off", spellcheck: "false" })];
  return { name, input, label: h("label", {}, name, input) };
}
