/** `<copydesk-rules>`: the rules of the assistant. */
import type { Rule } from "copydesk";
import type { AssistantWords } from "./assistant-words";
import { h } from "./h";
import { SettingsList } from "./settings-list";

export class RulesPanel extends SettingsList<Rule> {
  private text = h("textarea", { rows: 2 });
  private name = h("span");
  private add = h("button", { type: "submit", class: "copydesk-button main" });

  protected about = (words: AssistantWords): string => words.rulesHint;
  protected none = (words: AssistantWords): string => words.noRules;

  protected form(): HTMLElement {
    const form = h("form", { class: "copydesk-settings-form" }, h("label", {}, this.name, this.text), this.add);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.text.value.trim();
      if (!text) return this.text.focus();
      this.text.value = "";
      this.change([...this.items, { id: crypto.randomUUID(), text, enabled: true }]);
    });
    return form;
  }

  protected drawForm(words: AssistantWords): void {
    this.name.textContent = words.newRule;
    this.text.placeholder = words.newRuleHint;
    this.add.textContent = words.addRule;
  }

  protected row(rule: Rule, at: number, words: AssistantWords): HTMLLIElement {
    const name = words.rule(at + 1);
    const text = h("textarea", { rows: 2, "aria-label": name, "data-focus": `text-${rule.id}` });
    text.value = rule.text;
    text.addEventListener("change", () => {
      const written = text.value.trim();
      this.change(written ? this.with(at, { ...rule, text: written }) : this.with(at));
    });
    const toggle = (enabled: boolean) => this.change(this.with(at, { ...rule, enabled }));
    const up = () => this.change(this.items.toSpliced(at, 1).toSpliced(at - 1, 0, rule));
    return h(
      "li",
      { class: "copydesk-setting", "data-off": rule.enabled === false },
      this.toggle(name, rule.enabled !== false, `on-${rule.id}`, toggle),
      h(
        "div",
        { class: "copydesk-setting-body" },
        text,
        h(
          "div",
          { class: "copydesk-setting-actions" },
          at > 0 && this.button("↑", words.moveUp(name), `up-${rule.id}`, up),
          this.button(words.removeShort, words.remove(name), `remove-${rule.id}`, () => this.change(this.with(at))),
        ),
      ),
    );
  }
}
