/** The bar for find and replace, above the document. Loaded when it is opened first. */
import type { Editor } from "@tiptap/core";
import { Find, type Found } from "copydesk/find";
import { h, set } from "../dom";
import { icon, type IconName } from "../icons";
import { localize, messages, type Messages } from "../locale";

/** Characters of a selection that become the text to find. */
const LONGEST = 200;

export class FindBar {
  readonly element: HTMLElement;
  private field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", enterkeyhint: "search" });
  private replacement = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  private caseButton = toggle("Aa");
  private wordButton = toggle("ab|");
  private status = h("span", { class: "find-status", role: "status" });
  private second = h("div", { class: "find-row", hidden: true });
  private replacer = tool("chevron", () => this.showReplace(this.second.hidden === true));
  private find: Find;
  private found: Found = { current: 0, total: 0, proposed: 0 };
  private said: ((m: Messages) => string) | null = null;

  constructor(private editor: Editor) {
    this.find = new Find(editor, (found) => {
      this.found = found;
      this.drawStatus();
    });
    const before = tool("up", () => this.go(-1));
    const next = tool("down", () => this.go(1));
    const close = tool("close", () => this.close());
    const one = h("button", { type: "button", class: "button plain small" });
    const all = h("button", { type: "button", class: "button plain small" });
    one.addEventListener("click", () => this.replace());
    all.addEventListener("click", () => this.replaceAll());
    this.second.append(this.replacement, one, all);
    const { replacer, field, caseButton, wordButton, status } = this;
    const first = h("div", { class: "find-row" }, replacer, field, caseButton, wordButton, before, next, status, close);
    this.element = h("div", { class: "find-bar", role: "search", hidden: true }, first, this.second);
    this.field.addEventListener("input", () => this.search());
    for (const button of [this.caseButton, this.wordButton])
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
        this.search();
      });
    this.element.addEventListener("keydown", (event) => this.key(event));
    localize((m) => {
      set(this.element, { "aria-label": m.find.label });
      const names: [HTMLElement, string][] = [
        [this.replacer, m.find.showReplace],
        [this.caseButton, m.find.caseSensitive],
        [this.wordButton, m.find.wholeWord],
        [before, m.find.previous],
        [next, m.find.next],
        [close, m.close],
      ];
      for (const [button, name] of names) set(button, { "aria-label": name, title: name });
      set(this.field, { "aria-label": m.find.find, placeholder: m.find.find });
      set(this.replacement, { "aria-label": m.find.replacement, placeholder: m.find.replacement });
      one.textContent = m.find.replace;
      all.textContent = m.find.replaceAll;
      this.drawStatus();
    });
  }

  /** Opens the bar for the selected text, or for what was searched before. */
  open(withReplace: boolean): void {
    const { selection, doc } = this.editor.state;
    const { from, to, $from, $to } = selection;
    const chosen = $from.sameParent($to) && to - from <= LONGEST ? doc.textBetween(from, to) : "";
    if (chosen.trim()) this.field.value = chosen;
    this.element.hidden = false;
    this.replacer.hidden = !this.editor.isEditable;
    this.showReplace((withReplace || !this.second.hidden) && this.editor.isEditable);
    this.field.focus();
    this.field.select();
    this.search();
  }

  /** True while the bar has the focus: the browser's own search can be opened from it. */
  get hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  private close(): void {
    this.element.hidden = true;
    this.said = null;
    this.find.show();
    this.find.end();
    if (this.editor.isEditable) this.editor.view.focus();
    else this.editor.view.dom.closest<HTMLElement>("[data-scroller]")?.focus();
  }

  private search(): void {
    this.said = null;
    const isOn = (button: HTMLElement) => button.getAttribute("aria-pressed") === "true";
    this.find.search({
      text: this.field.value,
      caseSensitive: isOn(this.caseButton),
      wholeWord: isOn(this.wordButton),
    });
    this.find.show();
  }

  private go(step: 1 | -1): void {
    this.said = null;
    this.find.go(step);
  }

  private replace(): void {
    if (!this.editor.isEditable) return;
    this.said = this.find.replace(this.replacement.value) ? null : (m) => m.find.isPending;
    this.drawStatus();
  }

  private replaceAll(): void {
    if (!this.editor.isEditable) return;
    const { count, left } = this.find.replaceAll(this.replacement.value);
    this.said = (m) => m.find.replaced(count, left);
    this.drawStatus();
  }

  private showReplace(shown: boolean): void {
    this.second.hidden = !shown;
    this.replacer.setAttribute("aria-expanded", String(shown));
  }

  private key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const isField = event.target === this.field;
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && isField) this.go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === this.replacement) this.replace();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private drawStatus(): void {
    const m = messages();
    const { current, total, proposed } = this.found;
    const text = this.said
      ? this.said(m)
      : !this.field.value
        ? ""
        : total
          ? m.find.count(current, total, proposed)
          : m.find.nothing;
    if (this.status.textContent !== text) this.status.textContent = text;
  }
}

function tool(name: IconName, run: () => void): HTMLButtonElement {
  const button = h("button", { type: "button", class: "tool" }, icon(name));
  button.addEventListener("click", run);
  return button;
}

function toggle(text: string): HTMLButtonElement {
  return h("button", { type: "button", class: "tool find-toggle", "aria-pressed": "false" }, text);
}
